import type { MarkedOperation } from './markers.js'

/** Which of the two documents the page shows: `?document=control` asks for that of the control plane. */
export type DocumentName = 'service' | 'control'

export interface OpenapiDocument {
  readonly info: { readonly title: string }
  readonly tags?: readonly { readonly name: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>
}

export interface DocumentedOperation extends MarkedOperation {
  readonly operationId?: string
  readonly tags?: readonly string[]
}

const PATHS = { service: 'openapi.json', control: '__admin/openapi.json' } as const

/** Loads a document, with the place of this page as the only server; undefined where a token is asked for. */
export async function loadDocument(
  name: DocumentName,
  base: URL,
  token: string | undefined,
): Promise<OpenapiDocument | undefined> {
  const headers = { ...(token !== undefined && { Authorization: `Bearer ${token}` }) }
  const response = await fetch(new URL(PATHS[name], base), { headers })
  if (response.status === 401) return undefined
  if (!response.ok) throw new Error(`the server answered ${response.status}`)
  return prepare(await response.json(), base) as OpenapiDocument
}

/**
 * A document to be tried where this page is. Examples of parameters that may be left out are told and not filled in:
 * whoever tries a list wants to see the list, not the second page of what fits every filter.
 */
function prepare(document: object, base: URL): object {
  const visit = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(visit)
    if (typeof node !== 'object' || node === null) return node
    const { example, ...rest } = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, visit(value)]))
    if (example === undefined || rest.in !== 'query' || rest.required)
      return example === undefined ? rest : { ...rest, example }
    return { ...rest, description: `${rest.description ?? ''}\n\nFor example \`${example}\`.` }
  }
  return { ...(visit(document) as object), servers: [{ url: base.href.replace(/\/$/, '') }] }
}

/** Where an operation stands in its document. */
export interface OperationPlace {
  readonly tag: string
  readonly operation: string
}

export function findOperation({ paths }: OpenapiDocument, id: string): OperationPlace | undefined {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
  const found = operations.find(({ operationId }) => operationId === id)
  return found && { tag: found.tags?.[0] ?? 'default', operation: id }
}
