import type { FixtureEntry, FixtureFormat } from '../../engine/data/format.js'
import type { ResourceOperation } from '../../engine/resources/resource.js'
import type { ServiceResource } from '../../engine/resources/service-resource.js'

/** A resource whose records are all in one list. */
export interface ListedResource extends ServiceResource {
  readonly operations: ServiceResource['operations'] & { readonly list: ResourceOperation }
}

/** The records of a fixture, by the name of their resource. */
export type PulledFixture = Record<string, FixtureEntry[]>

/** The resources that can be pulled, as their lists are sorted in a fixture. */
export function listedResources({ resources }: Pick<FixtureFormat, 'resources'>): readonly ListedResource[] {
  return resources.filter(isListed)
}

/** A nested list has only the records of one parent. */
function isListed(resource: ServiceResource): resource is ListedResource {
  return resource.operations.list !== undefined && resource.parents.length === 0 && !resource.isSingle
}
