import { describe, expect, it } from 'vitest'
import { badgesOf, readLocation, toSandbox } from '../../src/dashboard/reference/document.js'
import { breakLines } from '../../src/lib/json-text.js'

describe('JSON text with line breaks', () => {
  it.each([
    null,
    'text',
    [],
    {},
    [[], {}],
    { a: [], b: {}, c: [1, 'x, {y}: [z] "q" \\', { d: null }] },
    [{ id: 1, name: 'Rex' }, { id: -2.5e-7 }],
    '\u2028 \n',
  ])('equals that of JSON.stringify: %j', (value) => {
    const lines = JSON.stringify(value, null, 2)
    for (const text of [JSON.stringify(value), lines]) expect(breakLines(text)).toBe(lines)
  })

  it('has exact numbers', () => {
    expect(breakLines('{"id":9223372036854775807,"price":1.10}')).toBe(
      '{\n  "id": 9223372036854775807,\n  "price": 1.10\n}',
    )
  })

  it('stays short for deep nesting, and copes with long strings', () => {
    const depth = 30_000
    expect(breakLines('['.repeat(depth) + ']'.repeat(depth)).length).toBeLessThan(200 * depth)
    const long = JSON.stringify(['x\n'.repeat(2_000_000)])
    expect(breakLines(long).replaceAll(/\n\s*/g, '')).toBe(long)
  })
})

describe('the badges of an operation', () => {
  it.each([
    [{}, []],
    [{ 'x-stability': 'beta' }, ['beta']],
    [{ deprecated: true, 'x-deprecated-sunset': '2030-12-05' }, ['deprecated, ends 5 December 2030']],
    [{ deprecated: true, 'x-deprecated-sunset': '2030-12-05T23:59:59Z' }, ['deprecated, ends 5 December 2030']],
    [{ deprecated: true, 'x-deprecated-sunset': 'soon' }, ['deprecated, ends soon']],
    [{ deprecated: true, 'x-stability': 'experimental' }, ['experimental', 'deprecated']],
  ])('of %j are %j', (operation, texts) => {
    expect(badgesOf(operation).map(({ text }) => text)).toEqual(texts)
  })
})

describe('the location of the page', () => {
  it.each([
    ['http://localhost:4010/docs?document=admin#getPet', 'http://localhost:4010/', '', 'http://localhost:4010/'],
    ['http://localhost:4010/sandbox/a/docs', 'http://localhost:4010/sandbox/a/', 'a', 'http://localhost:4010/'],
    [
      'http://localhost/below/sandbox/a.b/docs#x/y',
      'http://localhost/below/sandbox/a.b/',
      'a.b',
      'http://localhost/below/',
    ],
  ])('is read from %s', (address, base, sandbox, root) => {
    expect(readLocation(address)).toEqual({ base: new URL(base), sandbox, root: new URL(root) })
  })

  it.each([
    ['/docs', 'a', '/sandbox/a/docs?document=admin#x'],
    ['/sandbox/a/docs', 'b', '/sandbox/b/docs?document=admin#x'],
    ['/sandbox/a/docs', '', '/docs?document=admin#x'],
    ['/below/docs', 'a', '/below/sandbox/a/docs?document=admin#x'],
  ])('changes from %s to the sandbox "%s"', (path, name, expected) => {
    const address = new URL(`http://localhost${path}?document=admin#x`)
    expect(toSandbox(readLocation(address.href).root, name, address)).toBe(expected)
  })
})
