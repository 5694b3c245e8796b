import { type Id, parseAnyId } from '../lib/int64.js'
import { stringifyJson } from '../lib/json.js'
import { storeContract } from '../petstore/contract.js'
import { type Exchange, orGivenUp, readItems } from './exchange.js'
import type { OperationInfo, Operations } from './operations.js'
import type { OwnRecords } from './own-records.js'
import { isSuccess } from './resources.js'
import { readJson, toGet } from './sender.js'

/** A record that verify did not create, and that has changed since the start of the run. */
export interface ChangedRecord {
  readonly kind: 'pet' | 'category' | 'order' | 'inventory'
  readonly id: Id
  /** As JSON. */
  readonly before: string
  /** As JSON; missing if it was deleted. */
  readonly after?: string
}

/** Records of the service by kind and id, as they were at one time. */
export type Sample = ReadonlyMap<string, SampledRecord>

interface SampledRecord {
  readonly kind: ChangedRecord['kind']
  readonly id: Id
  readonly fields: string
}

const READERS = { pet: 'getPet', category: 'getCategory', order: 'getOrder', inventory: 'getInventory' } as const
const LISTS = { pet: 'listPets', category: 'listCategories', order: 'listOrders', inventory: 'listInventory' } as const

/** The first hundred and the last hundred records of each list. */
export async function takeSample(exchange: Exchange, operations: Operations): Promise<Sample> {
  const sample = new Map<string, SampledRecord>()
  for (const [kind, list] of Object.entries(LISTS) as [ChangedRecord['kind'], keyof Operations][]) {
    const key = kind === 'inventory' ? 'petId' : 'id'
    for (const query of ['limit=100', `limit=100&sort=-${key}`]) {
      for (const item of await readItems(exchange, list, `${operations[list].path}?${query}`)) {
        const id = parseAnyId(item[key])
        if (id !== undefined) sample.set(`${kind} ${id}`, { kind, id, fields: toFields(operations[list], item) })
      }
    }
  }
  return sample
}

/** The records of a sample that have changed. A record that cannot be read any more is not one of them. */
export async function findChanged(
  sample: Sample,
  exchange: Exchange,
  operations: Operations,
  own: OwnRecords,
): Promise<ChangedRecord[]> {
  const now = await takeSample(exchange, operations)
  const changed: ChangedRecord[] = []
  for (const [name, { kind, id, fields: before }] of sample) {
    if (now.get(name)?.fields === before || (kind !== 'inventory' && own.find(kind, id))) continue
    const reader = operations[READERS[kind]]
    const response = await orGivenUp(exchange.send(reader.id, toGet(reader.path.replace(/\{.*\}/, id)), true))
    if (response instanceof Error) continue
    const after = isSuccess(response) ? toFields(reader, readJson(response.text)) : undefined
    if (after !== before) changed.push({ kind, id, before, ...(after !== undefined && { after }) })
  }
  return changed
}

/** Without fields that only this service has: they may change by themselves, such as a counter of reads. */
function toFields({ schema }: OperationInfo, record: unknown): string {
  const names = storeContract().fieldsOf(schema)
  const members = Object.entries(record ?? {}).filter(([name]) => names.includes(name))
  return stringifyJson(Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)))) ?? ''
}
