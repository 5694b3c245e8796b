import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileSerializer } from '../../src/document/contract/serialize.js'
import type { Schema } from '../../src/document/schema/schema.js'

const RUNS = { seed: 404, numRuns: 500 }
const INT64: Schema = { int64: true }
const TEXT: Schema = { type: 'string' }

const PET: Schema = {
  allOf: [
    { type: 'object', properties: { name: TEXT, categoryId: INT64, status: TEXT } },
    { type: 'object', properties: { id: INT64 } },
  ],
}

describe('an object', () => {
  const write = compileSerializer({
    type: 'object',
    properties: { b: TEXT, a: { type: 'integer' }, c: { type: 'boolean' } },
  })

  it('has its fields in the order of the schema', () => {
    expect(write({ a: 1, c: false, b: 'x' })).toBe('{"b":"x","a":1,"c":false}')
  })

  it('has no field that is null or undefined', () => {
    expect(write({ a: null, b: undefined })).toBe('{}')
    expect(write({ a: null, b: 'x', c: undefined })).toBe('{"b":"x"}')
  })

  it('keeps fields that are empty, zero or false', () => {
    expect(write({ a: 0, b: '', c: false })).toBe('{"b":"","a":0,"c":false}')
  })

  it('has no field that is not in the schema', () => {
    const record = Object.defineProperty({ a: 1, stock: 3, toJSON: () => 'x' }, '__proto__', {
      value: 1,
      enumerable: true,
    })
    expect(write(record)).toBe('{"a":1}')
  })

  it('whose schema has no fields is serialized unchanged', () => {
    expect(compileSerializer({ type: 'object' })({ openapi: '3.0.3', paths: {} })).toBe(
      '{"openapi":"3.0.3","paths":{}}',
    )
  })

  it('may have a field whose name needs escaping', () => {
    const odd = compileSerializer({ properties: { 'a"b\\': TEXT } })
    expect(JSON.parse(odd({ 'a"b\\': 'x' }))).toEqual({ 'a"b\\': 'x' })
  })

  it('may have objects and lists inside', () => {
    const nested = compileSerializer({ properties: { pet: PET, tags: { type: 'array', items: TEXT } } })
    const text = nested({ pet: { id: '7', name: 'Rex', categoryId: '1', status: null, stock: 2 }, tags: ['a', 'b'] })
    expect(text).toBe('{"pet":{"name":"Rex","categoryId":1,"id":7},"tags":["a","b"]}')
  })
})

describe('an allOf', () => {
  it('has the fields of all its parts', () => {
    const write = compileSerializer(PET)
    expect(write({ id: '7', name: 'Rex', categoryId: '1', status: 'sold' })).toBe(
      '{"name":"Rex","categoryId":1,"status":"sold","id":7}',
    )
  })

  it('may have parts that have parts, and properties of its own', () => {
    const write = compileSerializer({ allOf: [PET, { properties: { extra: TEXT } }], properties: { own: TEXT } })
    const text = write({ own: 'o', extra: 'e', id: '7', name: 'Rex', categoryId: '1' })
    expect(JSON.parse(text)).toEqual({ name: 'Rex', categoryId: 1, id: 7, extra: 'e', own: 'o' })
  })
})

describe('a list', () => {
  it('has its items in order', () => {
    const write = compileSerializer({ type: 'array', items: PET })
    expect(write([])).toBe('[]')
    expect(write([{ id: '2', name: 'a', categoryId: '1' }])).toBe('[{"name":"a","categoryId":1,"id":2}]')
    expect(write([{ id: '2' }, { id: '1' }])).toBe('[{"id":2},{"id":1}]')
  })

  it('may contain lists', () => {
    const write = compileSerializer({ type: 'array', items: { type: 'array', items: INT64 } })
    expect(write([['1', '2'], [], ['9223372036854775807']])).toBe('[[1,2],[],[9223372036854775807]]')
  })

  it('of items without a schema is serialized unchanged', () => {
    expect(compileSerializer({ type: 'array' })([1, 'x', null, { a: 1 }])).toBe('[1,"x",null,{"a":1}]')
  })
})

