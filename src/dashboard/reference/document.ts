import { longDate } from '../../lib/time.js'

export interface OpenapiDocument {
  readonly info: { readonly title: string }
  readonly tags?: readonly { readonly name: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

export interface Operation {
  readonly operationId?: string
  readonly tags?: readonly string[]
  readonly deprecated?: boolean
  readonly 'x-stability'?: string
  readonly 'x-deprecated-sunset'?: string
  readonly 'x-hideTryItPanel'?: boolean
}

/** Loads a document and replaces its servers with `base`. Resolves with undefined if the token is missing or wrong. */
export async function loadDocument(
  url: URL,
  base: URL,
  headers: Record<string, string>,
): Promise<OpenapiDocument | undefined> {
  const response = await fetch(url, { headers })
  if (response.status === 401) return undefined
  if (!response.ok) throw new Error(`The server returned ${response.status}.`)
  const document = describeExamples(await response.json()) as OpenapiDocument
  return { ...document, servers: [{ url: base.href.replace(/\/$/, '') }] } as OpenapiDocument
}

/**
 * Moves the examples of optional query parameters to their descriptions. Swagger UI would fill them in, and trying a list
 * would return the second page of a filtered one.
 */
function describeExamples(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(describeExamples)
  if (typeof node !== 'object' || node === null) return node
  const copy = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, describeExamples(value)]))
  const { example, ...rest } = copy
  if (example === undefined || rest.in !== 'query' || rest.required) return copy
  return { ...rest, description: `${rest.description ?? ''}\n\nFor example \`${example}\`.` }
}

export function findOperation({ paths }: OpenapiDocument, path: string, method: string): Operation {
  return paths[path]?.[method] ?? {}
}

/** The tag of an operation, if the document has that operation. */
export function findTag({ paths }: OpenapiDocument, operationId: string): string | undefined {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
  const operation = operations.find((each) => each.operationId === operationId)
  return operation && (operation.tags?.[0] ?? 'default')
}

/** The badges that mark an operation as unstable or deprecated. */
export function badgesOf(operation: Operation): { kind: 'stability' | 'deprecated'; text: string }[] {
  const { deprecated, 'x-stability': stability, 'x-deprecated-sunset': sunset } = operation
  const deprecation = sunset ? `deprecated, ends ${longDate(sunset)}` : 'deprecated'
  return [
    ...(stability === undefined ? [] : [{ kind: 'stability' as const, text: stability }]),
    ...(deprecated ? [{ kind: 'deprecated' as const, text: deprecation }] : []),
  ]
}

const SANDBOX = /^(.*\/)sandbox\/([^/]+)\/$/

/** The URL before `docs`, the name of the sandbox in it, and the URL without that. The server itself has an empty name. */
export function readLocation(href: string): { base: URL; sandbox: string; root: URL } {
  const base = new URL('./', href)
  const [, root = base.pathname, sandbox = ''] = SANDBOX.exec(base.pathname) ?? []
  return { base, sandbox: decodeURIComponent(sandbox), root: new URL(root, base) }
}

/** The address of this page for another sandbox, or for the server itself if the name is empty. */
export function toSandbox(root: URL, name: string, { search, hash }: Pick<Location, 'search' | 'hash'>): string {
  const prefix = name === '' ? '' : `sandbox/${encodeURIComponent(name)}/`
  return `${root.pathname}${prefix}docs${search}${hash}`
}
