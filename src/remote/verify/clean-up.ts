import { readIdOf } from '../../engine/resources/record-forms.js'
import { orGivenUp } from '../cannot-check.js'
import { type Connection, readBody } from '../connection.js'
import { isSuccess, memberOf, type ServiceResponse } from '../service-response.js'
import { markOf } from './marks.js'
import type { LeftBehind, OwnRecord, OwnRecords } from './own-records.js'
import { itemsIn, queryFor, type Resources } from './resources.js'
import { createWriteGuard, type WriteGuard } from './write-guard.js'

/** Deletes the records that verify created, as far as the service lets it. Returns those that are left. */
export async function cleanUp(service: Connection, resources: Resources, own: OwnRecords): Promise<LeftBehind[]> {
  const guard = createWriteGuard(service, resources, own, '', true)
  let left = new Map(own.all().map((record) => [record, '']))
  let before: number
  // A service that deletes later may refuse to delete a record while another refers to it.
  do {
    before = left.size
    left = await removeAll(guard, [...left.keys()])
  } while (left.size > 0 && left.size < before)
  const known = [...left].map(([{ resource, id }, reason]) => ({ kind: resource.noun, id, reason }))
  return [...known, ...(await findStrays(service, resources, own, left))]
}

/** Deletes records, and reads them afterwards. Returns those that are still there, with the reason. */
async function removeAll(guard: WriteGuard, records: readonly OwnRecord[]): Promise<Map<OwnRecord, string>> {
  const responses = new Map<OwnRecord, ServiceResponse | Error | undefined>()
  for (const record of records) responses.set(record, await orGivenUp(guard.remove(record)))
  const left = new Map<OwnRecord, string>()
  for (const [record, response] of responses) {
    const occupant = await orGivenUp(guard.inspect(record.resource, record.id))
    if (occupant instanceof Error) left.set(record, occupant.message)
    else if (occupant === 'own') left.set(record, describe(response))
    else if (occupant !== 'nothing' && !record.isDeleted) left.set(record, CHANGED)
  }
  return left
}

const CHANGED = 'no longer reads as verify created it, so it was not deleted'

function describe(response: ServiceResponse | Error | undefined): string {
  if (response === undefined) return CHANGED
  if (response instanceof Error) return response.message
  const code = isSuccess(response) ? '' : ` ${memberOf(response, 'code') ?? ''}`
  return `DELETE returned ${response.status}${code.trimEnd()}, and it is still there`
}

/** Records with the marker of this run that verify does not know, and creations that could not be identified. */
async function findStrays(
  service: Connection,
  resources: Resources,
  own: OwnRecords,
  known: ReadonlyMap<OwnRecord | undefined, string>,
): Promise<LeftBehind[]> {
  const strays = new Map<string, LeftBehind>()
  const unidentified = new Set(own.unidentified)
  for (const resource of resources.stored) {
    const { name, noun: kind, path, operations, list } = resource
    if (operations.list === undefined) continue
    const filter = list?.filters.find(({ property }) => property === markOf(resource, 'text')?.property)
    // The newest ones too, in case the filter does not work.
    const queries = [
      queryFor(resource, 100, true),
      filter && `${queryFor(resource, 100)}&${filter.parameter}=${own.marker}`,
    ].filter((query) => query !== undefined)
    for (const query of queries) {
      const body = await readBody(service, operations.list.operationId, `${path}?${query}`)
      for (const item of itemsIn(resource, body)) {
        const id = readIdOf(resource, item)
        const isKnown = id === undefined || strays.has(`${name} ${id}`) || known.has(own.find(resource, id))
        if (isKnown || !own.isMarked(resource, item)) continue
        const creation = [...unidentified].find(
          (each) => each.resource === resource && (each.claimedId === id || own.matches(resource, item, each.fields)),
        )
        if (creation) unidentified.delete(creation)
        const reason = creation?.reason ?? 'has the marker of this run, but was not created by a successful request'
        strays.set(`${name} ${id}`, { kind, id, reason })
      }
    }
  }
  const lost = [...unidentified].map(({ resource, fields, ...leftBehind }) => leftBehind)
  return [...strays.values(), ...lost]
}
