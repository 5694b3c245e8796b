import { expect, it } from 'vitest'
import { describeEveryAdapter } from '../support/adapters.js'
import { type Client, exportState, exportText, openClient, probeNextIds, shop } from '../support/client.js'
import { findBrokenInvariants } from '../support/invariants.js'

describeEveryAdapter('simultaneous requests', (adapter) => {
  it('of every kind break no invariant', async () => {
    const pets = [1, 2, 3].map((id) => ({ id, stock: 20 }))
    const api = await openClient(adapter, { fixtures: shop(pets) })
    const rounds = Array.from({ length: 10 }, (_, round) => {
      const order = `/store/orders/${1 + (round % 9)}`
      const petId = 1 + (round % 3)
      return [
        api.post('/store/orders', { petId, quantity: 1 + (round % 4) }),
        api.patch(order, { petId }),
        api.patch(order, { complete: true }),
        api.delete(order),
        api.put(`/store/inventory/${petId}`, { quantity: round % 5 }),
        api.delete(`/pets/${petId}`),
      ]
    })
    const responses = await Promise.all(rounds.flat())
    expect(responses.filter(({ status }) => status >= 500)).toStrictEqual([])
    expect(findBrokenInvariants(await exportState(api.mock))).toStrictEqual([])
  })
})

/** Changes records of every kind. The ids depend on the current state. */
async function change(api: Client, name: string): Promise<void> {
  const category = await api.post('/categories', { name })
  const { id } = category.body as { id: number }
  await api.post('/pets', { name, categoryId: id })
  await api.put('/pets/1', { name, categoryId: id })
  await api.post('/store/orders', { petId: 1, quantity: 2 })
  await api.put('/store/inventory/2', { quantity: name.length })
  await api.delete('/pets/3')
}

const SHOP = {
  fixtures: shop([{ id: 1, stock: 50 }, { id: 2 }, { id: 3 }], [{ id: 1, petId: 1, quantity: 1, complete: false }]),
}

describeEveryAdapter('two mocks', (adapter) => {
  it('share nothing, even if they are created from the same object', async () => {
    const fixtures = structuredClone(SHOP.fixtures)
    const [one, two] = [await openClient(adapter, { fixtures }), await openClient(adapter, { fixtures })]
    const start = await exportText(two.mock)
    expect(await exportText(one.mock)).toBe(start)
    await change(one, 'One')
    one.mock.petstore.clock.freeze()
    one.mock.petstore.clock.set('2031-01-01T00:00:00Z')
    expect(await exportText(one.mock)).not.toBe(start)
    expect(await exportText(two.mock)).toBe(start)
    expect(two.mock.petstore.clock.now()).not.toBe(one.mock.petstore.clock.now())
    expect(await probeNextIds(two.mock)).toStrictEqual(['/categories/3', '/pets/4', '/store/orders/2'])
    two.mock.petstore.reset()
    expect((await one.get('/categories/3')).body).toStrictEqual({ id: 3, name: 'One' })
    expect(fixtures).toStrictEqual(SHOP.fixtures)
  })
})
