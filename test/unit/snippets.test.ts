import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { RecordedExchange } from '../../src/engine/log/reproduction.js'
import { quoteText, toLiteral } from '../../src/tools/snippets/literal.js'
import { quoteForShell, toCurl, toFetch } from '../../src/tools/snippets/request.js'

const evaluate = (code: string): unknown => new Function(`return ${code}`)()

it('quotes any text as one word for a shell', () => {
  const texts = [`it's`, '$(id) `id` $HOME', 'a\nb', '"', '\\', '', '!', '*', "''"]
  const command = `printf '%s\\0' ${texts.map(quoteForShell).join(' ')}`
  expect(execFileSync('sh', ['-c', command], { encoding: 'utf8' })).toBe(`${texts.join('\0')}\0`)
})

it('writes any text as a string of visible characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const code = quoteText(text)
      expect(evaluate(code)).toBe(text)
      expect(code).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
    }),
  )
})

it('writes any JSON value as a literal', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const value: unknown = JSON.parse(text)
      expect(JSON.stringify(evaluate(toLiteral(value)))).toBe(JSON.stringify(value))
    }),
  )
  const large = { id: 9223372036854775807n, names: ['a'.repeat(60), 'b'.repeat(60)] }
  expect(evaluate(toLiteral(large))).toEqual(large)
  const named = JSON.parse('{"__proto__":{"a":1}}')
  expect(Object.keys(evaluate(toLiteral(named)) as object)).toEqual(['__proto__'])
})

it('repeats a request with its own headers and its exact body', () => {
  const posted: RecordedExchange = {
    at: '2026-03-31T09:30:00.000Z',
    request: {
      method: 'POST',
      path: '/pets',
      query: 'status=sold&name=a%26b',
      headers: { 'content-type': 'application/json', host: 'x', 'sec-fetch-mode': 'cors', 'x-empty': '' },
      body: '{"categoryId":9223372036854775807}',
    },
  }
  expect(toCurl('http://localhost:4010', posted)).toBe(
    [
      "curl -X POST --globoff --path-as-is 'http://localhost:4010/pets?status=sold&name=a%26b' \\",
      "  -H 'content-type: application/json' \\",
      "  -H 'x-empty;' \\",
      `  --data-raw '{"categoryId":9223372036854775807}'`,
    ].join('\n'),
  )
  expect(toFetch('http://localhost:4010', posted)).toBe(
    [
      "const response = await fetch('http://localhost:4010/pets?status=sold&name=a%26b', {",
      "  method: 'POST',",
      "  headers: { 'content-type': 'application/json', 'x-empty': '' },",
      `  body: '{"categoryId":9223372036854775807}',`,
      '})',
    ].join('\n'),
  )
})
