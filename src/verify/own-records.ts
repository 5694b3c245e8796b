import type { Id } from '../lib/int64.js'
import { KINDS, type Kind } from './resources.js'

export type Fields = Readonly<Record<string, unknown>>

/** A record that verify created: it was read back and was equal to what was sent. */
export interface OwnRecord {
  readonly kind: Kind
  readonly id: Id
  /** What it may look like now. An update adds to it, since a service that reports a failure may have stored it anyway. */
  readonly versions: Fields[]
  /** The service has said that it is gone. */
  isDeleted: boolean
}

/** A request that may have created a record which could not be identified. */
export interface UnidentifiedRecord {
  readonly kind: Kind
  /** The id that the response named. */
  readonly claimedId?: Id
  readonly fields: Fields
  /** Why it could not be identified. */
  readonly reason: string
}

/** Knows which records are verify's own. Nothing else may be changed or deleted. */
export interface OwnRecords {
  /** A random word. It is in the name of every pet and category that verify creates. */
  readonly marker: string
  /** A random date for an order, which has no name that could be marked. */
  shipDate(): string
  /** A random and large quantity, for an order that must not have such a date. Four of them fit into 31 bits. */
  quantity(): number
  add(kind: Kind, id: Id, fields: Fields): void
  addUnidentified(record: UnidentifiedRecord): void
  find(kind: Kind, id: string): OwnRecord | undefined
  all(): OwnRecord[]
  unidentified(): readonly UnidentifiedRecord[]
  /** Whether a record with these fields can be told apart from those of others. */
  isMarked(kind: Kind, fields: Fields): boolean
  /** Whether a record, as the service has it, is one that was sent. */
  matches(kind: Kind, record: unknown, sent: Fields): boolean
}

const FIELDS: Readonly<Record<Kind, readonly string[]>> = {
  order: ['petId', 'quantity', 'shipDate', 'complete'],
  pet: ['name', 'categoryId', 'status'],
  category: ['name', 'description'],
}

/** What a record of a kind consists of, without anything that the contract does not know. */
export function pickFields(kind: Kind, value: unknown): Fields {
  if (typeof value !== 'object' || value === null) return {}
  return Object.fromEntries(Object.entries(value).filter(([name]) => FIELDS[kind].includes(name)))
}

/** The fields that an operation on another record cannot change. */
export function withoutState({ status, complete, ...rest }: Fields): Fields {
  return rest
}

export function createOwnRecords(): OwnRecords {
  const marker = crypto.randomUUID().slice(0, 13)
  const records = new Map<string, OwnRecord>()
  const unidentified: UnidentifiedRecord[] = []
  const [dates, quantities] = [new Set<number>(), new Set<unknown>()]

  function isMarked(kind: Kind, { name, quantity, shipDate }: Fields): boolean {
    if (kind !== 'order') return typeof name === 'string' && name.includes(marker)
    return dates.has(Date.parse(String(shipDate))) || quantities.has(quantity)
  }

  return {
    marker,
    shipDate() {
      const time = Date.UTC(2030, 0) + randomBelow(30 * 365 * 86_400) * 1000
      dates.add(time)
      return new Date(time).toISOString()
    },
    quantity() {
      const quantity = 1_000_000 + randomBelow(400_000_000)
      quantities.add(quantity)
      return quantity
    },
    add(kind, id, fields) {
      records.set(`${kind} ${id}`, { kind, id, versions: [withoutState(fields)], isDeleted: false })
    },
    addUnidentified: (record) => void unidentified.push(record),
    find: (kind, id) => records.get(`${kind} ${id}`),
    all: () => KINDS.flatMap((kind) => [...records.values()].filter((record) => record.kind === kind)),
    unidentified: () => unidentified,
    isMarked,
    matches(kind, record, sent) {
      if (typeof record !== 'object' || record === null || !isMarked(kind, sent)) return false
      return Object.entries(sent).every(([name, value]) => isSame(name, (record as Fields)[name], value))
    },
  }
}

const isInteger = (value: unknown): value is number | bigint => typeof value === 'bigint' || Number.isInteger(value)

function isSame(name: string, received: unknown, sent: unknown): boolean {
  if (isInteger(sent)) return isInteger(received) && String(received) === String(sent)
  if (name !== 'shipDate') return received === sent
  return received === sent || Date.parse(String(received)) === Date.parse(String(sent))
}

function randomBelow(limit: number): number {
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1))
  return random % limit
}
