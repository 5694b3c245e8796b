import { suggest } from '../../lib/nearest.js'
import { quote } from '../../lib/quote.js'
import { describeSchema, type Schema } from './schema.js'
import type { Violation } from './validators.js'

/** Turns Ajv's pointer into the name by which the reader knows the place. */
export type Naming = (pointer: string) => string

/** One way in which a value breaks its schema, as data. */
export interface SchemaViolation {
  /** A JSON pointer to the place in the value. */
  readonly pointer: string
  readonly problem: 'missing' | 'unknown' | 'invalid'
  /** What is expected there, and what is there, as they read in a sentence. */
  readonly expected: string
  readonly received: string
}

/** What is expected of a value, and what it is, in words. */
interface Wording {
  readonly expected: (schema: Schema) => string
  readonly received: (value: unknown) => string
}

const OF_JSON: Wording = { expected: describeSchema, received: describeValue }

/** A path or query parameter is text. */
const OF_TEXT: Wording = {
  expected: (schema) =>
    describeSchema(schema) + (schema.int64 || schema.type === 'integer' ? ' in plain decimal digits' : ''),
  received: (value) => (typeof value === 'string' ? quote(value) : describeValue(value)),
}

/** One sentence for a violation: where, what is expected, what is there instead. */
export function describeViolation(error: Violation, where: Naming): string {
  return describe(error, where, OF_JSON)
}

/** The same for a path or query parameter. */
export function describeParameterViolation(error: Violation, where: Naming): string {
  return describe(error, where, OF_TEXT)
}

function describe(error: Violation, where: Naming, wording: Wording): string {
  const { pointer, problem, expected, received } = toSchemaViolation(error, wording)
  const place = where(pointer)
  if (problem === 'missing') return `${place} is missing${expected === ANY_VALUE ? '' : `: it must be ${expected}`}`
  if (problem === 'invalid') return `${place} must be ${expected}, but is ${received}`
  const known = Object.keys(error.parentSchema.properties ?? {})
  return `${place} is not known here: there are ${known.join(', ') || 'none'}${suggest(received, known)}`
}

export function toSchemaViolation(error: Violation, wording: Wording = OF_JSON): SchemaViolation {
  const { keyword, data, instancePath, params, parentSchema: schema } = error
  if (keyword === 'required' || keyword === 'additionalProperties') {
    const unknown = keyword === 'required' ? findUnknown(error) : String(params.additionalProperty)
    if (unknown !== undefined) {
      const pointer = `${instancePath}/${escapePointer(unknown)}`
      return { pointer, problem: 'unknown', expected: 'no such field', received: unknown }
    }
    const name = String(params.missingProperty)
    const missing = schema.properties?.[name]
    const expected = missing ? wording.expected(missing) : ANY_VALUE
    return { pointer: `${instancePath}/${name}`, problem: 'missing', expected, received: 'nothing' }
  }
  const received = OF_WHOLE_LISTS.includes(keyword) && Array.isArray(data) ? describeList(data) : wording.received(data)
  return { pointer: instancePath, problem: 'invalid', expected: wording.expected(schema), received }
}

const ANY_VALUE = 'a value'

/** A field too many in a closed object that lacks one: most likely the missing one, misspelled. */
function findUnknown({ parentSchema: { properties = {}, additionalProperties }, data }: Violation): string | undefined {
  if (additionalProperties !== false) return undefined
  return Object.keys(data as object).find((name) => !Object.hasOwn(properties, name))
}

/** What they refuse may well be a list, so that it does not help to say that it is one. */
const OF_WHOLE_LISTS = ['oneOf', 'minItems', 'maxItems']

/** Shown where it is a few numbers. Anything may be in it otherwise, as deep as a client likes. */
function describeList(items: readonly unknown[]): string {
  const isShort = items.length <= MAX_SHOWN && items.every((item) => typeof item === 'number')
  return isShort ? `the array [${items.join(', ')}]` : `an array of ${items.length}`
}

const MAX_SHOWN = 5

/** A name as it stands in a JSON pointer; quoted where nobody could read it there. */
export function escapePointer(name: string): string {
  const escaped = name.replaceAll('~', '~0').replaceAll('/', '~1')
  return READABLE.test(escaped) ? escaped : quote(escaped)
}

const READABLE = /^[^\p{C}]{0,100}$/u

/** The kind of a value, and the value where it is short enough to help. */
function describeValue(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return `the string ${quote(value)}`
    case 'number':
      if (Number.isNaN(value)) return 'a number with a fraction'
      return Number.isFinite(value) ? `the number ${value}` : 'a number out of range'
    case 'bigint':
      return describeDigits(String(value))
    case 'object':
      if (value === null) return 'null'
      return Array.isArray(value) ? 'an array' : 'an object'
    default:
      return String(value)
  }
}

function describeDigits(digits: string): string {
  return digits.length > 40 ? `a number of ${digits.length} digits` : `the number ${digits}`
}
