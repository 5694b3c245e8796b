import { describe, expect, it } from 'vitest'
import type { FaultRule } from '../../src/engine/rules/fault-rule.js'
import type { FaultEngine } from '../../src/engine/rules/faults.js'
import { createRandom, drawSpan } from '../../src/lib/random.js'
import { CREATE, createEngine, createTimedEngine, GET_PET, LIST } from '../support/fault-engine.js'

describe('which requests a rule matches', () => {
  it.each<[FaultRule, object, boolean]>([
    [{}, GET_PET, true],
    [{ operation: 'createPet' }, GET_PET, false],
    [{ method: 'get' }, GET_PET, true],
    [{ method: 'POST' }, GET_PET, false],
    [{ method: 'GET' }, { ...GET_PET, method: 'HEAD' }, false],
    [{ method: 'HEAD' }, { ...GET_PET, method: 'HEAD' }, true],
    [{ operation: 'getPet' }, { ...GET_PET, method: 'HEAD' }, true],
    [{ path: '/pets/1' }, GET_PET, true],
    [{ path: '/pets/1' }, { ...GET_PET, segments: ['pets', '12'] }, false],
    [{ path: '/pets' }, GET_PET, false],
    [{ path: '/pets/*' }, GET_PET, true],
    [{ path: '/pets/*' }, LIST, false],
    [{ path: '/pets*' }, LIST, true],
    [{ path: '/*' }, GET_PET, true],
    [{ path: '/store/*' }, GET_PET, false],
    [{ operation: 'createPet', method: 'POST', path: '/pets' }, CREATE, true],
  ])('%j of %j: %s', (rule, request, matches) => {
    const engine = createEngine()
    engine.faults.add(rule)
    expect(engine.find(request as typeof GET_PET) !== undefined).toBe(matches)
    expect(engine.faults.list()).toMatchObject([{ matched: Number(matches), applied: Number(matches) }])
  })
})

describe('the rule that applies', () => {
  it('is the next one once a rule is used up, not yet due, or has expired', () => {
    const { engine, advance } = createTimedEngine()
    engine.faults.add({ status: 501, times: 1 })
    engine.faults.add({ status: 502, after: 3 })
    engine.faults.add({ status: 503, expiresAfterMs: 1000 })
    engine.faults.add({ status: 504 })
    expect(statuses(engine, [GET_PET, GET_PET, GET_PET, GET_PET])).toEqual([501, 503, 503, 502])
    engine.faults.remove(2)
    expect(statuses(engine, [GET_PET])).toEqual([503])
    advance(1000)
    expect(statuses(engine, [GET_PET])).toEqual([504])
  })
})

describe('a fault', () => {
  it('skips the first requests with `after`, and counts only those that match', () => {
    const engine = createEngine()
    engine.faults.add({ operation: 'getPet', status: 503, after: 2, times: 1 })
    const requests = [CREATE, GET_PET, CREATE, GET_PET, CREATE, GET_PET, GET_PET]
    expect(statuses(engine, requests)).toEqual([...repeat(undefined, 5), 503, undefined])
    expect(engine.faults.list()).toMatchObject([{ matched: 4, applied: 1, active: false }])
  })

  it('never happens at a probability of 0, and always at 1', () => {
    const engine = createEngine()
    engine.faults.add({ status: 501, probability: 0 })
    engine.faults.add({ status: 502, probability: 1 })
    expect(statuses(engine, repeat(GET_PET, 200))).toEqual(repeat(502, 200))
  })

  it('happens about as often as its probability', () => {
    const engine = createEngine()
    engine.faults.add({ probability: 0.25 })
    const happened = repeat(GET_PET, 4000).filter((request) => engine.find(request)).length
    expect(happened).toBeGreaterThan(900)
    expect(happened).toBeLessThan(1100)
    expect(engine.faults.list()).toMatchObject([{ matched: 4000, applied: happened }])
  })

  it('counts only faults that happened towards `times`', () => {
    const engine = createEngine()
    engine.faults.add({ probability: 0.5, times: 3 })
    const happened = outcomes(engine, repeat(GET_PET, 100)).filter((kind) => kind !== undefined)
    expect(happened).toHaveLength(3)
    expect(engine.faults.list()).toMatchObject([{ matched: 100, applied: 3, active: false }])
  })
})

