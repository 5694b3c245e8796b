import { readIdOf } from '../../engine/resources/record-forms.js'
import type { ServiceResource } from '../../engine/resources/service-resource.js'
import type { Id } from '../../lib/int64.js'
import { stringifyJson } from '../../lib/json.js'
import { CannotCheck, orGivenUp } from '../server/cannot-check.js'
import { type Connection, readBody } from '../server/connection.js'
import { isSuccess } from '../server/service-response.js'
import { contentOf, isView, itemsIn } from './resources.js'
import type { Known } from './write-guard.js'

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

/** Remembers the first hundred and the last hundred records of each list, to notice when one changes. */
export async function watchRecords(
  service: Connection,
  { operations, resources, requests, own }: Known,
  isOn: boolean,
) {
  /** By resource and id. */
  async function readSample(wanted: readonly ServiceResource[]): Promise<Map<string, SampledRecord>> {
    const sample = new Map<string, SampledRecord>()
    for (const resource of wanted) {
      const list = operations.get(resource.operations.list?.operationId ?? '')
      if (list === undefined || list.path.includes('{')) continue
      for (const query of [requests.queryFor(list, 100), requests.queryFor(list, 100, true)]) {
        if (query === undefined) continue
        const body = await readBody(service, list.id, requests.toRequest(list, { query }))
        for (const item of itemsIn(resource, body)) {
          const id = readIdOf(resource, item)
          if (id !== undefined) sample.set(`${resource.name} ${id}`, { resource, id, before: toFields(resource, item) })
        }
      }
    }
    return sample
  }

  const sample = isOn ? await readSample(resources.all) : new Map<string, SampledRecord>()

  return {
    size: sample.size,
    /** Those that changed, of this resource and what it refers to, or of all. One that cannot be read is not among them. */
    async findChanged(about?: ServiceResource): Promise<ChangedRecord[]> {
      const names = about && [about.name, about.storedIn, ...Object.values(about.references)]
      const wanted = resources.all.filter(
        ({ name, storedIn }) => names?.some((each) => each === name || each === storedIn) ?? true,
      )
      const now = await readSample(wanted)
      const changed: ChangedRecord[] = []
      for (const [name, { resource, id, before }] of sample) {
        const read = operations.get(resource.operations.read?.operationId ?? '')
        if (!wanted.includes(resource) || now.get(name)?.before === before) continue
        if (read === undefined || own.find(resource, id)) continue
        const request = requests.toRequest(read, { id: resource.ids.toJson(id) })
        const response = await orGivenUp(service.send(read.id, request, true))
        if (response instanceof CannotCheck) continue
        const after = isSuccess(response) ? toFields(resource, contentOf(resource, 'read', response.value)) : undefined
        if (after === before) continue
        const kind = isView(resource) ? resource.name : resource.noun
        changed.push({ kind, id, before, ...(after !== undefined && { after }) })
      }
      return changed
    },
  }
}

/** Without fields that only this service has: they may change by themselves, such as a counter of reads. */
function toFields({ fields }: ServiceResource, record: unknown): string {
  const members = Object.entries(record ?? {}).filter(([name]) => fields.some(({ property }) => property === name))
  return stringifyJson(Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)))) ?? ''
}
