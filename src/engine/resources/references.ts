import type { Id } from '../../lib/int64.js'
import type { StoredRecord } from './additions.js'
import { collectionOf } from './find.js'
import type { ResourceContext } from './handler.js'
import { inUse, unknownReference } from './messages.js'
import { toGroupText } from './selection.js'
import type { Field, ServiceResource } from './service-resource.js'

type Rules = Pick<ResourceContext, 'store' | 'options'>

/** Throws an error if a record refers to one that does not exist. What it referred to before is not checked again. */
export function checkReferences(
  { fields, checkedReferences }: ServiceResource,
  all: readonly ServiceResource[],
  { store, options }: Rules,
  next: StoredRecord,
  current?: StoredRecord,
): void {
  if (options.rules === 'off') return
  for (const { property, to } of checkedReferences) {
    const { stored } = fields.find((field) => field.property === property) as Field
    const target = toGroupText(next[stored])
    if (target === undefined || next[stored] === current?.[stored]) continue
    const resource = all.find(({ name }) => name === to) as ServiceResource
    if (collectionOf(store, resource).get(target as Id) === undefined)
      throw unknownReference(property, resource, target)
  }
}

/** Throws an error if other records refer to one that is about to be deleted. */
export function checkUnused(
  resource: ServiceResource,
  all: readonly ServiceResource[],
  { store, options }: Rules,
  id: Id,
): void {
  if (options.rules === 'off') return
  for (const user of all) {
    for (const { property, to, when } of user.checkedReferences) {
      if (to !== resource.name || when) continue
      const count = collectionOf(store, user).countIn(property, id)
      if (count > 0) throw inUse(resource, id, user, count)
    }
  }
}
