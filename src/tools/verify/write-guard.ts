import { disclose } from '../../engine/crud/envelope.js'
import { withArticle } from '../../engine/crud/messages.js'
import { readIdOf } from '../../engine/resources/record-forms.js'
import type { ServiceResource } from '../../engine/resources/service-resource.js'
import type { OutgoingRequest } from '../../http/messages.js'
import { isSafeMethod } from '../../http/methods.js'
import type { Id } from '../../lib/int64.js'
import { CannotCheck, NoResponse } from '../server/cannot-check.js'
import type { Connection } from '../server/connection.js'
import type { Call, Requests } from '../server/document-requests.js'

import { isObject, isSuccess, parseIfJson, type ServiceResponse } from '../server/service-response.js'
import type { OperationInfo, Operations } from './operations.js'
import type { Fields, OwnRecord, OwnRecords } from './own-records.js'
import { contentOf, idInBody, idInLocation, isPlain, type Resources } from './resources.js'

/** A write was not sent, because it might change a record that verify did not create. */
export class WriteRefused extends CannotCheck {}

/** What there is at an id: nothing, a record that verify created, another record, or it is not clear which. */
type Found = 'nothing' | 'own' | 'foreign' | 'unclear'

/** What a run knows of a service, and of what it did there. */
export interface Known {
  readonly operations: Operations
  readonly resources: Resources
  readonly requests: Requests
  readonly own: OwnRecords
}

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

export interface WriteGuard {
  inspect(resource: ServiceResource, id: Id): Promise<Found>
  /** How many writes were sent. */
  count(): number
  send(operation: OperationInfo, call: Call, request: OutgoingRequest): Promise<Sent>
  /** Deletes a record that verify created. Returns undefined unless what is at its id certainly is that record. */
  remove(record: OwnRecord): Promise<ServiceResponse | undefined>
}

/**
 * The only way from the checks to the service. Reads pass. A write is sent only if it creates a record in a collection, or
 * changes or deletes a record at an id that is read just before: it must be one that verify created, or none.
 */
