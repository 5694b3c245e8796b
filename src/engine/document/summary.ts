import type { ImpossibleField } from '../data/scenarios.js'
import type { AnyService } from '../define-service.js'
import { filterParameters } from '../resources/list.js'
import type { Role } from '../resources/resource.js'
import type { ServiceResource } from '../resources/service-resource.js'
import type { ServiceDefinition } from '../service.js'
import { findOddities } from './oddities.js'

/** What the mock understood of a service. Plain data. */
export interface ServiceSummary {
  readonly title: string
  readonly operations: number
  readonly resources: readonly ResourceSummary[]
  /** The operations without state, by their names. */
  readonly stateless: readonly string[]
  /** The names of the security schemes, which are ignored without `security: 'require'`. */
  readonly securitySchemes: readonly string[]
  /** What the rules of the service need and the document lacks, in sentences. */
  readonly warnings: readonly string[]
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
    resources: resources.map((resource) => summarizeResource(resource, furtherPaths)),
    stateless: [...service.stateless],
    securitySchemes: Object.keys(schemesOf(service.document) ?? {}),
    warnings: service.warnings,
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
    furtherPaths: furtherPaths.filter(({ storedIn }) => storedIn === name).map(summarizePaths),
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