describe('an id', () => {
  it('is exact over the whole range', () => {
    const write = compileSerializer({ properties: { id: INT64 } })
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (id) => {
        expect(write({ id: String(id) })).toBe(`{"id":${id}}`)
      }),
      RUNS,
    )
  })
})

describe('a string', () => {
  const write = compileSerializer({ type: 'array', items: { properties: { name: TEXT } } })

  it('is the same after JSON.parse, whatever it contains', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)) }), (name) => {
        expect(JSON.parse(write([{ name }]))).toEqual([{ name }])
      }),
      RUNS,
    )
  })

  it.each([
    ['a lone high surrogate', 'a\ud800b'],
    ['a lone low surrogate', '\udc00'],
    ['surrogates in the wrong order', '\udc00\ud800'],
    ['control characters', '\0\u0001\u001f\u007f\b\f\n\r\t'],
    ['line and paragraph separators', '\u2028\u2029'],
    ['quotes and backslashes', '"\\"\\\\"'],
    ['markup', '</script><img src=x onerror=alert(1)>'],
  ])('may contain %s', (_, name) => {
    const text = write([{ name }])
    expect(JSON.parse(text)).toEqual([{ name }])
    // A string with a lone surrogate cannot be encoded.
    expect(() => encodeURIComponent(text)).not.toThrow()
  })
})

describe('any schema', () => {
  const NULL: Schema = { type: 'null' }
  const tree: { -readonly [K in keyof Schema]: Schema[K] } = { type: 'object' }
  tree.properties = { id: INT64, children: { type: 'array', items: tree }, parent: tree }

  it.each<[string, Schema, unknown, string]>([
    ['null where the type allows it', { properties: { a: { type: ['string', 'null'] } } }, { a: null }, '{"a":null}'],
    ['null where a choice allows it', { properties: { a: { anyOf: [PET, NULL] } } }, { a: null }, '{"a":null}'],
    ['null where there is no type', { properties: { a: {} } }, { a: null }, '{"a":null}'],
    ['no null elsewhere', { properties: { a: TEXT, b: INT64, c: PET } }, { a: null, b: null, c: null }, '{}'],
    ['nothing for undefined', { properties: { a: { type: ['string', 'null'] } } }, { a: undefined }, '{}'],
    ['an object that may be null', { properties: { a: { anyOf: [PET, NULL] } } }, { a: { id: '7' } }, '{"a":{"id":7}}'],
    ['an int64 that may be null', { properties: { a: { anyOf: [INT64, NULL] } } }, { a: '7' }, '{"a":7}'],
    ['an integer that is stored as digits', { properties: { a: { type: 'integer' } } }, { a: '7' }, '{"a":7}'],
    ['a large number', { properties: { a: { type: 'number' } } }, { a: 2n ** 64n }, '{"a":18446744073709551616}'],
    ['digits in a string', { properties: { a: TEXT } }, { a: '7' }, '{"a":"7"}'],
    ['a choice as it is', { oneOf: [PET, TEXT] }, { b: '7', a: null }, '{"b":"7","a":null}'],
    ['more members', { properties: { a: INT64 }, additionalProperties: true }, { b: '1', a: '7' }, '{"b":"1","a":7}'],
    [
      'members beside choices',
      { properties: { a: INT64 }, anyOf: [{ required: ['a'] }] },
      { a: '7', b: 1 },
      '{"a":7,"b":1}',
    ],
    ['a value of another type', { type: 'array', items: TEXT }, { a: 1 }, '{"a":1}'],
    ['null itself', { type: ['object', 'null'], properties: { a: TEXT } }, null, 'null'],
    [
      'a schema that contains itself',
      tree,
      { id: '1', children: [{ id: '2', parent: { id: '3', children: [{ id: '4', parent: { id: '5' } }] } }] },
      '{"id":1,"children":[{"id":2,"parent":{"id":3,"children":[{"id":4,"parent":{"id":5}}]}}]}',
    ],
  ])('writes %s', (_, schema, value, text) => {
    expect(compileSerializer(schema)(value)).toBe(text)
  })
})
