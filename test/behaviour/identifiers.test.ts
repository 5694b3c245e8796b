import { expect, it } from 'vitest'
import { describeAdapters } from '../support/adapters.js'
import { forEachCase } from '../support/cases.js'
import {
  type Client,
  expectError,
  expectResponse,
  expectStock,
  expectUnchanged,
  openClient,
  shop,
} from '../support/client.js'

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

async function createdPaths(api: Client): Promise<(string | null)[]> {
  const created = [
    await api.post('/categories', { name: 'New' }),
    await api.post('/pets', { name: 'New', categoryId: 1 }),
    await api.post('/store/orders', {}),
  ]
  return created.map(({ headers }) => headers.get('location'))
}

function at(id: number | bigint): string[] {
  return [`/categories/${id}`, `/pets/${id}`, `/store/orders/${id}`]
}

/** Existing ids, and the next ones. */
const SEQUENCES: readonly (readonly [existing: (number | bigint)[], next: (number | bigint)[]])[] = [
  [[1], [2, 3]],
  [
    [1, 5, 9],
    [10, 11],
  ],
  [
    [1, -7],
    [2, 3],
  ],
  [
    [1, EVEN],
    [ODD, EVEN + 2n],
  ],
  [
    [1, MAX - 1n],
    [MAX, 2, 3],
  ],
  [
    [1, MAX],
    [2, 3],
  ],
  [
    [1, 8, MAX],
    [9, 10],
  ],
  [
    [1, MAX - 1n, MAX],
    [2, 3],
  ],
  [
    [1, MAX - 2n, MAX],
    [MAX - 1n, 2, 3],
  ],
  [
    [1, 2, 3, MAX - 1n, MAX],
    [4, 5],
  ],
]

describeAdapters('identifiers', (adapter) => {
  it('are exact in paths, bodies and filters', async () => {
    const api = await openClient(adapter, shopOf(BIG))
    await forEachCase(BIG, async (id) => {
      const pet = { id, name: `Pet ${id}`, categoryId: id, status: 'available' }
      const order = { id, petId: id, quantity: 1, complete: false }
      expectResponse(await api.get(`/categories/${id}`), 200, { id, name: `Category ${id}` })
      expectResponse(await api.get(`/pets/${id}`), 200, pet)
      expectResponse(await api.get(`/store/orders/${id}`), 200, order)
      expectResponse(await api.get(`/store/inventory/${id}`), 200, { petId: id, quantity: 1, status: 'available' })
      expect((await api.get(`/pets/${id}`)).text).toContain(`"id":${id},`)
      const pets = await api.get(`/pets?categoryId=${id}`)
      expectResponse(pets, 200, [pet])
      expect(pets.headers.get('link')).toContain(`categoryId=${id}`)
      expectResponse(await api.get(`/store/orders?petId=${id}`), 200, [order])
    })
  })

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

  it('are exact in changes and deletions', async () => {
    const api = await openClient(adapter, shopOf(BIG))
    await forEachCase(BIG, async (id) => {
      api.mock.petstore.reset()
      const entry = { petId: id, quantity: 7, status: 'available' }
      expectResponse(await api.put(`/store/inventory/${id}`, { quantity: 7 }), 200, entry)
      expectResponse(await api.put(`/categories/${id}`, { name: 'Changed' }), 200, { id, name: 'Changed' })
      expectResponse(await api.delete(`/store/orders/${id}`), 204)
      expectResponse(await api.delete(`/pets/${id}`), 204)
      expectResponse(await api.delete(`/categories/${id}`), 204)
      for (const path of at(id)) expect((await api.get(path)).status).toBe(404)
      for (const other of BIG.filter((each) => each !== id)) {
        for (const path of at(other)) expect((await api.get(path)).status).toBe(200)
      }
    })
  })

  it('are never rounded to a neighbour', async () => {
    const api = await openClient(adapter, shopOf([EVEN, MAX, MIN, 1]))
    await expectUnchanged(api.mock, () =>
      forEachCase([ODD, MAX - 1n, MIN + 1n], async (id) => {
        for (const path of at(id)) expect((await api.get(path)).status).toBe(404)
        expectError(await api.get(`/pets/${id}`), 404, 'PET_NOT_FOUND', String(id))
        expectError(await api.delete(`/pets/${id}`), 404, 'PET_NOT_FOUND', String(id))
        const pet = { name: 'New', categoryId: id }
        expectError(await api.post('/pets', pet), 422, 'UNKNOWN_CATEGORY', String(id))
        expectError(await api.post('/store/orders', { petId: id }), 422, 'UNKNOWN_PET', String(id))
        expectResponse(await api.get(`/pets?categoryId=${id}`), 200, [])
      }),
    )
  })
})

