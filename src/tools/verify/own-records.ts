import { hasFlag, typesOf } from '../../document/schema/facts.js'
import type { ServiceResource } from '../../engine/resources/service-resource.js'
import type { Id } from '../../lib/int64.js'
import { isObject } from '../server/service-response.js'
import type { Resources } from './resources.js'

export type Fields = Readonly<Record<string, unknown>>

/** A record that verify created: it was read back, and had the mark that was sent. */
export interface OwnRecord {
  readonly resource: ServiceResource
  readonly id: Id
  /** The service has said that it is deleted. */
  isDeleted: boolean
}

/** A record that verify created, or may have created, and that is still there. */
export interface LeftBehind {
  /** What one record of its resource is called. */
  readonly kind: string
  /** Missing if it is not certain. */
  readonly id?: Id
  /** The id in the response to its creation, which may be that of another record. */
  readonly claimedId?: Id
  readonly reason: string
}

/** The result of a request to create a record, which could not be found. */
export interface UnidentifiedRecord extends LeftBehind {
  readonly resource: ServiceResource
  readonly fields: Fields
}

export interface OwnRecords {
  readonly marker: string
  readonly unidentified: UnidentifiedRecord[]
  isMarked(resource: ServiceResource, record: unknown): boolean
  /** Whether a record has the mark that was sent. */
  hasMarkOf(resource: ServiceResource, record: unknown, sent: Fields): boolean
  /** A random date that marks a record without a text. */
  newDate(): string
  /** A random number that marks a record without a text and a date. The sum of four is less than 2^31. */
  newNumber(): number
  add(resource: ServiceResource, id: Id): void
  find(resource: ServiceResource, id: string): OwnRecord | undefined
  /** All of them, in an order in which they can be deleted. */
  all(): OwnRecord[]
}

/** Knows which records verify created. No other record may be changed or deleted. */
export function createOwnRecords(resources: Resources): OwnRecords {
  /** A random word in a text of every record that verify creates. */
  const marker = crypto.randomUUID().slice(0, 13)
  const unidentified: UnidentifiedRecord[] = []
  const records = new Map<string, OwnRecord>()
  const [dates, numbers] = [new Set<number>(), new Set<unknown>()]

  const isMark = (value: unknown): boolean =>
    typeof value === 'string' ? value.includes(marker) || dates.has(Date.parse(value)) : numbers.has(value)

  /** The properties by which a record can be recognised as verify's own. */
  function markedIn({ writable, references }: ServiceResource, record: unknown): string[] {
    if (!isObject(record)) return []
    return writable.filter((property) => references[property] === undefined && isMark(record[property]))
  }

  return {
    marker,
    unidentified,
    isMarked: (resource: ServiceResource, record: unknown): boolean => markedIn(resource, record).length > 0,
    hasMarkOf(resource: ServiceResource, record: unknown, sent: Fields): boolean {
      return markedIn(resource, record).some((property) => isEqual((record as Fields)[property], sent[property]))
    },
    newDate(): string {
      const time = Date.UTC(2030, 0) + randomBelow(30 * 365 * 86_400) * 1000
      dates.add(time)
      return new Date(time).toISOString()
    },
    newNumber(): number {
      const number = 1_000_000 + randomBelow(400_000_000)
      numbers.add(number)
      return number
    },
    add(resource: ServiceResource, id: Id): void {
      records.set(`${resource.name} ${id}`, { resource, id, isDeleted: false })
    },
    find: ({ name }: ServiceResource, id: string) => records.get(`${name} ${id}`),
    all: () => resources.stored.flatMap((each) => [...records.values()].filter(({ resource }) => resource === each)),
  }
}

/** What comes back as it was sent. Other values are completed by the service, or never sent back. */
export function comparable({ fields }: ServiceResource, sent: Fields): Fields {
  const shown = fields.filter(({ property, schema, isId }) => {
    const types = typesOf(schema)
    const isKept = types.size === 0 || [...types].some((type) => isOfType(type, sent[property]))
    return !isId && isKept && !hasFlag(schema, 'writeOnly') && sent[property] !== undefined && !isObject(sent[property])
  })
  return Object.fromEntries(shown.map(({ property }) => [property, sent[property]]))
}

/** A property may be sent as an id, and stored as the object that it stands for. */
function isOfType(type: string, value: unknown): boolean {
  const isNumeric = type === 'integer' || type === 'number'
  return value === null || (isNumeric ? isInteger(value) || typeof value === 'number' : typeof value === type)
}

const isInteger = (value: unknown): boolean => typeof value === 'bigint' || Number.isInteger(value)

const DATE_TIME = /^\d{4}-\d\d-\d\dT/i

/** A time may be written in several ways. */
export function isEqual(received: unknown, sent: unknown): boolean {
  if (isInteger(sent)) return isInteger(received) && String(received) === String(sent)
  if (typeof sent === 'string' && DATE_TIME.test(sent) && typeof received === 'string') {
    return received === sent || Date.parse(received) === Date.parse(sent)
  }
  return received === sent
}

function randomBelow(limit: number): number {
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1))
  return random % limit
}
