import { describe, expect, it } from 'vitest'
import type { Id } from '../../src/lib/int64.js'
import { storeError } from '../../src/petstore/errors.js'
import { rulesOf } from '../../src/petstore/operations.js'
import type { PetRecord, PetStatus } from '../../src/petstore/records.js'

const enforcedRules = rulesOf({ rules: 'on' })

const petWith = (status: PetStatus, stock: number): PetRecord => ({
  id: '7' as Id,
  name: 'Rex',
  categoryId: '1' as Id,
  status,
  stock,
})

describe('cancelling an order', () => {
  it.each<PetStatus>(['available', 'pending'])(
    'returns its units, which makes a pet that is %s available',
    (status) => {
      expect(enforcedRules.cancel(petWith(status, 1), 2)).toEqual(petWith('available', 3))
    },
  )

  it('is rejected if the stock would exceed the safe integers', () => {
    const full = petWith('available', Number.MAX_SAFE_INTEGER - 1)
    expect(enforcedRules.cancel(full, 1).stock).toBe(Number.MAX_SAFE_INTEGER)
    const error = storeError('INVALID_TRANSITION', 'Adding 2 to the stock of pet 7 would make it too large.')
    expect(() => enforcedRules.cancel(full, 2)).toThrow(error)
  })
})
