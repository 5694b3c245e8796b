import type { Schema } from '../contract/schema.js'
import { toRegExp } from '../ids/pattern.js'
import type { IdDescription, IdRange } from './resource.js'
import { isNumeric, partsOf, typesOf } from './schema-facts.js'

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i
const UUIDS = '^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$'
const DIGITS = '^[1-9]\\d{7}$'
const PREFIX = /^[a-z]{1,12}_(?=[a-z\d]+$)/i

/** Of formats that ids have now and then. */
const PATTERNS: Readonly<Record<string, string>> = {
  ipv4: '^198\\.18\\.[1-9]\\.[1-9]\\d$',
  email: '^[a-z0-9]+@example\\.com$',
  uri: '^https://example\\.com/[a-z0-9]+$',
  hostname: '^[a-z0-9]+\\.example\\.com$',
}

const patternOfFormat = (format = '') => (Object.hasOwn(PATTERNS, format) ? PATTERNS[format] : undefined)

type SchemaWithExample = Schema & { readonly example?: unknown; readonly examples?: unknown }

/**
 * How ids look by their schemas: the property's first, then the parameter's. Those that clients give may look different from
 * an example.
 */
export function describeId(schemas: readonly (Schema | undefined)[], isGiven = false): IdDescription {
  const [schema, ...others] = schemas.flatMap((each) => (each && typesOf(each).size > 0 ? [each] : []))
  if (!schema) return { type: 'text' }
  const types = typesOf(schema)
  if (types.has('integer') || types.has('number')) return describeInteger(schema)
  const text = describeText([schema, ...others.filter((other) => typesOf(other).has('string'))], isGiven)
  const isPlain = text.type === 'text' && text.pattern === undefined && text.prefix === undefined
  // A path may take numbers where records have them as texts.
  return isPlain && others.some(isNumeric) ? { type: 'digits' } : text
}

function describeInteger(schema: Schema): IdDescription {
  const isInt64 = firstOf([schema], ({ format }) => format) === 'int64' || firstOf([schema], ({ int64 }) => int64)
  const range = readRange(schema)
  // New ids are positive anyway.
  const isUsual = range.multipleOf === undefined && range.maximum === undefined && (range.minimum ?? 1) <= 1
  return isInt64 && isUsual ? { type: 'int64' } : { type: isInt64 ? 'int64' : 'integer', ...range }
}

function readRange(schema: Schema): IdRange {
  const multipleOf = firstOf([schema], (part) => part.multipleOf)
  return {
    minimum: firstOf([schema], ({ minimum, exclusiveMinimum: above }) => toBound(minimum, above, 1)),
    maximum: firstOf([schema], ({ maximum, exclusiveMaximum: below }) => toBound(maximum, below, -1)),
    ...(Number.isSafeInteger(multipleOf) && Number(multipleOf) > 1 && { multipleOf }),
  }
}

/** Of OpenAPI 3.0 or 3.1: whether a bound is exclusive, or an exclusive bound of its own. */
function toBound(bound: number | undefined, exclusive: unknown, inside: 1 | -1): number | undefined {
  const outer = exclusive === true ? bound : exclusive
  if (typeof outer !== 'number') return bound
  return inside * (Math.floor(inside * outer) + 1)
}

function describeText(schemas: readonly Schema[], isGiven: boolean): IdDescription {
  const format = firstOf(schemas, (part) => part.format)
  const pattern = firstOf(schemas, (part) => part.pattern) ?? patternOfFormat(format)
  const minLength = firstOf(schemas, (part) => part.minLength)
  const maxLength = firstOf(schemas, (part) => part.maxLength)
  const example = firstOf(schemas, exampleOf) ?? ''
  const hasLimits = pattern !== undefined || minLength !== undefined || maxLength !== undefined
  const exampleKind = UUID.test(example) ? UUIDS : /^\d+$/.test(example) ? DIGITS : undefined
  if (isGiven && exampleKind && !hasLimits && format !== 'uuid') return { type: 'text', pattern: exampleKind }
  if (format === 'uuid' || (!hasLimits && UUID.test(example))) return { type: 'uuid' }
  const isDigits = pattern === undefined ? !hasLimits && /^\d+$/.test(example) : allowsAnyDigits(pattern)
  if (isDigits) return { type: 'digits' }
  return { type: 'text', prefix: prefixOf(pattern, example), pattern, minLength, maxLength }
}

/** Whether a pattern allows digits in any number, and nothing else. */
function allowsAnyDigits(pattern: string): boolean {
  const regExp = toRegExp(pattern)
  return (
    regExp !== undefined &&
    ['1', '20', '12345678901234567890'].every((text) => regExp.test(text)) &&
    !['a', 'a1', '1a', '1-1'].some((text) => regExp.test(text))
  )
}

/** From `^cus_`, or from an example that the pattern allows: `cus_NffrFeUfNV2Hib`. */
function prefixOf(pattern: string | undefined, example: string): string | undefined {
  const fromPattern = /^\^([a-z\d]+[_-])/i.exec(pattern ?? '')?.[1]
  return fromPattern ?? (pattern === undefined ? PREFIX.exec(example)?.[0] : undefined)
}

function firstOf<T>(schemas: readonly Schema[], read: (part: SchemaWithExample) => T | undefined): T | undefined {
  for (const schema of schemas) {
    for (const part of partsOf(schema)) {
      const value = read(part)
      if (value !== undefined) return value
    }
  }
  return undefined
}

function exampleOf({ example, examples }: SchemaWithExample): string | undefined {
  const [value] = [example, ...(Array.isArray(examples) ? examples : [])].filter((each) => each !== undefined)
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}
