import { expect, it } from 'vitest'
import { describeAdapters } from '../support/adapters.js'
import {
  type ApiResponse,
  type Client,
  expectError,
  expectResponse,
  expectStock,
  exportState,
  exportText,
  openClient,
  probeNextIds,
  shop,
} from '../support/client.js'
import { findBrokenInvariants } from '../support/invariants.js'

/** The same request, that many times at once. */
function atOnce(times: number, ask: (index: number) => Promise<ApiResponse>): Promise<ApiResponse[]> {
  return Promise.all(Array.from({ length: times }, (_, index) => ask(index)))
}

function countOf(responses: readonly ApiResponse[], status: number): number {
  return responses.filter((response) => response.status === status).length
}

describeAdapters('simultaneous requests', (adapter) => {
  it('sell the last unit once', async () => {
    const api = await openClient(adapter, { fixtures: shop([{ id: 1 }]) })
    const responses = await atOnce(100, () => api.post('/store/orders', { petId: 1 }))
    expect(countOf(responses, 201)).toBe(1)
    const refused = responses.filter(({ status }) => status !== 201)
    expect(refused).toHaveLength(99)
    for (const response of refused) expectError(response, 409, 'PET_NOT_AVAILABLE')
    await expectStock(api, 1, 0, 'pending')
    expectResponse(await api.get('/store/orders'), 200, [{ id: 1, petId: 1, quantity: 1, complete: false }])
  })

  it('sell no more than there is', async () => {
    const api = await openClient(adapter, { fixtures: shop([{ id: 1, stock: 25 }]) })
    const responses = await atOnce(100, (index) => api.post('/store/orders', { petId: 1, quantity: 1 + (index % 3) }))
    const sold = responses
      .filter(({ status }) => status === 201)
      .map(({ body }) => (body as { quantity: number }).quantity)
    expect(countOf(responses, 201) + countOf(responses, 409)).toBe(100)
    expect(sold.reduce((sum, quantity) => sum + quantity, 0)).toBe(25)
    await expectStock(api, 1, 0, 'pending')
  })

  it('create under different ids', async () => {
    const api = await openClient(adapter, { fixtures: shop() })
    const responses = await atOnce(200, (index) => api.post('/pets', { name: `Pet ${index}`, categoryId: 1 }))
    expect(countOf(responses, 201)).toBe(200)
    expect(new Set(responses.map(({ headers }) => headers.get('location'))).size).toBe(200)
    const { pets, inventory } = await exportState(api.mock)
    expect(pets.map(({ id }) => id)).toStrictEqual(Array.from({ length: 200 }, (_, index) => index + 1))
    expect(new Set(pets.map(({ name }) => name)).size).toBe(200)
    expect(inventory).toHaveLength(200)
  })

  it('delete a pet once', async () => {
    const api = await openClient(adapter, { fixtures: shop([{ id: 1 }, { id: 2 }]) })
    const responses = await atOnce(50, () => api.delete('/pets/1'))
    expect(countOf(responses, 204)).toBe(1)
    expect(countOf(responses, 404)).toBe(49)
    expect((await exportState(api.mock)).pets.map(({ id }) => id)).toStrictEqual([2])
  })

  it('either complete or cancel an order', async () => {
    const orders = Array.from({ length: 40 }, (_, index) => ({ id: index + 1, petId: 1, quantity: 1, complete: false }))
    const api = await openClient(adapter, { fixtures: shop([{ id: 1, status: 'pending', stock: 0 }], orders) })
    const responses = await atOnce(80, (index) => {
      const path = `/store/orders/${(index >> 1) + 1}`
      return index % 2 === 0 ? api.patch(path, { complete: true }) : api.delete(path)
    })
    expect(countOf(responses, 200) + countOf(responses, 204)).toBe(40)
    expect(countOf(responses, 404) + countOf(responses, 409)).toBe(40)
    const state = await exportState(api.mock)
    expect(state.inventory[0]?.quantity).toBe(countOf(responses, 204))
    expect(state.orders).toHaveLength(countOf(responses, 200))
    expect(findBrokenInvariants(state)).toStrictEqual([])
  })

  it('of every kind leave a sound world', async () => {
    const pets = [1, 2, 3].map((id) => ({ id, stock: 20 }))
    const api = await openClient(adapter, { fixtures: shop(pets) })
    const rounds = Array.from({ length: 30 }, (_, round) => {
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

/** Changes something of every kind; which ones depends on what is there already. */
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

describeAdapters('two pet stores', (adapter) => {
  it('share nothing, though they start from the same object', async () => {
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

  it('do not follow what happens to their fixtures later', async () => {
    const fixtures = structuredClone(SHOP.fixtures)
    const api = await openClient(adapter, { fixtures })
    const start = await exportText(api.mock)
    fixtures.pets.length = 0
    for (const category of fixtures.categories) category.name = 'Changed'
    expect(await exportText(api.mock)).toBe(start)
    api.mock.petstore.reset()
    expect(await exportText(api.mock)).toBe(start)
  })

  it('of the same scenario are the same, byte for byte', async () => {
    const [one, two] = [await openClient(adapter), await openClient(adapter)]
    expect(await exportText(one.mock)).toBe(await exportText(two.mock))
    expect(await probeNextIds(one.mock)).toStrictEqual(await probeNextIds(two.mock))
  })
})

describeAdapters('snapshot, restore and reset', (adapter) => {
  /** A moment to come back to, with everything HTTP shows of it and everything it would hand out next. */
  async function mark({ mock }: Client) {
    return { snapshot: mock.petstore.snapshot(), text: await exportText(mock), nextIds: await probeNextIds(mock) }
  }

  async function expectMoment({ mock }: Client, { text, nextIds }: Awaited<ReturnType<typeof mark>>): Promise<void> {
    expect(await exportText(mock)).toBe(text)
    expect(await probeNextIds(mock)).toStrictEqual(nextIds)
  }

  it('come back to the same bytes and ids, in any order and as often as wanted', async () => {
    const api = await openClient(adapter, SHOP)
    const start = await mark(api)
    await change(api, 'One')
    const one = await mark(api)
    await change(api, 'Two')
    const two = await mark(api)
    expect(new Set([start.text, one.text, two.text]).size).toBe(3)
    for (const moment of [one, two, one, one, start, two, start]) {
      api.mock.petstore.restore(moment.snapshot)
      await expectMoment(api, moment)
      await change(api, 'Lost')
    }
    api.mock.petstore.reset()
    await expectMoment(api, start)
  })

  it('repeat themselves: the same requests from the same moment give the same answers', async () => {
    const api = await openClient(adapter, SHOP)
    await change(api, 'Before')
    const moment = api.mock.petstore.snapshot()
    await change(api, 'After')
    const first = await exportText(api.mock)
    api.mock.petstore.restore(moment)
    await change(api, 'After')
    expect(await exportText(api.mock)).toBe(first)
  })

  it('leave a snapshot as it was taken, also over a reset', async () => {
    const api = await openClient(adapter, SHOP)
    await change(api, 'Kept')
    const kept = await mark(api)
    await change(api, 'Lost')
    api.mock.petstore.reset()
    await change(api, 'Lost too')
    api.mock.petstore.restore(kept.snapshot)
    await expectMoment(api, kept)
  })

  it('make the rules hold for what is back', async () => {
    const api = await openClient(adapter, { fixtures: shop([{ id: 1 }]) })
    const moment = api.mock.petstore.snapshot()
    for (let round = 0; round < 3; round++) {
      expectResponse(await api.post('/store/orders', { petId: 1 }), 201, {
        id: 1,
        petId: 1,
        quantity: 1,
        complete: false,
      })
      expectError(await api.post('/store/orders', { petId: 1 }), 409, 'PET_NOT_AVAILABLE')
      expectError(await api.delete('/pets/1'), 409, 'PET_IN_USE')
      api.mock.petstore.restore(moment)
      await expectStock(api, 1, 1, 'available')
    }
    expectResponse(await api.delete('/pets/1'), 204)
  })

  it('put the clock back to the time of the machine on a reset', async () => {
    const api = await openClient(adapter, SHOP)
    const { clock } = api.mock.petstore
    const shipped = async () => (await api.post('/store/orders', { complete: true })).body as { shipDate: string }
    clock.freeze()
    clock.set('2031-01-01T00:00:00Z')
    expect((await shipped()).shipDate).toBe('2031-01-01T00:00:00.000Z')
    api.mock.petstore.reset()
    const before = new Date().toISOString()
    const { shipDate } = await shipped()
    const after = new Date().toISOString()
    expect([before, shipDate, after].sort()).toStrictEqual([before, shipDate, after])
  })
})
