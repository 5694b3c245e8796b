import { escapeToken, toPointer } from '../../lib/json-pointer.js'
import { quote } from '../../lib/quote.js'
import { readDocumentPattern } from '../contract/document-pattern.js'
import { tidyDocument } from '../contract/tidy-document.js'
import type { ServiceResource } from '../resources/service-resource.js'
import { walk } from './walk.js'

/** Parts of a document that the mock serves without following them, each a sentence that starts with a JSON pointer. */
export function findOddities(document: object, resources: readonly ServiceResource[]): string[] {
  const tidy = tidyDocument(document)
  return [
    ...tidy.ignored,
    ...findOddPaths(tidy.document),
    ...findRepeatedNames(tidy.document),
    ...findOddPatterns(tidy.document),
    ...findLostIds(resources),
    ...findIgnoredParameters(resources),
  ]
}

function findOddPaths(document: object): string[] {
  const { paths = {} } = document as { readonly paths?: Readonly<Record<string, object | undefined>> }
  return Object.entries(paths).flatMap(([path, item]) => {
    const pointer = `/paths/${escapeToken(path)}`
    const unknown = Object.keys(item ?? {}).filter((key) => !IN_A_PATH.has(key) && !key.startsWith('x-'))
    return [
      ...(path.startsWith('/') ? [] : [`${pointer} must start with a slash.`]),
      ...(/[?#]/.test(path) ? [`${pointer} is not reached: the path of a request ends before ? and #.`] : []),
      ...unknown.map((key) => `${pointer}/${escapeToken(key)} is ignored: it is not a method.`),
    ]
  })
}

/** What a path of a document can have. */
const IN_A_PATH: ReadonlySet<string> = new Set([
  ...['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'],
  ...['$ref', 'summary', 'description', 'servers', 'parameters'],
])

function findRepeatedNames(document: object): string[] {
  const { paths = {} } = document as { readonly paths?: Readonly<Record<string, object | undefined>> }
  const first = new Map<string, string>()
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item ?? {}).flatMap(([method, operation]) => {
      const name = (operation as { operationId?: unknown } | null)?.operationId
      if (typeof name !== 'string') return []
      const pointer = `/paths/${escapeToken(path)}/${method}`
      const earlier = first.get(name)
      if (earlier === undefined) first.set(name, pointer)
      if (earlier === undefined) return []
      return [
        `${pointer}/operationId ${quote(name)} is also that of ${earlier}. Here it is ${method.toUpperCase()} ${path}.`,
      ]
    }),
  )
}

/** Of more, those that come later are not named: reading each takes time. */
const MAX_PATTERNS = 5000

function findOddPatterns(document: object): string[] {
  const problems: string[] = []
  const known = new Set<string>()
  const check = (pattern: string, pointer: () => string) => {
    if (known.has(pattern) || known.size >= MAX_PATTERNS) return
    known.add(pattern)
    const problem = readDocumentPattern(pattern)
    if (typeof problem === 'string') problems.push(`${pointer()} ${problem}, and is not checked: ${quote(pattern)}.`)
  }
  for (const { value, path, isNames } of walk(document)) {
    const { pattern } = value as { readonly pattern?: unknown }
    const names = isNames && path.key === 'patternProperties' ? Object.keys(value) : []
    for (const name of names) check(name, () => `${toPointer(path)}/${escapeToken(name)}`)
    if (!isNames && typeof pattern === 'string') check(pattern, () => `${toPointer(path)}/pattern`)
  }
  return problems
}

function findLostIds(resources: readonly ServiceResource[]): string[] {
  return resources
    .filter(({ id, itemPath }) => itemPath !== undefined && id.property === undefined)
    .map(
      ({ itemPath = '', id }) => `/paths/${escapeToken(itemPath)} has records without a property for ${id.parameter}.`,
    )
}

function findIgnoredParameters(resources: readonly ServiceResource[]): string[] {
  return resources.flatMap(({ path, list, operations, additions }) => {
    const names = (list?.ignored ?? []).filter((name) => !Object.hasOwn(additions.filters ?? {}, name))
    if (names.length === 0) return []
    const quoted = names.map((name) => quote(name)).join(', ')
    return [
      `/paths/${escapeToken(path)}/get: ${operations.list?.operationId} ignores ${quoted} in the query, unless it has a function.`,
    ]
  })
}
