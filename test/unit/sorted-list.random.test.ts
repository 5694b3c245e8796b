import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SortedList } from '../../src/engine/store/sorted-list.js'
import { isFullRun } from '../support/full-run.js'

const RUNS = { seed: 512, numRuns: isFullRun ? 60 : 10 }

interface Item {
  readonly rank: number
  readonly id: number
}

const compare = (a: Item, b: Item) => a.rank - b.rank || a.id - b.id

/** Ranks repeat on purpose; the id makes the order total, as it does in the store. */
function itemOf(id: number): Item {
  return { id, rank: (id * 7919) % 97 }
}

function itemsOf(count: number): Item[] {
  return Array.from({ length: count }, (_, id) => itemOf(id))
}

function expectSame(list: SortedList<Item>, model: readonly Item[]): void {
  const expected = [...model].sort(compare)
  expect(list.size).toBe(expected.length)
  expect([...list]).toEqual(expected)
  const middle = expected.length >> 1
  expect(list.at(0)).toEqual(expected[0])
  expect(list.at(middle)).toEqual(expected[middle])
  expect(list.at(expected.length - 1)).toEqual(expected.at(-1))
  expect(list.at(expected.length)).toBeUndefined()
  expect(list.at(-1)).toBeUndefined()
}

/** Runs of additions and removals, long enough that chunks fill, split, shrink and disappear. */
const runs = fc.array(
  fc.record({ adds: fc.boolean(), start: fc.nat(3000), length: fc.integer({ min: 1, max: 1500 }) }),
  { minLength: 1, maxLength: 8 },
)

describe('a list that is changed', () => {
  it('stays sorted', () => {
    fc.assert(
      fc.property(fc.nat(2500), runs, (count, changes) => {
        const model = new Map(itemsOf(count).map((item) => [item.id, item]))
        const list = SortedList.of(model.values(), compare)
        for (const { adds, start, length } of changes) {
          for (let id = start; id < start + length; id++) {
            if (adds && !model.has(id)) {
              model.set(id, itemOf(id))
              list.add(itemOf(id))
            } else if (!adds && model.delete(id)) {
              list.delete(itemOf(id))
            }
          }
          expectSame(list, [...model.values()])
        }
      }),
      RUNS,
    )
  })

  it.each([
    ['from the front', (items: Item[]) => items],
    ['from the back', (items: Item[]) => items.toReversed()],
    ['from the middle', (items: Item[]) => [...items.slice(items.length / 2), ...items.slice(0, items.length / 2)]],
  ])('can be filled and emptied %s, more than once', (_, inOrder) => {
    const items = inOrder(itemsOf(3000).sort(compare))
    const list = SortedList.of<Item>([], compare)
    for (let round = 0; round < 2; round++) {
      for (const item of items) list.add(item)
      expectSame(list, items)
      for (const item of items) list.delete(item)
      expectSame(list, [])
      expect(list.slice(0, 10)).toEqual([])
    }
  })
})

describe('a copy', () => {
  it('is not affected by the original, nor the original by the copy', () => {
    fc.assert(
      fc.property(fc.nat(2500), runs, runs, (count, first, second) => {
        const original = SortedList.of(itemsOf(count), compare)
        const copy = original.copy()
        const models = [new Set(itemsOf(count).map(({ id }) => id)), new Set(itemsOf(count).map(({ id }) => id))]
        for (const [index, changes] of [first, second].entries()) {
          const list = index === 0 ? original : copy
          const model = models[index] ?? new Set()
          for (const { adds, start, length } of changes) {
            for (let id = start; id < start + length; id += 3) {
              if (adds === model.has(id)) continue
              if (adds) list.add(itemOf(id))
              else list.delete(itemOf(id))
              if (adds) model.add(id)
              else model.delete(id)
            }
          }
        }
        expectSame(original, [...(models[0] ?? [])].map(itemOf))
        expectSame(copy, [...(models[1] ?? [])].map(itemOf))
      }),
      RUNS,
    )
  })
})

describe('a page', () => {
  const items = itemsOf(2000).sort(compare)
  const createList = () => SortedList.of(items, compare)

  it('equals a slice of the sorted records', () => {
    const list = createList()
    fc.assert(
      fc.property(fc.nat(2100), fc.nat(2100), (offset, limit) => {
        expect(list.slice(offset, limit)).toEqual(items.slice(offset, offset + limit))
      }),
      { ...RUNS, numRuns: isFullRun ? 300 : 50 },
    )
  })

  it('can be changed by the caller', () => {
    const list = createList()
    list.slice(0, 2000).length = 0
    expect(list.size).toBe(2000)
    expect(list.slice(0, 2000)).toEqual(items)
  })
})

describe('a new list', () => {
  it('does not reorder the given records', () => {
    const given = [itemOf(3), itemOf(1), itemOf(2)]
    SortedList.of(given, compare)
    expect(given).toEqual([itemOf(3), itemOf(1), itemOf(2)])
  })
})

describe('a record that replaces another', () => {
  const renamed = { ...itemOf(700), name: 'renamed' } as Item

  it('is at the same position, in this list but not in copies that share its chunks', () => {
    const base = SortedList.of(itemsOf(2000), compare)
    const copy = base.copy()
    copy.delete(itemOf(700))
    copy.add(renamed)
    expect([...base]).toEqual(itemsOf(2000).sort(compare))
    expect([...copy]).toEqual([...base].map((item) => (item.id === 700 ? renamed : item)))
    expect(copy.size).toBe(2000)
  })
})
