import type { Role } from '../../document/resources/resource.js'
import { readDocumentPattern } from '../../document/schema/document-pattern.js'
import { tidyDocument } from '../../document/schema/tidy-document.js'
import { walk } from '../../document/schema/walk.js'
import { isOwnAdminPath } from '../../http/address.js'
import { DOCUMENT_METHODS } from '../../http/methods.js'
import { escapeToken, toPointer } from '../../lib/json-pointer.js'
import { quote } from '../../lib/text.js'
import { filterParameters } from '../crud/list.js'
import type { ImpossibleField } from '../data/scenarios.js'
import { resourcesStoredIn, type ServiceResource } from '../resources/service-resource.js'
import type { ServiceDefinition } from '../service.js'
import type { AnyService } from './define-service.js'

/** Parts of a document that the mock serves without following them, each a sentence that starts with a JSON pointer. */
function findOddities(document: object, resources: readonly ServiceResource[]): string[] {
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
      ...(isOwnAdminPath(path)
        ? [`${pointer} is not reached: everything at and below /__admin is the mock's own.`]
        : []),
      ...unknown.map((key) => `${pointer}/${escapeToken(key)} is ignored: it is not a method.`),
    ]
  })
}

/** What a path of a document can have. */
const IN_A_PATH: ReadonlySet<string> = new Set([
  ...DOCUMENT_METHODS,
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

/** What the mock understood of a service. Plain data. */
export interface ServiceSummary {
  readonly title: string
  readonly operations: number
  readonly resources: readonly ResourceSummary[]
  /** The operations without state, by their names. */
  readonly stateless: readonly string[]
  /** The names of the security schemes, which are ignored without `security: 'require'`. */
  readonly securitySchemes: readonly string[]
  /** What the document says and the mock cannot follow, and what was generated last and cannot exist: sentences. */
  readonly notUnderstood: readonly string[]
}

export interface ResourceSummary {
  readonly name: string
  readonly path: string
  readonly itemPath?: string | undefined
  /** The property that holds its id: `id`, `metadata.name`. */
  readonly id?: string | undefined
  /** The names of its operations. */
  readonly operations: { readonly [R in Role]?: string }
  /** The properties that refer to other resources, with the names of these. */
  readonly references: Readonly<Record<string, string>>
  /** The query parameters of the list that are understood. */
  readonly query: {
    readonly filters: readonly string[]
    readonly sorting: readonly string[]
    readonly paging: readonly string[]
  }
  /** Further paths to its records. */
  readonly furtherPaths: readonly Pick<ResourceSummary, 'path' | 'itemPath' | 'operations' | 'query'>[]
}

export function summarizeService(service: ServiceDefinition<AnyService>): ServiceSummary {
  const { resources, furtherPaths } = service
  return {
    title: service.title,
    operations: service.contract.operations().length,
    resources: resources.map((resource) => summarizeResource(resource, resourcesStoredIn(furtherPaths, resource.name))),
    stateless: [...service.stateless],
    securitySchemes: Object.keys(schemesOf(service.document) ?? {}),
    notUnderstood: [
      ...service.impossibleFields().map(describeImpossible),
      ...findOddities(service.document, [...resources, ...furtherPaths]),
    ],
  }
}

function describeImpossible({ schema, pointer, resource, expected }: ImpossibleField): string {
  return `${schema}: no value was found for ${pointer}, which must be ${expected}. ${resource} starts without records.`
}

const schemesOf = ({ components }: { readonly components?: { readonly securitySchemes?: object } }) =>
  components?.securitySchemes

function summarizeResource(resource: ServiceResource, furtherPaths: readonly ServiceResource[]): ResourceSummary {
  const { name, id, references } = resource
  const { path, itemPath, operations, query } = summarizePaths(resource)
  return {
    name,
    path,
    ...(itemPath !== undefined && { itemPath }),
    ...(id.property !== undefined && { id: id.property.join('.') }),
    operations,
    references,
    query,
    furtherPaths: furtherPaths.map(summarizePaths),
  }
}

function summarizePaths(resource: ServiceResource): ResourceSummary['furtherPaths'][number] {
  const { path, itemPath, operations } = resource
  const names = Object.entries(operations).map(([role, { operationId }]) => [role, operationId])
  return {
    path,
    ...(itemPath !== undefined && { itemPath }),
    operations: Object.fromEntries(names),
    query: summarizeQuery(resource),
  }
}

function summarizeQuery(resource: ServiceResource): ResourceSummary['query'] {
  const { sort, direction, paging, search, ranges = [] } = resource.list ?? {}
  const given = (...names: readonly (string | undefined)[]) => names.filter((name) => name !== undefined)
  return {
    filters: given(...filterParameters(resource), ...ranges.map(({ parameter }) => parameter), search),
    sorting: given(sort, direction),
    paging: given(paging?.position, paging?.before, paging?.size),
  }
}
