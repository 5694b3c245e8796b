/** Compiles validators at run time. Loaded only by a contract that has none: Ajv is large, and needs `eval`. */
import { _, Ajv2020, type KeywordCxt, type ValidateFunction } from 'ajv/dist/2020.js'
import { callRef } from 'ajv/dist/vocabularies/core/ref.js'
import { parseDateTime } from '../../lib/date-time.js'
import { type Direction, toAjvSchema } from './ajv-schema.js'
import { toDocumentPattern } from './document-pattern.js'
import { apiError } from './errors.js'
import { checkExactly } from './exact-ajv.js'
import type { Work } from './linear-regexp.js'
import type { Schema } from './schema.js'
import type { Validate, Violation } from './validators.js'

/** About a fifth of a second. */
const MAX_WORK = 2_000_000

export type SchemaCompiler = ReturnType<typeof createSchemaCompiler>

/**
 * Compiles schemas of one document with one Ajv. A schema that a reference leads to becomes a separate function, which is
 * compiled when the first value reaches it: the schemas of some documents lead from each to nearly every other.
 */
export function createSchemaCompiler(referenced: ReadonlyMap<object, unknown>) {
  /** For one value: steps of testing patterns, and values that are checked by a schema that others refer to. */
  const work = { left: MAX_WORK }
  const ajv = createAjv(work)
  const directions = { request: createUnits('request'), response: createUnits('response') }
  /** By their names. */
  const units = new Map<string, Unit>()
  /** The schemas of the document that those of Ajv were made from. Violations contain them. */
  const originals = new WeakMap<object, Schema>()

  ajv.addKeyword({
    keyword: 'refersTo',
    schemaType: 'string',
    code(context: KeywordCxt) {
      const unit = context.gen.scopeValue('wrapper', { ref: units.get(context.schema as string) })
      callRef(context, _`${unit}.validate`, undefined, undefined)
    },
  })

  /** Finds or makes the unit of a schema. */
  function createUnits(direction: Direction) {
    const known = new Map<Schema, Unit>()
    const convert = (schema: unknown): unknown => {
      if (typeof schema !== 'object' || schema === null) return schema
      if (referenced.has(schema)) return { refersTo: unitOf(schema).name }
      return convertInside(schema)
    }
    const convertInside = (schema: Schema) => {
      const converted = toAjvSchema(schema, direction, convert)
      originals.set(converted, schema)
      return converted
    }
    const unitOf = (schema: Schema): Unit => {
      const existing = known.get(schema)
      if (existing !== undefined) return existing
      let compiled: ValidateFunction | undefined
      const unit: Unit = {
        name: `${direction}${known.size}`,
        direction,
        schema,
        // Ajv gets it for each value. Choices that refer to themselves check a value in very many ways.
        get validate() {
          work.left -= 1
          if (work.left < 0) throw tooMuchWork()
          compiled ??= ajv.compile(convertInside(schema))
          return compiled
        },
      }
      known.set(schema, unit)
      units.set(unit.name, unit)
      return unit
    }
    return unitOf
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
  function isValidBy(validate: ValidateFunction, value: unknown, direction: Direction): boolean {
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
      const errors = (validate.errors ?? []) as unknown as Violation[]
      exact.errors = isValid
        ? null
        : errors.map((error) => ({ ...error, parentSchema: toOriginal(error.parentSchema as AjvSchema) }))
      return isValid
    }
    return exact
  }

  return {
    /** Stands for a schema of the document in one that is passed to `compile`. */
    refer: (schema: Schema, direction: Direction) => ({ refersTo: directions[direction](schema).name }),
    compile: (schema: AjvSchema): Validate =>
      withOriginals(units.get(schema.refersTo ?? '') ?? { validate: ajv.compile(schema), direction: 'request' }),
    validatorOf: (schema: Schema, direction: Direction): Validate => withOriginals(directions[direction](schema)),
  }
}

/** A schema of the document that is compiled separately. Ajv calls its `validate`. */
interface Unit {
  readonly name: string
  readonly direction: Direction
  readonly schema: Schema
  readonly validate: ValidateFunction
}

/** A schema for Ajv. */
export interface AjvSchema extends Schema {
  readonly refersTo?: string
  readonly properties?: Readonly<Record<string, AjvSchema>>
}

function tooMuchWork() {
  return apiError('LIMIT_REACHED', 'Checking the value against the OpenAPI document takes too long.')
}

/** A pattern that cannot be tested is not checked. The lines at the start name it. */
function compilePattern(pattern: string, work: Work) {
  const compiled = toDocumentPattern(pattern)
  return {
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

function createAjv(work: Work): Ajv2020 {
  const regExp = Object.assign((pattern: string) => compilePattern(pattern, work), { code: 'compilePattern' })
  const ajv = new Ajv2020({
    strict: false,
    // Ajv would let Infinity pass for an integer.
    strictNumbers: true,
    verbose: true,
    // The messages are ours: violations.ts.
    messages: false,
    // Unknown formats are not checked, and not worth a warning each.
    logger: false,
    // Documents have mistakes: toAjvSchema leaves them out.
    meta: false,
    validateSchema: false,
    addUsedSchema: false,
    code: { regExp },
  })
  ajv.addKeyword({
    keyword: 'unlessNull',
    schemaType: ['object', 'boolean'],
    code(context: KeywordCxt) {
      const { gen, data } = context
      const valid = gen.let('valid', true)
      gen.if(_`${data} !== null`, () => {
        const isInsideValid = gen.name('valid')
        const inside = context.subschema({ keyword: 'unlessNull' }, isInsideValid)
        gen.assign(valid, isInsideValid)
        context.mergeValidEvaluated(inside, valid)
      })
      context.ok(valid)
    },
  })
  ajv.addFormat('int32', { type: 'number', validate: (value: number) => value >= -(2 ** 31) && value < 2 ** 31 })
  ajv.addFormat('date', (text: string) => /^\d{4}-\d\d-\d\d$/.test(text) && isDateTime(`${text}T00:00:00Z`))
  ajv.addFormat('uuid', /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i)
  return checkExactly(ajv)
}

const isDateTime = (text: string) => parseDateTime(text) !== undefined
