import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Changes, LayeredMap } from '../../src/engine/store/layered-map.js'
import { isFullRun } from '../support/full-run.js'

const RUNS = { seed: 83, numRuns: isFullRun ? 1000 : 100 }

const key = fc.nat(9)
const value = fc.nat(99)
const base = fc.uniqueArray(fc.tuple(key, value), { selector: ([first]) => first }).map((entries) => new Map(entries))

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('set' as const), key, value }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('delete' as const), key }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constantFrom('clear' as const, 'keep' as const, 'put back' as const) }),
  },
)

function sorted<T>(entries: Iterable<[number, T]>): [number, T][] {
  return [...entries].sort(([a], [b]) => a - b)
}

const KEYS = Array.from({ length: 10 }, (_, each) => each)

/** Everything that can be read from a map, in one value, because many assertions would be slow. */
function contentsOf(map: ReadonlyMap<number, number>) {
  return [map.size, sorted(map), KEYS.map((each) => [map.get(each), map.has(each)])]
}

function expectSame(map: LayeredMap<number, number>, model: ReadonlyMap<number, number>): void {
  expect(contentsOf(map)).toEqual(contentsOf(model))
}

describe('a map over a map', () => {
  it('behaves like a plain map with the same entries, and never changes the map below it', () => {
    fc.assert(
      fc.property(base, fc.array(step, { maxLength: 40 }), (below, steps) => {
        const before = [...below]
        const map = new LayeredMap(below)
        const model = new Map(below)
        let kept: { changes: Changes<number, number>; model: Map<number, number> } = {
          changes: new Map(),
          model: new Map(below),
        }
        for (const action of steps) {
          if (action.kind === 'set') {
            expect(map.set(action.key, action.value)).toBe(map)
            model.set(action.key, action.value)
          } else if (action.kind === 'delete') {
            expect(map.delete(action.key)).toBe(model.delete(action.key))
          } else if (action.kind === 'clear') {
            map.clear()
            model.clear()
          } else if (action.kind === 'keep') {
            kept = { changes: new Map(map.changes), model: new Map(model) }
          } else {
            map.replaceChanges(kept.changes)
            model.clear()
            for (const [each, number] of kept.model) model.set(each, number)
          }
          expectSame(map, model)
        }
        expect([...below]).toEqual(before)
      }),
      RUNS,
    )
  })

  it('shows an iteration one entry only while it is limited to it', () => {
    const map = new LayeredMap(
      new Map([
        [1, 'one'],
        [2, 'two'],
      ]),
    )
    map.set(3, 'three').delete(2)
    expect(map.limitTo(3, () => [...map])).toEqual([[3, 'three']])
    expect(map.limitTo(1, () => [...map.values()])).toEqual(['one'])
    expect(map.limitTo(2, () => [...map])).toEqual([])
    expect(() =>
      map.limitTo(1, () => {
        throw new Error('failed')
      }),
    ).toThrow('failed')
    expect([...map.keys()]).toEqual([1, 3])
  })
})

describe('the entries', () => {
  it('are the same with every way of iterating', () => {
    const map = new LayeredMap(
      new Map([
        [1, 'a'],
        [2, 'b'],
        [3, 'c'],
      ]),
    )
    map.set(2, 'B').set(4, 'd').delete(1)
    const entries = [...map]
    expect(sorted(entries)).toEqual([
      [2, 'B'],
      [3, 'c'],
      [4, 'd'],
    ])
    expect([...map.entries()]).toEqual(entries)
    expect([...map.keys()]).toEqual(entries.map(([each]) => each))
    expect([...map.values()]).toEqual(entries.map(([, each]) => each))
    const visited: [number, string][] = []
    map.forEach((each, at, of) => {
      expect(of).toBe(map)
      visited.push([at, each])
    })
    expect(visited).toEqual(entries)
    expect([...new Map(map)]).toEqual(entries)
  })
})

describe('the changes', () => {
  it('have only the differences from the map below', () => {
    const map = new LayeredMap(
      new Map([
        [1, 'a'],
        [2, 'b'],
        [3, 'c'],
      ]),
    )
    map.set(1, 'A').set(4, 'd').set(5, 'e')
    map.delete(2)
    map.delete(5)
    map.delete(6)
    expect([...map.changes]).toEqual([
      [1, 'A'],
      [4, 'd'],
      [2, undefined],
    ])
  })

  it('are copied when they are restored, so that later changes do not affect them', () => {
    const map = new LayeredMap(new Map([[1, 'a']]))
    const kept = new Map([[2, 'b']])
    map.replaceChanges(kept)
    map.set(3, 'c')
    expect([...kept]).toEqual([[2, 'b']])
  })
})
