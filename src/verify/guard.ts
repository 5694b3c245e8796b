import { type Id, isInt64, parseAnyId, parseId, toId } from '../lib/int64.js'
import type { OperationId } from '../petstore/types.js'
import { carelessReadings } from './careless-readings.js'
import { CannotCheck, type Exchange } from './exchange.js'
import { type Fields, type OwnRecord, type OwnRecords, pickFields, withoutState } from './own-records.js'
import { isSuccess, type Kind, parseTarget, RESOURCES } from './resources.js'
import { NoResponse, type OutgoingRequest, readJson, type ServiceResponse } from './sender.js'

/** A write was not sent, since it might change a record that verify did not create. */
export class WriteRefused extends CannotCheck {}

export interface Sent {
  readonly response: ServiceResponse
  /** Where the request created a record: its id. It was read back and is equal to what was sent. */
  readonly createdId?: Id | undefined
  /** Where it should have created a record, but what the response leads to is not equal to what was sent. */
  readonly wrong?: WrongRecord | undefined
}

export interface WrongRecord {
  readonly kind: Kind
  readonly id: Id
  readonly sent: Fields
  /** What reading it returned. */
  readonly response: ServiceResponse
}

/** What there is at an id: nothing, a record of verify's own, somebody else's, or something that cannot be told. */
export type Occupant = 'nothing' | 'own' | 'foreign' | 'unclear'

/**
 * Stands between the checks and the service, and is their only way to it. Reads pass. A write is sent only where every
 * id in it, in the path and in the body and in every way that a careless service might read it, belongs to a record of
 * verify's own or to nothing. That is found out by reading these ids first.
 */
export interface Guard {
  send(operation: OperationId, request: OutgoingRequest): Promise<Sent>
  inspect(kind: Kind, id: Id): Promise<Occupant>
  /** Deletes a record if it is verify's own. Returns the response, or undefined if it is not. */
  remove(record: OwnRecord): Promise<ServiceResponse | undefined>
}

export interface GuardOptions {
  readonly exchange: Exchange
  readonly own: OwnRecords
  /** The path of the base address. */
  readonly basePath: string
  readonly allowWrites: boolean
}

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS']

/** With these a service says that there is no record with an id. */
const ABSENT_STATUSES = [400, 404, 410, 422]

/** Members of a body that name a record. An `id` names one of the kind that the path is about. */
const REFERENCE = /"(id|petId|categoryId)"\s*:\s*("[^"]*"|[^\s,}]+)/g

/** After so many creations of a kind that could not be identified, more would only leave more behind. */
const MAX_UNIDENTIFIED = 3

const UNLIKE = 'does not read back as it was sent, so it was not deleted'
const UNANSWERED = 'the request to create it had no response'

interface Reference {
  readonly kind: Kind
  /** As it is spelled in the request. */
  readonly text: string
}

