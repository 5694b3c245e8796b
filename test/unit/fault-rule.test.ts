import { describe, expect, it } from 'vitest'
import type { FaultRule } from '../../src/engine/rules/fault-rule.js'
import { createEngine, createTimedEngine, GET_PET } from '../support/fault-engine.js'

describe('the fault of a rule', () => {
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
})

// @ts-expect-error delayMs is missing
const DELAY_WITHOUT_DURATION: FaultRule = { kind: 'delay' }
// @ts-expect-error delayMs is missing
const SLOW_WITHOUT_DURATION: FaultRule = { kind: 'slow' }

describe('an invalid fault rule is rejected', () => {
  it.each<[string, FaultRule, string]>([
    ['a status for a kind that is not an error', { kind: 'reset', status: 503 }, '/status'],
    ['a delay without a duration', DELAY_WITHOUT_DURATION, '/delayMs'],
    ['a slow response without a duration', SLOW_WITHOUT_DURATION, '/delayMs'],
    ['a timeout with a duration', { kind: 'timeout', delayMs: 5 }, '/delayMs'],
    ['a range whose minimum exceeds its maximum', { delayMs: [5, 4] }, '/delayMs'],
    ['an unknown method', { method: 'GTE' }, '/method'],
    ['a method that no operation has', { method: 'OPTIONS' }, '/method'],
    ['a path with a query', { path: '/pets?limit=1' }, '/path'],
    ['an asterisk in the middle of a path', { path: '/pets/*/photos' }, '/path'],
    ['two asterisks', { path: '/pets/**' }, '/path'],
  ])('with %s', (_, rule, pointer) => expectRejected(rule, 'INVALID_FAULT', pointer))

  it.each<[string, unknown, string]>([
    ['null', null, ''],
    ['an unknown field', { operatoin: 'getPet' }, 'operatoin'],
    ['an operation that is not a string', { operation: 5 }, '/operation'],
    ['a path that is not a string', { path: /pets/ }, '/path'],
    ['a path without a leading slash', { path: 'pets' }, '/path'],
    ['a status that is not an error', { status: 200 }, '/status'],
    ['a status with a fraction', { status: 500.5 }, '/status'],
    ['an empty code', { code: '' }, '/code'],
    ['a code that is too long', { code: 'X'.repeat(101) }, '/code'],
    ['a message that is too long', { message: 'x'.repeat(501) }, '/message'],
    ['a negative delay', { delayMs: -1 }, '/delayMs'],
    ['a delay of more than ten minutes', { delayMs: 600_001 }, '/delayMs'],
    ['a range of one number', { delayMs: [1] }, '/delayMs'],
    ['a range that is too large', { delayMs: [1, 600_001] }, '/delayMs'],
    ['an unknown kind', { kind: 'explode' }, '/kind'],
    ['0 times', { times: 0 }, '/times'],
    ['a negative after', { after: -1 }, '/after'],
    ['a probability above 1', { probability: 1.1 }, '/probability'],
    ['an expiry of 0 ms', { expiresAfterMs: 0 }, '/expiresAfterMs'],
  ])('if it is or has %s', (_, rule, pointer) => expectRejected(rule, 'INVALID_FAULT', pointer))

  it('with an unknown operation, and the message lists the known ones', () => {
    expectRejected({ operation: 'getPets' }, 'UNKNOWN_OPERATION', 'getPets')
    expectRejected({ operation: 'getHealth' }, 'UNKNOWN_OPERATION', 'listPets, createPet')
  })

  function expectRejected(rule: unknown, code: string, mentioning: string): void {
    const { engine, emitted } = createTimedEngine()
    expect(() => engine.faults.add(rule as FaultRule)).toThrow(
      expect.objectContaining({ name: 'MockError', code, message: expect.stringContaining(mentioning) }),
    )
    expect(engine.faults.list()).toEqual([])
    expect(emitted).toEqual([])
    expect(engine.faults.add().id).toBe(1)
  }
})

it('a rule with a Headers object says what to write instead', () => {
  const { faults } = createEngine()
  expect(() => faults.add({ headers: new Headers({ a: 'b' }) as never })).toThrow('Write Object.fromEntries(headers)')
})
