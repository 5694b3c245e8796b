import { oncePer } from '../../lib/functions.js'
import { isPlainObject } from '../../lib/values.js'
import { namedBranch } from '../schema/discriminator.js'
import { hasFlag, ownTypesOf } from '../schema/facts.js'
import { type AnySchema, boundsOf, includesValue, type JsonSchema, toKey } from '../schema/json-schema.js'
import { CHECKS } from '../validate/schema-compiler.js'
import { FORMATS } from './formats.js'
import { isAllowed } from './numbers.js'
import type { TextPattern } from './sample-pattern.js'

/** What a check needs, and how many steps it may still take. */
export interface Check {
  left: number
  /** Properties with this keyword are not required. */
  readonly hidden: 'readOnly' | 'writeOnly'
  readonly patternOf: (pattern: string) => TextPattern | undefined
  /** Set if exactly one branch of `oneOf` must fit, even where a discriminator names one. */
  ignoresNames?: boolean
  /** Set if a discriminator has named a branch. */
  hasNames?: boolean
  /** How many schemas are being checked, each inside the one before. */
  depth?: number
  /** Whether only those formats count that requests are checked for. */
  readonly isLenient?: boolean | undefined
  /** Set if Ajv may decide otherwise. */
  isUnsure?: boolean
}

/** Keywords that are not checked here, or not completely. */
const UNCHECKED = [
  ...['if', 'contains', 'propertyNames', 'patternProperties', 'dependentRequired', 'dependentSchemas'],
  ...['unevaluatedItems', 'unevaluatedProperties'],
]

const hasUnchecked = oncePer((schema: JsonSchema) => UNCHECKED.some((keyword) => keyword in schema))

/**
 * Whether a value conforms to a schema. Smaller and less strict than Ajv: it decides between examples and between branches,
 * not about requests. False when no steps are left.
 */
export function conforms(schema: AnySchema, value: unknown, check: Check): boolean {
  check.left -= 1
  const { depth = 0 } = check
  const isTooMuch = check.left < 0 || depth > MAX_DEPTH
  if (isTooMuch) check.isUnsure = true
  if (typeof schema === 'boolean' || isTooMuch) return schema === true
  check.depth = depth + 1
  const result = decide(schema, value, check)
  check.depth = depth
  return result
}

/** A schema that is a part of itself would overflow the stack. */
const MAX_DEPTH = 200

function decide(schema: JsonSchema, value: unknown, check: Check): boolean {
  if (hasUnchecked(schema) || isSpecial(schema, value)) check.isUnsure = true
  if (value === null && schema.nullable === true) return true
  const holds = (each: AnySchema) => conforms(each, value, check)
  if (schema.const !== undefined && !includesValue([schema.const], value)) return false
  if (schema.enum && !includesValue(schema.enum, value)) return false
  if (schema.allOf && !schema.allOf.every(holds)) return false
  if (schema.anyOf && !schema.anyOf.some(holds)) return false
  if (schema.oneOf && !isOneOf(schema, value, check)) return false
  if (schema.not !== undefined && holds(schema.not)) return false
  const types = ownTypesOf(schema)
  if (types.length > 0 && !types.some((type) => isOfType(type, value))) return false
  if (typeof value === 'string') return isText(schema, value, check)
  if (typeof value === 'number') return isAllowed(boundsOf(schema), schema.multipleOf, value)
  if (Array.isArray(value)) return isList(schema, value, check)
  return isPlainObject(value) ? isObject(schema, value, check) : true
}

/** A branch that the discriminator names is the only one that counts. */
function isOneOf(schema: JsonSchema, value: unknown, check: Check): boolean {
  const named = namedBranch<AnySchema>(schema, value)
  if (named !== undefined) check.hasNames = true
  if (named !== undefined && !check.ignoresNames) return conforms(named, value, check)
  return schema.oneOf?.filter((each) => conforms(each, value, check)).length === 1
}

/** Numbers that may be too large for their format, and objects that may be equal with their members in another sequence. */
function isSpecial(schema: JsonSchema, value: unknown): boolean {
  if (typeof value === 'number') return schema.format === 'int32' && Math.abs(value) >= 2 ** 31
  return typeof value === 'bigint' || (value instanceof Object && (schema.enum ?? schema.const) !== undefined)
}

function isOfType(type: string, value: unknown): boolean {
  switch (type) {
    case 'integer':
      return typeof value === 'bigint' || Number.isInteger(value)
    case 'number':
      return typeof value === 'bigint' || Number.isFinite(value)
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isPlainObject(value)
    case 'null':
      return value === null
    default:
      return typeof value === type
  }
}

function isWithin(count: number, min = 0, max = Number.POSITIVE_INFINITY): boolean {
  return count >= min && count <= max
}

function isText({ minLength, maxLength, pattern, format = '' }: JsonSchema, text: string, check: Check): boolean {
  if (!isWithin([...text].length, minLength, maxLength)) return false
  const isMatch = pattern === undefined || check.patternOf(pattern)?.matches(text)
  const checked = check.isLenient ? CHECKS.formats : FORMATS
  const hasFormat = !Object.hasOwn(checked, format) || FORMATS[format]?.matches?.(text) !== false
  // Some patterns cannot be tested here, and some formats are not tested by Ajv.
  if (!isMatch || !hasFormat) check.isUnsure = true
  return isMatch !== false && hasFormat
}

function isList(schema: JsonSchema, list: readonly unknown[], check: Check): boolean {
  const { prefixItems = [], items = true, minItems, maxItems, uniqueItems } = schema
  if (!isWithin(list.length, minItems, maxItems)) return false
  if (uniqueItems && new Set(list.map(toKey)).size < list.length) return false
  // Their members may be in another sequence.
  if (uniqueItems && list.some(isPlainObject)) check.isUnsure = true
  return list.every((item, index) => conforms(prefixItems[index] ?? items, item, check))
}

function isObject(schema: JsonSchema, object: Record<string, unknown>, check: Check): boolean {
  const { properties = {}, required = [], additionalProperties: others = true, minProperties, maxProperties } = schema
  const names = Object.keys(object)
  if (!isWithin(names.length, minProperties, maxProperties)) return false
  const propertyOf = (name: string) => (Object.hasOwn(properties, name) ? properties[name] : undefined)
  const missing = required.filter((name) => !Object.hasOwn(object, name))
  if (missing.some((name) => !hasFlag(propertyOf(name), check.hidden))) return false
  // Ajv does not look for the keyword inside `allOf`.
  if (missing.length > 0) check.isUnsure = true
  const patterns = Object.keys(schema.patternProperties ?? {})
  return names.every((name) => {
    const isMatched = patterns.some((pattern) => check.patternOf(pattern)?.matches(name))
    return conforms(propertyOf(name) ?? (isMatched || others), object[name], check)
  })
}
