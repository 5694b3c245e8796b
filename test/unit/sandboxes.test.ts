import { beforeEach, describe, expect, it } from 'vitest'
import { createSandboxes } from '../../src/engine/control/sandboxes.js'

const START = Date.parse('2026-06-30T12:00:00.000Z')

/** The system time, which is also the monotonic clock. */
let now: number
let made: number
let disposed: number[]
let evicted: [name: string, reason: string][]
let uses: (() => void)[]
/** What the registry repeats at the moment. */
let sweeps: Set<() => void>

beforeEach(() => {
  now = START
  made = 0
  disposed = []
  evicted = []
  uses = []
  sweeps = new Set()
})

function open(limits: { max?: number; idleMs?: number } = {}) {
  return createSandboxes({
    create: (_name, use) => {
      uses.push(use)
      made += 1
      return made
    },
    dispose: (sandbox) => void disposed.push(sandbox),
    onEvicted: (...eviction) => void evicted.push(eviction),
    every(_, sweep) {
      sweeps.add(sweep)
      return () => sweeps.delete(sweep)
    },
    ...{ max: 3, idleMs: 1000, time: { now: () => now }, date: { now: () => now }, ...limits },
  })
}

const namesOf = (registry: ReturnType<typeof open>) => registry.list().map(({ name }) => name)

describe('a reference to a sandbox', () => {
  it('does not restore a deleted sandbox', () => {
    const registry = open()
    registry.enter('a')
    registry.delete('a')
    uses[0]?.()
    expect(namesOf(registry)).toEqual([])
  })
})

describe('an idle sandbox', () => {
  it('is removed even when no sandbox is used any more', () => {
    const registry = open()
    registry.enter('a')
    registry.enter('b')
    now += 600
    uses[1]?.()
    now += 600
    for (const sweep of sweeps) sweep()
    expect(disposed).toEqual([1])
    expect(sweeps.size).toBe(1)
    now += 600
    for (const sweep of sweeps) sweep()
    expect(disposed).toEqual([1, 2])
    expect(sweeps.size).toBe(0)
    registry.enter('c')
    expect(sweeps.size).toBe(1)
  })
})

describe('too many sandboxes', () => {
  it('evict the least recently used, whether it was last used by a request or in process', () => {
    const registry = open({ max: 3 })
    for (const name of ['a', 'b', 'c']) registry.enter(name)
    registry.enter('a')
    registry.get('b')
    expect(namesOf(registry)).toEqual(['c', 'a', 'b'])
    expect(registry.enter('b')).toMatchObject({ isNew: false, evicted: undefined })
    expect(registry.enter('d')).toMatchObject({ isNew: true, evicted: 'c' })
    expect(namesOf(registry)).toEqual(['a', 'b', 'd'])
    expect(registry.get('e')).toBeUndefined()
    registry.open('e')
    expect(namesOf(registry)).toEqual(['b', 'd', 'e'])
    expect(disposed).toEqual([3, 1])
    expect(evicted).toEqual([
      ['c', 'limit'],
      ['a', 'limit'],
    ])
  })
})

describe('an unused sandbox', () => {
  it('expires after its time, and no other does', () => {
    const registry = open({ idleMs: 1000 })
    registry.enter('a')
    now += 600
    registry.enter('b')
    now += 400
    expect(namesOf(registry)).toEqual(['a', 'b'])
    now += 1
    expect(namesOf(registry)).toEqual(['b'])
    expect(disposed).toEqual([1])
    expect(evicted).toEqual([['a', 'idle']])
    expect(registry.enter('a')).toMatchObject({ sandbox: 3, isNew: true })
    registry.delete('a')
    expect(evicted).toHaveLength(1)
  })

  it('expires before one in use is evicted', () => {
    const registry = open({ max: 2, idleMs: 1000 })
    registry.enter('a')
    now += 600
    registry.enter('b')
    now += 600
    registry.enter('c')
    expect(namesOf(registry)).toEqual(['b', 'c'])
  })
})
