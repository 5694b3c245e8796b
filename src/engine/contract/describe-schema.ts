import { nonNullOf, type Schema } from './schema.js'

/** What a schema requires, as it reads after "must be". */
export function describeSchema(schema: Schema): string {
  return describe(schema, 0)
}

/** A schema may contain itself. */
const MAX_DEPTH = 5

function describe(schema: Schema, depth: number): string {
  if (depth > MAX_DEPTH) return 'a value'
  const nonNull = nonNullOf(schema)
  if (nonNull !== schema) return `${describe(nonNull, depth + 1)} or null`
  const { type } = schema
  if (!Array.isArray(type)) return describeType(schema, type as string | undefined, depth)
  const types = type.map((each) => (each === 'null' ? 'null' : describeType(schema, each, depth)))
  return unique(types).join(' or ')
}

function describeType(schema: Schema, type: string | undefined, depth: number): string {
  if (schema.enum) return `one of ${describeValues(schema.enum)}`
  if (schema['x-in-words']) return schema['x-in-words']
  const choices = schema.oneOf ?? schema.anyOf
  if (choices) return describeChoices(choices, depth + 1)
  if (schema.int64) return 'a 64-bit integer'
  if (schema.format === 'date-time') return 'an RFC 3339 date-time such as 2026-03-31T09:30:00Z'
  switch (type) {
    case 'integer':
      return `an integer from ${describeBounds(schema)}`
    case 'number':
      return describeNumber(schema)
    case 'string':
      return describeString(schema)
    case 'array':
      return `${describeList(schema)}, each item ${describe(schema.items ?? {}, depth + 1)}`
    case 'object':
      return 'an object'
    case 'null':
      return 'left out'
    case undefined:
      if ('const' in schema) return JSON.stringify(schema.const) ?? 'any value'
      return schema.properties || schema.allOf ? 'an object' : 'any value'
    default:
      return `a ${type}`
  }
}

/** A document can have thousands of values. */
const MAX_VALUES = 50

function describeValues(values: readonly unknown[]): string {
  const excess = values.length - MAX_VALUES
  return `${values.slice(0, MAX_VALUES).join(', ')}${excess > 0 ? ` and ${excess} more` : ''}`
}

const unique = (texts: readonly string[]) => [...new Set(texts)]

/** Does not repeat what the items of a list must be if that is one of the choices: "a number or a list of two". */
function describeChoices(choices: readonly Schema[], depth: number): string {
  const descriptions = choices.map((choice) => describe(choice, depth))
  const isListOfChoice = ({ items }: Schema) => items !== undefined && descriptions.includes(describe(items, depth))
  const different = unique(
    choices.map((choice, index) => (isListOfChoice(choice) ? describeList(choice) : (descriptions[index] as string))),
  )
  const isUnclear = different.length === 1 && choices.length > 1
  return isUnclear ? `${different[0]} of one of ${choices.length} kinds` : different.join(' or ')
}

function describeList({ minItems, maxItems }: Schema): string {
  if (maxItems === undefined) return 'a list'
  return minItems === maxItems
    ? `a list of ${NUMBER_WORDS[maxItems] ?? maxItems}`
    : `a list of ${minItems ?? 0} to ${maxItems}`
}

const NUMBER_WORDS = ['none', 'one', 'two', 'three']

function describeString({ minLength = 0, maxLength, pattern, format = '' }: Schema): string {
  if (pattern !== undefined) return `a string that matches ${pattern}`
  if (format in FORMATS) return FORMATS[format] as string
  if (maxLength !== undefined) return `a string of ${minLength} to ${maxLength} characters`
  return minLength > 0 ? 'a non-empty string' : 'a string'
}

const FORMATS: Readonly<Record<string, string>> = { date: 'a date such as 2026-03-31', uuid: 'a UUID' }

function describeBounds({ format, minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Schema): string {
  const [min, max] = format === 'int32' ? [-(2 ** 31), 2 ** 31 - 1] : [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]
  const from = minimum ?? (exclusiveMinimum === undefined ? min : exclusiveMinimum + 1)
  return `${from} to ${maximum ?? (exclusiveMaximum === undefined ? max : exclusiveMaximum - 1)}`
}

function describeNumber({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Schema): string {
  if (exclusiveMinimum !== undefined) return `a number greater than ${exclusiveMinimum}`
  if (exclusiveMaximum !== undefined) return `a number less than ${exclusiveMaximum}`
  if (minimum === undefined) return maximum === undefined ? 'a number' : `a number of at most ${maximum}`
  return maximum === undefined ? `a number of at least ${minimum}` : `a number from ${minimum} to ${maximum}`
}
