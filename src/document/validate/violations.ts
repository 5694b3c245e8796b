import { suggestName } from '../../http/errors.js'
import { escapeToken } from '../../lib/json-pointer.js'
import { quote } from '../../lib/text.js'
import { onlyTypeOf, propertiesWithoutChoices } from '../schema/facts.js'
import type { Schema } from '../schema/schema.js'
import { describeSchema } from './describe-schema.js'
import type { Violation } from './validators.js'

/** Converts Ajv's pointer to the name that the client knows. */
export type Naming = (pointer: string) => string

export interface SchemaViolation {
  /** A JSON pointer into the value. */
  readonly pointer: string
  readonly problem: 'missing' | 'unknown' | 'invalid'
  /** What was expected and received there, as it reads in a sentence. */
  readonly expected: string
  readonly received: string
}

export interface Wording {
  readonly expected: (schema: Schema) => string
  readonly received: (value: unknown) => string
}

const JSON_WORDING: Wording = { expected: describeSchema, received: describeValue }

/** Path and query parameters are text. */
export const TEXT_WORDING: Wording = {
  expected: (schema) =>
    onlyTypeOf(schema) === 'boolean'
      ? 'true or false'
      : describeSchema(schema) + (schema.int64 || onlyTypeOf(schema) === 'integer' ? ' in plain decimal digits' : ''),
  received: (value) => (typeof value === 'string' ? quote(value) : describeValue(value)),
}

/** A sentence that starts with the place. */
export function describeViolation(error: Violation, where: Naming, wording?: Wording): string {
  return locateViolation(error, where, wording).sentence
}

/** The same, and a pointer to the place. */
export function locateViolation(
  error: Violation,
  where: Naming,
  wording?: Wording,
): { pointer: string; sentence: string } {
  const violation = toSchemaViolation(error, wording)
  const sentence = describeProblem({ ...violation, pointer: where(violation.pointer) })
  if (violation.problem !== 'unknown') return { pointer: violation.pointer, sentence }
  const suggestion = suggestName(violation.received, Object.keys(propertiesWithoutChoices(error.parentSchema)))
  return { pointer: violation.pointer, sentence: `${sentence} ${suggestion}` }
}

export function describeProblem({ pointer, problem, expected, received }: SchemaViolation): string {
  if (problem === 'missing') return `${pointer} is missing${expected === ANY_VALUE ? '' : `: it must be ${expected}`}`
  if (problem === 'invalid') return `${pointer} must be ${expected}, but is ${received}`
  return `${pointer} is unknown.`
}

export function toSchemaViolation(error: Violation, wording: Wording = JSON_WORDING): SchemaViolation {
  const { keyword, data, instancePath, params, parentSchema: schema } = error
  if (OBJECT_KEYWORDS.includes(keyword)) {
    const extra = params.additionalProperty ?? params.unevaluatedProperty
    const unknown = extra === undefined ? findUnknown(error) : String(extra)
    if (unknown !== undefined) {
      const pointer = `${instancePath}/${escapePointer(unknown)}`
      return { pointer, problem: 'unknown', expected: 'no such field', received: unknown }
    }
    const name = String(params.missingProperty)
    const { properties = {} } = schema
    const expected = Object.hasOwn(properties, name) ? wording.expected(properties[name] ?? {}) : ANY_VALUE
    return { pointer: `${instancePath}/${escapePointer(name)}`, problem: 'missing', expected, received: 'nothing' }
  }
  const name = error.propertyName ?? params.propertyName
  if (name !== undefined) {
    const rule = keyword === 'propertyNames' ? Object(schema.propertyNames) : schema
    return {
      pointer: instancePath,
      problem: 'invalid',
      expected: `an object in which each name is ${wording.expected({ type: 'string', ...rule })}`,
      received: `an object with the name ${quote(String(name))}`,
    }
  }
  const expected = keyword === 'not' ? `anything but ${wording.expected(Object(schema.not))}` : wording.expected(schema)
  const isList = LIST_KEYWORDS.includes(keyword) && Array.isArray(data)
  const received = (isList ? describeList(data) : wording.received(data)) + (error.fit ?? '')
  return { pointer: instancePath, problem: 'invalid', expected, received }
}

const OBJECT_KEYWORDS = ['required', 'dependentRequired', 'additionalProperties', 'unevaluatedProperties']

const ANY_VALUE = 'a value'

/** An unknown field in an object that lacks a required one is most likely that one, misspelled. */
function findUnknown({ parentSchema: { properties = {}, additionalProperties }, data }: Violation): string | undefined {
  if (additionalProperties !== false) return undefined
  return Object.keys(data as object).find((name) => !Object.hasOwn(properties, name))
}

/** For these, "an array" alone would not explain what is wrong. */
const LIST_KEYWORDS = ['oneOf', 'someOf', 'minItems', 'maxItems']

/** Shows only a few numbers: other items may be of any size. */
function describeList(items: readonly unknown[]): string {
  const isShort = items.length <= MAX_ITEMS_SHOWN && items.every((item) => typeof item === 'number')
  return isShort ? `the array [${items.join(', ')}]` : `an array of ${items.length} items`
}

const MAX_ITEMS_SHOWN = 5

/** Escapes a name for a JSON pointer, and quotes it if it is long or has invisible characters. */
export function escapePointer(name: string): string {
  const escaped = escapeToken(name)
  return READABLE.test(escaped) ? escaped : quote(escaped)
}

const READABLE = /^[^\p{C}]{0,100}$/u

/** The type of a value, and the value itself if it is short. */
function describeValue(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return `the string ${quote(value)}`
    case 'number':
      if (Number.isNaN(value)) return 'a number with a fraction'
      return Number.isFinite(value) ? `the number ${value}` : 'a number out of range'
    case 'bigint': {
      const digits = String(value)
      return digits.length > 40 ? `a number with ${digits.length} digits` : `the number ${digits}`
    }
    case 'object':
      if (value === null) return 'null'
      return Array.isArray(value) ? 'an array' : 'an object'
    default:
      return String(value)
  }
}
