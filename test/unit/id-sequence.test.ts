import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createInt64Sequence, INT64_IDS } from '../../src/document/resources/ids/kinds.js'
import type { IdSequence } from '../../src/document/resources/ids/sequence.js'
import { sequenceAfter } from '../../src/document/resources/ids/sequence.js'
import type { Id } from '../../src/lib/int64.js'

const RUNS = { seed: 19, numRuns: 300 }
const MAX = 2n ** 63n - 1n

function sequenceOver(ids: readonly bigint[]): IdSequence {
  const descending = ids.toSorted((a, b) => (a < b ? 1 : -1)).map((id) => String(id) as Id)
  const has = (id: Id) => descending.includes(id)
  return createInt64Sequence({ size: ids.length, has, largest: (rank) => descending[rank] })
}

function take(sequence: IdSequence, count: number): string[] {
  return Array.from({ length: count }, () => sequence.take())
}

/** The rule of the contract, with bigints: count from the largest id with a free id above it, up to the next one in use. */
function expectedIds(starting: readonly bigint[], count: number): string[] {
  const used = new Set(starting)
  const floors = [...starting.filter((id) => id > 0n), 0n].sort((a, b) => (a < b ? 1 : -1))
  const ids: string[] = []
  for (const floor of floors) {
    for (let id = floor + 1n; id <= MAX && !used.has(id) && ids.length < count; id += 1n) ids.push(String(id))
  }
  return ids
}

describe('ids', () => {
  it('count from 1 without starting ids', () => {
    expect(take(sequenceOver([]), 3)).toEqual(['1', '2', '3'])
  })

  it('follow the contract up to the end of int64, and are never in use', () => {
    const nearTheEnd = fc.bigInt({ min: MAX - 12n, max: MAX })
    const others = [fc.bigInt({ min: -3n, max: 3n }), fc.constantFrom(-(2n ** 63n), 40n, 2n ** 53n)]
    const starting = fc.uniqueArray(fc.oneof(nearTheEnd, ...others), { maxLength: 14 })
    fc.assert(
      fc.property(starting, (ids) => {
        const next = take(sequenceOver(ids), 20)
        expect(next).toEqual(expectedIds(ids, 20))
        expect(new Set([...next, ...ids.map(String)]).size).toBe(20 + ids.length)
      }),
      RUNS,
    )
  })
})

describe('ids that continue from a given one', () => {
  const from = (first: bigint, ...used: bigint[]) =>
    sequenceAfter(
      INT64_IDS,
      used.map((id) => String(id) as Id),
      String(first) as Id,
    )

  it('start with it, whatever ids are above it', () => {
    expect(take(from(3n, 1n, 2n, 40n), 3)).toEqual(['3', '4', '5'])
    expect(take(from(50n, 40n), 2)).toEqual(['50', '51'])
    expect(take(from(1n), 2)).toEqual(['1', '2'])
  })

  it('skip those that are in use, one by one', () => {
    expect(take(from(1n, 1n, 2n, 4n, 5n, 7n), 4)).toEqual(['3', '6', '8', '9'])
  })

  it('continue after the largest with a free id above it at the end of int64', () => {
    expect(take(from(MAX, 3n), 3)).toEqual([String(MAX), '4', '5'])
    expect(take(from(MAX - 1n, 3n, 8n, MAX), 3)).toEqual([String(MAX - 1n), '9', '10'])
    expect(take(from(MAX, MAX), 2)).toEqual(['1', '2'])
  })
})

describe('the next id', () => {
  it('is the one that is assigned next, and reading it does not use it up', () => {
    for (const sequence of [
      sequenceOver([3n, MAX - 1n]),
      sequenceAfter(INT64_IDS, ['2' as Id, '10' as Id, '9' as Id]),
    ]) {
      for (let count = 0; count < 4; count++) {
        const next = sequence.peek()
        expect(sequence.peek()).toBe(next)
        expect(sequence.take()).toBe(next)
      }
    }
    expect(sequenceAfter(INT64_IDS, ['2' as Id, '10' as Id, '9' as Id]).peek()).toBe('11')
  })
})

describe('a snapshot', () => {
  it('can be restored, and the same ids follow', () => {
    const sequence = sequenceOver([8n, MAX - 4n, MAX - 2n])
    const all = take(sequence, 6)
    for (let taken = 0; taken < 6; taken++) {
      sequence.reset()
      take(sequence, taken)
      const snapshot = sequence.snapshot()
      take(sequence, 3)
      sequence.restore(snapshot)
      expect(take(sequence, 6 - taken)).toEqual(all.slice(taken))
    }
  })

  it('does not change with later ids', () => {
    const sequence = sequenceOver([5n])
    const snapshot = sequence.snapshot()
    take(sequence, 3)
    sequence.choose('7' as Id)
    sequence.restore(snapshot)
    sequence.choose('6' as Id)
    sequence.restore(snapshot)
    expect(take(sequence, 3)).toEqual(['6', '7', '8'])
  })
})

describe('an id that was chosen', () => {
  it.each<[string, bigint[], bigint[], string[]]>([
    ['next', [5n], [6n, 7n], ['8', '9']],
    ['later', [5n], [7n], ['6', '8']],
    ['below', [5n], [1n, -3n], ['6', '7']],
    ['at the end of int64', [5n], [MAX], ['6', '7']],
    ['before the end of int64', [5n, MAX - 2n], [MAX - 1n], [String(MAX), '6', '7']],
    ['after the id to which the sequence returns', [5n, MAX], [6n], ['7', '8']],
  ])('is not assigned: %s', (_, starting, chosen, expected) => {
    const sequence = sequenceOver(starting)
    for (const id of chosen) sequence.choose(String(id) as Id)
    expect(take(sequence, expected.length)).toEqual(expected)
  })

  it('is free again after a rollback', () => {
    const sequence = sequenceOver([5n])
    sequence.choose('6' as Id)
    const mark = sequence.mark()
    sequence.choose('7' as Id)
    sequence.rollBackTo(mark)
    expect(take(sequence, 1)).toEqual(['7'])
  })
})
