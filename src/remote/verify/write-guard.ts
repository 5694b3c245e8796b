import { disclose } from '../../engine/resources/envelope.js'
import { readIdOf } from '../../engine/resources/record-forms.js'
import type { Role } from '../../engine/resources/resource.js'
import type { ServiceResource } from '../../engine/resources/service-resource.js'
import { encodePart } from '../../lib/encode-part.js'
import type { Id } from '../../lib/int64.js'
import { isSafeMethod } from '../../lib/safe-method.js'
import { CannotCheck, NoResponse } from '../cannot-check.js'
import type { Connection } from '../connection.js'
import { type OutgoingRequest, toGet } from '../send-request.js'
import { isObject, isSuccess, parseIfJson, type ServiceResponse } from '../service-response.js'
import { carelessReadings } from './careless-readings.js'
import { idInLocation, type Reference, referencesIn } from './mentioned-ids.js'
import { type Fields, type OwnRecord, type OwnRecords, pickFields } from './own-records.js'
import { contentOf, idInBody, isView, type Resources } from './resources.js'

/** A write was not sent, because it might change a record that verify did not create. */
export class WriteRefused extends CannotCheck {}

/** What there is at an id: nothing, a record that verify created, another record, or it is not clear which. */
type Found = 'nothing' | 'own' | 'foreign' | 'unclear'

export interface Sent {
  readonly response: ServiceResponse
  /** The id of the record that the request created. It was read back and is equal to what was sent. */
  readonly createdId?: Id
  /** The record that the response leads to, if it is not equal to what was sent, and the response to reading it. */
  readonly unequal?: UnequalRecord
}

export interface UnequalRecord {
  readonly resource: ServiceResource
  readonly id: Id
  readonly sent: Fields
  readonly read: ServiceResponse
}

/** The statuses that mean that there is no record with this id. */
const ABSENT_STATUSES = [400, 404, 410, 422]

/** Stop creating records of a resource after this many that could not be identified, since these are left behind. */
const MAX_UNIDENTIFIED = 3

export type WriteGuard = ReturnType<typeof createWriteGuard>

/**
 * The only way from the checks to the service. Reads pass. A write is sent only if every id in its path and body, however
 * carelessly the service may read it, belongs to a record that verify created or to none; a reference that does not affect
 * the other record may also be to one of the service. The guard reads the ids of these records before each write, as
 * written, and other ids before the first write that mentions them.
 */
