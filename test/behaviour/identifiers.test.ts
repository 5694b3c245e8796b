import { expect, it } from 'vitest'
import { describeAdapters } from '../support/adapters.js'
import { forEachCase } from '../support/cases.js'
import { expectStock, openClient } from '../support/client.js'

const MAX = 9223372036854775807n
const MIN = -9223372036854775808n
const EVEN = 9007199254740992n
const ODD = 9007199254740993n
const BIG = [EVEN, ODD, MAX, MIN]

/** For each id: a category, a pet in it and an order for that pet, all with that id. */
function shopOf(ids: readonly (number | bigint)[]) {
  return {
    fixtures: {
      categories: ids.map((id) => ({ id, name: `Category ${id}` })),
      pets: ids.map((id) => ({ id, name: `Pet ${id}`, categoryId: id })),
      orders: ids.map((id) => ({ id, petId: id, quantity: 1, complete: false })),
    },
  }
}

describeAdapters('identifiers', (adapter) => {
  it('are exact in lists, and sorted as integers', async () => {
    const api = await openClient(adapter, shopOf([...BIG, 2, 10]))
    const sorted = [MIN, 2, 10, EVEN, ODD, MAX]
    const idsOf = ({ body }: { body: unknown }) => (body as { id?: unknown; petId?: unknown }[]).map((item) => item.id)
    expect(idsOf(await api.get('/categories'))).toStrictEqual(sorted)
    expect(idsOf(await api.get('/pets'))).toStrictEqual(sorted)
    expect(idsOf(await api.get('/store/orders'))).toStrictEqual(sorted)
    expect(idsOf(await api.get('/pets?sort=-categoryId'))).toStrictEqual([...sorted].reverse())
    expect(idsOf(await api.get('/store/orders?sort=petId'))).toStrictEqual(sorted)
    const inventory = (await api.get('/store/inventory')).body as { petId: unknown }[]
    expect(inventory.map(({ petId }) => petId)).toStrictEqual(sorted)
  })

  it('are exact as references', async () => {
    const api = await openClient(adapter, shopOf([...BIG, 1]))
    await forEachCase(BIG, async (id) => {
      api.mock.petstore.reset()
      expect((await api.post('/pets', { name: 'New', categoryId: id })).body).toMatchObject({ categoryId: id })
      expect((await api.post('/store/orders', { petId: id })).body).toMatchObject({ petId: id })
      await expectStock(api, id, 0, 'pending')
      for (const other of BIG.filter((each) => each !== id)) await expectStock(api, other, 1, 'available')
    })
  })
})