export function createGuard({ exchange, own, basePath, allowWrites }: GuardOptions): Guard {
  const vacant = new Set<string>()

  async function read(kind: Kind, id: Id): Promise<ServiceResponse> {
    const { path, read } = RESOURCES[kind]
    const request = { method: 'GET', target: `${path}/${id}`, headers: { Accept: 'application/json' } }
    return exchange.send(read, request, true)
  }

  async function inspect(kind: Kind, id: Id): Promise<Occupant> {
    const response = await read(kind, id)
    if (ABSENT_STATUSES.includes(response.status)) return 'nothing'
    if (!isSuccess(response)) return 'unclear'
    const versions = own.find(kind, id)?.versions ?? []
    if (!versions.some((version) => isRecord(kind, id, response, version))) return 'foreign'
    // A change of an order changes the stock of its pet, whose id may have become that of another pet.
    const petId = kind === 'order' && parseAnyId((readJson(response.text) as { petId?: unknown }).petId)
    const isOfForeignPet = petId && (await inspect('pet', petId)) === 'foreign'
    return isOfForeignPet ? 'foreign' : 'own'
  }

  /** Whether a response is the record with an id, as it was sent. */
  function isRecord(kind: Kind, id: Id, response: ServiceResponse, sent: Fields): boolean {
    const record = readJson(response.text)
    const given = (record as { id?: unknown } | undefined | null)?.id
    return (given === undefined || parseAnyId(given) === id) && own.matches(kind, record, sent)
  }

  async function requireHarmless({ kind, text }: Reference): Promise<void> {
    const id = parseId(text)
    if (id !== undefined && own.find(kind, id) !== undefined) {
      const occupant = await inspect(kind, id)
      if (occupant === 'own' || occupant === 'nothing') return
      throw new WriteRefused(`${kind} ${id} does not read as verify created it`)
    }
    for (const reading of carelessReadings(text)) {
      if (vacant.has(`${kind} ${reading}`)) continue
      const occupant = await inspect(kind, reading)
      if (occupant === 'foreign') throw new WriteRefused(`a careless service might write to ${kind} ${reading}`)
      if (occupant === 'unclear') throw new WriteRefused(`it cannot be told whether there is a ${kind} ${reading}`)
      if (occupant === 'nothing') vacant.add(`${kind} ${reading}`)
    }
  }

  /** The id of a new record, from those that the response names. */
  async function identify(kind: Kind, response: ServiceResponse, sent: Fields): Promise<Omit<Sent, 'response'>> {
    const named = [idInBody(response), idInLocation(response, `${basePath}${RESOURCES[kind].path}`)]
    const ids = [...new Set(named)].filter((id) => id !== undefined)
    let wrong: WrongRecord | undefined
    let createdId: Id | undefined
    try {
      // Two orders may be alike: the second must not be taken for the first.
      for (const id of ids.filter((each) => own.find(kind, each)?.isDeleted !== false)) {
        const found = await read(kind, id)
        if (isSuccess(found) && isRecord(kind, id, found, sent)) {
          own.add(kind, id, sent)
          createdId = id
          return { createdId }
        }
        wrong = { kind, id, sent, response: found }
      }
    } finally {
      if (createdId === undefined) {
        own.addUnidentified({ kind, ...(ids[0] && { claimedId: ids[0] }), fields: sent, reason: UNLIKE })
      }
    }
    return ids.length === 1 ? { wrong } : {}
  }

  /** Takes note of what a write has created besides, which a service may do for an id in a path or a body. */
  async function claim(references: readonly Reference[], sent: Fields): Promise<void> {
    for (const { kind, text } of references) {
      for (const id of carelessReadings(text)) {
        if (own.find(kind, id) !== undefined || !own.isMarked(kind, sent)) continue
        const found = await read(kind, id)
        if (isSuccess(found) && isRecord(kind, id, found, sent)) own.add(kind, id, sent)
      }
    }
  }

  async function write(operation: OperationId, request: OutgoingRequest): Promise<Sent> {
    const target = parseTarget(request.target)
    if (!allowWrites || target === undefined || !isKnownWrite(request, target.id)) {
      throw new Error(`verify must not send ${request.method} ${request.target}`)
    }
    const { kind, id: text } = target
    const references = [...(text === undefined ? [] : [{ kind, text }]), ...referencesIn(kind, request)]
    // A pet can be added to a category without changing that.
    const isHarmless = (each: Reference): boolean =>
      each.kind === 'category' && each.text !== text && !!own.find('category', each.text)
    exchange.throwIfStopped()
    for (const reference of references) if (!isHarmless(reference)) await requireHarmless(reference)
    exchange.throwIfStopped()

    const sent = pickFields(kind, bodyOf(request))
    const isCreation = request.method === 'POST'
    const unidentified = own.unidentified().filter((each) => each.kind === kind && own.isMarked(kind, each.fields))
    if (isCreation && unidentified.length >= MAX_UNIDENTIFIED) {
      throw new WriteRefused(`what ${operation} creates does not read back as it was sent`)
    }
    const record = text === undefined ? undefined : own.find(kind, text)
    const update = record && toUpdate(record, request, sent)
    if (update) record.versions.push(update)
    let response: ServiceResponse
    try {
      response = await exchange.send(operation, request, true)
    } catch (error) {
      if (isCreation && error instanceof NoResponse) {
        own.addUnidentified({ kind, fields: sent, reason: UNANSWERED })
      }
      throw error
    }
    if (!isSuccess(response)) return { response }
    if (record !== undefined && request.method === 'DELETE') record.isDeleted = true
    if (update) record.versions.unshift(update)
    const created = isCreation ? await identify(kind, response, sent) : {}
    if (request.method !== 'DELETE') {
      await claim(
        references.filter((each) => each.kind === kind),
        sent,
      )
    }
    return { response, ...created }
  }

  return {
    inspect,
    async remove(record) {
      const { kind, id } = record
      if ((await inspect(kind, id)) !== 'own') return undefined
      const { path, remove } = RESOURCES[kind]
      const request = { method: 'DELETE', target: `${path}/${id}`, headers: { Accept: 'application/json' } }
      const response = await exchange.send(remove, request, true)
      if (isSuccess(response)) record.isDeleted = true
      return response
    },
    async send(operation, request) {
      if (!SAFE_METHODS.includes(request.method)) return write(operation, request)
      return { response: await exchange.send(operation, request) }
    },
  }
}

/** What a record looks like once it was updated. The first of its versions is what it was before. */
function toUpdate({ versions }: OwnRecord, { method, target }: OutgoingRequest, sent: Fields): Fields | undefined {
  if (method === 'DELETE' || target.startsWith('/store/inventory')) return undefined
  return { ...(method === 'PATCH' && versions[0]), ...withoutState(sent) }
}

/** What is sent to a whole collection creates a record, or is empty. */
function isKnownWrite({ method, body }: OutgoingRequest, id: string | undefined): boolean {
  if (id !== undefined) return id !== '' && ['PUT', 'PATCH', 'DELETE'].includes(method)
  return method === 'POST' || (method === 'PATCH' && body === '{}')
}

function referencesIn(kind: Kind, { body }: OutgoingRequest): Reference[] {
  if (typeof body !== 'string') return []
  return Array.from(body.matchAll(REFERENCE), ([, name, value = '']) => ({
    kind: name === 'petId' ? 'pet' : name === 'categoryId' ? 'category' : kind,
    text: toDigits(value),
  }))
}

/** A JSON number may be spelled in several ways: 7 is 7.0. */
function toDigits(value: string): string {
  const number = readJson(value)
  return isInt64(number) ? toId(number) : value.replaceAll('"', '')
}

function bodyOf({ body }: OutgoingRequest): unknown {
  return typeof body === 'string' ? readJson(body) : undefined
}

export function idInBody({ text }: ServiceResponse): Id | undefined {
  return parseAnyId((readJson(text) as { id?: unknown } | undefined | null)?.id)
}

export function idInLocation({ headers }: ServiceResponse, path: string): Id | undefined {
  const location = headers.get('Location')
  return location?.startsWith(`${path}/`) ? parseId(location.slice(path.length + 1)) : undefined
}
