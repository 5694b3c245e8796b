import { suggest } from '../../lib/nearest.js'
import { quote } from './errors.js'
import { describeSchema, type Schema } from './schema.js'
import type { Violation } from './validators.js'

/** Turns Ajv's pointer into the name by which the reader knows the place. */
export type Naming = (pointer: string) => string

/** One sentence for one thing that breaks a schema: where, what is expected, what is there instead. */
export function describeViolation(error: Violation, where: Naming): string {
  return describe(error, where, describeSchema, describeValue)
}

/** The same for a path or query parameter, whose value came as text. */
export function describeParameterViolation(error: Violation, where: Naming): string {
  const describeText = (value: unknown) => (typeof value === 'string' ? quote(value) : describeValue(value))
  const describeSpelled = (schema: Schema) =>
    describeSchema(schema) + (schema.int64 || schema.type === 'integer' ? ' in plain decimal digits' : '')
  return describe(error, where, describeSpelled, describeText)
}

function describe(
  error: Violation,
  where: Naming,
  expected: (schema: Schema) => string,
  actual: (value: unknown) => string,
): string {
  const schema = error.parentSchema
  if (error.keyword === 'required') {
    const unknown = findUnknown(error)
    if (unknown !== undefined) return describeUnknown(unknown, error, where)
    const name = String(error.params.missingProperty)
    const missing = schema.properties?.[name]
    const suffix = missing ? `: it must be ${expected(missing)}` : ''
    return `${where(`${error.instancePath}/${name}`)} is missing${suffix}`
  }
  if (error.keyword === 'additionalProperties') {
    return describeUnknown(String(error.params.additionalProperty), error, where)
  }
  const { keyword, data } = error
  const found = OF_WHOLE_LISTS.includes(keyword) && Array.isArray(data) ? describeList(data) : actual(data)
  return `${where(error.instancePath)} must be ${expected(schema)}, but is ${found}`
}

/** A field too many in a closed object that lacks one: most likely the missing one, misspelled. */
function findUnknown({ parentSchema: { properties = {}, additionalProperties }, data }: Violation): string | undefined {
  if (additionalProperties !== false) return undefined
  return Object.keys(data as object).find((name) => !Object.hasOwn(properties, name))
}

function describeUnknown(name: string, { parentSchema, instancePath }: Violation, where: Naming): string {
  const known = Object.keys(parentSchema.properties ?? {})
  const place = where(`${instancePath}/${escapePointer(name)}`)
  return `${place} is not known here: there are ${known.join(', ') || 'none'}${suggest(name, known)}`
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
