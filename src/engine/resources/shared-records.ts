import { normalize } from './names.js'
import type { Related } from './relations.js'
import type { Parent } from './resource.js'
import { areSimilar } from './schema-facts.js'

/** The resource whose records these are as well, if two paths of a document lead to the same ones. */
export function findStore(
  resource: Related,
  parents: readonly Parent[],
  byNoun: ReadonlyMap<string, readonly Related[]>,
): string | undefined {
  const isOnlyList = Object.keys(resource.operations).every((role) => role === 'list')
  const namesake = byNoun.get(normalize(resource.noun))?.find((other) => isTopLevel(other))
  if (namesake && keepsRecordsOf(namesake, resource)) {
    const isSelectable = parents.every(({ property }) => property !== undefined)
    return isOnlyList && !isSelectable ? undefined : namesake.name
  }
  if (!isOnlyList || resource.itemPath !== undefined || parents.length > 0) return undefined
  const others = [...byNoun.values()].flat()
  return others.find((other) => isTopLevel(other) && other.recordSchema === resource.recordSchema)?.name
}

/** Two complete collections are two, even if they have the same records: articles and drafts of articles. */
function keepsRecordsOf(store: Related, resource: Related): boolean {
  if (resource.isSingle || resource.segments.length <= store.segments.length) return false
  if (resource.itemPath !== undefined && store.operations.create) return false
  return (
    store.id.kind.type === resource.id.kind.type &&
    store.id.property?.join() === resource.id.property?.join() &&
    areSimilar(store.recordSchema, resource.recordSchema)
  )
}

const isTopLevel = ({ segments }: Related) => segments.every((segment) => !segment.includes('{'))
