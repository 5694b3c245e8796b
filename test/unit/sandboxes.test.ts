import { beforeEach, describe, expect, it } from 'vitest'
import { createSandboxes, type SandboxHouse } from '../../src/engine/control/sandboxes.js'

const START = Date.parse('2026-06-30T12:00:00.000Z')

/** What the machine's date says, and how far the monotonic clock is behind it. */
let now: number
let setAhead: number
let made: number
let dismissed: number[]
let uses: (() => void)[]

beforeEach(() => {
  now = START
  setAhead = 0
  made = 0
  dismissed = []
  uses = []
})

function open(limits: { max?: number; idleMs?: number } = {}): SandboxHouse<number> {
  return createSandboxes({
    create: (use) => {
      uses.push(use)
      made += 1
      return made
    },
    dismiss: (sandbox) => void dismissed.push(sandbox),
    ...{ max: 3, idleMs: 1000, time: { now: () => now - setAhead }, date: { now: () => now }, ...limits },
  })
}

const namesOf = ({ sandboxes }: SandboxHouse<number>) => sandboxes.list().map(({ name }) => name)

describe('a sandbox that somebody keeps', () => {
  it('is in use while it is used, by whatever way', () => {
    const house = open({ max: 2 })
    house.enter('a')
    house.enter('b')
    uses[0]?.()
    house.enter('c')
    expect(namesOf(house)).toEqual(['a', 'c'])
  })

  it('stays gone once it is', () => {
    const house = open()
    house.enter('a')
    house.sandboxes.delete('a')
    uses[0]?.()
    expect(namesOf(house)).toEqual([])
  })
})

describe('a sandbox', () => {
  it('is made at its first use, and there from then on', () => {
    const house = open()
    expect(namesOf(house)).toEqual([])
    expect([house.enter('a'), house.enter('b'), house.enter('a'), house.sandboxes.get('b')]).toEqual([1, 2, 1, 2])
  })

  it('tells when it was made and last used, and how many requests it was asked', () => {
    const house = open()
    house.enter('a')
    now += 250
    house.enter('a')
    house.sandboxes.get('a')
    now += 250
    expect(house.sandboxes.list()).toEqual([
      { name: 'a', createdAt: '2026-06-30T12:00:00.000Z', lastUsedAt: '2026-06-30T12:00:00.250Z', requests: 2 },
    ])
  })

  it('that is deleted is made anew', () => {
    const house = open()
    house.enter('a')
    house.sandboxes.delete('a')
    expect(namesOf(house)).toEqual([])
    expect(dismissed).toEqual([1])
    expect(house.enter('a')).toBe(2)
    expect(house.sandboxes.list()).toMatchObject([{ name: 'a', requests: 1 }])
  })

  it('that there is not cannot be deleted', () => {
    const { sandboxes } = open()
    expect(() => sandboxes.delete('a')).toThrow(expect.objectContaining({ code: 'SANDBOX_NOT_FOUND' }))
  })

  it.each(['', 'a b', 'ä', 'a/b', 'x'.repeat(65), undefined, 5])('cannot be called %j', (name) => {
    const house = open()
    const get = () => house.sandboxes.get(name as string)
    expect(get).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }))
    expect(get).toThrow(/^the name of a sandbox must be 1 to 64 letters, digits/)
    expect(made).toBe(0)
  })
})

describe('too many sandboxes', () => {
  it('let the longest unused go, whether it was last used by a request or in process', () => {
    const house = open({ max: 3 })
    for (const name of ['a', 'b', 'c']) house.enter(name)
    house.enter('a')
    house.sandboxes.get('b')
    expect(namesOf(house)).toEqual(['c', 'a', 'b'])
    house.enter('d')
    expect(namesOf(house)).toEqual(['a', 'b', 'd'])
    house.sandboxes.get('e')
    expect(namesOf(house)).toEqual(['b', 'd', 'e'])
    expect(dismissed).toEqual([3, 1])
  })

  it('do not come about by using those there are, or by looking at them', () => {
    const house = open({ max: 2 })
    house.enter('a')
    house.enter('b')
    for (let count = 0; count < 10; count++) {
      house.enter('b')
      house.enter('a')
    }
    expect(namesOf(house)).toEqual(['b', 'a'])
    expect(namesOf(house)).toEqual(['b', 'a'])
    expect(made).toBe(2)
  })

  it('may be two already', () => {
    const house = open({ max: 1 })
    expect([house.enter('a'), house.enter('a'), house.enter('b'), house.enter('a')]).toEqual([1, 1, 2, 3])
    expect(namesOf(house)).toEqual(['a'])
  })
})

describe('an unused sandbox', () => {
  it('goes after its time, and no other with it', () => {
    const house = open({ idleMs: 1000 })
    house.enter('a')
    now += 600
    house.enter('b')
    now += 400
    expect(namesOf(house)).toEqual(['a', 'b'])
    now += 1
    expect(namesOf(house)).toEqual(['b'])
    expect(dismissed).toEqual([1])
    expect(house.enter('a')).toBe(3)
  })

  it('stays as long as it is used again in time', () => {
    const house = open({ idleMs: 1000 })
    house.enter('a')
    for (let count = 0; count < 5; count++) {
      now += 1000
      expect(house.enter('a')).toBe(1)
    }
    now += 1001
    expect(house.enter('a')).toBe(2)
  })

  it('is no longer there to be deleted', () => {
    const house = open({ idleMs: 1000 })
    house.enter('a')
    now += 1001
    expect(() => house.sandboxes.delete('a')).toThrow(expect.objectContaining({ code: 'SANDBOX_NOT_FOUND' }))
  })

  it('makes room before one in use has to go', () => {
    const house = open({ max: 2, idleMs: 1000 })
    house.enter('a')
    now += 600
    house.enter('b')
    now += 600
    house.enter('c')
    expect(namesOf(house)).toEqual(['b', 'c'])
  })

  it.each([-86_400_000, 86_400_000])('does not go because the date is changed by %i ms', (by) => {
    const house = open({ idleMs: 1000 })
    house.enter('a')
    now += by
    setAhead += by
    house.enter('b')
    expect(namesOf(house)).toEqual(['a', 'b'])
    now += 1001
    expect(namesOf(house)).toEqual([])
  })
})
