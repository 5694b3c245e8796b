import { type Id, parseAnyId } from '../lib/int64.js'
import { stringifyJson } from '../lib/json.js'
import { storeContract } from '../petstore/contract.js'
import { type Exchange, readItems, readTarget } from './exchange.js'
import type { OwnRecords } from './own-records.js'
import { isSuccess } from './resources.js'
import { readJson } from './sender.js'

/** A record that verify did not create, and that is not what it was before. */
export interface ChangedRecord {
  readonly kind: 'pet' | 'category' | 'order' | 'inventory'
  readonly id: Id
  /** As JSON. */
  readonly before: string
  /** As JSON; undefined if it is gone. */
  readonly after?: string
}

/** Some of the records that the service had before anything was written. */
export type Sample = ReadonlyMap<string, SampledRecord>

interface SampledRecord {
  readonly kind: ChangedRecord['kind']
  readonly id: Id
  readonly fields: string
}

const LISTS = [
  { kind: 'pet', path: '/pets', list: 'listPets', read: 'getPet', key: 'id', schema: 'Pet' },
  { kind: 'category', path: '/categories', list: 'listCategories', read: 'getCategory', key: 'id', schema: 'Category' },
  { kind: 'order', path: '/store/orders', list: 'listOrders', read: 'getOrder', key: 'id', schema: 'Order' },
  {
    kind: 'inventory',
    path: '/store/inventory',
    list: 'listInventory',
    read: 'getInventory',
    key: 'petId',
    schema: 'InventoryItem',
  },
] as const

/** The first hundred and the last hundred of each list. */
export async function takeSample(exchange: Exchange): Promise<Sample> {
  const sample = new Map<string, SampledRecord>()
  for (const { kind, path, list, key, schema } of LISTS) {
    for (const query of ['limit=100', `limit=100&sort=-${key}`]) {
      for (const item of await readItems(exchange, list, `${path}?${query}`)) {
        const id = parseAnyId(item[key])
        if (id !== undefined) sample.set(`${kind} ${id}`, { kind, id, fields: toFields(schema, item) })
      }
    }
  }
  return sample
}

/** What has become of a sample. What does not respond any more is not reported as changed. */
export async function findChanged(sample: Sample, exchange: Exchange, own: OwnRecords): Promise<ChangedRecord[]> {
  const now = await takeSample(exchange)
  const changed: ChangedRecord[] = []
  for (const [name, { kind, id, fields: before }] of sample) {
    if (now.get(name)?.fields === before || (kind !== 'inventory' && own.find(kind, id))) continue
    const { path, read, schema } = LISTS.find((each) => each.kind === kind) as (typeof LISTS)[number]
    const response = await readTarget(exchange, read, `${path}/${id}`)
    if (response === undefined) continue
    const after = isSuccess(response) ? toFields(schema, readJson(response.text)) : undefined
    if (after === before) continue
    changed.push({ kind, id, before, ...(after !== undefined && { after }) })
  }
  return changed
}

/** A service may count or date things in fields of its own, which change without being written. */
function toFields(schema: string, item: unknown): string {
  const names = storeContract().fieldsOf(schema)
  const members = Object.entries(item ?? {}).filter(([name]) => names.includes(name))
  return stringifyJson(Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)))) ?? ''
}
