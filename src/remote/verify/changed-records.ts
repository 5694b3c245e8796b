import { type Id, parseAnyId } from '../../lib/int64.js'
import { stringifyJson } from '../../lib/json.js'
import { storeContract } from '../../petstore/contract.js'
import { CannotCheck, orGivenUp } from '../cannot-check.js'
import { type Connection, readItems } from '../connection.js'
import type { OperationInfo, Operations } from '../operations.js'
import { RESOURCES, type Resource } from '../resources.js'
import { toGet } from '../send-request.js'
import { isSuccess } from '../service-response.js'
import type { OwnRecords } from './own-records.js'

/** A record that verify did not create, and that has changed since the start of the run. */
export interface ChangedRecord {
  readonly kind: Resource
  readonly id: Id
  /** As JSON. */
  readonly before: string
  /** As JSON; missing if it was deleted. */
  readonly after?: string
}

/** Records of the service by kind and id, as they were at one time. */
type Sample = ReadonlyMap<string, Omit<ChangedRecord, 'after'>>

/** The records whose changes verify would notice: the first hundred and the last hundred of each list. */
export async function readSample(service: Connection, operations: Operations): Promise<Sample> {
  const sample = new Map<string, Omit<ChangedRecord, 'after'>>()
  for (const kind of ['pet', 'category', 'order', 'inventory'] as const) {
    const { path, list, key } = RESOURCES[kind]
    for (const query of ['limit=100', `limit=100&sort=-${key}`]) {
      for (const item of await readItems(service, list, `${path}?${query}`)) {
        const id = parseAnyId(item[key])
        if (id !== undefined) sample.set(`${kind} ${id}`, { kind, id, before: toFields(operations[list], item) })
      }
    }
  }
  return sample
}

/** The records of a sample that have changed. A record that cannot be read any more is not one of them. */
export async function findChangedRecords(sample: Sample, service: Connection, operations: Operations, own: OwnRecords) {
  const now = await readSample(service, operations)
  const changed: ChangedRecord[] = []
  for (const [name, { kind, id, before }] of sample) {
    if (now.get(name)?.before === before || (kind !== 'inventory' && own.find(kind, id))) continue
    const { path, read } = RESOURCES[kind]
    const response = await orGivenUp(service.send(read, toGet(`${path}/${id}`), true))
    if (response instanceof CannotCheck) continue
    const after = isSuccess(response) ? toFields(operations[read], response.value) : undefined
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
