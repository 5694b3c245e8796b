import type { Id } from '../../lib/int64.js'
import { once } from '../../lib/once.js'
import type { StoredRecord } from './additions.js'
import { collectionOf } from './find.js'
import type { RemoveBelow } from './handler.js'
import { parentFields } from './parents.js'
import { toGroupText } from './selection.js'
import type { ServiceResource } from './service-resource.js'

export function createRemoveBelow(resource: ServiceResource, all: readonly ServiceResource[]): RemoveBelow {
  // At the first use: a document may have hundreds of resources, and each is compared with all others.
  const children = once(() =>
    all.flatMap((child) => findBelow(child, resource, all).map((stored) => ({ child, stored }))),
  )
  return (store, id) => {
    for (const { child, stored } of children()) {
      const collection = collectionOf(store, child)
      const below = [...collection.select({})].filter((each) => isIn(each, stored, id))
      if (below.length === 0) continue
      const removeBelow = createRemoveBelow(child, all)
      for (const each of below) {
        collection.remove(each.id)
        removeBelow(store, each.id)
      }
    }
  }
}

const isIn = (record: StoredRecord, stored: string, id: Id) => toGroupText(record[stored]) === id

/** Where records of a child keep the id of this parent. Those that another path leads to as well are no children. */
function findBelow(
  child: ServiceResource,
  parent: ServiceResource,
  all: readonly ServiceResource[],
): readonly string[] {
  if (child.storedIn !== child.name) return []
  const fields = parentFields(child)
  return child.parents.flatMap(({ resource }, index) => {
    const isParent = all.some(({ name, storedIn }) => name === resource && storedIn === parent.storedIn)
    const stored = fields[index]?.stored
    return isParent && stored !== undefined ? [stored] : []
  })
}
