import type { Id, JsonInt64 } from '../../lib/int64.js'
import { KINDS, type Kind } from '../resources.js'
import { isObject } from '../service-response.js'

export type Fields = Readonly<Record<string, unknown>>

/** A record that verify created: it was read back and was equal to what was sent. */
export interface OwnRecord {
  readonly kind: Kind
  readonly id: Id
  /** What it may look like now, most likely first. A service may store an update that it rejects. */
  readonly versions: Fields[]
  /** The service has said that it is deleted. */
  isDeleted: boolean
}

/** A record that verify created, or may have created, and that is still there. */
export interface LeftBehind {
  readonly kind: Kind
  /** Missing if it is not certain. */
  readonly id?: Id
  /** The id in the response to its creation, which may be that of another record. */
  readonly claimedId?: Id
  readonly reason: string
}

/** The result of a request to create a record, which could not be found. */
export interface UnidentifiedRecord extends LeftBehind {
  readonly fields: Fields
}

const FIELDS: Readonly<Record<Kind, readonly string[]>> = {
  order: ['petId', 'quantity', 'shipDate', 'complete'],
  pet: ['name', 'categoryId', 'status'],
  category: ['name', 'description'],
}

/** The members of a body that the contract knows. */
export function pickFields(kind: Kind, body: unknown): Fields {
  return Object.fromEntries(Object.entries(body ?? {}).filter(([name]) => FIELDS[kind].includes(name)))
}

/** Without the fields that an operation on another record can change. */
export function withoutState({ status, complete, ...rest }: Fields): Fields {
  return rest
}

export type OwnRecords = ReturnType<typeof createOwnRecords>

/** Knows which records verify created. No other record may be changed or deleted. */
export function createOwnRecords() {
  /** A random word in the name of every pet and category that verify creates. */
  const marker = crypto.randomUUID().slice(0, 13)
  const unidentified: UnidentifiedRecord[] = []
  const borrowed: { category?: JsonInt64 } = {}
  const records = new Map<string, OwnRecord>()
  const [dates, quantities] = [new Set<number>(), new Set<unknown>()]

  /** Whether a record with these fields can be recognised as verify's own. */
  function isMarked(kind: Kind, { name, quantity, shipDate }: Fields): boolean {
    if (kind !== 'order') return typeof name === 'string' && name.includes(marker)
    return dates.has(Date.parse(String(shipDate))) || quantities.has(quantity)
  }

  return {
    marker,
    unidentified,
    /** A category of the service that pets of ours are in, if it cannot create one. */
    borrowed,
    isMarked,
    /** A random date that marks an order, which has no name. */
    newDate(): string {
      const time = Date.UTC(2030, 0) + randomBelow(30 * 365 * 86_400) * 1000
      dates.add(time)
      return new Date(time).toISOString()
    },
    /** A random quantity that marks an order without such a date. The sum of four is less than 2^31. */
    newQuantity(): number {
      const quantity = 1_000_000 + randomBelow(400_000_000)
      quantities.add(quantity)
      return quantity
    },
    add(kind: Kind, id: Id, fields: Fields): void {
      records.set(`${kind} ${id}`, { kind, id, versions: [withoutState(fields)], isDeleted: false })
    },
    find: (kind: Kind, id: string) => records.get(`${kind} ${id}`),
    /** All of them, in an order in which they can be deleted. */
    all: () => KINDS.flatMap((kind) => [...records.values()].filter((record) => record.kind === kind)),
    /** Whether a record that was read is equal to the one that was sent. */
    matches(kind: Kind, record: unknown, sent: Fields): boolean {
      if (!isObject(record) || !isMarked(kind, sent)) return false
      return Object.entries(sent).every(([name, value]) => isEqual(name, record[name], value))
    },
  }
}

const isInteger = (value: unknown): boolean => typeof value === 'bigint' || Number.isInteger(value)

function isEqual(name: string, received: unknown, sent: unknown): boolean {
  if (isInteger(sent)) return isInteger(received) && String(received) === String(sent)
  return received === sent || (name === 'shipDate' && Date.parse(String(received)) === Date.parse(String(sent)))
}

function randomBelow(limit: number): number {
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1))
  return random % limit
}
