import { describe, expect, it } from 'vitest'
import type { Schema } from '../../src/document/schema/schema.js'
import { createParameterCache, type Parameter, readQuery, readText } from '../../src/document/validate/parameters.js'
import { parseQuery } from '../../src/http/target.js'

const INTEGER: Schema = { type: 'integer' }
const BOOLEAN: Schema = { type: 'boolean' }
const STRING: Schema = { type: 'string' }
/** The schema of an id in the prepared document. */
const ID: Schema = { int64: true }

const inQuery = (name: string, schema: Schema): Parameter => ({ name, in: 'query', schema })

const DECLARED = [
  inQuery('limit', { type: 'integer', default: 20 }),
  inQuery('name', STRING),
  inQuery('ids', { type: 'array', items: ID }),
  inQuery('tags', { type: 'array' }),
]

function read(query: string, keepUndeclared = false): Record<string, unknown> {
  return readQuery(DECLARED, parseQuery(query), keepUndeclared)
}

describe('the value of a parameter', () => {
  it.each<[string, string, unknown, Schema]>([
    ['an id', '7', 7, ID],
    ['an id', '-7', -7, ID],
    ['an id', '9007199254740993', 9007199254740993n, ID],
    ['an integer', '20', 20, INTEGER],
    ['an integer', '-1', -1, INTEGER],
    ['an integer', '0', 0, INTEGER],
    ['an integer', '9007199254740991', Number.MAX_SAFE_INTEGER, INTEGER],
    ['a boolean', 'true', true, BOOLEAN],
    ['a boolean', 'false', false, BOOLEAN],
    ['a string', 'Rex', 'Rex', STRING],
  ])('is parsed as %s: %j is %o', (_, text, value, schema) => {
    expect(readText(text, schema)).toBe(value)
  })

  it.each<[string, Schema, string[]]>([
    ['an id', ID, ['', '07', '+7', '7.0', '7e0', ' 7', '0x7', '٧', 'true', '9223372036854775808']],
    ['an integer', INTEGER, ['', '020', '+20', '20.0', '2e1', '20 ', '-0', 'NaN', '9007199254740993']],
    ['a boolean', BOOLEAN, ['', 'TRUE', 'False', '1', '0', 'yes', ' true']],
  ])('stays a string if it is not %s, so that the schema rejects it', (_, schema, texts) => {
    expect(texts.map((text) => readText(text, schema))).toEqual(texts)
  })

  it('stays a string if the schema declares a string', () => {
    const texts = ['12', 'true', 'false', '-0', 'null', '', '9223372036854775807']
    expect(texts.map((text) => readText(text, STRING))).toEqual(texts)
  })
})

describe('the parameters of a query', () => {
  it('are the given ones, each parsed by its schema', () => {
    expect(read('name=12&limit=5&ids=3&ids=9007199254740993&ids=x')).toStrictEqual({
      limit: 5,
      name: '12',
      ids: [3, 9007199254740993n, 'x'],
    })
  })

  it('have their defaults if they are omitted, and are missing without a default', () => {
    expect(read('')).toStrictEqual({ limit: 20 })
  })

  it('are arrays if an array is declared, even with one value, and of strings if the items have no type', () => {
    expect(read('ids=3&tags=1&tags=true')).toMatchObject({ ids: [3], tags: ['1', 'true'] })
  })

  it('are rejected if one that is not an array is given twice, equal or not', () => {
    for (const query of ['limit=1&limit=1', 'name=a&limit=1&limit=2']) {
      const message = 'query parameter limit must be given once, but is given 2 times'
      expect(() => read(query)).toThrow(
        expect.objectContaining({ code: 'INVALID_REQUEST', message, pointers: ['/query/limit'] }),
      )
    }
  })

  it('do not include undeclared ones, unless these are to be rejected', () => {
    const query = 'limit=1&colour=red&__proto__=x&constructor=y'
    expect(Object.keys(read(query))).toEqual(['limit'])
    const kept = read(query, true)
    expect(Object.keys(kept)).toEqual(['limit', 'colour', '__proto__', 'constructor'])
    expect(kept.limit).toBe(1)
    expect(Object.getPrototypeOf(kept)).toBe(Object.prototype)
  })
})

describe('the cache of parameters', () => {
  const toParameters = (query: string) => ({ path: {}, query: read(query) })

  it('has those of queries that were added, unless the query has more than 200 characters', () => {
    const cache = createParameterCache()
    const [name, longest, tooLong] = ['name=Rex', `name=${'x'.repeat(195)}`, `name=${'x'.repeat(196)}`]
    for (const query of [name, longest, tooLong]) cache.add(query, toParameters(query))
    expect(cache.get(name)).toEqual(toParameters(name))
    expect(cache.get(longest)).toEqual(toParameters(longest))
    expect(cache.get(tooLong)).toBeUndefined()
    expect(cache.get('name=Max')).toBeUndefined()
  })

  it('has at most 64 queries', () => {
    const cache = createParameterCache()
    const queries = Array.from({ length: 65 }, (_, index) => `limit=${index}`)
    const countCached = () => queries.filter((query) => cache.get(query) !== undefined).length
    for (const query of queries.slice(0, 64)) cache.add(query, toParameters(query))
    expect(countCached()).toBe(64)
    cache.add('limit=64', toParameters('limit=64'))
    expect(countCached()).toBe(1)
  })

  it('has parameters that cannot be changed, because requests share them', () => {
    const cache = createParameterCache()
    cache.add('ids=3', toParameters('ids=3'))
    const cached = cache.get('ids=3')
    expect(cached).toEqual(toParameters('ids=3'))
    for (const part of [cached, cached?.path, cached?.query, cached?.query.ids]) {
      expect(Object.isFrozen(part)).toBe(true)
    }
  })
})
