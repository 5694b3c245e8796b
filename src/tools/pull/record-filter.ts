import { namesNull } from '../../document/schema/facts.js'
import type { FixtureEntry, FixtureFormat } from '../../engine/data/format.js'
import { formatEntry } from '../../engine/data/write.js'
import { readIdOf } from '../../engine/resources/record-forms.js'
import type { Field, ServiceResource } from '../../engine/resources/service-resource.js'
import { utf8Length } from '../../lib/text.js'
import { isObject } from '../../lib/values.js'
import { PullError } from './require-list.js'
import { singularOf } from './words.js'

/** What was not kept of the records of a resource. */
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
export function createRecordFilter({ contract, resources }: FixtureFormat, maxBytes: number) {
  const omissions: Record<string, Omissions> = Object.fromEntries(
    resources.map(({ name }) => [name, { count: 0, examples: [], fields: new Set() }]),
  )
  let bytes = FRAME_BYTES

  function leaveOut(resource: ServiceResource, item: unknown, reason: string): void {
    const omitted = omissions[resource.name] as Omissions
    omitted.count += 1
    if (omitted.examples.length >= MAX_EXAMPLES) return
    const id = readIdOf(resource, item) ?? 'without a valid id'
    omitted.examples.push(`${singularOf(resource)} ${id}: ${reason.replace(/\.$/, '')}`)
  }

  function pickFields(
    { name, fields: known }: ServiceResource,
    item: FixtureEntry,
    unsent: readonly string[],
  ): FixtureEntry {
    const { fields } = omissions[name] as Omissions
    for (const property of Object.keys(item)) {
      const isKnown = unsent.includes(property) || known.some((field) => field.property === property)
      if (fields.size < MAX_FIELDS && !isKnown) fields.add(property)
    }
    const kept = known.filter((field) => Object.hasOwn(item, field.property) && isGiven(item[field.property], field))
    return Object.fromEntries(kept.map(({ property }) => [property, item[property]]))
  }

  /** Why a record cannot be kept. Does not show its values. */
  function findReason(resource: ServiceResource, record: unknown): string | undefined {
    const [violation] = contract.violationsOf(resource.record.pointer, record)
    if (violation !== undefined) {
      const { pointer, problem, expected } = violation
      return problem === 'missing' ? `${pointer} is missing` : `${pointer || 'it'} must be ${expected}`
    }
    return undefined
  }

  return {
    /** By the name of the resource. */
    omissions: omissions as Readonly<Record<string, Omissions>>,
    leaveOut,
    /** The record with the fields that are kept; undefined if it is left out. */
    accept(resource: ServiceResource, item: unknown): FixtureEntry | undefined {
      const unsent = resource.unsent.map(({ member }) => member)
      const sent = isObject(item) ? pickFields(resource, item, unsent) : item
      const record = isObject(item) ? { ...(sent as object), ...pick(item, unsent) } : item
      // A schema need not require the id, but a fixture does.
      const lacksId = readIdOf(resource, record) === undefined
      const reason = findReason(resource, sent) ?? (lacksId ? `/${resource.idPath.join('/')} is missing` : undefined)
      if (reason !== undefined) return void leaveOut(resource, item, reason)
      bytes += utf8Length(formatEntry(record as FixtureEntry, resource)) + SEPARATOR_BYTES
      if (bytes > maxBytes) {
        throw new PullError(`The records exceed ${maxBytes} bytes, the maximum size of a fixture file`)
      }
      return record as FixtureEntry
    },
  }
}

function pick(item: FixtureEntry, names: readonly string[]): FixtureEntry {
  return Object.fromEntries(names.filter((name) => item[name] !== undefined).map((name) => [name, item[name]]))
}

/** A null that the schema does not allow stands for a missing field: many services send it. */
function isGiven(value: unknown, { schema }: Field): boolean {
  return value !== null || namesNull(schema)
}