export function createWriteGuard(
  service: Connection,
  { operations, resources, requests, own }: Known,
  basePath: string,
  allowWrites: boolean,
): WriteGuard {
  let count = 0

  async function read(resource: ServiceResource, id: Id): Promise<ServiceResponse> {
    const operation = operations.get(resource.operations.read?.operationId ?? '')
    if (operation === undefined)
      throw new WriteRefused(`the document has no operation that reads ${withArticle(resource.noun)}`)
    return service.send(operation.id, requests.toRequest(operation, { id: resource.ids.toJson(id) }), true)
  }

  async function inspect(resource: ServiceResource, id: Id): Promise<Found> {
    const response = await read(resource, id)
    if (ABSENT_STATUSES.includes(response.status)) return 'nothing'
    if (!isSuccess(response)) return 'unclear'
    const record = recordWith(resource, id, response)
    if (!own.find(resource, id) || !own.isMarked(resource, record)) return 'foreign'
    // Writing to it may change what it refers to, whose id may have passed to another record.
    for (const [property, to] of Object.entries(resource.references)) {
      const target = resources.get(to)
      const other = target.ids.read((record as Fields)[property])
      if (other && own.find(target, other) && (await inspect(target, other)) === 'foreign') return 'foreign'
    }
    return 'own'
  }

  /** The record in a response, unless it has another id. */
  function recordWith(resource: ServiceResource, id: Id, response: ServiceResponse): unknown {
    const record = contentOf(resource, 'read', response.value)
    const found = readIdOf(resource, record)
    return isSuccess(response) && (found === undefined || found === id) ? record : undefined
  }

  async function requireHarmless(resource: ServiceResource, id: Id): Promise<void> {
    const { noun } = resource
    const found = await inspect(resource, id)
    if (found === 'own') return
    if (found === 'foreign' && own.find(resource, id)) {
      throw new WriteRefused(`${noun} ${id} does not read as verify created it`)
    }
    if (found !== 'nothing') throw new WriteRefused(`verify did not create ${noun} ${id}`)
    // A 404 proves nothing before some record was found.
    if (own.all().some((record) => record.resource === resource)) return
    throw new WriteRefused(`no ${noun} could be read, so it is not clear which ids exist`)
  }

  /** The resource that a write is about, and the id of its record. Throws if it may be about anything else. */
  function addressed(operation: OperationInfo, call: Call): { resource: ServiceResource; id?: Id | undefined } {
    const { owner, role, method, path } = operation
    const resource = owner ?? operation.resource
    // Another method, or a path of its own, belongs to no operation: it is expected to be rejected.
    const isDeclared = call.method === undefined && call.path === undefined
    if (resource && isPlain(resource)) {
      const stored = resources.get(resource.storedIn)
      const creates = isDeclared ? role === 'create' : call.method === 'PATCH'
      if (creates && path === resource.path) return { resource: stored }
      const changes = !isDeclared || role === 'replace' || role === 'merge' || role === 'remove'
      const id = path === resource.itemPath && changes ? stored.ids.read(call.id) : undefined
      if (id !== undefined) return { resource: stored, id }
    }
    if (call.rawId !== undefined) throw new WriteRefused('a malformed id may be read as that of any record')
    throw new WriteRefused(`the document does not say what ${call.method ?? method} ${path} changes`)
  }

  async function write(operation: OperationInfo, call: Call, request: OutgoingRequest): Promise<Sent> {
    const { method, body: content = '' } = request
    if (!allowWrites) throw new WriteRefused(`verify does not send ${method} ${request.target}`)
    const { resource, id } = addressed(operation, call)
    const isCreation = id === undefined
    const { envelope = [] } = operation.described?.request ?? {}
    const body = disclose(envelope, typeof content === 'string' ? parseIfJson(content) : undefined)
    const sent = isObject(body) ? body : {}
    const lost = own.unidentified.filter((each) => each.resource === resource && own.isMarked(resource, each.fields))
    if (isCreation && lost.length >= MAX_UNIDENTIFIED) {
      throw new WriteRefused(`what ${operation.id} creates does not read back as it was sent`)
    }
    service.throwIfStopped()
    if (id !== undefined) await requireHarmless(resource, id)
    const chosen = readIdOf(resource, sent)
    const occupant = chosen === undefined || chosen === id ? 'nothing' : await inspect(resource, chosen)
    if (occupant !== 'nothing' && occupant !== 'own') {
      throw new WriteRefused(`verify did not create ${resource.noun} ${chosen}, which the body names`)
    }
    service.throwIfStopped()

    count += 1
    const response = await service.send(operation.id, request, true).catch((error: unknown) => {
      const reason = 'the request to create it had no response'
      if (isCreation && error instanceof NoResponse) {
        own.unidentified.push({ resource, kind: resource.noun, fields: sent, reason })
      }
      throw error
    })
    if (!isSuccess(response)) return { response }
    const record = id === undefined ? undefined : own.find(resource, id)
    if (record && method === 'DELETE') record.isDeleted = true
    return { response, ...(isCreation && method === 'POST' && (await identify(resource, response, sent))) }
  }

  /** Finds the record that was created. An id in the response is trusted only if reading it returns the mark that was sent. */
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
      if (own.hasMarkOf(resource, recordWith(resource, id, found), sent)) {
        own.unidentified.splice(own.unidentified.indexOf(unidentified), 1)
        own.add(resource, id)
        return { createdId: id }
      }
      unequal = { resource, id, sent, read: found }
    }
    return unequal && ids.length === 1 ? { unequal } : {}
  }

  return {
    inspect,
    count: () => count,
    async send(operation: OperationInfo, call: Call, request: OutgoingRequest): Promise<Sent> {
      if (!isSafeMethod(request.method)) return write(operation, call, request)
      return { response: await service.send(operation.id, request) }
    },
    async remove(record: OwnRecord): Promise<ServiceResponse | undefined> {
      const { resource, id } = record
      const operation = operations.get(resource.operations.remove?.operationId ?? '')
      if (operation === undefined || (await inspect(resource, id)) !== 'own') return undefined
      const request = requests.toRequest(operation, { id: resource.ids.toJson(id) })
      const response = await service.send(operation.id, request, true)
      if (isSuccess(response)) record.isDeleted = true
      return response
    },
  }
}