export function createWriteGuard(
  service: Connection,
  resources: Resources,
  own: OwnRecords,
  basePath: string,
  allowWrites: boolean,
) {
  const vacant = new Set<string>()

  async function read({ noun, path, operations }: ServiceResource, id: Id): Promise<ServiceResponse> {
    if (operations.read === undefined) throw new WriteRefused(`the document has no operation that reads a ${noun}`)
    return service.send(operations.read.operationId, toGet(`${path}/${encodePart(id)}`), true)
  }

  async function inspect(resource: ServiceResource, id: Id): Promise<Found> {
    const response = await read(resource, id)
    if (ABSENT_STATUSES.includes(response.status)) return 'nothing'
    if (!isSuccess(response)) return 'unclear'
    const versions = own.find(resource, id)?.versions ?? []
    if (!versions.some((version) => isRecord(resource, id, response, version))) return 'foreign'
    // Writing to it changes what it refers to, whose id may have passed to another record.
    const record = contentOf(resource, 'read', response.value)
    for (const [property, to] of Object.entries(resource.references)) {
      const target = resources.get(to)
      const other = resources.isAffecting(resource, property) && isObject(record) && target.ids.read(record[property])
      const found = other ? await inspect(target, other) : 'nothing'
      if (found !== 'nothing' && found !== 'own') return found
    }
    return 'own'
  }

  /** Whether a response is the record with this id, as it was sent. */
  function isRecord(resource: ServiceResource, id: Id, response: ServiceResponse, sent: Fields): boolean {
    const record = contentOf(resource, 'read', response.value)
    if (!isSuccess(response) || !isObject(record)) return false
    const hasId = resource.idPath.length > 1 || record[resource.idPath[0]] !== undefined
    return (!hasId || readIdOf(resource, record) === id) && own.matches(resource, record, sent)
  }

  async function requireHarmless({ resource, text }: Reference): Promise<void> {
    const { noun, name } = resource
    if (own.find(resource, text) !== undefined) {
      const occupant = await inspect(resource, text as Id)
      if (occupant === 'own' || occupant === 'nothing') return
      throw new WriteRefused(`${noun} ${text} does not read as verify created it`)
    }
    // A 404 proves nothing before some record was found.
    if (!own.all().some((record) => record.resource === resource)) {
      throw new WriteRefused(`no ${noun} could be read, so it is not clear which ids exist`)
    }
    for (const id of carelessReadings(resource, text)) {
      if (vacant.has(`${name} ${id}`)) continue
      const occupant = await inspect(resource, id)
      if (occupant === 'foreign') throw new WriteRefused(`a careless service might write to ${noun} ${id}`)
      if (occupant === 'unclear') throw new WriteRefused(`it is not clear whether ${noun} ${id} exists`)
      if (occupant === 'nothing') vacant.add(`${name} ${id}`)
    }
  }

  async function write(operation: string, request: OutgoingRequest): Promise<Sent> {
    const { method, target } = request
    const { resource: addressed, id: text } = resources.ofTarget(target)
    if (!allowWrites || addressed === undefined || !isKnownWrite(request, text)) {
      throw new WriteRefused(`verify does not send ${method} ${target}`)
    }
    const resource = resources.get(addressed.storedIn)
    const { body: content = '' } = request
    const body = typeof content === 'string' ? content : new TextDecoder().decode(content)
    const isCreation = method === 'POST'
    const sent = pickFields(
      resource,
      disclose(addressed.operations[roleOf(method)]?.request?.envelope ?? [], parseIfJson(body)),
    )
    const lost = own.unidentified.filter((each) => each.resource === resource && own.isMarked(resource, each.fields))
    if (isCreation && lost.length >= MAX_UNIDENTIFIED) {
      throw new WriteRefused(`what ${operation} creates does not read back as it was sent`)
    }
    service.throwIfStopped()
    if (text !== undefined) await requireHarmless({ resource, text })
    for (const reference of referencesIn(addressed, body, resources)) {
      if (!isUsable(resource, reference)) await requireHarmless(reference)
    }
    service.throwIfStopped()

    const record = text === undefined ? undefined : own.find(resource, text)
    const update = record && method !== 'DELETE' && !isView(addressed) ? toUpdate(record, method, sent) : undefined
    // The last version until the service accepts it, the first from then on.
    if (update) record?.versions.push(update)
    const response = await service.send(operation, request, true).catch((error: unknown) => {
      const reason = 'the request to create it had no response'
      if (isCreation && error instanceof NoResponse) {
        own.unidentified.push({ resource, kind: resource.noun, fields: sent, reason })
      }
      throw error
    })
    if (!isSuccess(response)) return { response }
    if (update) record?.versions.unshift(update)
    if (record && method === 'DELETE') record.isDeleted = true
    return { response, ...(isCreation && (await identify(resource, response, sent))) }
  }

  /** Whether a record can be referred to, since that does not change it: one of verify's own, or a borrowed one. */
  function isUsable(resource: ServiceResource, { resource: target, property, text }: Reference): boolean {
    if (property === undefined || resource.references[property] !== target.name) return false
    if (resources.isAffecting(resource, property)) return false
    return own.find(target, text) !== undefined || text === String(own.borrowed.get(target.name))
  }

  /** What a record looks like after an update. */
  function toUpdate({ resource, versions }: OwnRecord, method: string, sent: Fields): Fields {
    return { ...(method === 'PATCH' && versions[0]), ...own.withoutChanging(resource, sent) }
  }

  /** Finds the record that was created. An id in the response is trusted only if reading it returns what was sent. */
  async function identify(
    resource: ServiceResource,
    response: ServiceResponse,
    sent: Fields,
  ): Promise<Omit<Sent, 'response'>> {
    const inLocation = idInLocation(resource, response, `${basePath}${resource.path}`)
    const named = [idInBody(resource, 'create', response.value), inLocation]
    const ids = [...new Set(named)].filter((id) => id !== undefined)
    const [claimedId] = ids
    const reason = 'does not read back as it was sent, so it was not deleted'
    const unidentified = { resource, kind: resource.noun, ...(claimedId && { claimedId }), fields: sent, reason }
    own.unidentified.push(unidentified)
    let unequal: Sent['unequal']
    // Two records may be equal: a record that is known already is not this one.
    for (const id of ids.filter((each) => own.find(resource, each)?.isDeleted !== false)) {
      const found = await read(resource, id)
      if (isRecord(resource, id, found, sent)) {
        own.unidentified.splice(own.unidentified.indexOf(unidentified), 1)
        own.add(resource, id, sent)
        return { createdId: id }
      }
      unequal = { resource, id, sent, read: found }
    }
    return unequal && ids.length === 1 ? { unequal } : {}
  }

  return {
    inspect,
    async send(operation: string, request: OutgoingRequest): Promise<Sent> {
      if (!isSafeMethod(request.method)) return write(operation, request)
      return { response: await service.send(operation, request) }
    },
    /** Deletes a record that verify created. Returns undefined unless what is at its id certainly is that record. */
    async remove(record: OwnRecord): Promise<ServiceResponse | undefined> {
      const { resource, id } = record
      const { path, operations } = resource
      if (operations.remove === undefined || (await inspect(resource, id)) !== 'own') return undefined
      const request = { ...toGet(`${path}/${encodePart(id)}`), method: 'DELETE' }
      const response = await service.send(operations.remove.operationId, request, true)
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

function roleOf(method: string): Role {
  return method === 'POST' ? 'create' : method === 'PATCH' ? 'merge' : 'replace'
}
