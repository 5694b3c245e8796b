import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ApiError } from '../../src/http/errors.js'
import { parsePath, parseQuery } from '../../src/http/target.js'
import { thrownBy } from '../support/thrown-by.js'

const RUNS = { seed: 3986, numRuns: 500 }

const failureOf = (run: () => unknown) => thrownBy(ApiError, run)

describe('a path', () => {
  it.each([
    ['/', ['']],
    ['/pets', ['pets']],
    ['/pets/', ['pets', '']],
    ['/pets/1', ['pets', '1']],
    ['/pets//1', ['pets', '', '1']],
    ['//evil.example/pets', ['', 'evil.example', 'pets']],
    ['/%70ets', ['pets']],
    ['/pets%2F1', ['pets/1']],
    ['/pets/%2e%2E', ['pets', '..']],
    ['/pets/%2531', ['pets', '%31']],
    ['/pets/a+b', ['pets', 'a+b']],
    ['/pets/%E2%82%AC', ['pets', '€']],
    ['/pets/%00', ['pets', '\0']],
    ['/pets/1;v=2', ['pets', '1;v=2']],
    ['/PETS/__proto__', ['PETS', '__proto__']],
    ['*', ['', '*']],
    ['pets/1', ['', 'pets', '1']],
    ['', ['', '']],
  ])('%j has the segments %j', (path, segments) => {
    expect(parsePath(path)).toEqual(segments)
  })

  it('is decoded to the original segments', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1 }), (segments) => {
        expect(parsePath(`/${segments.map(encodeURIComponent).join('/')}`)).toEqual(segments)
      }),
      RUNS,
    )
  })

  it.each(['/pets/%zz', '/pets/%', '/pets/%2', '/pets/%ff', '/pets/%C0%80', '/pets/%ED%A0%80', '/%zz/pets'])(
    '%j cannot be decoded',
    (path) => {
      const { code, status, message } = failureOf(() => parsePath(path))
      expect([code, status]).toEqual(['INVALID_REQUEST', 400])
      expect(message).toContain('The path')
    },
  )

  it('is truncated in the error message', () => {
    const { message } = failureOf(() => parsePath(`/pets/%zz${'x'.repeat(10_000)}`))
    expect(message.length).toBeLessThan(300)
    expect(message).toContain('%zzx')
  })
})

describe('a query', () => {
  it.each<[string, [string, string[]][]]>([
    ['', []],
    ['limit=5', [['limit', ['5']]]],
    ['limit=', [['limit', ['']]]],
    ['limit', [['limit', ['']]]],
    ['=x', [['', ['x']]]],
    ['=', [['', ['']]]],
    ['a=1=2', [['a', ['1=2']]]],
    [
      '&a=1&&b=2&',
      [
        ['a', ['1']],
        ['b', ['2']],
      ],
    ],
    [
      'status=sold&limit=1&status=pending',
      [
        ['status', ['sold', 'pending']],
        ['limit', ['1']],
      ],
    ],
    ['name=a+b%2Bc', [['name', ['a b+c']]]],
    ['na%6De=%E2%82%AC', [['name', ['€']]]],
    ['a%26b=c%3Dd', [['a&b', ['c=d']]]],
    ['limit[]=1', [['limit[]', ['1']]]],
    ['a;b=1', [['a;b', ['1']]]],
    ['a?b=1?2', [['a?b', ['1?2']]]],
    ['Limit=5', [['Limit', ['5']]]],
    [
      '__proto__=1&constructor=2',
      [
        ['__proto__', ['1']],
        ['constructor', ['2']],
      ],
    ],
  ])('%j is parsed', (query, values) => {
    expect([...parseQuery(query)]).toEqual(values)
  })

  it('is parsed like URLSearchParams does', () => {
    const name = fc.string({ unit: 'grapheme', minLength: 1 })
    fc.assert(
      fc.property(fc.array(fc.tuple(name, fc.string({ unit: 'grapheme' }))), (pairs) => {
        const form = new URLSearchParams(pairs)
        const values = parseQuery(String(form))
        expect([...values.keys()]).toEqual([...new Set(form.keys())])
        for (const [key, texts] of values) expect(texts).toEqual(form.getAll(key))
      }),
      RUNS,
    )
  })

  it.each(['limit=%zz', 'limit=%', '%zz=1', 'a=1&b=%ff', 'name=+%2'])('%j cannot be decoded', (query) => {
    const { code, status, message } = failureOf(() => parseQuery(query))
    expect([code, status]).toEqual(['INVALID_REQUEST', 400])
    expect(message).toContain('The query')
  })

  it('may have thousands of parameters', () => {
    const query = Array.from({ length: 5000 }, (_, index) => `p${index}=${index}`).join('&')
    expect(parseQuery(query).size).toBe(5000)
  })

  it('may have as many parameters as the limit, counting repeated ones but not empty ones', () => {
    expect(parseQuery('&a=1&&a=2&b&', 3).size).toBe(2)
    const { code, status, message } = failureOf(() => parseQuery('a=1&a=2&b=%zz', 2))
    expect([code, status]).toEqual(['INVALID_REQUEST', 400])
    expect(message).toBe('The query has 3 parameters. Maximum: 2.')
  })
})
