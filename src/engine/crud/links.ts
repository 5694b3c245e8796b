import type { Link } from '../../document/resources/resource.js'
import { isObjectSchema, itemsOf } from '../../document/schema/facts.js'
import { oncePer } from '../../lib/functions.js'
import type { Id } from '../../lib/int64.js'
import { groupBy, isPlainObject } from '../../lib/values.js'
import type { AnyCollections, StoredRecord } from '../resources/additions.js'
import { atItemPath, linkFields } from '../resources/parents.js'
import { readIdOf, toJsonRecord, toReference } from '../resources/record-forms.js'
import type { Condition } from '../resources/selection.js'
import { resourceNamed, type ServiceResource } from '../resources/service-resource.js'
import { collectionOf, findRecord, lookUp, toOwnPath } from './find.js'
import { isMadeWhenNeeded } from './finder.js'
import type { ResourceContext, Tools } from './handler.js'

/** What the records of a resource hold of another one. */
export interface Holding {
  readonly holder: ServiceResource
  readonly held: ServiceResource
  idsIn(record: StoredRecord): readonly Id[]
  /** Stores a record with other records in it, in the form that its property has. */
  hold(store: AnyCollections, record: StoredRecord, ids: readonly Id[], tools: Pick<Tools, 'maker'>): StoredRecord
}

export function createHolding({ holder: name, name: property, held: to }: Link, all: readonly ServiceResource[]) {
  const holder = resourceNamed(all, name)
  const held = resourceNamed(all, to)
  const place = holder && linkFields(holder).find((each) => each.name === property)
  return holder && held && place ? toHolding(holder, held, place) : undefined
}

type Place = ReturnType<typeof linkFields>[number]

function toHolding(holder: ServiceResource, held: ServiceResource, { stored, field }: Place): Holding {
  const items = field && itemsOf(field.schema)
  const idOf = (value: unknown) => (isPlainObject(value) ? readIdOf(held, value) : held.ids.read(value))
  const valuesIn = (record: StoredRecord) => [record[stored] ?? []].flat()
  return {
    holder,
    held,
    idsIn: (record) => valuesIn(record).flatMap((value) => idOf(value) ?? []),
    hold(store, record, ids, { maker }) {
      const present = new Map(valuesIn(record).map((value) => [idOf(value), value]))
      const toValue = (id: Id): unknown => {
        const kept = present.get(id)
        if (kept !== undefined) return kept
        if (items === undefined) return id
        if (!isObjectSchema(items)) return toReference(held.ids.toJson(id), items)
        const other = collectionOf(store, held).get(id)
        const json = other ? toJsonRecord(held, other) : { [held.idPath[0]]: held.ids.toJson(id) }
        return maker ? maker.fit(items, `${holder.name}/${id}`, json) : json
      }
      return collectionOf(store, holder).replace({ ...record, [stored]: ids.map(toValue) })
    },
  }
}

/** The condition of a list below a record: of what that holds, or of what holds it. Throws a 404 error if there is no such record. */
export function createLinked(
  { link, below }: ServiceResource,
  all: readonly ServiceResource[],
): ((context: Pick<ResourceContext, 'store' | 'path'>) => Condition) | undefined {
  const holding = link && createHolding(link, all)
  const named = resourceNamed(all, below?.resource)
  if (!holding || !named || !below) return undefined
  const at = atItemPath(named)
  return ({ store, path }) => {
    const place = { store, path: toOwnPath(at, path, below.parameters) }
    const record = isMadeWhenNeeded(at) ? lookUp(at, place) : findRecord(at, place)
    if (record === undefined) return { key: 'linked:', test: () => false }
    if (named.name === holding.holder.name) {
      const ids = new Set(holding.idsIn(record))
      return { key: `linked:${[...ids].sort().join()}`, test: ({ id }) => ids.has(id) }
    }
    return { key: `holds:${record.id}`, test: (each) => holding.idsIn(each).includes(record.id) }
  }
}

/** What the records of other resources hold of one, by what stores that. */
const holdingsByStore = oncePer((all: readonly ServiceResource[]) =>
  groupBy(
    all.flatMap((holder) =>
      Object.entries(holder.links ?? {}).flatMap(
        ([name, held]) => createHolding({ holder: holder.name, name, held }, all) ?? [],
      ),
    ),
    ({ held }) => held.storedIn,
  ),
)

/** Takes a deleted record out of those that hold it. */
export function removeFromHolders(
  { storedIn }: ServiceResource,
  all: readonly ServiceResource[],
  store: AnyCollections,
  id: Id,
  tools: Pick<Tools, 'maker'>,
): void {
  for (const { holder, idsIn, hold } of holdingsByStore(all).get(storedIn) ?? []) {
    const holders = [...collectionOf(store, holder).select({})].filter((each) => idsIn(each).includes(id))
    for (const record of holders) {
      const others = idsIn(record).filter((each) => each !== id)
      hold(store, record, others, tools)
    }
  }
}
