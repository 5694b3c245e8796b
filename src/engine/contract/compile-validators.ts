/** Compiles validators at run time. Loaded only by a contract that has none: Ajv is large, and needs `eval`. */
import { _, Ajv2020, type KeywordCxt, type ValidateFunction } from 'ajv/dist/2020.js'
import { callRef } from 'ajv/dist/vocabularies/core/ref.js'
import { parseDateTime } from '../../lib/date-time.js'
import { type Direction, toAjvSchema } from './ajv-schema.js'
import { checkExactly } from './exact-ajv.js'
import type { Schema } from './schema.js'
import type { Validate, Violation } from './validators.js'

export type SchemaCompiler = ReturnType<typeof createSchemaCompiler>

/**
 * Compiles schemas of one document with one Ajv. A schema that a reference leads to becomes a separate function, which is
 * compiled when the first value reaches it: the schemas of some documents lead from each to nearly every other.
 */
export function createSchemaCompiler(referenced: ReadonlyMap<object, unknown>) {
  const ajv = createAjv()
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
        schema,
        get validate() {
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

  function withOriginals(unit: Pick<Unit, 'validate'>): Validate {
    const exact: Validate = (value) => {
      const { validate } = unit
      const isValid = validate(value)
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
      withOriginals(units.get(schema.refersTo ?? '') ?? { validate: ajv.compile(schema) }),
    validatorOf: (schema: Schema, direction: Direction): Validate => withOriginals(directions[direction](schema)),
  }
}

/** A schema of the document that is compiled separately. Ajv calls its `validate`. */
interface Unit {
  readonly name: string
  readonly schema: Schema
  readonly validate: ValidateFunction
}

/** A schema for Ajv. */
export interface AjvSchema extends Schema {
  readonly refersTo?: string
  readonly properties?: Readonly<Record<string, AjvSchema>>
}

function createAjv(): Ajv2020 {
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
    code: { regExp: toRegExp },
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

/** Patterns of real documents are of many dialects. One that JavaScript does not understand is not checked. */
const toRegExp = Object.assign(
  (pattern: string) => {
    for (const flags of ['u', '']) {
      try {
        return new RegExp(pattern, flags)
      } catch {}
    }
    return /(?:)/
  },
  { code: 'toRegExp' },
)
