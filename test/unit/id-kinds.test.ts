import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createIdKind, type IdKind } from '../../src/document/resources/ids/kinds.js'
import type { IdSequence } from '../../src/document/resources/ids/sequence.js'
import type { IdDescription } from '../../src/document/resources/resource.js'
import type { Id } from '../../src/lib/int64.js'
import { isFullRun } from '../support/full-run.js'

const RUNS = { seed: 45, numRuns: isFullRun ? 300 : 60 }
const MAX_INT64 = 2n ** 63n - 1n
const UUID = '01941f2a-f94d-7c2a-b97d-9b26e4628512'

function sequenceOver(kind: IdKind, used: readonly Id[], first?: string): IdSequence {
  const descending = used.toSorted((a, b) => kind.compare(b, a))
  const has = (id: Id) => used.includes(id)
  return kind.createSequence({ size: used.length, has, largest: (rank) => descending[rank] }, first as Id | undefined)
}

const take = (sequence: IdSequence, count: number) => Array.from({ length: count }, () => sequence.take())

describe('an id that is read', () => {
  const int64: IdDescription = { type: 'int64' }
  const integer: IdDescription = { type: 'integer', minimum: 2, maximum: 9.5 }
  it.each<[IdDescription, unknown, string | undefined, unknown?]>([
    [int64, '-5', '-5', -5],
    [int64, MAX_INT64, String(MAX_INT64), MAX_INT64],
    [int64, '01', undefined],
    [int64, String(MAX_INT64 + 1n), undefined],
    [{ type: 'integer' }, '7', '7', 7],
    [{ type: 'integer' }, -7, '-7', -7],
    [{ type: 'integer' }, '1e3', undefined],
    [{ type: 'integer' }, 1.5, undefined],
    [{ type: 'integer' }, String(2 ** 53), undefined],
    [integer, 2, '2', 2],
    [integer, 9n, '9', 9],
    [integer, 1, undefined],
    [integer, '10', undefined],
    [{ type: 'uuid' }, UUID, UUID, UUID],
    [{ type: 'uuid' }, UUID.toUpperCase(), UUID.toUpperCase(), UUID.toUpperCase()],
    [{ type: 'uuid' }, UUID.replaceAll('-', ''), undefined],
    [{ type: 'uuid' }, `${UUID}0`, undefined],
    [{ type: 'digits' }, '007', '007', '007'],
    [{ type: 'digits' }, 7, undefined],
    [{ type: 'digits' }, '', undefined],
    [{ type: 'digits' }, '7a', undefined],
    [{ type: 'text', prefix: 'cus_' }, 'ada', 'ada', 'ada'],
    [{ type: 'text' }, '', undefined],
    [{ type: 'text' }, 7, undefined],
    [{ type: 'text' }, null, undefined],
  ])('%j: %s is %s', (description, value, expected, json) => {
    const kind = createIdKind(description, 'notes')
    const id = kind.read(value)
    expect(id).toBe(expected)
    if (id !== undefined) expect(kind.toJson(id)).toBe(json)
  })
})

it('sorts digits as numbers, and ids that differ never compare as equal', () => {
  const { compare } = createIdKind({ type: 'digits' }, 'notes')
  const sorted = ['0', '00', '1', '01', '001', '2', '10', '010', '99999999999999999999'] as Id[]
  expect(sorted.toReversed().toSorted(compare)).toEqual(sorted)
})

const KINDS: readonly IdDescription[] = [
  { type: 'int64' },
  { type: 'integer' },
  { type: 'integer', minimum: 100, maximum: 105 },
  { type: 'integer', maximum: 0 },
  { type: 'integer', minimum: 12, multipleOf: 5 },
  { type: 'int64', minimum: 1000 },
  { type: 'uuid' },
  { type: 'digits' },
  { type: 'text' },
  { type: 'text', prefix: 'cus_' },
  { type: 'text', minLength: 30, maxLength: 32 },
  { type: 'text', prefix: 'long_prefix', maxLength: 4 },
  { type: 'text', maxLength: 1 },
  { type: 'text', pattern: '^[a-f0-9]{24}$' },
  { type: 'text', pattern: '^[0-9]{2}$' },
]

