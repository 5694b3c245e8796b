import { describe, expect, it } from 'vitest'
import { createSampler, type SampleContext, type SamplerOptions } from '../../src/document/sample/sample.js'
import type { AnySchema, JsonSchema } from '../../src/document/schema/json-schema.js'
import { createRandom } from '../../src/lib/random.js'

/** Values from several seeds, because some facts hold only sometimes by chance. */
function samples(schema: AnySchema, context?: SampleContext, options?: SamplerOptions): unknown[] {
  return Array.from({ length: 20 }, (_, seed) =>
    createSampler(createRandom(seed, 'sample'), options).sample(schema, context),
  )
}

const isBetween = (min: number, max: number) => (value: unknown) => Number(value) >= min && Number(value) <= max
const isInteger = (value: unknown) => Number.isInteger(value)
const matches = (pattern: RegExp) => (value: unknown) => typeof value === 'string' && pattern.test(value)
const hasLength = (min: number, max: number) => (value: unknown) => isBetween(min, max)((value as unknown[]).length)
const is =
  (...expected: unknown[]) =>
  (value: unknown) =>
    expected.some((each) => JSON.stringify(each) === JSON.stringify(value))

const text = { type: 'string' }

describe('a sample', () => {
  it.each<[fact: string, schema: AnySchema, holds: (value: unknown) => boolean]>([
    ['is of the type', { type: 'boolean' }, (value) => typeof value === 'boolean'],
    ['is an integer', { type: 'integer' }, isInteger],
    ['is an integer where int64 is marked', { int64: true }, isInteger],
    ['is of one of several types, and not null', { type: ['string', 'null'] }, (value) => typeof value === 'string'],
    ['is null if only that is allowed', { type: 'null' }, is(null)],
    ['is not null because it could be', { type: 'integer', nullable: true }, isInteger],
    ['is one of the listed values', { type: 'string', enum: ['a', 'b', null] }, is('a', 'b')],
    ['is the constant', { const: { a: [1] } }, is({ a: [1] })],
    [
      'is an object where the type is missing',
      { properties: { a: text }, required: ['a'] },
      (v) => v instanceof Object,
    ],
    ['is a list where the type is missing', { items: text }, Array.isArray],
    ['is undefined where nothing is allowed', false, (value) => value === undefined],

    ['is at least the minimum', { type: 'integer', minimum: 2_000_000 }, isBetween(2_000_000, 2_001_000)],
    ['is at most the maximum', { type: 'integer', maximum: -5 }, isBetween(-2000, -5)],
    ['is within narrow bounds', { type: 'number', minimum: 0.1, maximum: 0.2 }, isBetween(0.1, 0.2)],
    ['is the only number that is left', { type: 'number', minimum: 0.333, maximum: 0.333 }, is(0.333)],
    ['is inside exclusive bounds', { type: 'integer', exclusiveMinimum: 1, exclusiveMaximum: 3 }, is(2)],
    [
      'is inside exclusive bounds of OpenAPI 3.0',
      { type: 'integer', minimum: 1, exclusiveMinimum: true, maximum: 3, exclusiveMaximum: true },
      is(2),
    ],
    [
      'is inside bounds that are not exclusive',
      { type: 'integer', minimum: 2, exclusiveMinimum: false, maximum: 2 },
      is(2),
    ],
    ['is a multiple', { type: 'integer', multipleOf: 7, minimum: 1 }, (value) => Number(value) % 7 === 0],
    ['is a multiple of a fraction', { type: 'number', multipleOf: 0.01 }, (v) => Number.isInteger(Number(v) / 0.01)],
    ['is a time in seconds', { type: 'integer', format: 'timestamp' }, isBetween(1_735_689_600, 1_767_225_600)],

    ['is as long as necessary', { type: 'string', minLength: 50, maxLength: 60 }, hasLength(50, 60)],
    ['is as short as necessary', { type: 'string', maxLength: 2 }, hasLength(1, 2)],
    ['is a date', { type: 'string', format: 'date' }, matches(/^2025-\d\d-\d\d$/)],
    ['is a date-time', { type: 'string', format: 'date-time' }, matches(/^2025-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)],
    ['is a time', { type: 'string', format: 'time' }, matches(/^\d\d:\d\d:\d\dZ$/)],
    ['is a duration', { type: 'string', format: 'duration' }, matches(/^PT\d+M$/)],
    ['is an email address', { type: 'string', format: 'email' }, matches(/^\w+\.\w+@example\.com$/)],
    ['is a URI', { type: 'string', format: 'uri' }, matches(/^https:\/\/example\.com\//)],
    ['is a host name', { type: 'string', format: 'hostname' }, matches(/^\w+\.example\.com$/)],
    ['is an IPv4 address', { type: 'string', format: 'ipv4' }, matches(/^192\.0\.2\.\d+$/)],
    ['is an IPv6 address', { type: 'string', format: 'ipv6' }, matches(/^2001:db8::[\da-f]{4}$/)],
    [
      'is a UUID',
      { type: 'string', format: 'uuid' },
      matches(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-a[\da-f]{3}-[\da-f]{12}$/),
    ],
    ['is Base64', { type: 'string', format: 'byte' }, (value) => btoa(atob(String(value))) === value],
    ['is digits for int64 in a string', { type: 'string', format: 'int64' }, matches(/^\d+$/)],
    ['ignores an unknown format', { type: 'string', format: 'constructor' }, matches(/^[a-z]+$/)],
    [
      'matches pattern and length',
      { type: 'string', pattern: '^[a-z]+$', minLength: 12, maxLength: 12 },
      matches(/^[a-z]{12}$/),
    ],
    [
      'matches format and pattern',
      { type: 'string', format: 'uri', pattern: '\\.(png|jpg)$' },
      matches(/^https:\/\/example\.com\/.+\.(png|jpg)$/),
    ],
    [
      'matches email and the pattern of its end',
      { type: 'string', format: 'email', pattern: '@acme\\.com$' },
      matches(/^[a-z.]+@acme\.com$/),
    ],
    [
      'matches date and the pattern of its beginning',
      { type: 'string', format: 'date', pattern: '^2027-' },
      matches(/^2027-\d\d-\d\d$/),
    ],
    ['ignores a pattern that is none', { type: 'string', pattern: '(' }, matches(/^[a-z]+$/)],

    ['has as many items as required', { type: 'array', items: text, minItems: 5 }, hasLength(5, 5)],
    ['has no more items than allowed', { type: 'array', items: text, maxItems: 1 }, hasLength(1, 1)],
    ['is an empty list', { type: 'array', items: text, maxItems: 0 }, is([])],
    [
      'has different items',
      { type: 'array', items: { enum: ['a', 'b', 'c'] }, minItems: 3, uniqueItems: true },
      (value) => new Set(value as string[]).size === 3,
    ],
    [
      'has different items in spite of an example',
      { type: 'array', items: { type: 'integer', example: 7 }, minItems: 2, uniqueItems: true },
      (value) => new Set(value as number[]).size >= 2,
    ],
    ['has the first items', { type: 'array', prefixItems: [{ const: 1 }, { const: 'a' }], items: false }, is([1, 'a'])],

    ['has required properties that are not described', { type: 'object', required: ['a'] }, (v) => 'a' in Object(v)],
    ['has optional properties', { type: 'object', properties: { a: { const: 1 } } }, is({ a: 1 })],
    ['has no properties that nothing is allowed for', { type: 'object', properties: { a: false } }, is({})],
    [
      'has additional properties of a map',
      { type: 'object', additionalProperties: { const: 1 } },
      (value) => is([1])(Object.values(Object(value))),
    ],
    ['has no additional properties otherwise', { type: 'object', additionalProperties: true }, is({})],
    [
      'has as many properties as required',
      { type: 'object', minProperties: 3, additionalProperties: text },
      (value) => Object.keys(Object(value)).length === 3,
    ],
    [
      'has no more properties than allowed',
      { type: 'object', properties: { a: text, b: { const: 1 } }, required: ['b'], maxProperties: 1 },
      is({ b: 1 }),
    ],
    [
      'has a property called __proto__',
      { type: 'object', properties: JSON.parse('{ "__proto__": { "const": 1 } }') },
      (value) => Object.hasOwn(Object(value), '__proto__'),
    ],

    [
      'conforms to all of allOf',
      { allOf: [{ type: 'object', properties: { a: { const: 1 } } }, { properties: { b: { const: 2 } } }] },
      is({ b: 2, a: 1 }, { a: 1, b: 2 }),
    ],
    [
      'has the narrowest bounds of allOf',
      { allOf: [{ type: 'number', minimum: 1, maximum: 9 }, { type: 'integer', minimum: 4 }, { maximum: 4 }] },
      is(4),
    ],
    [
      'has no items where two choices are the same',
      { type: 'array', items: { oneOf: [{ type: 'string' }, { type: 'string' }] } },
      (value) => Array.isArray(value) && value.length === 0,
    ],
    ['is one of oneOf', { oneOf: [{ const: 1 }, { const: 'a' }] }, is(1, 'a')],
    ['is not null as one of anyOf', { anyOf: [{ type: 'null' }, { const: 1 }] }, is(1)],
    [
      'conforms to only one of oneOf',
      {
        type: 'object',
        properties: { a: { const: 1 }, b: { const: 2 } },
        oneOf: [{ required: ['a'] }, { required: ['b'] }],
      },
      is({ a: 1 }, { b: 2 }),
    ],
    [
      'is one of the listed values, not any of the branches',
      { type: 'string', enum: ['b'], allOf: [{ oneOf: [{ const: 'a' }, { const: 'b' }, { const: 'c' }] }] },
      is('b'),
    ],
    ['avoids what is excluded', { type: 'boolean', not: { const: false } }, is(true)],
    [
      'leaves out what a closed part of allOf does not allow',
      { allOf: [{ properties: { a: { const: 1 } }, additionalProperties: false }, { properties: { b: text } }] },
      is({ a: 1 }),
    ],
    [
      'leaves out a list that can only be one of some texts',
      { properties: { a: { const: 1 }, b: { type: 'array', items: text, enum: ['x'] } } },
      is({ a: 1 }),
    ],

    ['is the example', { type: 'string', example: 'Rex' }, is('Rex')],
    ['is the first of several examples that conforms', { type: 'string', examples: [1, 'Rex', 'Max'] }, is('Rex')],
    ['is the default', { type: 'string', default: 'x' }, is('x')],
    ['is not an example of another type', { type: 'integer', example: '7' }, isInteger],
    ['is not an example of another format', { type: 'string', format: 'date', example: 'today' }, matches(/^2025-/)],
    ['is not a default of null', { type: 'integer', nullable: true, default: null }, isInteger],
  ])('%s', (_, schema, holds) => {
    expect(samples(schema).filter((value) => !holds(value))).toEqual([])
  })

  it.each<[name: string, schema: JsonSchema, holds: (value: unknown) => boolean]>([
    ['email', text, matches(/@example\.com$/)],
    ['billing_email', text, matches(/@example\.com$/)],
    ['firstName', text, matches(/^[A-Z][a-z]+$/)],
    ['photoUrls', { type: 'array', items: text }, (value) => matches(/^https:/)((value as unknown[])[0])],
    ['createdAt', text, matches(/^2025-.*Z$/)],
    ['created_at', { type: 'integer' }, isBetween(1_735_689_600, 1_767_225_600)],
    ['format', text, matches(/^[a-z]+$/)],
    ['price', { type: 'number' }, isBetween(5, 200)],
    ['price', { type: 'number', maximum: 1 }, isBetween(-1000, 1)],
    ['email', { type: 'string', maxLength: 3 }, hasLength(1, 3)],
    ['country', { type: 'string', pattern: '^[A-Z]{2}$' }, matches(/^[A-Z]{2}$/)],
  ])('looks like its name, %s, if the schema allows it', (name, schema, holds) => {
    const values = samples({ type: 'object', properties: { [name]: schema } })
    expect(values.filter((value) => !holds((value as Record<string, unknown>)[name]))).toEqual([])
  })
})

describe('a pattern', () => {
  it.each([
    '^a{3}$',
    '^[a-z][a-z0-9-]{0,30}[a-z0-9]$',
    '^(cat|dog)s?$',
    '^\\d{3}-\\d{4}$',
    '^\\w+\\s\\S+$',
    '^[^a-z0-9]{2}$',
    '^#(([0-9a-fA-F]{2}){3}|([0-9a-fA-F]){3})$',
    '^((25[0-5]|2[0-4][0-9]|[01]?[0-9][0-9]?)\\.){3}(25[0-5]|2[0-4][0-9]|[01]?[0-9][0-9]?)$',
    "^[\\p{L}]+([ '-][\\p{L}]+){0,2}$",
    '^\\p{Lu}\\p{Script=Greek}$',
    '^do:(domain|space):.*',
    '^.+/.+$',
    'b+?',
    '^(?<year>\\d{4})(?:-\\d\\d)?$',
    '^(?!abc)[a-c]{3}$',
    '^(?=.*[A-Z])(?=.*\\d)(?=.*[!@#]).{8,}$',
    '^🦊$',
    '^[\\x41-\\x43]\\.\\/$',
    '[\\u0400-\\u04ff]{2}',
    '^.{1,4000}$',
    '^[A-Z]{2,4000}$',
  ])('%s is matched', (pattern) => {
    const isMatch = (value: unknown) => new RegExp(pattern, 'u').test(String(value))
    expect(samples({ type: 'string', pattern }).filter((value) => !isMatch(value))).toEqual([])
  })

  it.each([
    ['^[a-z]+$', 30, 30],
    ['^[a-z]*$', 1, 1],
    ['^x-[a-z]+-y$', 20, 21],
    ['^([a-z]{2},)+$', 9, 9],
    ['a', 10, 12],
  ])('%s is matched by a text of %i to %i characters', (pattern, minLength, maxLength) => {
    const values = samples({ type: 'string', pattern, minLength, maxLength })
    expect(values.filter((value) => !new RegExp(pattern).test(String(value)))).toEqual([])
    expect(values.filter((value) => !hasLength(minLength, maxLength)(value))).toEqual([])
  })
})

describe('a schema that contains itself', () => {
  const cyclic = (make: (self: JsonSchema) => JsonSchema): JsonSchema => {
    const self: JsonSchema = {}
    return Object.assign(self, make(self))
  }

  it.each<[fact: string, schema: JsonSchema, expected: unknown]>([
    ['leaves out the optional property', cyclic((self) => ({ properties: { a: { const: 1 }, next: self } })), { a: 1 }],
    [
      'gets an empty list',
      cyclic((self) => ({ properties: { children: { type: 'array', items: self } }, required: ['children'] })),
      { children: [] },
    ],
    [
      'ends with null where that is allowed',
      cyclic((self) => ({ type: 'object', nullable: true, properties: { next: self }, required: ['next'] })),
      { next: { next: null } },
    ],
    [
      'ends with an empty object where nothing else is possible',
      cyclic((self) => ({ type: 'object', properties: { next: self }, required: ['next'] })),
      { next: { next: {} } },
    ],
    ['ignores a part that is the schema itself', cyclic((self) => ({ allOf: [self, { const: 1 }] })), 1],
  ])('%s', (_, schema, expected) => {
    expect(samples(schema)).toEqual(Array.from({ length: 20 }, () => expected))
  })

  it('prefers the branch that ends', () => {
    const sum: JsonSchema = { type: 'object', required: ['left', 'right'] }
    const term: JsonSchema = { oneOf: [{ const: 1 }, sum] }
    Object.assign(sum, { properties: { left: term, right: term } })
    expect(samples(sum)).toContainEqual({ left: 1, right: 1 })
    expect(JSON.stringify(samples(sum))).not.toContain('{}')
  })
})

describe('a record and a request', () => {
  const schema: JsonSchema = {
    type: 'object',
    properties: {
      id: { readOnly: true, const: 1 },
      password: { allOf: [{ writeOnly: true, const: 'x' }] },
      name: { const: 'Rex' },
    },
    required: ['id', 'password'],
  }
  const withExample = { ...schema, example: { id: 1, password: 'x', name: 'Rex' } }

  it.each([schema, withExample])('leave out what is written only, and what is read only', (each) => {
    expect(samples(each, { as: 'record' })[0]).toEqual({ id: 1, name: 'Rex' })
    expect(samples(each)[0]).toEqual({ id: 1, name: 'Rex' })
    expect(samples(each, { as: 'request' })[0]).toEqual({ password: 'x', name: 'Rex' })
  })
})

describe('the caller of a sampler', () => {
  const schema: JsonSchema = {
    type: 'object',
    properties: {
      ownerId: text,
      tags: { type: 'array', items: { type: 'object', properties: { id: text } }, minItems: 1 },
    },
    required: ['ownerId'],
  }

  it.each([schema, { ...schema, example: { ownerId: 'x', tags: [{ id: 'y' }] } }])('can give values', (each) => {
    const override: SampleContext['override'] = (path) =>
      ({ ownerId: '7', 'tags/0/id': '8' })[path.join('/')] ?? undefined
    for (const value of samples(each, { override })) {
      expect(value).toMatchObject({ ownerId: '7' })
      expect((value as { tags: unknown[] }).tags[0]).toEqual({ id: '8' })
    }
  })

  it('decides about examples', () => {
    const accepts: SamplerOptions['accepts'] = (_, value) => value === 2
    expect(samples({ type: 'string', examples: [1, 2, 3] }, {}, { accepts })[0]).toBe(2)
  })

  it('gets a copy of an example', () => {
    const example = { a: { b: 1 } }
    const [value] = samples({ type: 'object', example }) as [typeof example]
    expect(value).toEqual(example)
    expect(value.a).not.toBe(example.a)
  })
})

describe('a discriminator', () => {
  const cat: JsonSchema = { type: 'object', properties: { kind: text, lives: { const: 9 } }, required: ['kind'] }
  const dog: JsonSchema = { type: 'object', properties: { kind: text, barks: { const: true } }, required: ['kind'] }
  const names = new Map<AnySchema, string>([
    [cat, 'Cat'],
    [dog, 'Dog'],
  ])
  const nameOf = (schema: AnySchema) => names.get(schema)
  // Not `oneOf`: both allow the properties of the other one.
  const anyOf = [cat, dog]
  const mapping = { purring: '#/components/schemas/Cat', loud: '#/components/schemas/Dog' }

  it.each<[string, JsonSchema, SamplerOptions, string[]]>([
    ['the name of the branch', { anyOf, discriminator: { propertyName: 'kind' } }, { nameOf }, ['Cat', 'Dog']],
    ['the mapped name', { anyOf, discriminator: { propertyName: 'kind', mapping } }, { nameOf }, ['purring', 'loud']],
    ['named by a text alone', { anyOf, discriminator: 'kind' } as never, { nameOf }, ['Cat', 'Dog']],
    [
      'the mapped name by position',
      { anyOf, discriminator: { propertyName: 'kind', mapping } },
      {},
      ['purring', 'loud'],
    ],
  ])('is %s', (_, schema, options, [first, second]) => {
    const values = samples(schema, {}, options)
    expect(values).toContainEqual({ kind: first, lives: 9 })
    expect(values).toContainEqual({ kind: second, barks: true })
    expect(new Set(values.map((value) => JSON.stringify(value))).size).toBe(2)
  })

  it('is the name of the schema that extends another one', () => {
    const animal: JsonSchema = { ...cat, discriminator: { propertyName: 'kind' } }
    const lion: JsonSchema = { allOf: [animal, { properties: { mane: { const: true } } }] }
    const [value] = samples(lion, {}, { nameOf: (schema) => (schema === lion ? 'Lion' : undefined) })
    expect(value).toEqual({ kind: 'Lion', lives: 9, mane: true })
  })
})

describe('a sampler', () => {
  it('makes the same values from the same random numbers', () => {
    const schema: JsonSchema = {
      type: 'object',
      properties: { id: { type: 'string', format: 'uuid' }, name: text, price: { type: 'number' }, createdAt: text },
    }
    expect(samples(schema)).toEqual(samples(schema))
    expect(samples(schema)[3]).toMatchInlineSnapshot(`
      {
        "createdAt": "2025-07-02T06:20:44Z",
        "id": "4fdc73c6-db84-41b9-a28b-cf0d9ea27c94",
        "name": "Robust affiliate",
        "price": 156.56,
      }
    `)
  })

  const wide = (count: number, schema: AnySchema) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, schema]))
  const deep = (levels: number): JsonSchema =>
    levels === 0
      ? text
      : { type: 'object', properties: wide(20, deep(levels - 1)), required: Object.keys(wide(20, true)) }

  it.each<[string, JsonSchema]>([
    [
      'many optional properties',
      { type: 'object', properties: wide(20_000, { type: 'object', properties: wide(50, text) }) },
    ],
    ['many required properties', deep(6)],
    ['a huge number of items', { type: 'array', items: text, minItems: 1e9 }],
    ['a huge number of properties', { type: 'object', minProperties: 1e9 }],
    ['long texts', { type: 'array', items: { type: 'string', minLength: 1e9 }, minItems: 1e9 }],
    ['different items that do not exist', { type: 'array', items: { const: 1 }, minItems: 1e9, uniqueItems: true }],
    [
      'a pattern that repeats',
      { type: 'array', items: { type: 'string', pattern: '^((a{99}){99}){99}$' }, minItems: 1e9 },
    ],
    [
      'a pattern that is slow to match',
      { type: 'array', items: { type: 'string', pattern: '^(a+)+b\\1$' }, minItems: 1e9 },
    ],
  ])('stops in time for %s', (_, schema) => {
    let count = 0
    const random = createRandom(1, 'sample')
    const counting = () => {
      count += 1
      return random()
    }
    createSampler(counting).sample(schema)
    expect(count).toBeLessThan(5_000_000)
  })
})
