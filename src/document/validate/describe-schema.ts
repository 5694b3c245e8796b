import { stringifyJson } from '../../lib/json.js'
import { nonNullOf } from '../schema/facts.js'
import type { Schema } from '../schema/schema.js'

/** What a schema requires, as it reads after "must be". */
export function describeSchema(schema: Schema | boolean): string {
  return describe(schema, { depth: 0, work: { left: MAX_WORK } })
}

/** A schema may contain itself, in several of its choices. */
const MAX_DEPTH = 5
const MAX_WORK = 500

interface Place {
  readonly depth: number
  /** Schemas that may still be described. */
  readonly work: { left: number }
}

const below = ({ depth, work }: Place): Place => ({ depth: depth + 1, work })

function describe(schema: Schema | boolean, place: Place): string {
  place.work.left -= 1
  if (place.depth > MAX_DEPTH || place.work.left < 0) return 'a value'
  if (typeof schema === 'boolean') return schema ? 'any value' : 'left out'
  const nonNull = nonNullOf(schema)
  if (nonNull !== schema) return `${describe(nonNull, below(place))} or null`
  const { type } = schema
  if (!Array.isArray(type)) return describeType(schema, type as string | undefined, place)
  const types = type.map((each) => (each === 'null' ? 'null' : describeType(schema, each, place)))
  return unique(types).join(' or ')
}

function describeType(schema: Schema, type: string | undefined, place: Place): string {
  if (schema.enum) return `one of ${describeValues(schema.enum)}`
  if (schema['x-in-words']) return schema['x-in-words']
  const choices = schema.oneOf ?? schema.anyOf
  if (choices) return describeChoices(choices, below(place))
  if (schema.int64) return 'a 64-bit integer'
  if (schema.format === 'date-time') return 'an RFC 3339 date-time such as 2026-03-31T09:30:00Z'
  switch (type) {
    case 'integer':
      return `an integer from ${describeBounds(schema)}${describeMultiple(schema)}`
    case 'number':
      return describeNumber(schema) + describeMultiple(schema)
    case 'string':
      return describeString(schema)
    case 'array':
      return `${describeList(schema)}, each item ${describe(schema.items ?? {}, below(place))}`
    case 'object':
      return describeObject(schema)
    case 'null':
      return 'left out'
    case undefined:
      if ('const' in schema) return JSON.stringify(schema.const) ?? 'any value'
      return schema.properties || schema.allOf ? describeObject(schema) : 'any value'
    default:
      return `a ${type}`
  }
}

/** A document can have thousands of values. */
const MAX_VALUES = 50

function describeValues(values: readonly unknown[]): string {
  const excess = values.length - MAX_VALUES
  return `${values.slice(0, MAX_VALUES).map(describeValue).join(', ')}${excess > 0 ? ` and ${excess} more` : ''}`
}

const describeValue = (value: unknown) => (typeof value === 'string' ? value : stringifyJson(value))

const unique = (texts: readonly string[]) => [...new Set(texts)]

/** Does not repeat what the items of a list must be if that is one of the choices: "a number or a list of two". */
function describeChoices(choices: readonly Schema[], place: Place): string {
  const descriptions = choices.map((choice) => describe(choice, place))
  const isListOfChoice = ({ items }: Schema) => items !== undefined && descriptions.includes(describe(items, place))
  const different = unique(
    choices.map((choice, index) => (isListOfChoice(choice) ? describeList(choice) : (descriptions[index] as string))),
  )
  const isUnclear = different.length === 1 && choices.length > 1
  return isUnclear ? `${different[0]} of one of ${choices.length} kinds` : different.join(' or ')
}

function describeList({ minItems = 0, maxItems, uniqueItems }: Schema): string {
  const count = minItems === maxItems ? (NUMBER_WORDS[minItems] ?? minItems) : describeCount(minItems, maxItems)
  return `a list${count === '' ? '' : ` of ${count}`}${uniqueItems ? ' without repeated items' : ''}`
}

function describeObject({ minProperties = 0, maxProperties }: Schema): string {
  const count = describeCount(minProperties, maxProperties)
  return count === '' ? 'an object' : `an object with ${count} properties`
}

/** Empty if there are no bounds. */
function describeCount(min: number, max: number | undefined): string {
  if (max !== undefined) return `${min} to ${max}`
  return min > 0 ? `at least ${min}` : ''
}

const NUMBER_WORDS = ['none', 'one', 'two', 'three']

function describeString({ minLength = 0, maxLength, pattern, format = '' }: Schema): string {
  const kind = Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined
  const isNonEmpty = minLength === 1 && maxLength === undefined
  const count = isNonEmpty ? '' : describeCount(minLength, maxLength)
  const noun = kind ?? (isNonEmpty ? 'a non-empty string' : 'a string')
  return noun + (count && ` of ${count} characters`) + (pattern === undefined ? '' : ` that matches ${pattern}`)
}

const FORMATS: Readonly<Record<string, string>> = {
  date: 'a date such as 2026-03-31',
  email: 'an email address',
  ipv4: 'an IPv4 address',
  uri: 'a URI',
  uuid: 'a UUID',
}

function describeBounds({ format, minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Schema): string {
  const [min, max] = format === 'int32' ? [-(2 ** 31), 2 ** 31 - 1] : [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]
  const from = minimum ?? (exclusiveMinimum === undefined ? min : exclusiveMinimum + 1)
  return `${from} to ${maximum ?? (exclusiveMaximum === undefined ? max : exclusiveMaximum - 1)}`
}

function describeNumber({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Schema): string {
  const bounds: string[] = []
  if (exclusiveMinimum !== undefined) bounds.push(`greater than ${exclusiveMinimum}`)
  if (exclusiveMaximum !== undefined) bounds.push(`less than ${exclusiveMaximum}`)
  if (minimum !== undefined && maximum !== undefined) bounds.push(`from ${minimum} to ${maximum}`)
  else if (minimum !== undefined) bounds.push(`of at least ${minimum}`)
  else if (maximum !== undefined) bounds.push(`of at most ${maximum}`)
  return ['a number', bounds.join(' and ')].filter(Boolean).join(' ')
}

const describeMultiple = ({ multipleOf }: Schema) =>
  multipleOf === undefined ? '' : ` and a multiple of ${multipleOf}`
