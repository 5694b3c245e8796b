import type { ServiceResource } from '../../engine/resources/service-resource.js'
import type { Id } from '../../lib/int64.js'
import { isObject } from '../service-response.js'
import type { JsonId, Resources } from './resources.js'

export type Fields = Readonly<Record<string, unknown>>

/** A record that verify created: it was read back and was equal to what was sent. */
export interface OwnRecord {
  readonly resource: ServiceResource
  readonly id: Id
  /** What it may look like now, most likely first. A service may store an update that it rejects. */
  readonly versions: Fields[]
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

/** The members of a body that the contract knows. */
export function pickFields({ writable }: ServiceResource, body: unknown): Fields {
  return Object.fromEntries(Object.entries(body ?? {}).filter(([name]) => writable.includes(name)))
}

export type OwnRecords = ReturnType<typeof createOwnRecords>

/** Knows which records verify created. No other record may be changed or deleted. */
export function createOwnRecords(resources: Resources) {
  /** A random word in a text of every record that verify creates. */
  const marker = crypto.randomUUID().slice(0, 13)
  const unidentified: UnidentifiedRecord[] = []
  const borrowed = new Map<string, JsonId>()
  const records = new Map<string, OwnRecord>()
  const [dates, numbers] = [new Set<number>(), new Set<unknown>()]

  /** Whether a record with these fields can be recognised as verify's own. */
  function isMarked({ writable, references }: ServiceResource, fields: Fields): boolean {
    return writable.some((property) => {
      const value = references[property] === undefined ? fields[property] : undefined
      return typeof value === 'string' ? value.includes(marker) || dates.has(Date.parse(value)) : numbers.has(value)
    })
  }

  /** Without the properties that an operation on another record can change. */
  function withoutChanging(resource: ServiceResource, fields: Fields): Fields {
    return Object.fromEntries(Object.entries(fields).filter(([name]) => !resources.isChanging(resource, name)))
  }

  return {
    marker,
    unidentified,
    /** By resource: the id of a record of the service that ours refer to, if none can be created. */
    borrowed,
    isMarked,
    withoutChanging,
    /** A random date that marks a record without a text. */
    newDate(): string {
      const time = Date.UTC(2030, 0) + randomBelow(30 * 365 * 86_400) * 1000
      dates.add(time)
      return new Date(time).toISOString()
    },
    /** A random number that marks a record without a text and a date. The sum of four is less than 2^31. */
    newNumber(): number {
      const number = 1_000_000 + randomBelow(400_000_000)
      numbers.add(number)
      return number
    },
    add(resource: ServiceResource, id: Id, fields: Fields): void {
      const versions = [withoutChanging(resource, fields)]
      records.set(`${resource.name} ${id}`, { resource, id, versions, isDeleted: false })
    },
    find: ({ name }: ServiceResource, id: string) => records.get(`${name} ${id}`),
    /** All of them, in an order in which they can be deleted. */
    all: () => resources.stored.flatMap((each) => [...records.values()].filter(({ resource }) => resource === each)),
    /** Whether a record that was read is equal to the one that was sent. */
    matches(resource: ServiceResource, record: unknown, sent: Fields): boolean {
      if (!isObject(record) || !isMarked(resource, sent)) return false
      return resource.fields.every(
        ({ property, schema }) =>
          sent[property] === undefined || isEqual(record[property], sent[property], schema.format === 'date-time'),
      )
    },
  }
}

const isInteger = (value: unknown): boolean => typeof value === 'bigint' || Number.isInteger(value)

function isEqual(received: unknown, sent: unknown, isDate: boolean): boolean {
  if (isInteger(sent)) return isInteger(received) && String(received) === String(sent)
  if (isObject(sent)) return JSON.stringify(sent) === JSON.stringify(received)
  return received === sent || (isDate && Date.parse(String(received)) === Date.parse(String(sent)))
}

function randomBelow(limit: number): number {
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1))
  return random % limit
}
