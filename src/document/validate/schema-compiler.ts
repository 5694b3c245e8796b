import { apiError } from '../../http/errors.js'
import { isInt64 } from '../../lib/int64.js'
import { hashText } from '../../lib/random.js'
import { parseDateTime } from '../../lib/time.js'
import { isEqualJson, type Json } from '../../lib/values.js'
import { branchNames, type Discriminator } from '../schema/discriminator.js'
import { toDocumentPattern } from '../schema/document-pattern.js'
import { nonNullOf, propertiesWithoutChoices } from '../schema/facts.js'
import type { Work } from '../schema/linear-regexp.js'
import type { Schema } from '../schema/schema.js'
import { describeFit } from './describe-choices.js'
import type { Validate, Violation } from './validators.js'

const isDateTime = (text: string) => parseDateTime(text) !== undefined

/** What the functions of schemas call, whether they are compiled now or before. */
export const CHECKS = {
  /** By their names. Others are not checked. */
  formats: {
    int32: { type: 'number', validate: (value: number) => value >= -(2 ** 31) && value < 2 ** 31 },
    date: (text: string) => /^\d{4}-\d\d-\d\d$/.test(text) && isDateTime(`${text}T00:00:00Z`),
    email: /^[^\s@]+@[^\s@]+$/,
    ipv4: /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/,
    uri: /^[a-z][a-z\d+.-]*:\S*$/i,
    uuid: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
    'date-time': isDateTime,
  },
  isInt64,
  isEqual: isEqualJson,
  /** In code points. */
  lengthOf: (text: string) => [...text].length,
  hasOwnProperty: Object.prototype.hasOwnProperty,
} as const

/** Whether a schema describes what a client sends, or what the service sends. */
export type Direction = 'request' | 'response'

type Convert = (schema: unknown) => unknown

/** The schema as Ajv compiles it: only keywords that it knows. `convert` is called for each schema inside. */
function toAjvSchema(schema: Schema, direction: Direction, convert: Convert): Json {
  const nonNull = nonNullOf(schema)
  if (nonNull !== schema) return { unlessNull: convert(nonNull) }
  const converted: Record<string, unknown> = {}
  for (const [keyword, value] of Object.entries(schema)) {
    // Not a method that every object has: a keyword may have any name.
    const result = Object.hasOwn(CONVERSIONS, keyword) ? CONVERSIONS[keyword]?.(value as never, convert) : undefined
    if (result !== undefined) converted[keyword] = result
  }
  if (converted.required) converted.required = requiredIn(schema, direction)
  // Documents say `oneOf` of choices that do not exclude each other. What a client sends may fit several of them.
  if (direction === 'request' && converted.oneOf) {
    converted.someOf = converted.oneOf
    delete converted.oneOf
  }
  // A file is an object in a form, and text elsewhere.
  if (schema.format === 'binary' || schema.contentMediaType !== undefined) delete converted.type
  return converted
}

/** The same schema with each value read as the branch that its discriminator names. The others are read as any `oneOf`. */
function byDiscriminator(converted: Json, discriminator: Discriminator): Json {
  const { propertyName } = discriminator
  const names = branchNames(discriminator)
  const { oneOf, someOf = oneOf, allOf = [], ...others } = converted
  if (!Array.isArray(someOf) || names.every((each) => each.length === 0)) return converted
  const isNamed = (values: readonly string[]) => ({
    type: 'object',
    required: [propertyName],
    properties: { [propertyName]: { enum: values } },
  })
  const branches = someOf.flatMap((branch, index) => {
    const own = names[index] ?? []
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    return own.length > 0 ? [{ if: isNamed(own), then: branch }] : []
  })
  // With a discriminator, the branches exclude each other.
  const unnamed = { if: isNamed(names.flat()), else: { ...others, allOf, oneOf: someOf } }
  return { ...others, allOf: [...(allOf as Json[]), ...branches, unnamed] }
}

/** Read-only properties are required in responses only, write-only ones in requests. */
function requiredIn(schema: Schema, direction: Direction): string[] {
  const properties = propertiesWithoutChoices(schema)
  const isExempt = (name: string) =>
    direction === 'request' ? properties[name]?.readOnly === true : properties[name]?.writeOnly === true
  return [...new Set(schema.required)].filter((name) => !isExempt(name))
}

