import { describe, expect, it } from 'vitest'
import type { FaultRule } from '../../src/index.js'
import { createPetstore } from '../../src/index.js'

describe('a fault rule with a path prefix', () => {
  it.each<[FaultRule, string]>([
    [{ operation: 'createOrder', path: '/pets*' }, '/path and /operation cannot match the same request'],
    [{ operation: 'listPets', path: '/pets/*' }, '/path and /operation cannot match the same request'],
    [{ operation: 'getPet', path: '/pets/1/*' }, '/path matches no operation: "/pets/1/*"'],
    [{ method: 'PATCH', path: '/pets*' }, '/path and /method cannot match the same request'],
    [{ path: '/petz*' }, '/path matches no operation: "/petz*"'],
    [{ path: '/__admin/*' }, '/path matches no operation: "/__admin/*"'],
  ])('is rejected if it can match no request: %j', (rule, reason) => {
    const message = `Invalid fault rule: ${reason}`
    const { faults } = createPetstore({ scenario: 'empty' })
    expect(() => faults.add(rule)).toThrow(
      expect.objectContaining({ name: 'MockError', code: 'INVALID_FAULT', message }),
    )
    expect(faults.list()).toStrictEqual([])
  })
})
