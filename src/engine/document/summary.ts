import type { ImpossibleField } from '../data/scenarios.js'
import type { AnyService } from '../define-service.js'
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
}

export function summarizeService(service: ServiceDefinition<AnyService>): ServiceSummary {
  return {
    title: service.title,
    operations: service.contract.operations().length,
    resources: service.resources.map(summarizeResource),
    stateless: [...service.stateless],
    warnings: service.warnings,
    notUnderstood: [
      ...service.impossibleFields().map(describeImpossible),
      ...findOddities(service.document, service.resources),
    ],
  }
}

function describeImpossible({ schema, pointer, resource, expected }: ImpossibleField): string {
  return `${schema}: no value was found for ${pointer}, which must be ${expected}. ${resource} starts without records.`
}

function summarizeResource({ name, path, itemPath, id, operations, references }: ServiceResource): ResourceSummary {
  const names = Object.entries(operations).map(([role, { operationId }]) => [role, operationId])
  return {
    name,
    path,
    ...(itemPath !== undefined && { itemPath }),
    ...(id.property !== undefined && { id: id.property.join('.') }),
    operations: Object.fromEntries(names),
    references,
  }
}
