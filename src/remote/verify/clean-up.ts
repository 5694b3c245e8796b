import { parseAnyId } from '../../lib/int64.js'
import { orGivenUp } from '../cannot-check.js'
import { type Connection, readItems } from '../connection.js'
import { KINDS, RESOURCES } from '../resources.js'
import { isSuccess, memberOf, type ServiceResponse } from '../service-response.js'
import type { LeftBehind, OwnRecord, OwnRecords } from './own-records.js'
import { createWriteGuard, type WriteGuard } from './write-guard.js'

/** Deletes the records that verify created, as far as the service lets it. Returns those that are left. */
export async function cleanUp(service: Connection, own: OwnRecords): Promise<LeftBehind[]> {
  const guard = createWriteGuard(service, own, '', true)
  let left = new Map(own.all().map((record) => [record, '']))
  let before: number
  // A service that deletes later may refuse to delete a pet while its order is still there.
  do {
    before = left.size
    left = await removeAll(guard, [...left.keys()])
  } while (left.size > 0 && left.size < before)
  const known = [...left].map(([{ kind, id }, reason]) => ({ kind, id, reason }))
  return [...known, ...(await findStrays(service, own, left))]
}

/** Deletes records, and reads them afterwards. Returns those that are still there, with the reason. */
async function removeAll(guard: WriteGuard, records: readonly OwnRecord[]): Promise<Map<OwnRecord, string>> {
  const responses = new Map<OwnRecord, ServiceResponse | Error | undefined>()
  for (const record of records) responses.set(record, await orGivenUp(guard.remove(record)))
  const left = new Map<OwnRecord, string>()
  for (const [record, response] of responses) {
    const occupant = await orGivenUp(guard.inspect(record.kind, record.id))
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
  own: OwnRecords,
  known: ReadonlyMap<OwnRecord | undefined, string>,
): Promise<LeftBehind[]> {
  const strays = new Map<string, LeftBehind>()
  const unidentified = new Set(own.unidentified)
  for (const kind of KINDS) {
    const { path, list } = RESOURCES[kind]
    // The newest ones too, in case the filter does not work.
    for (const query of ['sort=-id', ...(kind === 'order' ? [] : [`name=${own.marker}`])]) {
      for (const item of await readItems(service, list, `${path}?limit=100&${query}`)) {
        const id = parseAnyId(item.id)
        const isKnown = id === undefined || strays.has(`${kind} ${id}`) || known.has(own.find(kind, id))
        if (isKnown || !own.isMarked(kind, item)) continue
        const creation = [...unidentified].find(
          (each) => each.kind === kind && (each.claimedId === id || own.matches(kind, item, each.fields)),
        )
        if (creation) unidentified.delete(creation)
        const reason = creation?.reason ?? 'has the marker of this run, but was not created by a successful request'
        strays.set(`${kind} ${id}`, { kind, id, reason })
      }
    }
  }
  const lost = [...unidentified].map(({ fields, ...leftBehind }) => leftBehind)
  return [...strays.values(), ...lost]
}
