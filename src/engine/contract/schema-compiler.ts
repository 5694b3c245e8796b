import { hashText } from '../../lib/random.js'
import { byDiscriminator, type Direction, toAjvSchema } from './ajv-schema.js'
import type { Discriminator } from './discriminator.js'
import { toDocumentPattern } from './document-pattern.js'
import { apiError } from './errors.js'
import type { Work } from './linear-regexp.js'
import type { Schema } from './schema.js'
import { CHECKS } from './schema-checks.js'
import type { Validate, Violation } from './validators.js'

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

export type SchemaCompiler = ReturnType<typeof createSchemaCompiler>

/**
 * Finds the functions that check the schemas of one document. A schema that a reference leads to has a separate function, which
 * is compiled when the first value reaches it: the schemas of some documents lead from each to nearly every other.
 */
export function createSchemaCompiler(referenced: ReadonlyMap<object, string>, createFunctions: CreateFunctions) {
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
        : errors.filter(isOwn).map((error) => ({ ...error, parentSchema: toOriginal(error.parentSchema as AjvSchema) }))
      return isValid
    }
    return exact
  }

  return {
    /** Those that were asked for, and those that their schemas refer to as soon as they are compiled. */
    units: () => units.values(),
    /** Stands for a schema of the document in one that is passed to `compile`. */
    refer: (schema: Schema, direction: Direction) => ({ refersTo: directions[direction](schema).name }),
    compile: (schema: AjvSchema): Validate =>
      withOriginals(units.get(schema.refersTo ?? '') ?? { validate: functionOf(schema), direction: 'request' }),
    validatorOf: (schema: Schema, direction: Direction): Validate => withOriginals(directions[direction](schema)),
  }
}

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
