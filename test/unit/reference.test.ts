import { describe, expect, it } from 'vitest'
import { breakLines } from '../../src/reference/json-text.js'
import { markersOf } from '../../src/reference/markers.js'
import { readPlace, toSandbox } from '../../src/reference/place.js'

describe('the lines of a JSON text', () => {
  it.each([
    null,
    'text',
    [],
    {},
    [[], {}],
    { a: [], b: {}, c: [1, 'x, {y}: [z] "q" \\', { d: null }] },
    [{ id: 1, name: 'Rex' }, { id: -2.5e-7 }],
    '\u2028 \n',
  ])('are those of JSON.stringify: %j', (value) => {
    const lines = JSON.stringify(value, null, 2)
    for (const text of [JSON.stringify(value), lines]) expect(breakLines(text)).toBe(lines)
  })

  it('keep every digit', () => {
    expect(breakLines('{"id":9223372036854775807,"price":1.10}')).toBe(
      '{\n  "id": 9223372036854775807,\n  "price": 1.10\n}',
    )
  })
})

describe('the markers of an operation', () => {
  it.each([
    [{}, []],
    [{ 'x-stability': 'beta' }, ['beta']],
    [{ deprecated: true }, ['deprecated']],
    [{ deprecated: true, 'x-deprecated-sunset': '2030-12-05' }, ['deprecated, ends 5 December 2030']],
    [{ deprecated: true, 'x-deprecated-sunset': '2030-12-05T23:59:59Z' }, ['deprecated, ends 5 December 2030']],
    [{ deprecated: true, 'x-deprecated-sunset': 'soon' }, ['deprecated, ends soon']],
    [{ 'x-deprecated-sunset': '2030-12-05' }, []],
    [{ deprecated: true, 'x-stability': 'experimental' }, ['experimental', 'deprecated']],
  ])('of %j are shown as %j', (operation, texts) => {
    expect(markersOf(operation).badges.map(({ text }) => text)).toEqual(texts)
  })

  it('say whether it may be tried', () => {
    expect(markersOf({}).hidesTryIt).toBe(false)
    expect(markersOf({ 'x-hideTryItPanel': true }).hidesTryIt).toBe(true)
    expect(markersOf({ 'x-hideTryItPanel': false }).hidesTryIt).toBe(false)
  })
})

describe('the place of the page', () => {
  it.each([
    ['http://localhost:4010/docs?document=control#getPet', 'http://localhost:4010/', ''],
    ['http://localhost:4010/sandbox/a/docs', 'http://localhost:4010/sandbox/a/', 'a'],
    ['http://localhost/below/sandbox/a.b/docs#x/y', 'http://localhost/below/sandbox/a.b/', 'a.b'],
  ])('is read from %s', (address, base, sandbox) => {
    expect(readPlace(address)).toEqual({ base: new URL(base), sandbox })
  })

  it.each([
    ['/docs', 'a', '/sandbox/a/docs?document=control#x'],
    ['/sandbox/a/docs', 'b', '/sandbox/b/docs?document=control#x'],
    ['/sandbox/a/docs', '', '/docs?document=control#x'],
    ['/below/docs', 'a', '/below/sandbox/a/docs?document=control#x'],
  ])('leads from %s into the sandbox "%s"', (path, name, expected) => {
    const address = new URL(`http://localhost${path}?document=control#x`)
    expect(toSandbox(readPlace(address.href), name, address as never)).toBe(expected)
  })
})