describeAdapters('new identifiers', (adapter) => {
  it('continue after the largest id', async () => {
    const api = await openClient(adapter, { fixtures: {} })
    await forEachCase(SEQUENCES, async ([existing, next]) => {
      await api.mock.petstore.load(shopOf(existing).fixtures)
      for (const id of next) expect(await createdPaths(api)).toStrictEqual(at(id))
      for (const id of next) {
        for (const path of at(id)) expect((await api.get(path)).status).toBe(200)
      }
    })
  })

  it('start at 1 without data', async () => {
    const api = await openClient(adapter, { fixtures: {} })
    expect(await createdPaths(api)).toStrictEqual(at(1))
  })

  it.each([-3, MIN, 0])('start at 1 if the only id is %d', async (id) => {
    const api = await openClient(adapter, shopOf([id]))
    expect(await createdPaths(api)).toStrictEqual(at(1))
  })

  it('are exact in Location and body', async () => {
    const api = await openClient(adapter, shopOf([1, MAX - 1n]))
    const pet = await api.post('/pets', { name: 'Last', categoryId: 1 })
    expectResponse(pet, 201, { id: MAX, name: 'Last', categoryId: 1, status: 'available' })
    expect(pet.headers.get('location')).toBe('/pets/9223372036854775807')
    expectResponse(await api.get('/pets/9223372036854775807'), 200, pet.body)
  })

  it('are never those of deleted records', async () => {
    const api = await openClient(adapter, shopOf([1, 2, 3]))
    for (const path of [...at(3)].reverse()) expectResponse(await api.delete(path), 204)
    expect(await createdPaths(api)).toStrictEqual(at(4))
    for (const path of [...at(4)].reverse()) expectResponse(await api.delete(path), 204)
    expect(await createdPaths(api)).toStrictEqual(at(5))
  })

  it('are never those of deleted records, even if the maximum was in use', async () => {
    const api = await openClient(adapter, shopOf([1, 7, MAX]))
    for (const path of [...at(7), ...at(MAX)].reverse()) expectResponse(await api.delete(path), 204)
    expect(await createdPaths(api)).toStrictEqual(at(8))
    for (const path of [...at(8)].reverse()) expectResponse(await api.delete(path), 204)
    expect(await createdPaths(api)).toStrictEqual(at(9))
  })

  it('are counted separately for each kind', async () => {
    const api = await openClient(adapter, { fixtures: shop([{ id: 40 }], [{ id: 70 }]) })
    expect(await createdPaths(api)).toStrictEqual(['/categories/3', '/pets/41', '/store/orders/71'])
  })

  it('are not used up by rejected requests', async () => {
    const api = await openClient(adapter, shopOf([1]))
    await api.post('/categories', { name: 1 })
    await api.post('/pets', { name: 'New', categoryId: 99 })
    await api.post('/store/orders', { petId: 1, quantity: 99 })
    expect(await createdPaths(api)).toStrictEqual(at(2))
  })

  it('start again after a reset', async () => {
    const api = await openClient(adapter, shopOf([1, 2]))
    await createdPaths(api)
    await createdPaths(api)
    api.mock.petstore.reset()
    expect(await createdPaths(api)).toStrictEqual(at(3))
  })
})
