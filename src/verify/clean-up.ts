import { type Id, parseAnyId } from '../lib/int64.js'
import { type Exchange, isGivenUp, readItems } from './exchange.js'
import { createGuard, type Guard } from './guard.js'
import type { OwnRecord, OwnRecords } from './own-records.js'
import { isSuccess, KINDS, type Kind, RESOURCES } from './resources.js'
import { readJson, type ServiceResponse } from './sender.js'

/** Something that verify created, or may have created, and that is still there. */
export interface LeftBehind {
  readonly kind: Kind
  /** Missing if it is not known for certain. */
  readonly id?: Id
  /** The id that the response to its creation named. There may be a record of others with that id. */
  readonly claimedId?: Id
  readonly reason: string
}

export interface CleanUpOptions {
  readonly exchange: Exchange
  readonly own: OwnRecords
  readonly basePath: string
}

/** Deletes every record that verify created, as far as the service lets it. Returns what is left. */
export async function cleanUp({ exchange, own, basePath }: CleanUpOptions): Promise<LeftBehind[]> {
  const guard = createGuard({ exchange, own, basePath, allowWrites: true })
  let left = new Map(own.all().map((record) => [record, '']))
  let before: number
  // More than once, since a service that deletes later may refuse to delete a pet while its order is still there.
  do {
    before = left.size
    left = await removeAll(guard, [...left.keys()])
  } while (left.size > 0 && left.size < before)
  const known = [...left].map(([{ kind, id }, reason]) => ({ kind, id, reason }))
  return [...known, ...(await findStrays(exchange, own, left))]
}

/** Deletes records, and then looks which are still there. Returns those, with the reason. */
async function removeAll(guard: Guard, records: readonly OwnRecord[]): Promise<Map<OwnRecord, string>> {
  const responses = new Map<OwnRecord, ServiceResponse | undefined>()
  const left = new Map<OwnRecord, string>()
  for (const record of records) {
    await unlessGivenUp(record, left, async () => void responses.set(record, await guard.remove(record)))
  }
  for (const [record, response] of responses) {
    await unlessGivenUp(record, left, async () => {
      const occupant = await guard.inspect(record.kind, record.id)
      if (occupant === 'own') left.set(record, response ? describeRefusal(response) : 'not deleted')
      else if (occupant !== 'nothing' && !record.isDeleted) left.set(record, UNLIKE)
    })
  }
  return left
}

const UNLIKE = 'no longer reads as verify created it, so it was not deleted'

async function unlessGivenUp(
  record: OwnRecord,
  left: Map<OwnRecord, string>,
  request: () => Promise<void>,
): Promise<void> {
  try {
    await request()
  } catch (error) {
    if (!isGivenUp(error)) throw error
    left.set(record, error.message)
  }
}

function describeRefusal(response: ServiceResponse): string {
  const { code = '' } = (readJson(response.text) ?? {}) as { code?: unknown }
  const status = isSuccess(response) ? String(response.status) : `${response.status} ${code}`.trim()
  return `DELETE returned ${status}, and it is still there`
}

/** Records with the marker of this run that the clean-up has missed, and creations that have left no trace. */
async function findStrays(
  exchange: Exchange,
  own: OwnRecords,
  known: ReadonlyMap<OwnRecord, string>,
): Promise<LeftBehind[]> {
  const strays: LeftBehind[] = []
  const unidentified = new Set(own.unidentified())
  for (const kind of KINDS) {
    for (const [id, record] of await findMarked(kind, exchange, own)) {
      const isOwn = own.find(kind, id)
      if (isOwn !== undefined && known.has(isOwn)) continue
      const creation = [...unidentified].find(
        (each) => each.kind === kind && (each.claimedId === id || own.matches(kind, record, each.fields)),
      )
      if (creation !== undefined) unidentified.delete(creation)
      const reason = creation?.reason ?? (isOwn ? 'is still listed' : 'created by a request that did not succeed')
      strays.push({ kind, id, reason })
    }
  }
  return [...strays, ...unidentified].map(({ fields, ...rest }: LeftBehind & { fields?: unknown }) => rest)
}

const PAGE = 100
const MAX_STRAYS = 1000

/** By name, and among the newest, in case the filter does not work. */
async function findMarked(kind: Kind, exchange: Exchange, own: OwnRecords): Promise<Map<Id, unknown>> {
  const { path, list } = RESOURCES[kind]
  const found = new Map<Id, unknown>()
  for (const query of kind === 'order' ? ['sort=-id'] : ['sort=-id', `name=${own.marker}`]) {
    let size = 0
    for (let offset = 0; offset < MAX_STRAYS; offset += PAGE) {
      for (const item of await readItems(exchange, list, `${path}?limit=${PAGE}&offset=${offset}&${query}`)) {
        const id = parseAnyId(item.id)
        if (id !== undefined && own.isMarked(kind, item)) found.set(id, item)
      }
      // A page without anything new is the last one that matters.
      if (found.size < size + PAGE) break
      size = found.size
    }
  }
  return found
}
