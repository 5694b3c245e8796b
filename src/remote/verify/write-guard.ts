import { type Id, parseAnyId } from '../../lib/int64.js'
import { isSafeMethod } from '../../lib/safe-method.js'
import type { OperationId } from '../../petstore/types.js'
import { CannotCheck, NoResponse } from '../cannot-check.js'
import type { Connection } from '../connection.js'
import { type Kind, parseTarget, RESOURCES } from '../resources.js'
import { type OutgoingRequest, toGet } from '../send-request.js'
import { isSuccess, memberOf, parseIfJson, type ServiceResponse } from '../service-response.js'
import { carelessReadings } from './careless-readings.js'
import { idInBody, idInLocation, type Reference, referencesIn } from './mentioned-ids.js'
import { type Fields, type OwnRecord, type OwnRecords, pickFields, withoutState } from './own-records.js'

/** A write was not sent, because it might change a record that verify did not create. */
export class WriteRefused extends CannotCheck {}

/** What there is at an id: nothing, a record that verify created, another record, or it is not clear which. */
type Found = 'nothing' | 'own' | 'foreign' | 'unclear'

export interface Sent {
  readonly response: ServiceResponse
  /** The id of the record that the request created. It was read back and is equal to what was sent. */
  readonly createdId?: Id
  /** The record that the response leads to, if it is not equal to what was sent, and the response to reading it. */
  readonly unequal?: { readonly kind: Kind; readonly id: Id; readonly sent: Fields; readonly read: ServiceResponse }
}

/** The statuses that mean that there is no record with this id. */
const ABSENT_STATUSES = [400, 404, 410, 422]

/** Stop creating records of a kind after this many that could not be identified, since these are left behind. */
const MAX_UNIDENTIFIED = 3

export type WriteGuard = ReturnType<typeof createWriteGuard>

/**
 * The only way from the checks to the service. Reads pass. A write is sent only if every id in its path and body, however
 * carelessly the service may read it, belongs to a record that verify created or to none; only a pet may also be in a
 * category of the service. The guard reads the ids of these records before each write, as written, and other ids before the
 * first write that mentions them.
 */
