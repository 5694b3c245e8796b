import { readIdOf } from '../../engine/resources/record-forms.js'
import type { ServiceResource } from '../../engine/resources/service-resource.js'
import type { Id } from '../../lib/int64.js'
import { stringifyJson } from '../../lib/json.js'
import { CannotCheck, orGivenUp } from '../cannot-check.js'
import { type Connection, readBody } from '../connection.js'
import { toGet } from '../send-request.js'
import { isSuccess } from '../service-response.js'
import type { OwnRecords } from './own-records.js'
import { contentOf, itemsIn, labelOf, queryFor, type Resources } from './resources.js'

/** A record that verify did not create, and that has changed since the start of the run. */
export interface ChangedRecord {
  /** What one record of its resource is called. */
  readonly kind: string
  readonly id: Id
  /** As JSON. */
  readonly before: string
  /** As JSON; missing if it was deleted. */
  readonly after?: string
}

interface SampledRecord {
  readonly resource: ServiceResource
  readonly id: Id
  readonly before: string
}

/** Records of the service by resource and id, as they were at one time. */
type Sample = ReadonlyMap<string, SampledRecord>

/** The records whose changes verify would notice: the first hundred and the last hundred of each list. */
export async function readSample(service: Connection, { all }: Resources): Promise<Sample> {
  const sample = new Map<string, SampledRecord>()
  for (const resource of all) {
    const { name, path, operations, parents } = resource
    if (operations.list === undefined || parents.length > 0) continue
    for (const query of [queryFor(resource, 100), queryFor(resource, 100, true)]) {
      if (query === undefined) continue
      const body = await readBody(service, operations.list.operationId, `${path}?${query}`)
      for (const item of itemsIn(resource, body)) {
        const id = readIdOf(resource, item)
        if (id !== undefined) sample.set(`${name} ${id}`, { resource, id, before: toFields(resource, item) })
      }
    }
  }
  return sample
}

/** The records of a sample that have changed. A record that cannot be read any more is not one of them. */
export async function findChangedRecords(sample: Sample, service: Connection, resources: Resources, own: OwnRecords) {
  const now = await readSample(service, resources)
  const changed: ChangedRecord[] = []
  for (const [name, { resource, id, before }] of sample) {
    const { path, operations } = resource
    if (now.get(name)?.before === before || own.find(resource, id) || operations.read === undefined) continue
    const response = await orGivenUp(service.send(operations.read.operationId, toGet(`${path}/${id}`), true))
    if (response instanceof CannotCheck) continue
    const record = contentOf(resource, 'read', response.value)
    const after = isSuccess(response) ? toFields(resource, record) : undefined
    const kind = labelOf(resource)
    if (after !== before) changed.push({ kind, id, before, ...(after !== undefined && { after }) })
  }
  return changed
}

/** Without fields that only this service has: they may change by themselves, such as a counter of reads. */
function toFields({ fields }: ServiceResource, record: unknown): string {
  const members = Object.entries(record ?? {}).filter(([name]) => fields.some(({ property }) => property === name))
  return stringifyJson(Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)))) ?? ''
}