describe.each(KINDS)('new ids of the kind %j', (description) => {
  const kind = createIdKind(description, 'notes')

  it('are read back as they are', () => {
    for (const id of take(sequenceOver(kind, []), 5)) {
      const isBeyond = description.type === 'integer' && Number(id) > (description.maximum ?? Number.POSITIVE_INFINITY)
      if (!isBeyond) expect([kind.read(id), kind.read(kind.toJson(id))]).toEqual([id, id])
    }
  })

  it('are the same in every sequence', () => {
    expect(take(sequenceOver(kind, []), 5)).toEqual(take(sequenceOver(kind, []), 5))
  })

  it('never repeat and never collide, whatever is in use, chosen, restored or rolled back', () => {
    const made = take(sequenceOver(kind, []), 40)
    const action = fc.constantFrom('take', 'choose', 'peek', 'roll back', 'snapshot', 'restore', 'continue', 'reset')
    const step = fc.record({ action, pick: fc.nat(39) })
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(39), { maxLength: 10 }), fc.array(step, { maxLength: 40 }), (used, steps) => {
        const starting = used.map((index) => made[index] as Id)
        let sequence = sequenceOver(kind, starting)
        let inUse = new Set<Id>(starting)
        let kept = { ids: sequence.snapshot(), inUse }
        const use = (id: Id) => {
          expect(inUse.has(id)).toBe(false)
          inUse = new Set([...inUse, id])
        }
        for (const { action, pick } of steps) {
          const chosen = made[pick] as Id
          if (action === 'take') use(sequence.take())
          else if (action === 'choose' && !inUse.has(chosen)) use(sequence.choose(chosen))
          else if (action === 'peek') expect(inUse.has(sequence.peek())).toBe(false)
          else if (action === 'roll back') {
            const [mark, next] = [sequence.mark(), sequence.peek()]
            sequence.take()
            sequence.choose(chosen)
            sequence.rollBackTo(mark)
            expect(sequence.peek()).toBe(next)
          } else if (action === 'snapshot') kept = { ids: sequence.snapshot(), inUse }
          else if (action === 'restore') {
            sequence.restore(kept.ids)
            inUse = kept.inUse
          } else if (action === 'continue') {
            const next = sequence.peek()
            sequence = sequenceOver(kind, [...inUse], sequence.continuation)
            expect(sequence.peek()).toBe(next)
            kept = { ids: sequence.snapshot(), inUse }
            starting.splice(0, starting.length, ...inUse)
          } else if (action === 'reset') {
            sequence.reset()
            inUse = new Set(starting)
          }
        }
      }),
      RUNS,
    )
  })
})

describe('new ids sort in the order in which they were made', () => {
  it.each<IdDescription>([
    { type: 'int64' },
    { type: 'integer' },
    { type: 'uuid' },
    { type: 'digits' },
    { type: 'text' },
    { type: 'text', prefix: 'cus_' },
    { type: 'text', maxLength: 4 },
    { type: 'text', pattern: '^[A-Z]{2}-[0-9]{8}$' },
  ])('%j', (description) => {
    const kind = createIdKind(description, 'notes')
    const number = fc.integer({ min: 1, max: 1_000_000 })
    fc.assert(
      fc.property(number, number, (one, other) => {
        const [a, b] = [one, other].map((first) => sequenceOver(kind, [], String(first)).take()) as [Id, Id]
        expect(Math.sign(kind.compare(a, b))).toBe(Math.sign(one - other))
      }),
      RUNS,
    )
  })
})

describe('the sequence of a counted kind', () => {
  const kind = createIdKind({ type: 'text', prefix: 'cus_' }, 'notes')
  const made = take(sequenceOver(kind, []), 10)

  it('continues after as many as there are starting records', () => {
    expect(sequenceOver(kind, made.slice(0, 3)).take()).toBe(made[3])
    expect(sequenceOver(kind, ['ada' as Id, 'bo' as Id]).take()).toBe(made[2])
  })

  it('continues from a number, and skips ids in use', () => {
    const sequence = sequenceOver(kind, [made[4] as Id], '4')
    expect(sequence.continuation).toBe('4')
    expect(sequence.take()).toBe(made[3])
    expect(sequence.continuation).toBe('6')
    expect(sequence.take()).toBe(made[5])
  })
})

