import { invalidOption } from '../../http/errors.js'
import { withArticle } from '../crud/messages.js'
import type { ServiceResource } from '../resources/service-resource.js'
import type { Sizes } from './scenarios.js'

/** How many records are generated if no size is given: in all, at the top, and for each parent. */
const MAX_TOTAL = 500
const USUAL = { top: 10, perParent: 2.5 }

/** Stands for all resources whose size is not given. */
export const ALL = 'all'

/** Whether it has records of its own: several paths may lead to the same ones. */
export const hasRecords = ({ name, storedIn }: Pick<ServiceResource, 'name' | 'storedIn'>) => storedIn === name

/** The position of the innermost parent that has records; -1 if none has. */
export function findParent({ parents }: ServiceResource, resources: ReadonlyMap<string, ServiceResource>): number {
  return parents.findLastIndex(({ resource }) => resource !== undefined && resources.has(resource))
}

/** How many records of each resource to generate. Throws a MockError if a record could have no parent. */
export function countRecords(all: readonly ServiceResource[], sizes: Sizes): ReadonlyMap<string, number> {
  const resources = new Map(all.filter(hasRecords).map((resource) => [resource.name, resource]))
  const top = Math.min(USUAL.top, Math.max(1, Math.floor(MAX_TOTAL / 3 / resources.size)))
  const counts = new Map<string, number>()

  function parentOf(resource: ServiceResource): ServiceResource | undefined {
    return resources.get(resource.parents[findParent(resource, resources)]?.resource ?? '')
  }

  /** Whether it, or something inside it, is wanted by its name. */
  const wanted = new Set<string>()
  for (const [name, resource] of resources) {
    if (!sizes[name]) continue
    for (let each: ServiceResource | undefined = resource; each; each = parentOf(each)) wanted.add(each.name)
  }

  function count(resource: ServiceResource): number {
    const { name, isSingle } = resource
    const parent = parentOf(resource)
    const parents = parent ? countOf(parent) : 1
    const given = sizes[name] ?? (wanted.has(name) ? undefined : sizes[ALL])
    if (parent && parents === 0) {
      if (!sizes[name]) return 0
      const expected = `1 or more, because every ${resource.noun} needs ${withArticle(parent.noun)}`
      throw invalidOption(`sizes.${parent.name}`, expected, 0)
    }
    if (isSingle) return Math.min(given ?? parents, parents)
    return given ?? (parent ? Math.min(Math.ceil(parents * USUAL.perParent), 3 * top) : top)
  }

  function countOf(resource: ServiceResource): number {
    const known = counts.get(resource.name) ?? count(resource)
    counts.set(resource.name, known)
    return known
  }

  for (const resource of resources.values()) countOf(resource)
  return counts
}