describe('randomness', () => {
  const PLAN: FaultRule[] = [
    { operation: 'getPet', probability: 0.3, kind: 'reset' },
    { method: 'POST', probability: 0.5, status: 503, times: 4 },
    { probability: 0.4, delayMs: [10, 5000], after: 2 },
    { path: '/pets*', probability: 0.2, kind: 'slow', delayMs: [1, 9] },
  ]
  const REQUESTS = Array.from({ length: 60 }, (_, index) => [GET_PET, CREATE, LIST][index % 3] as typeof GET_PET)

  it('starts again with a restart and with a clear, but not with a remove', () => {
    const engine = createEngine(7)
    const first = addAndPlay(engine)
    engine.reset()
    expect(addAndPlay(engine)).toEqual(first)
    engine.faults.clear()
    expect(withoutIds(addAndPlay(engine))).toEqual(withoutIds(first))
    for (const { id } of engine.faults.list()) engine.faults.remove(id)
    expect(withoutIds(addAndPlay(engine))).not.toEqual(withoutIds(first))
  })

  it('of one rule does not depend on requests it does not match, nor on other rules', () => {
    const [alone, crowded] = [createEngine(7), createEngine(7)]
    alone.faults.add({ operation: 'getPet', probability: 0.5, status: 503 })
    crowded.faults.add({ operation: 'getPet', probability: 0.5, status: 503 })
    crowded.faults.add({ operation: 'createPet', probability: 0.5, status: 500 })
    const drawn = outcomes(alone, repeat(GET_PET, 40))
    const mixed = repeat(GET_PET, 40).flatMap((request) => [...outcomes(crowded, [CREATE, LIST, request])].slice(2))
    expect(mixed).toEqual(drawn)
  })

  it('picks a delay within its range, including both ends', () => {
    const engine = createEngine()
    engine.faults.add({ delayMs: [3, 6] })
    const delays = repeat(GET_PET, 200).map((request) => engine.find(request)?.delayMs)
    expect(new Set(delays)).toEqual(new Set([3, 4, 5, 6]))
  })

  it('is not used without a range', () => {
    const random = () => expect.unreachable('No random number is needed.')
    expect(drawSpan(250, random)).toBe(250)
    expect(drawSpan([250, 250], createRandom(1, 'test'))).toBe(250)
  })

  function addAndPlay(engine: FaultEngine) {
    for (const rule of PLAN) engine.faults.add(rule)
    return REQUESTS.map((request) => {
      const { giveBack, ...found } = engine.find(request) ?? {}
      return found
    })
  }

  function withoutIds(found: readonly object[]) {
    return found.map((each) => ({ ...each, id: undefined }))
  }
})

describe('the list of rules', () => {
  it('does not change with the objects that were given or returned', () => {
    const engine = createEngine()
    const given = { status: 503, delayMs: [1, 2] as [number, number] }
    const added = engine.faults.add(given)
    given.status = 400
    given.delayMs[0] = 600
    for (const fault of [added, ...engine.faults.list(), engine.faults.update(1, {})]) {
      Object.assign(fault.delayMs as object, [700])
      Object.assign(fault, { status: 401, id: 9 })
    }
    expect(engine.faults.list()).toMatchObject([{ id: 1, status: 503, delayMs: [1, 2] }])
  })

  it('loses removed rules, whose ids are not reused until a restart', () => {
    const engine = createEngine()
    for (const status of [500, 501, 502]) engine.faults.add({ status })
    engine.faults.remove(2)
    expect(engine.faults.list().map(({ id }) => id)).toEqual([1, 3])
    engine.faults.clear()
    expect(engine.faults.list()).toEqual([])
    expect(engine.faults.add().id).toBe(4)
    engine.reset()
    expect(engine.faults.list()).toEqual([])
    expect(engine.faults.add().id).toBe(1)
  })

  it('has at most 1,000 rules, used up or not', () => {
    const engine = createEngine()
    for (let count = 0; count < 1000; count++) engine.faults.add({ times: 1 })
    expect(() => engine.faults.add()).toThrow(
      expect.objectContaining({ name: 'MockError', code: 'LIMIT_REACHED', message: expect.stringContaining('1000') }),
    )
    engine.faults.remove(500)
    expect(engine.faults.add().id).toBe(1001)
    expect(() => engine.faults.add()).toThrow('1000')
    engine.faults.clear()
    expect(engine.faults.add().id).toBe(1002)
  })
})

function repeat<T>(value: T, times: number): T[] {
  return Array.from({ length: times }, () => value)
}

function statuses(engine: FaultEngine, requests: readonly (typeof GET_PET)[]): (number | undefined)[] {
  return requests.map((request) => engine.find(request)?.status)
}

function outcomes(engine: FaultEngine, requests: readonly (typeof GET_PET)[]): (string | undefined)[] {
  return requests.map((request) => engine.find(request)?.kind)
}