describe('the sequence of integers', () => {
  const kind = createIdKind({ type: 'integer', minimum: 10, maximum: 20 }, 'notes')
  it.each<[string, number[], string[]]>([
    ['starts at the minimum', [], ['10', '11']],
    ['continues after the largest', [12, 18], ['19', '20', '21']],
    ['uses the smallest free ids if the maximum is in use', [10, 20], ['11', '12']],
  ])('%s', (_, used, expected) => {
    const ids = used.map((id) => String(id) as Id)
    expect(take(sequenceOver(kind, ids), expected.length)).toEqual(expected)
  })

  it('is positive unless the range is not', () => {
    expect(take(sequenceOver(createIdKind({ type: 'integer', minimum: -5 }, 'notes'), []), 1)).toEqual(['1'])
    expect(take(sequenceOver(createIdKind({ type: 'integer', minimum: -5, maximum: 0 }, 'notes'), []), 2)).toEqual([
      '-5',
      '-4',
    ])
  })
})

describe('a new UUID', () => {
  it('is of version 7, with the time first', () => {
    for (const id of take(sequenceOver(createIdKind({ type: 'uuid' }, 'notes'), []), 50)) {
      expect(id).toMatch(/^01941[0-9a-f]{3}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    }
  })
})

it('new UUIDs differ from collection to collection', () => {
  const first = (name: string) => take(sequenceOver(createIdKind({ type: 'uuid' }, name), []), 1)
  expect(first('notes')).not.toEqual(first('books'))
})

describe('a new text id', () => {
  it.each<[Omit<Extract<IdDescription, { type: 'text' }>, 'type'>, RegExp]>([
    [{}, /^[0-9a-z]{14}$/],
    [{ prefix: 'cus_' }, /^cus_[0-9a-z]{14}$/],
    [{ prefix: 'cus_', maxLength: 10 }, /^cus_[0-9a-z]{6}$/],
    [{ minLength: 20 }, /^[0-9a-z]{20}$/],
    [{ pattern: '^[a-zA-Z0-9_-]+$' }, /^[0-9a-z]{14}$/],
    [{ pattern: '^[a-f0-9]{24}$' }, /^[a-f0-9]{24}$/],
    [{ pattern: '^AC[0-9a-fA-F]{32}$' }, /^AC[0-9a-f]{32}$/],
    [{ pattern: '^[0-9A-Z]{5}$' }, /^[0-9A-Z]{5}$/],
    [{ pattern: '^\\d+$' }, /^\d{12}$/],
    [{ pattern: '^\\d+$', maxLength: 6 }, /^\d{4}$/],
    [{ pattern: '^\\d{2}$', maxLength: 2 }, /^\d{2}$/],
    [{ pattern: '^(?:usr|org)_\\w{8,}$' }, /^usr_[0-9a-z]{12}$/],
    [{ pattern: '^[A-Z]{2}-\\d{3,5}(?:\\.[a-z]+)*$' }, /^[A-Z]{2}-\d{5}$/],
    [{ pattern: '^#?[^/]{3}\\/x?$' }, /^[0-9a-z]{3}\/$/],
    [{ pattern: '[*]{2}' }, /^\*\*\d+$/],
    [{ prefix: 'a', pattern: '^(?=b)c$' }, /^a[0-9a-z]{14}$/],
    [{ pattern: '^(a)\\1$' }, /^[0-9a-z]{14}$/],
    [{ pattern: '^[a-z]{9999}$' }, /^[0-9a-z]{14}$/],
    [{ pattern: '^(' }, /^[0-9a-z]{14}$/],
    [{ pattern: '^$' }, /^[0-9a-z]{14}$/],
    [{ minLength: 5, maxLength: 2 }, /^[0-9a-z]{2}$/],
  ])('%j', (description, expected) => {
    const ids = take(sequenceOver(createIdKind({ type: 'text', ...description }, 'notes'), []), 20)
    for (const id of ids) expect(id).toMatch(expected)
    expect(new Set(ids).size).toBe(20)
  })
})
