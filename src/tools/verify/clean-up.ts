import { withArticle } from '../../engine/crud/messages.js'
import { readIdOf } from '../../engine/resources/record-forms.js'
import { orGivenUp } from '../server/cannot-check.js'
import { type Connection, readBody } from '../server/connection.js'
import { isSuccess, memberOf, type ServiceResponse } from '../server/service-response.js'
import { markOf } from './marks.js'
import type { LeftBehind, OwnRecord } from './own-records.js'
import { itemsIn } from './resources.js'
import { createWriteGuard, type Known, type WriteGuard } from './write-guard.js'

/**
 * Deletes the records that verify created, as far as the service lets it, or none if there is a reason. Returns those that are
 * left.
 */
export async function cleanUp(service: Connection, known: Known, reasonNotTo?: string): Promise<LeftBehind[]> {
  const guard = createWriteGuard(service, known, '', true)
  let left = new Map(known.own.all().map((record) => [record, reasonNotTo ?? '']))
  let before: number
  // A service that deletes later may refuse to delete a record while another refers to it.
  do {
    before = left.size
    if (reasonNotTo === undefined) left = await removeAll(guard, [...left.keys()])
  } while (left.size > 0 && left.size < before)
  const listed = [...left].map(([{ resource, id }, reason]) => ({ kind: resource.noun, id, reason }))
  return [...listed, ...(await findStrays(service, known, left))]
}

/** Deletes records, and reads them afterwards. Returns those that are still there, with the reason. */
async function removeAll(guard: WriteGuard, records: readonly OwnRecord[]): Promise<Map<OwnRecord, string>> {
  const responses = new Map<OwnRecord, ServiceResponse | Error | undefined>()
  for (const record of records) responses.set(record, await orGivenUp(guard.remove(record)))
  const left = new Map<OwnRecord, string>()
  for (const [record, response] of responses) {
    const occupant = await orGivenUp(guard.inspect(record.resource, record.id))
    if (occupant instanceof Error) left.set(record, occupant.message)
    else if (occupant === 'own') left.set(record, describe(record, response))
    else if (occupant !== 'nothing' && !record.isDeleted) left.set(record, CHANGED)
  }
  return left
}

const CHANGED = 'no longer reads as verify created it, so it was not deleted'

function describe({ resource }: OwnRecord, response: ServiceResponse | Error | undefined): string {
  if (resource.operations.remove === undefined)
    return `the document has no operation that deletes ${withArticle(resource.noun)}`
  if (response === undefined) return CHANGED
  if (response instanceof Error) return response.message
  const code = isSuccess(response) ? '' : ` ${memberOf(response, 'code') ?? ''}`
  return `DELETE returned ${response.status}${code.trimEnd()}, and it is still there`
}

/** Records with the marker of this run that verify does not know, and creations that could not be identified. */
async function findStrays(
  service: Connection,
  { operations, resources, requests, own }: Known,
  known: ReadonlyMap<OwnRecord | undefined, string>,
): Promise<LeftBehind[]> {
  const strays = new Map<string, LeftBehind>()
  const unidentified = new Set(own.unidentified)
  for (const resource of resources.stored) {
    const { name, noun: kind } = resource
    const list = operations.get(resource.operations.list?.operationId ?? '')
    if (list === undefined || list.path.includes('{')) continue
    const filter = resource.list?.filters.find(({ property }) => property === markOf(resource, 'text')?.property)
    // The newest ones too, in case the filter does not work.
    const queries = [
      requests.queryFor(list, 100, true),
      filter && `${requests.queryFor(list, 100)}&${filter.parameter}=${own.marker}`,
    ].filter((query) => query !== undefined)
    for (const query of queries) {
      const body = await readBody(service, list.id, requests.toRequest(list, { query }))
      for (const item of itemsIn(resource, body)) {
        const id = readIdOf(resource, item)
        const isKnown = id === undefined || strays.has(`${name} ${id}`) || known.has(own.find(resource, id))
        if (isKnown || !own.isMarked(resource, item)) continue
        const creation = [...unidentified].find(
          (each) => each.resource === resource && (each.claimedId === id || own.hasMarkOf(resource, item, each.fields)),
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
