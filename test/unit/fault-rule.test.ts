import { describe, expect, it } from 'vitest'
import type { FaultRule } from '../../src/engine/control/fault-rule.js'
import { createEngine, createTimedEngine, GET_PET } from '../support/fault-engine.js'

describe('what happens', () => {
  it.each<[FaultRule, object]>([
    [{}, { kind: 'error', delayMs: 0 }],
    [{ status: 503 }, { kind: 'error', status: 503, delayMs: 0 }],
    [
      { code: 'X', message: 'y' },
      { kind: 'error', code: 'X', message: 'y', delayMs: 0 },
    ],
    [
      { status: 429, delayMs: 20 },
      { kind: 'error', status: 429, delayMs: 20 },
    ],
    [{ delayMs: 20 }, { kind: 'delay', delayMs: 20 }],
    [
      { kind: 'error', delayMs: 20 },
      { kind: 'error', delayMs: 20 },
    ],
    [{ kind: 'reset' }, { kind: 'reset', delayMs: 0 }],
    [
      { kind: 'reset', delayMs: 5 },
      { kind: 'reset', delayMs: 5 },
    ],
    [{ kind: 'timeout' }, { kind: 'timeout', delayMs: 0 }],
    [{ kind: 'truncate' }, { kind: 'truncate', delayMs: 0 }],
    [
      { kind: 'malformed', delayMs: 5 },
      { kind: 'malformed', delayMs: 5 },
    ],
    [
      { kind: 'slow', delayMs: 600_000 },
      { kind: 'slow', delayMs: 600_000 },
    ],
  ])('%j: %j', (rule, fault) => {
    const engine = createEngine()
    engine.faults.add(rule)
    const status = 'kind' in fault && fault.kind === 'error' ? { status: 500 } : {}
    expect(engine.find(GET_PET)).toEqual({ id: 1, ...status, ...fault })
  })

  it('is nothing without rules', () => {
    expect(createEngine().find(GET_PET)).toBeUndefined()
  })
})

describe('whoever watches', () => {
  it('is called with the rules that were added, applied, removed and cleared', () => {
    const { engine, emitted } = createTimedEngine()
    engine.faults.add({ status: 503 })
    engine.faults.add({ operation: 'createPet' })
    engine.find(GET_PET)
    engine.faults.remove(1)
    engine.find(GET_PET)
    engine.faults.clear()
    expect(emitted).toMatchObject([
      { type: 'fault', change: 'added', fault: { id: 1, status: 503, applied: 0 } },
      { type: 'fault', change: 'added', fault: { id: 2, operation: 'createPet' } },
      { type: 'fault', change: 'applied', fault: { id: 1, matched: 1, applied: 1 } },
      { type: 'fault', change: 'removed', fault: { id: 1, matched: 1, applied: 1 } },
      { type: 'fault', change: 'cleared' },
    ])
  })
})

describe('a rule that cannot be used', () => {
  it.each<[string, FaultRule, string]>([
    ['a status of something that is no error', { kind: 'reset', status: 503 }, '/status'],
    ['a code of something that is no error', { kind: 'delay', delayMs: 5, code: 'X' }, '/code'],
    ['a message of something that is no error', { kind: 'malformed', message: 'x' }, '/message'],
    ['a delay without its length', { kind: 'delay' }, '/delayMs'],
    ['a slow answer without its length', { kind: 'slow' }, '/delayMs'],
    ['a time-out with a length', { kind: 'timeout', delayMs: 5 }, '/delayMs'],
    ['a range that is upside down', { delayMs: [5, 4] }, '/delayMs'],
    ['a method that there is not', { method: 'GTE' }, '/method'],
    ['a method that no operation has', { method: 'OPTIONS' }, '/method'],
    ['a path with a query', { path: '/pets?limit=1' }, '/path'],
    ['a path with a fragment', { path: '/pets#1' }, '/path'],
    ['a star in the middle of a path', { path: '/pets/*/photos' }, '/path'],
    ['two stars', { path: '/pets/**' }, '/path'],
  ])('has %s', (_, rule, pointer) => refuses(rule, 'INVALID_FAULT', pointer))

  it.each<[string, unknown, string]>([
    ['no object', null, ''],
    ['a list', [], ''],
    ['an unknown field', { operatoin: 'getPet' }, 'operatoin'],
    ['an operation that is no text', { operation: 5 }, '/operation'],
    ['a method that is no text', { method: 5 }, '/method'],
    ['a path that is no text', { path: /pets/ }, '/path'],
    ['a path that begins elsewhere', { path: 'pets' }, '/path'],
    ['a status that is no failure', { status: 200 }, '/status'],
    ['a status that there is not', { status: 600 }, '/status'],
    ['a status with a fraction', { status: 500.5 }, '/status'],
    ['a status as text', { status: '503' }, '/status'],
    ['an empty code', { code: '' }, '/code'],
    ['a code too long', { code: 'X'.repeat(101) }, '/code'],
    ['an empty message', { message: '' }, '/message'],
    ['a message too long', { message: 'x'.repeat(501) }, '/message'],
    ['a negative delay', { delayMs: -1 }, '/delayMs'],
    ['a delay of more than ten minutes', { delayMs: 600_001 }, '/delayMs'],
    ['a delay that is no number', { delayMs: Number.NaN }, '/delayMs'],
    ['a range of one', { delayMs: [1] }, '/delayMs'],
    ['a range of three', { delayMs: [1, 2, 3] }, '/delayMs'],
    ['a range too far', { delayMs: [1, 600_001] }, '/delayMs'],
    ['a kind that there is not', { kind: 'explode' }, '/kind'],
    ['no times at all', { times: 0 }, '/times'],
    ['times with a fraction', { times: 1.5 }, '/times'],
    ['a negative after', { after: -1 }, '/after'],
    ['a probability above 1', { probability: 1.1 }, '/probability'],
    ['a negative probability', { probability: -0.1 }, '/probability'],
    ['no life at all', { expiresAfterMs: 0 }, '/expiresAfterMs'],
  ])('has or is %s', (_, rule, pointer) => refuses(rule, 'INVALID_FAULT', pointer))

  it('names an operation that there is not, and the message those that there are', () => {
    refuses({ operation: 'getPets' }, 'UNKNOWN_OPERATION', 'getPets')
    refuses({ operation: 'getHealth' }, 'UNKNOWN_OPERATION', 'listPets, createPet')
  })

  function refuses(rule: unknown, code: string, mentioning: string): void {
    const { engine, emitted } = createTimedEngine()
    expect(() => engine.faults.add(rule as FaultRule)).toThrow(
      expect.objectContaining({ name: 'MockError', code, message: expect.stringContaining(mentioning) }),
    )
    expect(engine.faults.list()).toEqual([])
    expect(emitted).toEqual([])
    expect(engine.faults.add().id).toBe(1)
  }
})
