import { describe, expect, it } from 'vitest'
import type { RequestMatch } from '../../src/engine/rules/request-match.js'
import { compileMatch, createWork, findMatchProblem } from '../../src/engine/rules/request-match.js'
import type { PlainRequest } from '../../src/http/messages.js'

const request = (parts: Partial<PlainRequest> & { json?: string }): PlainRequest => ({
  method: 'POST',
  path: '/pets',
  query: '',
  base: '',
  headers: {},
  ...(parts.json !== undefined && { body: new TextEncoder().encode(parts.json) }),
  ...parts,
})

const matches = (match: RequestMatch, parts: Parameters<typeof request>[0]) =>
  compileMatch(match)(request(parts), createWork())

describe('a match', () => {
  it.each<[RequestMatch, Parameters<typeof request>[0], boolean]>([
    [{}, {}, true],
    [{ query: { status: 'sold' } }, { query: 'status=sold' }, true],
    [{ query: { status: 'sold' } }, { query: 'status=available&status=sold' }, true],
    [{ query: { status: 'sold' } }, { query: '%E0' }, false],
    [{ query: { limit: 5 } }, { query: 'limit=5' }, true],
    [{ query: { name: /^re/i } }, { query: 'name=Rex' }, true],
    [{ query: { name: { matches: '^re', flags: 'i' } } }, { query: 'name=Rex' }, true],
    [{ headers: { 'X-Tenant': 'a' } }, { headers: { 'x-tenant': 'a' } }, true],
    [{ headers: { 'x-tenant': /./ } }, { headers: {} }, false],
    [{ body: { name: 'Rex' } }, { json: '{"name":"Rex","status":"sold"}' }, true],
    [{ body: { name: 'Rex' } }, { json: '{"status":"sold"}' }, false],
    [{ body: { name: 'Rex' } }, { json: '{"name":' }, false],
    [{ body: { name: 'Rex' } }, { body: 'too large' }, false],
    [{ body: { name: 'Rex' } }, {}, false],
    [{ body: { a: { b: [1, { c: true }] } } }, { json: '{"a":{"b":[1,{"c":true,"d":0}]}}' }, true],
    [{ body: { a: [1] } }, { json: '{"a":[1,2]}' }, false],
    [{ body: { id: 9223372036854775807n } }, { json: '{"id":9223372036854775807}' }, true],
    [{ body: { id: 9223372036854775807n } }, { json: '{"id":9223372036854775806}' }, false],
    [{ body: { id: 5n } }, { json: '{"id":5}' }, true],
    [{ body: { gone: null } }, { json: '{"gone":null}' }, true],
    [{ body: { gone: null } }, { json: '{}' }, false],
    [{ body: { toString: 1 } }, { json: '{}' }, false],
    [{ query: { a: '1' }, body: { b: 2 } }, { query: 'a=2', json: '{"b":2}' }, false],
  ])('%o of %o: %s', (match, parts, expected) => {
    expect(matches(match, parts)).toBe(expected)
  })

  it('does not parse a body that is too deep', () => {
    expect(matches({ body: [] }, { json: '['.repeat(100_000) })).toBe(false)
  })

  it('tests a regular expression with the flag g from the start each time', () => {
    const test = compileMatch({ query: { name: /Rex/g } })
    const rex = request({ query: 'name=Rex' })
    expect([1, 2, 3].map(() => test(rex, createWork()))).toEqual([true, true, true])
  })
})

describe('the problem of a match', () => {
  it.each<[unknown, string | undefined]>([
    [{ query: { name: { matches: '(' } } }, '/match/query/name/matches is not a regular expression with the flags ""'],
    [
      { body: { pets: [{ name: { matches: 'a', flags: 'g' } }] } },
      '/match/body/pets/0/name/matches is not a regular expression with the flags "g"',
    ],
    [{ body: { name: () => {} } }, '/match/body/name must be JSON or a regular expression'],
    [{ body: { matches: 5 } }, undefined],
    [{ query: { name: { matches: '^R', flags: 'i' } } }, undefined],
    [undefined, undefined],
  ])('of %o: %s', (match, problem) => {
    expect(findMatchProblem(match)).toBe(problem)
  })
})
