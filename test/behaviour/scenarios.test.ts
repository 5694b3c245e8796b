import { expect, it } from 'vitest'
import type { Fixture, FixturePet } from '../../src/index.js'
import { parseJson } from '../../src/lib/json.js'
import { listScenarios } from '../../src/petstore/fixtures/scenarios.js'
import { describeAdapters } from '../support/adapters.js'
import { sampleFor } from '../support/cases.js'
import { type Client, expectRejected, expectResponse, expectStock, exportState, openClient } from '../support/client.js'
import { findBrokenInvariants } from '../support/invariants.js'
import { readText } from '../support/read-file-node.js'

const EDGE_CASES = parseJson(await readText('fixtures/edge-cases.json')) as Fixture
const BIG_IDS = parseJson(await readText('fixtures/big-ids.json')) as Fixture

/** The pets as the API returns them: always with a status, which may come from the inventory entry. */
function expectedPets({ pets, inventory }: Fixture): FixturePet[] {
  const statuses = new Map(inventory.map(({ petId, status }) => [petId, status]))
  return pets.map((pet) => ({ ...pet, status: pet.status ?? statuses.get(pet.id) ?? 'available' }))
}

function byId(one: { id: FixturePet['id'] }, other: { id: FixturePet['id'] }): number {
  return BigInt(one.id) < BigInt(other.id) ? -1 : 1
}

describeAdapters('every scenario', (adapter) => {
  it.each(listScenarios())('has the listed sizes and breaks no invariant: $name', async ({ name, sizes }) => {
    const { mock } = await openClient(adapter, { scenario: name })
    const state = await exportState(mock)
    const { categories, pets, orders } = state
    expect({ categories: categories.length, pets: pets.length, orders: orders.length }).toEqual(sizes)
    expect(state.inventory).toHaveLength(pets.length)
    expect(findBrokenInvariants(state)).toEqual([])
  })
})

describeAdapters('sold-out', (adapter) => {
  it('has no pet that can be ordered until it is restocked', async () => {
    const api = await openClient(adapter, { scenario: 'sold-out' })
    expectResponse(await api.get('/pets?status=available'), 200, [])
    for (const petId of [1, 2]) {
      const order = () => api.post('/store/orders', { petId })
      await expectRejected(api, order, 409, 'PET_NOT_AVAILABLE', String(petId))
      expect((await api.put(`/store/inventory/${petId}`, { quantity: 1 })).status).toBe(200)
      expect((await order()).status).toBe(201)
    }
  })
})

describeAdapters('edge-cases', (adapter) => {
  const fixture = EDGE_CASES
  const pets = expectedPets(fixture)

  it('lists every pet as in the file', async () => {
    const { mock } = await openClient(adapter, { scenario: 'edge-cases' })
    expect((await exportState(mock)).pets).toStrictEqual(pets)
  })

  it('returns every pet as in the file', async () => {
    const api = await openClient(adapter, { scenario: 'edge-cases' })
    for (const pet of sampleFor(adapter, pets)) expectResponse(await api.get(`/pets/${pet.id}`), 200, pet)
  })

  it('lists categories and inventory as in the file', async () => {
    const { mock } = await openClient(adapter, { scenario: 'edge-cases' })
    const { categories, inventory } = await exportState(mock)
    expect(categories).toStrictEqual(fixture.categories)
    expect(inventory).toStrictEqual(fixture.inventory)
  })

  it('lists orders with the fields in the file, and dates in UTC', async () => {
    const { mock } = await openClient(adapter, { scenario: 'edge-cases' })
    const { orders } = await exportState(mock)
    const inUtc: Record<string, string> = {
      '2026-12-31T23:30:00-01:00': '2027-01-01T00:30:00.000Z',
      '2028-02-29t12:00:00.5z': '2028-02-29T12:00:00.500Z',
    }
    expect(orders).toStrictEqual(
      fixture.orders.map((order) =>
        order.shipDate === undefined ? order : { ...order, shipDate: inUtc[order.shipDate] ?? order.shipDate },
      ),
    )
  })

  it('finds every pet by its whole name', async () => {
    const api = await openClient(adapter, { scenario: 'edge-cases' })
    for (const pet of pets.filter(({ name }) => name !== '')) {
      const { status, body } = await api.get(`/pets?limit=100&name=${encodeURIComponent(pet.name)}`)
      expect({ status, found: body }).toEqual({ status: 200, found: expect.arrayContaining([pet]) })
    }
  })

  it('accepts every pet as it was returned', async () => {
    const api = await openClient(adapter, { scenario: 'edge-cases' })
    for (const pet of pets) expectResponse(await api.put(`/pets/${pet.id}`, pet), 200, pet)
    expect((await exportState(api.mock)).pets).toStrictEqual(pets)
  })
})

const EVEN = 9007199254740992n
const ODD = 9007199254740993n
const LAST = 9223372036854775807n

