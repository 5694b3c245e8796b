import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseJson } from '../../src/lib/json.js'
import { cutJson, encodeJson, parsePieces } from '../../src/lib/json-in-steps.js'
import { runNow, type Steps } from '../../src/lib/steps.js'

function* parse(text: string): Steps<unknown> {
  return yield* parsePieces(yield* cutJson(text))
}

function resultOf(read: () => unknown): unknown {
  try {
    return { value: read() }
  } catch (error) {
    return error instanceof SyntaxError ? 'not JSON' : error
  }
}

/** Whether it is JSON, and the value, must not depend on how it is parsed. */
function expectSame(text: string): void {
  const [inSteps, atOnce] = [() => runNow(parse(text)), () => parseJson(text)].map(resultOf)
  expect(isDeepStrictEqual(inSteps, atOnce)).toBe(true)
}

const item = (index: number) => `{"id":${index},"name":"a \\"[,]\\\\${index} é","tags":[1,[2,{"x":[]}],"]"]}`
const list = (count: number) => `[${Array.from({ length: count }, (_, index) => item(index)).join(',')}]`

/** Long enough for several pieces. */
const LONG = `{"description":"x, [y]","a":${list(1000)},"b":[],"c":{"d":[1,2]},"e": ${list(700)} ,"f":[ ]}`

describe('JSON that is parsed in steps', () => {
  it.each(
    [
      LONG,
      '',
      'null',
      '5',
      '[]',
      '{}',
      `[${list(600)},${list(3)},[]]`,
      list(1000),
      '{"a":[1,2],"a":[3]}',
      '{"a":[no],"a":[3]}',
      '{"__proto__":[1,2],"constructor":[3]}',
      '{"a":[9007199254740993,1.00000000000000001,1e400],"b":9007199254740993}',
      '{"a":[1,2}',
      '{"a":[1,2',
      '{"a":[1,2]}]',
      '{"a":[1,]}',
      '{"a":"[1',
      '{"a":[1]}\uFEFF',
    ].map((text) => [text.slice(0, 40), text] as const),
  )('has the result of parseJson: %s', (_, text) => {
    expectSame(text)
  })

  it('has the result of parseJson after random changes', () => {
    const change = fc.record({
      at: fc.nat(LONG.length),
      remove: fc.nat(3),
      insert: fc.constantFrom('', ',', '[', ']', '{', '}', '"', '\\', ':', ' ', '1', '\n', ',,', '],['),
    })
    fc.assert(
      fc.property(change, ({ at, remove, insert }) => {
        expectSame(LONG.slice(0, at) + insert + LONG.slice(at + remove))
      }),
      { numRuns: 100 },
    )
  })

  it('pauses at least every 16,384 characters', () => {
    const text = `{"a":${list(5000)}}`
    const pauses = Math.floor(text.length / 16_384) - 1
    expect([...cutJson(text)].length).toBeGreaterThanOrEqual(pauses)
    expect([...parsePieces(runNow(cutJson(text)))].length).toBeGreaterThanOrEqual(pauses)
  })

  it.each([
    ['{}', 1],
    ['[[[]]]', 3],
    ['{"a":"[[["}', 1],
    ['5', 0],
    ['{"a":[{"b":[{}]}]}', 5],
  ])('reports how deep %s is nested', (text, depth) => {
    expect(runNow(cutJson(text)).depth).toBe(depth)
  })
})

describe('JSON that is written in steps', () => {
  const items = Array.from({ length: 5000 }, (_, id) => ({ id, name: `é "${id}" €😀` }))

  it.each<[string, object]>([
    ['an empty object', {}],
    ['lists of many lengths', { a: items.slice(0, 1023), b: items.slice(0, 1024), c: items.slice(0, 1025), d: items }],
    ['lists between other members', { text: 'é', list: items, object: { list: [1, 2] }, '"': null, last: [] }],
  ])('is that of JSON.stringify: %s', (_, object) => {
    expect(new TextDecoder().decode(runNow(encodeJson(object, JSON.stringify)))).toBe(JSON.stringify(object))
  })

  it('leaves out what JSON does not have', () => {
    const object = { first: undefined, name: 'Rex', missing: undefined, items }
    expect(new TextDecoder().decode(runNow(encodeJson(object, JSON.stringify)))).toBe(JSON.stringify(object))
  })

  it('pauses at least every 1024 items', () => {
    expect([...encodeJson({ items }, JSON.stringify)].length).toBeGreaterThanOrEqual(4)
  })
})