type Conversion = (value: never, convert: Convert) => unknown

const one: Conversion = (value, convert) => convert(value)
const list: Conversion = (value: readonly unknown[], convert) => value.map(convert)
const map: Conversion = (value: Json, convert) =>
  Object.fromEntries(Object.entries(value).map(([name, each]) => [name, convert(each)]))
const same: Conversion = (value) => value

const all = (keywords: string, conversion: Conversion) =>
  Object.fromEntries(keywords.split(' ').map((keyword) => [keyword, conversion]))

const CONVERSIONS: Readonly<Record<string, Conversion>> = {
  ...all(
    'type format enum const int64 minimum maximum exclusiveMinimum exclusiveMaximum multipleOf pattern uniqueItems',
    same,
  ),
  ...all('minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains', same),
  ...all('required dependentRequired', same),
  ...all('items additionalProperties not contains propertyNames if then else unevaluatedItems', one),
  ...all('unevaluatedProperties', one),
  ...all('allOf anyOf oneOf prefixItems', list),
  ...all('properties patternProperties dependentSchemas', map),
}

/** A schema as Ajv compiles it. */
export interface AjvSchema extends Schema {
  /** The name of a unit, in place of a schema. */
  readonly refersTo?: string
  readonly properties?: Readonly<Record<string, AjvSchema>>
}

/** Checks values as one of Ajv's functions does: the schemas in its errors are those of Ajv. */
export interface SchemaFunction {
  (value: unknown): boolean
  errors?: readonly object[] | null
}

/** A schema of the document that is compiled separately. Other functions call its `validate`. */
export interface Unit {
  readonly name: string
  readonly direction: Direction
  readonly schema: Schema
  readonly validate: SchemaFunction
}

type Checks = typeof CHECKS

/** What the functions use. */
export interface FunctionParts extends Checks {
  unitOf(name: string): Unit
  patternOf(pattern: string): { readonly pattern: string; test(text: string): boolean }
  keyOf(schema: AjvSchema): string
}

/** Where the functions come from: Ajv makes them, or has made them before. */
export type CreateFunctions = (parts: FunctionParts) => (schema: AjvSchema) => SchemaFunction

/** About a fifth of a second. */
const MAX_WORK = 2_000_000

export interface SchemaCompiler {
  /** Those that were asked for, and those that their schemas refer to as soon as they are compiled. */
  units(): MapIterator<Unit>
  /** Stands for a schema of the document in one that is passed to `compile`. */
  refer(schema: Schema, direction: Direction): { refersTo: string }
  compile(schema: AjvSchema): Validate
  validatorOf(schema: Schema, direction: Direction): Validate
}

/**
 * Finds the functions that check the schemas of one document. A schema that a reference leads to has a separate function, which
 * is compiled when the first value reaches it: the schemas of some documents lead from each to nearly every other.
 */