describeAdapters('big-ids', (adapter) => {
  const fixture = BIG_IDS
  const openBigIds = (): Promise<Client> => openClient(adapter, { scenario: 'big-ids' })
  const petOf = (id: bigint) => fixture.pets.find((pet) => pet.id === id)
  const stockOf = (id: bigint) => fixture.inventory.find(({ petId }) => petId === id)

  it('has exact ids in lists', async () => {
    const api = await openBigIds()
    const { categories, pets, inventory, orders } = await exportState(api.mock)
    expect(categories).toStrictEqual([...fixture.categories].sort(byId))
    expect(pets).toStrictEqual([...fixture.pets].sort(byId))
    expect(inventory).toStrictEqual(pets.map(({ id }) => fixture.inventory.find(({ petId }) => petId === id)))
    expect(orders).toStrictEqual([...fixture.orders].sort(byId))
    for (const id of [EVEN, ODD, LAST]) expect((await api.get('/pets')).text).toContain(`"id":${id},`)
  })

  it('has exact ids in single records', async () => {
    const api = await openBigIds()
    for (const category of fixture.categories)
      expectResponse(await api.get(`/categories/${category.id}`), 200, category)
    for (const pet of fixture.pets) expectResponse(await api.get(`/pets/${pet.id}`), 200, pet)
    for (const entry of fixture.inventory) expectResponse(await api.get(`/store/inventory/${entry.petId}`), 200, entry)
    for (const order of fixture.orders) expectResponse(await api.get(`/store/orders/${order.id}`), 200, order)
  })

  it('assigns exact ids near the maximum', async () => {
    const api = await openBigIds()
    const category = await api.post('/categories', { name: 'New' })
    expectResponse(category, 201, { id: LAST - 6n, name: 'New' })
    expect(category.headers.get('location')).toBe('/categories/9223372036854775801')
    const pet = await api.post('/pets', { name: 'New', categoryId: LAST })
    expectResponse(pet, 201, { id: LAST - 6n, name: 'New', categoryId: LAST, status: 'available' })
    expect(pet.headers.get('location')).toBe('/pets/9223372036854775801')
    const order = await api.post('/store/orders', { petId: LAST - 6n })
    expectResponse(order, 201, { id: LAST - 5n, petId: LAST - 6n, quantity: 1, complete: false })
    expect(order.headers.get('location')).toBe('/store/orders/9223372036854775802')
    await expectStock(api, LAST - 6n, 0, 'pending')
    for (const { headers } of [category, pet, order]) {
      expect((await api.get(headers.get('location') ?? '')).status).toBe(200)
    }
  })

  it('assigns the free ids below the maximum, then others, and never one in use', async () => {
    const api = await openBigIds()
    const used = new Set(fixture.pets.map(({ id }) => BigInt(id)))
    for (let round = 0; round < 12; round++) {
      const { status, body } = await api.post('/pets', { name: 'New', categoryId: 1 })
      const id = BigInt((body as FixturePet).id)
      expect(status).toBe(201)
      expect(used.has(id)).toBe(false)
      used.add(id)
    }
    for (const id of [LAST - 6n, LAST - 1n]) expect(used.has(id)).toBe(true)
  })

  it.each([
    [EVEN, ODD],
    [ODD, EVEN],
  ])('does not confuse %d with %d in changes', async (id, other) => {
    const api = await openBigIds()
    const pet = { name: 'Changed', categoryId: other, status: 'available' }
    expectResponse(await api.put(`/pets/${id}`, pet), 200, { id, ...pet })
    expectResponse(await api.put(`/categories/${id}`, { name: 'Changed' }), 200, { id, name: 'Changed' })
    expect((await api.put(`/store/inventory/${id}`, { quantity: 50 })).body).toMatchObject({ petId: id, quantity: 50 })
    const moved = await api.patch(`/store/orders/${id}`, { quantity: 1 })
    expect(moved.body).toMatchObject({ id, petId: id, quantity: 1 })
    await expectNeighboursUnchanged(api, id)
    expect((await api.get(`/pets?categoryId=${id}`)).headers.get('x-total-count')).toBe('1')
    expect((await api.get(`/pets?categoryId=${other}`)).headers.get('x-total-count')).toBe('3')
  })

  /** Expects that the records with neighbouring ids are as in the file. */
  async function expectNeighboursUnchanged(api: Client, id: bigint): Promise<void> {
    const others = [EVEN, ODD, ODD + 1n].filter((other) => other !== id)
    for (const other of others) {
      expectResponse(await api.get(`/pets/${other}`), 200, petOf(other))
      expectResponse(await api.get(`/store/inventory/${other}`), 200, stockOf(other))
      const category = fixture.categories.find((each) => each.id === other)
      expectResponse(await api.get(`/categories/${other}`), 200, category)
      const order = fixture.orders.find((each) => each.id === other)
      expectResponse(await api.get(`/store/orders/${other}`), 200, order)
    }
  }
})