export function createWriteGuard(service: Connection, own: OwnRecords, basePath: string, allowWrites: boolean) {
  const vacant = new Set<string>()

  const read = (kind: Kind, id: Id): Promise<ServiceResponse> =>
    service.send(RESOURCES[kind].read, toGet(`${RESOURCES[kind].path}/${id}`), true)

  async function inspect(kind: Kind, id: Id): Promise<Found> {
    const response = await read(kind, id)
    if (ABSENT_STATUSES.includes(response.status)) return 'nothing'
    if (!isSuccess(response)) return 'unclear'
    const versions = own.find(kind, id)?.versions ?? []
    if (!versions.some((version) => isRecord(kind, id, response, version))) return 'foreign'
    // Writing to an order changes the stock of its pet, whose id may have passed to another pet.
    const petId = kind === 'order' ? parseAnyId(memberOf(response, 'petId')) : undefined
    const pet = petId === undefined ? 'nothing' : await inspect('pet', petId)
    return pet === 'nothing' ? 'own' : pet
  }

  /** Whether a response is the record with this id, as it was sent. */
  function isRecord(kind: Kind, id: Id, response: ServiceResponse, sent: Fields): boolean {
    const received = memberOf(response, 'id')
    const isSameId = received === undefined || parseAnyId(received) === id
    return isSuccess(response) && isSameId && own.matches(kind, response.value, sent)
  }

  async function requireHarmless({ kind, text }: Reference): Promise<void> {
    if (own.find(kind, text) !== undefined) {
      const occupant = await inspect(kind, text as Id)
      if (occupant === 'own' || occupant === 'nothing') return
      throw new WriteRefused(`${kind} ${text} does not read as verify created it`)
    }
    // A 404 proves nothing before some record was found.
    if (!own.all().some((record) => record.kind === kind)) {
      throw new WriteRefused(`no ${kind} could be read, so it is not clear which ids exist`)
    }
    for (const id of carelessReadings(text)) {
      if (vacant.has(`${kind} ${id}`)) continue
      const occupant = await inspect(kind, id)
      if (occupant === 'foreign') throw new WriteRefused(`a careless service might write to ${kind} ${id}`)
      if (occupant === 'unclear') throw new WriteRefused(`it is not clear whether ${kind} ${id} exists`)
      if (occupant === 'nothing') vacant.add(`${kind} ${id}`)
    }
  }

  async function write(operation: OperationId, request: OutgoingRequest): Promise<Sent> {
    const { method, target } = request
    const { kind, id: text } = parseTarget(target)
    if (!allowWrites || kind === undefined || !isKnownWrite(request, text)) {
      throw new WriteRefused(`verify does not send ${method} ${target}`)
    }
    const { body: content = '' } = request
    const body = typeof content === 'string' ? content : new TextDecoder().decode(content)
    const sent = pickFields(kind, parseIfJson(body))
    const isCreation = method === 'POST'
    const lost = own.unidentified.filter((each) => each.kind === kind && own.isMarked(kind, each.fields))
    if (isCreation && lost.length >= MAX_UNIDENTIFIED) {
      throw new WriteRefused(`what ${operation} creates does not read back as it was sent`)
    }
    service.throwIfStopped()
    if (text !== undefined) await requireHarmless({ kind, text })
    for (const reference of referencesIn(kind, body)) {
      // A category does not change if a pet refers to it.
      const { text } = reference
      const isUsable = own.find('category', text) !== undefined || text === String(own.borrowed.category)
      if (reference.kind !== 'category' || kind !== 'pet' || !isUsable) await requireHarmless(reference)
    }
    service.throwIfStopped()

    const record = text === undefined ? undefined : own.find(kind, text)
    const update = record && toUpdate(record, request, sent)
    // The last version until the service accepts it, the first from then on.
    if (update) record.versions.push(update)
    const response = await service.send(operation, request, true).catch((error: unknown) => {
      const reason = 'the request to create it had no response'
      if (isCreation && error instanceof NoResponse) own.unidentified.push({ kind, fields: sent, reason })
      throw error
    })
    if (!isSuccess(response)) return { response }
    if (update) record.versions.unshift(update)
    if (record && method === 'DELETE') record.isDeleted = true
    return { response, ...(isCreation && (await identify(kind, response, sent))) }
  }

  /** Finds the record that was created. An id in the response is trusted only if reading it returns what was sent. */
  async function identify(kind: Kind, response: ServiceResponse, sent: Fields): Promise<Omit<Sent, 'response'>> {
    const named = [idInBody(response), idInLocation(response, `${basePath}${RESOURCES[kind].path}`)]
    const ids = [...new Set(named)].filter((id) => id !== undefined)
    const [claimedId] = ids
    const reason = 'does not read back as it was sent, so it was not deleted'
    const unidentified = { kind, ...(claimedId && { claimedId }), fields: sent, reason }
    own.unidentified.push(unidentified)
    let unequal: Sent['unequal']
    // Two orders may be equal: a record that is known already is not this one.
    for (const id of ids.filter((each) => own.find(kind, each)?.isDeleted !== false)) {
      const found = await read(kind, id)
      if (isRecord(kind, id, found, sent)) {
        own.unidentified.splice(own.unidentified.indexOf(unidentified), 1)
        own.add(kind, id, sent)
        return { createdId: id }
      }
      unequal = { kind, id, sent, read: found }
    }
    return unequal && ids.length === 1 ? { unequal } : {}
  }

  return {
    inspect,
    async send(operation: OperationId, request: OutgoingRequest): Promise<Sent> {
      if (!isSafeMethod(request.method)) return write(operation, request)
      return { response: await service.send(operation, request) }
    },
    /** Deletes a record that verify created. Returns undefined unless what is at its id certainly is that record. */
    async remove(record: OwnRecord): Promise<ServiceResponse | undefined> {
      const { kind, id } = record
      if ((await inspect(kind, id)) !== 'own') return undefined
      const { path, remove } = RESOURCES[kind]
      const response = await service.send(remove, { ...toGet(`${path}/${id}`), method: 'DELETE' }, true)
      if (isSuccess(response)) record.isDeleted = true
      return response
    },
  }
}

/** A write to a collection creates a record, or is empty. */
function isKnownWrite({ method, body }: OutgoingRequest, id: string | undefined): boolean {
  if (id !== undefined) return id !== '' && ['PUT', 'PATCH', 'DELETE'].includes(method)
  return method === 'POST' || (method === 'PATCH' && body === '{}')
}

/** What a record looks like after an update. */
function toUpdate({ versions }: OwnRecord, { method, target }: OutgoingRequest, sent: Fields): Fields | undefined {
  if (method === 'DELETE' || target.startsWith('/store/inventory')) return undefined
  return { ...(method === 'PATCH' && versions[0]), ...withoutState(sent) }
}
