import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { conforms } from '../../src/document/sample/conforms.js'
import { createSampler } from '../../src/document/sample/sample.js'
import { readPattern } from '../../src/document/sample/sample-pattern.js'
import type { JsonSchema } from '../../src/document/schema/json-schema.js'
import { createRandom } from '../../src/lib/random.js'
import { parseDateTime } from '../../src/lib/time.js'
import { isFullRun } from '../support/full-run.js'

const RUNS = { seed: 83, numRuns: isFullRun ? 5000 : 300 }

// --- Schemas that some value conforms to ---

const NAMES = ['id', 'name', 'email', 'createdAt', 'price', 'tags', 'a', 'b-c', 'constructor']
const PATTERNS = ['^[a-z]+$', '^\\d*$', '^[A-Z]{2,}(-\\w+)*$', '.', '^(x|yy|zzz)+$', '^#?[\\da-f]+$', '^[^a-z]+$']
const name = fc.constantFrom(...NAMES)

const json = fc.oneof(
  fc.constantFrom(null, true, 1.5),
  fc.integer(),
  fc.string(),
  fc.array(fc.nat(3)),
  fc.dictionary(name, fc.nat(3), { noNullPrototype: true }),
)

/** Two numbers, the smaller first. */
const range = (max: number, min = 0) =>
  fc
    .tuple(fc.integer({ min, max }), fc.integer({ min, max }))
    .map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const)

const some = (schema: Record<string, unknown>) =>
  fc
    .subarray(Object.keys(schema))
    .map((keys) => Object.fromEntries(keys.map((key) => [key, schema[key]])) as JsonSchema)

const string = fc.oneof(
  range(30).chain(([minLength, maxLength]) => some({ minLength, maxLength })),
  fc.record({ format: fc.constantFrom('date-time', 'date', 'uuid', 'email', 'unknown') }),
  // Each of these patterns allows some text of every length from 2 to 40.
  range(40, 2).chain(([minLength, maxLength]) =>
    fc.tuple(fc.constantFrom(...PATTERNS), some({ minLength, maxLength: maxLength + 3 })).map(([pattern, lengths]) => ({
      pattern,
      ...lengths,
    })),
  ),
)

const bounds = (distance: number) =>
  range(2000, -2000).chain(([low, high]) =>
    fc.oneof(
      some({ minimum: low, maximum: high + distance }),
      some({ exclusiveMinimum: low, exclusiveMaximum: high + distance + 1 }),
    ),
  )

const number = fc.oneof(
  fc.tuple(fc.constantFrom('integer', 'number'), bounds(0)).map(([type, limits]) => ({ type, ...limits })),
  fc
    .tuple(fc.constantFrom(1, 3, 0.5, 0.01, 7), bounds(8))
    .map(([multipleOf, limits]) => ({ type: 'number', multipleOf, ...limits })),
)

const { schema } = fc.letrec<{ schema: JsonSchema; object: JsonSchema }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    string.map((keywords) => ({ type: 'string', ...keywords })),
    string.map((keywords) => ({ type: ['null', 'string'], ...keywords })),
    number,
    fc.constantFrom<JsonSchema>({ type: 'boolean' }, { type: 'null' }, { type: ['integer', 'boolean'] }),
    fc.uniqueArray(json, { minLength: 1, selector: (value) => JSON.stringify(value) }).map((values) => ({
      enum: values,
    })),
    fc.record({ type: fc.constant('string'), example: json, default: json }),
    tie('object'),
    fc
      .tuple(tie('object'), tie('object'))
      .map(([a, b]) => ({ allOf: [{ ...a, additionalProperties: true }, renamed(b)] })),
    fc.array(tie('schema'), { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
    fc.array(tie('object'), { minLength: 1, maxLength: 3 }).map((branches) => ({ oneOf: branches.map(tagged) })),
    fc
      .tuple(tie('schema'), range(4))
      .chain(([items, [minItems, maxItems]]) =>
        some({ minItems, maxItems }).map((limits) => ({ type: 'array', items, ...limits })),
      ),
    range(6).map(([minItems, maxItems]) => ({
      type: 'array',
      items: { type: 'integer', minimum: 1, maximum: 8 },
      uniqueItems: true,
      minItems,
      maxItems,
    })),
    fc
      .array(tie('schema'), { minLength: 1, maxLength: 3 })
      .map((prefixItems) => ({ type: 'array', prefixItems, items: false })),
  ),
  object: fc
    .tuple(
      fc.uniqueArray(fc.tuple(name, tie('schema')), { maxLength: 4, selector: ([key]) => key }),
      fc.subarray(NAMES, { maxLength: 2 }),
      fc.oneof(fc.constantFrom(undefined, true), tie('schema')),
      fc.nat(3),
    )
    .map(([entries, required, additionalProperties, minProperties]) => ({
      type: 'object',
      properties: Object.fromEntries(entries),
      required,
      minProperties,
      ...(additionalProperties !== undefined && { additionalProperties }),
    })),
}))

/** The parts of `allOf` must not contradict each other. */
function renamed({ properties = {}, ...others }: JsonSchema): JsonSchema {
  const entries = Object.entries(properties).map(([key, value]) => [`other_${key}`, value])
  return { ...others, properties: Object.fromEntries(entries), additionalProperties: true }
}

/** The branches of `oneOf` must exclude each other. */
function tagged(branch: JsonSchema, index: number): JsonSchema {
  const { properties, required = [] } = branch
  return { ...branch, properties: { ...properties, tag: { const: index } }, required: [...required, 'tag'] }
}

// --- Checking ---

const FORMATS = {
  'date-time': (text: string) => parseDateTime(text) !== undefined,
  date: (text: string) => parseDateTime(`${text}T00:00:00Z`) !== undefined,
  uuid: /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/,
  email: /^\S+@\S+\.\S+$/,
}

const ajv = new Ajv2020({ strict: false, validateSchema: false, ownProperties: true, formats: FORMATS })

function compile(source: JsonSchema) {
  const validate = ajv.compile(source)
  return (value: unknown) =>
    validate(value) ? [] : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

describe('a sample of any schema', () => {
  it('conforms to it', () => {
    fc.assert(
      fc.property(schema, fc.nat(), (source, seed) => {
        const value = createSampler(createRandom(seed, 'sample')).sample(source)
        expect([value, compile(source)(value)]).toEqual([value, []])
      }),
      RUNS,
    )
  })

  it('is the same for the same seed', () => {
    fc.assert(
      fc.property(schema, fc.nat(), (source, seed) => {
        const sample = () => createSampler(createRandom(seed, 'sample')).sample(source)
        expect(sample()).toEqual(sample())
      }),
      RUNS,
    )
  })
})

describe('the check of examples', () => {
  it('accepts what Ajv accepts, for samples and for other values', () => {
    const counts = { accepted: 0, rejected: 0 }
    fc.assert(
      fc.property(schema, schema, json, fc.nat(), (source, other, json, seed) => {
        const validate = compile(source)
        const random = createRandom(seed, 'sample')
        for (const value of [json, createSampler(random).sample(source), createSampler(random).sample(other)]) {
          const expected = validate(value).length === 0
          counts[expected ? 'accepted' : 'rejected'] += 1
          const check = { left: 10_000, hidden: 'writeOnly', patternOf: readPattern } as const
          expect([value, conforms(source, value, check)]).toEqual([value, expected])
        }
      }),
      RUNS,
    )
    expect(Math.min(...Object.values(counts))).toBeGreaterThan(300)
  })
})
