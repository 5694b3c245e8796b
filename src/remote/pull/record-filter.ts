import { toIdKey } from '../../lib/int64.js'
import { utf8Length } from '../../lib/utf8.js'
import { storeContract } from '../../petstore/contract.js'
import type { Fixture } from '../../petstore/fixtures/format.js'
import { formatEntity, ID_FIELDS, isRecord, LIST_NAMES, type ListName, SCHEMAS } from '../../petstore/fixtures/lists.js'
import { nounOf } from './lists.js'
import { PullError } from './pull-error.js'

/** What was not kept of one kind of record. */
export interface Omissions {
  /** How many records were left out. */
  count: number
  /** The first of them, each with the reason. */
  readonly examples: string[]
  /** The names of fields that the OpenAPI document does not have. */
  readonly fields: Set<string>
}

export type RecordFilter = ReturnType<typeof createRecordFilter>

const MAX_EXAMPLES = 3
const MAX_FIELDS = 20

/** What `formatFixture` writes around the records, and between two of them. */
const FRAME_BYTES = 200
const SEPARATOR_BYTES = 6

/**
 * Accepts records one by one. It keeps nothing but the fields of the OpenAPI document, and notes what it does not keep.
 * `maxBytes` is the maximum size of the fixture file.
 */
export function createRecordFilter(maxBytes: number) {
  const contract = storeContract()
  const omissions = Object.fromEntries(
    LIST_NAMES.map((list) => [list, { count: 0, examples: [], fields: new Set<string>() }]),
  ) as unknown as Readonly<Record<ListName, Omissions>>
  let bytes = FRAME_BYTES

  function leaveOut(list: ListName, item: unknown, reason: string): void {
    const omitted = omissions[list]
    omitted.count += 1
    if (omitted.examples.length >= MAX_EXAMPLES) return
    const id = toIdKey(isRecord(item) ? item[ID_FIELDS[list]] : undefined)
    omitted.examples.push(`${nounOf(list)} ${id ?? 'without a valid id'}: ${reason.replace(/\.$/, '')}`)
  }

  /** A null stands for a missing field: many services send it. */
  function pickFields(list: ListName, item: Record<string, unknown>): Record<string, unknown> {
    const known = contract.fieldsOf(SCHEMAS[list])
    const { fields } = omissions[list]
    for (const name of Object.keys(item)) {
      if (!known.includes(name) && fields.size < MAX_FIELDS) fields.add(name)
    }
    const kept = known.filter((name) => Object.hasOwn(item, name) && item[name] !== null)
    return Object.fromEntries(kept.map((name) => [name, item[name]]))
  }

  return {
    omissions,
    leaveOut,
    /** The record with the fields that are kept; undefined if it is left out. */
    accept<Name extends ListName>(list: Name, item: unknown): Fixture[Name][number] | undefined {
      const record = isRecord(item) ? pickFields(list, item) : item
      const reason = findReason(list, record)
      if (reason !== undefined) return void leaveOut(list, item, reason)
      bytes += utf8Length(formatEntity(list, record as object)) + SEPARATOR_BYTES
      if (bytes > maxBytes) {
        throw new PullError(`The records exceed ${maxBytes} bytes, the maximum size of a fixture file`)
      }
      return record as Fixture[Name][number]
    },
  }

  /** Why a record cannot be kept. Does not show its values. */
  function findReason(list: ListName, record: unknown): string | undefined {
    const [violation] = contract.violationsOf(SCHEMAS[list], record)
    if (violation !== undefined) {
      const { pointer, problem, expected } = violation
      return problem === 'missing' ? `${pointer} is missing` : `${pointer || 'it'} must be ${expected}`
    }
    // The schema of an order requires no field, but a fixture needs the id.
    return isRecord(record) && record[ID_FIELDS[list]] === undefined ? `/${ID_FIELDS[list]} is missing` : undefined
  }
}
