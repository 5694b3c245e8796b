import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Petstore, PetstoreData } from '../../src/index.js'
import { describeAdapters, inMemory } from '../support/adapters.js'
import { createClient, exportState } from '../support/client.js'
import { isFullRun } from '../support/full-run.js'
import { findBrokenInvariants } from '../support/invariants.js'
import { SHOP } from './data-shop.js'

type Call = (data: PetstoreData) => unknown

const ID = fc.integer({ min: 0, max: 8 })
const COUNT = fc.integer({ min: -1, max: 5 })
const STATUS = fc.constantFrom('available' as const, 'pending' as const, 'sold' as const)
const PET = fc.record({ categoryId: ID, status: STATUS, stock: COUNT }, { requiredKeys: [] })
const ORDER = fc.record({ petId: ID, quantity: COUNT, complete: fc.boolean() }, { requiredKeys: [] })

const CALL = fc.oneof(
  callWith(fc.constant({}), ({ categories }, fields) => categories.create(fields)),
  callWith(ID, ({ categories }, id) => categories.delete(id)),
  callWith(PET, ({ pets }, fields) => pets.create(fields)),
  callWith(fc.tuple(ID, PET), ({ pets }, [id, fields]) => pets.update(id, fields)),
  callWith(ID, ({ pets }, id) => pets.delete(id)),
  callWith(ORDER, ({ orders }, fields) => orders.create(fields)),
  callWith(fc.tuple(ID, ORDER), ({ orders }, [id, fields]) => orders.update(id, fields)),
  callWith(ID, ({ orders }, id) => orders.delete(id)),
  callWith(fc.tuple(ID, COUNT), ({ inventory }, [id, quantity]) => inventory.update(id, { quantity })),
)

function callWith<T>(given: fc.Arbitrary<T>, act: (data: PetstoreData, given: T) => unknown): fc.Arbitrary<Call> {
  return given.map((value) => (data) => act(data, value))
}

function play({ data }: Petstore, call: Call): 'succeeded' | 'rejected' {
  const readAll = () => [data.categories.all(), data.pets.all(), data.inventory.all(), data.orders.all()]
  const before = readAll()
  try {
    call(data)
    return 'succeeded'
  } catch (error) {
    expect(error).toMatchObject({ name: 'MockError', code: 'INVALID_DATA' })
    expect(readAll()).toStrictEqual(before)
    return 'rejected'
  }
}

describeAdapters('data', (adapter) => {
  it('keeps the invariants through random calls, and stores nothing of rejected ones (seed 20260331)', async () => {
    const numRuns = isFullRun ? 20 : adapter === inMemory ? 8 : 2
    const outcomes = { succeeded: 0, rejected: 0 }
    const property = fc.asyncProperty(fc.array(CALL, { minLength: 20, maxLength: 40, size: 'max' }), async (calls) => {
      const mock = await adapter.open({ fixtures: SHOP })
      try {
        for (const call of calls) outcomes[play(mock.petstore, call)] += 1
        expect(findBrokenInvariants(await exportState(mock))).toEqual([])
        expect((await createClient(mock).get('/pets')).body).toStrictEqual(mock.petstore.data.pets.all().slice(0, 20))
      } finally {
        await mock.close()
      }
    })
    await fc.assert(property, { seed: 20_260_331, numRuns })
    expect(Math.min(outcomes.succeeded, outcomes.rejected)).toBeGreaterThan(5 * numRuns)
  })
})