export function createSchemaCompiler(
  referenced: ReadonlyMap<object, string>,
  createFunctions: CreateFunctions,
): SchemaCompiler {
  /** For one value: steps of testing patterns, and values that are checked by a schema that others refer to. */
  const work = { left: MAX_WORK }
  /** By their names. */
  const units = new Map<string, Unit>()
  const directions = { request: createUnits('request'), response: createUnits('response') }
  /** The schemas of the document that those of Ajv were made from. Violations contain them. */
  const originals = new WeakMap<object, Schema>()
  const functionOf = createFunctions({
    ...CHECKS,
    unitOf: (name) => units.get(name) as Unit,
    patternOf: (pattern) => compilePattern(pattern, work),
    keyOf,
  })

  /** Finds or makes the unit of a schema. */
  function createUnits(direction: Direction) {
    const known = new Map<Schema, Unit>()
    const convert = (schema: unknown): unknown => {
      if (typeof schema !== 'object' || schema === null) return schema
      if (referenced.has(schema)) return { refersTo: unitOf(schema).name }
      return convertInside(schema)
    }
    const convertInside = (schema: Schema): AjvSchema => {
      const converted = toAjvSchema(schema, direction, convert)
      const named = hasNames(schema) ? byDiscriminator(converted, withReferences(schema)) : converted
      for (const each of [converted, named]) originals.set(each, schema)
      return named
    }
    const unitOf = (schema: Schema): Unit => {
      const existing = known.get(schema)
      if (existing !== undefined) return existing
      const reference = referenced.get(schema)
      // The same in every run: functions that were compiled before are found by it.
      const converted = reference === undefined ? convertInside(schema) : undefined
      let compiled: SchemaFunction | undefined
      const unit: Unit = {
        name: `${direction} ${reference ?? keyOf(converted)}`,
        direction,
        schema,
        // The functions get it for each value. Choices that refer to themselves check a value in very many ways.
        get validate() {
          work.left -= 1
          if (work.left < 0) throw tooMuchWork()
          compiled ??= functionOf(converted ?? convertInside(schema))
          return compiled
        },
      }
      known.set(schema, unit)
      units.set(unit.name, unit)
      return unit
    }
    return unitOf
  }

  function withReferences({ discriminator, oneOf = [] }: Schema): Discriminator {
    return { ...(discriminator as Discriminator), references: oneOf.map((branch) => referenced.get(branch)) }
  }

  /** Ajv's schema in a violation, as the document has it. */
  function toOriginal(schema: AjvSchema): Schema {
    const original = originals.get(schema)
    if (original !== undefined) return original
    if (schema.refersTo !== undefined) return units.get(schema.refersTo)?.schema ?? {}
    const properties = Object.entries(schema.properties ?? {}).map(([name, property]) => [name, toOriginal(property)])
    return { ...schema, properties: Object.fromEntries(properties) }
  }

  /** What is left of a response when no work is left is not checked: its values were checked when they came in. */
  function isValidBy(validate: SchemaFunction, value: unknown, direction: Direction): boolean {
    try {
      return validate(value)
    } catch (error) {
      // A schema that is a part of itself overflows the stack.
      if (work.left >= 0 && !(error instanceof RangeError)) throw error
      if (direction === 'response') return true
      throw tooMuchWork()
    }
  }

  function withOriginals(unit: Pick<Unit, 'validate' | 'direction'>): Validate {
    const exact: Validate = (value) => {
      work.left = MAX_WORK
      const { validate } = unit
      const isValid = isValidBy(validate, value, unit.direction)
      const errors = (validate.errors ?? []) as Violation[]
      exact.errors = isValid
        ? null
        : errors
            .filter(isOwn)
            .map((error) => withFit({ ...error, parentSchema: toOriginal(error.parentSchema as AjvSchema) }))
      return isValid
    }
    return exact
  }

  return {
    units: () => units.values(),
    refer: (schema: Schema, direction: Direction) => ({ refersTo: directions[direction](schema).name }),
    compile: (schema: AjvSchema): Validate =>
      withOriginals(units.get(schema.refersTo ?? '') ?? { validate: functionOf(schema), direction: 'request' }),
    validatorOf: (schema: Schema, direction: Direction): Validate => withOriginals(directions[direction](schema)),
  }
}

/** The choices that a value fits are in the parameters of the error. */
const withFit = (error: Violation): Violation =>
  Array.isArray(error.params.passed)
    ? { ...error, fit: describeFit(error.parentSchema, error.data, error.params.passed) }
    : error

/** Documents have mistakes, and the discriminator of Swagger 2 is a text. */
const hasNames = ({ discriminator, oneOf }: Schema): boolean =>
  typeof discriminator?.propertyName === 'string' && Array.isArray(oneOf)

/** What follows from `if` has violations of its own. */
const isOwn = ({ keyword }: Violation) => keyword !== 'if'

function tooMuchWork() {
  return apiError('LIMIT_REACHED', 'Checking the value against the OpenAPI document takes too long.')
}

/** A pattern that cannot be tested is not checked. The lines at the start name it. */
function compilePattern(pattern: string, work: Work) {
  const compiled = toDocumentPattern(pattern)
  return {
    pattern,
    toString: () => `/${pattern}/`,
    test(text: string): boolean {
      try {
        return compiled?.test(text, work) ?? true
      } catch {
        work.left = -1
        throw tooMuchWork()
      }
    },
  }
}

/** Identifies a schema by its text. */
function keyOf(schema: AjvSchema | undefined): string {
  const text = JSON.stringify(schema)
  return hashText(text).toString(36) + hashText(`${text} `).toString(36)
}
