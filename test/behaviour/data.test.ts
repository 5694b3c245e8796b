import { describe, expect, it } from 'vitest'
import type { Fixture, FixtureId, Petstore, PetstoreData } from '../../src/index.js'
import { createPetstore, MockError } from '../../src/index.js'
import { type Adapter, describeAdapters } from '../support/adapters.js'
import { forEachCase } from '../support/cases.js'
import { expectResponse, expectUnchanged, exportState, openClient, shop } from '../support/client.js'
import { findBrokenInvariants } from '../support/invariants.js'
import { SHOP } from './data-shop.js'

/** Hides a wrong type from the compiler, as plain JavaScript would. */
const wrong = (value: unknown) => value as never

async function openData(adapter: Adapter, options: Parameters<Adapter['open']>[0] = { fixtures: SHOP }) {
  const api = await openClient(adapter, options)
  return { api, mock: api.mock, petstore: api.mock.petstore, data: api.mock.petstore.data }
}

function catchMockError(act: () => unknown): MockError {
  try {
    act()
  } catch (error) {
    expect(error).toBeInstanceOf(MockError)
    return error as MockError
  }
  return expect.fail('Nothing was thrown.')
}

type Call = (data: PetstoreData) => unknown
type RejectedCall = readonly [title: string, act: Call, mentioning: RegExp]

const WRONG_TYPES: RejectedCall[] = [
  ['a name that is a number', ({ pets }) => pets.create({ name: wrong(5) }), /name.*number 5/],
  ['a name that is a bigint', ({ categories }) => categories.create({ name: wrong(5n) }), /name/],
  ['a name that is null', ({ categories }) => categories.update(1, { name: wrong(null) }), /name.*null/],
  ['a description that is an array', ({ categories }) => categories.create({ description: wrong([]) }), /description/],
  ['an unknown status', ({ pets }) => pets.create({ status: wrong('lost') }), /status.*available, pending, sold.*lost/],
  ['a category id that is a word', ({ pets }) => pets.create({ categoryId: 'dogs' }), /dogs/],
  ['an id that is an array', ({ pets }) => pets.find(wrong([1])), /id/],
  ['a category id that is an array', ({ pets }) => pets.create({ categoryId: wrong([1]) }), /id/],
  ['a category id that is null', ({ pets }) => pets.create({ categoryId: wrong(null) }), /null/],
  ['a pet id that is null', ({ orders }) => orders.create({ petId: wrong(null) }), /null/],
  ['a pet id that is a fraction', ({ orders }) => orders.create({ petId: 1.5 }), /1\.5/],
  ['a stock that is a word', ({ pets }) => pets.create({ stock: wrong('many') }), /quantity.*many/],
  ['a stock that is NaN', ({ pets }) => pets.create({ stock: Number.NaN }), /quantity/],
  ['a quantity that is a word', ({ orders }) => orders.create({ quantity: wrong('two') }), /quantity/],
  ['a quantity that is a fraction', ({ orders }) => orders.create({ petId: 1, quantity: 1.5 }), /quantity.*1\.5/],
  ['a quantity that is a bigint', ({ inventory }) => inventory.update(1, { quantity: wrong(5n) }), /quantity/],
  ['an impossible date', ({ orders }) => orders.create({ shipDate: '2026-02-30T00:00:00Z' }), /shipDate.*2026-02-30/],
  ['a date without a time', ({ orders }) => orders.update(1, { shipDate: '2026-02-28' }), /shipDate.*2026-02-28/],
  ['a complete that is a word', ({ orders }) => orders.update(1, { complete: wrong('yes') }), /complete.*yes/],
]

const UNKNOWN_FIELDS: RejectedCall[] = [
  ['categories.create', ({ categories }) => categories.create(wrong({ nmae: 'Owls' })), /nmae.*Did you mean "name"/],
  ['categories.update', ({ categories }) => categories.update(1, wrong({ id: 5 })), /categories\.update.*\bid\b/],
  ['pets.create', ({ pets }) => pets.create(wrong({ name: 'Rex', category: 1 })), /pets\.create.*category.*categoryId/],
  ['pets.update', ({ pets }) => pets.update(1, wrong({ quantity: 5 })), /pets\.update.*quantity.*stock/],
  ['orders.create', ({ orders }) => orders.create(wrong({ petID: 1 })), /orders\.create.*petID.*petId/],
  ['orders.update', ({ orders }) => orders.update(1, wrong({ completed: true })), /completed.*complete/],
  ['inventory.update', ({ inventory }) => inventory.update(1, wrong({ stock: 1 })), /stock.*quantity/],
]

const AGAINST_THE_RULES: RejectedCall[] = [
  ['a sold pet with stock', ({ pets }) => pets.create({ status: 'sold', stock: 3 }), /sold.*stock.*3/],
  [
    'an available pet without stock',
    ({ pets }) => pets.create({ status: 'available', stock: 0 }),
    /available.*stock.*0/,
  ],
  ['a stock below 0', ({ pets }) => pets.create({ stock: -1 }), /quantity.*0 or more.*-1/],
  ['an unknown category', ({ pets }) => pets.create({ categoryId: 99 }), /categoryId.*99/],
  ['moving to an unknown category', ({ pets }) => pets.update(1, { categoryId: 99, stock: 9 }), /categoryId.*99/],
  ['selling an available pet', ({ pets }) => pets.update(1, { status: 'sold' }), /available to sold/],
  ['selling a pet with stock', ({ pets }) => pets.update(1, { status: 'sold', stock: 2 }), /available to sold/],
  ['making a sold pet available', ({ pets }) => pets.update(2, { status: 'available' }), /sold to available.*Restock/],
  ['selling a pet with open orders', ({ pets }) => pets.update(3, { status: 'sold' }), /open orders/],
  ['ordering a sold pet', ({ orders }) => orders.create({ petId: 2 }), /Pet 2 is sold/],
  ['ordering a pending pet', ({ orders }) => orders.create({ petId: 3 }), /Pet 3 is pending/],
  [
    'ordering more than the stock',
    ({ orders }) => orders.create({ petId: 1, quantity: 6 }),
    /quantity is 6.*pet 1 has only 5/,
  ],
  ['ordering an unknown pet', ({ orders }) => orders.create({ petId: 99 }), /petId.*99/],
  ['ordering a quantity of 0', ({ orders }) => orders.create({ quantity: 0 }), /quantity.*1 or more.*0/],
  [
    'changing an order to too many',
    ({ orders }) => orders.update(1, { petId: 1, quantity: 6 }),
    /quantity is 6.*pet 1 has only 5/,
  ],
  ['reopening a complete order', ({ orders }) => orders.update(2, { complete: false }), /Order 2 is complete/],
  ['deleting a complete order', ({ orders }) => orders.delete(2), /Order 2 is complete/],
  ['deleting a pet with open orders', ({ pets }) => pets.delete(3), /Pet 3.*open orders/],
  ['deleting a category with pets', ({ categories }) => categories.delete(1), /Category 1.*pets/],
  ['an entry below 0', ({ inventory }) => inventory.update(1, { quantity: -1 }), /quantity.*0 or more.*-1/],
]

const UNKNOWN_IDS: RejectedCall[] = [
  ['updating a category', ({ categories }) => categories.update(99, { name: 'Owls' }), /No category has the id 99/],
  ['deleting a category', ({ categories }) => categories.delete(99), /No category has the id 99/],
  ['updating a pet', ({ pets }) => pets.update(99, { name: 'Rex' }), /No pet has the id 99/],
  ['updating the stock of a pet', ({ pets }) => pets.update(99, { stock: 2 }), /No pet has the id 99/],
  ['deleting a pet', ({ pets }) => pets.delete(99), /No pet has the id 99/],
  ['updating an order', ({ orders }) => orders.update(99, { complete: true }), /No order has the id 99/],
  ['deleting an order', ({ orders }) => orders.delete(99), /No order has the id 99/],
  ['updating an entry', ({ inventory }) => inventory.update(99, { quantity: 2 }), /No pet has the id 99/],
]

describeAdapters('data', (adapter) => {
  async function expectAllRejected(calls: readonly RejectedCall[], fixtures: Fixture = SHOP): Promise<void> {
    const { mock, data } = await openData(adapter, { fixtures })
    await forEachCase(calls, async ([, act, mentioning]) => {
      const error = await expectUnchanged(mock, async () => catchMockError(() => act(data)))
      expect(error.code).toBe('INVALID_DATA')
      expect(error.message).toMatch(mentioning)
    })
  }

  it('rejects values of the wrong type', () => expectAllRejected(WRONG_TYPES))
  it('rejects unknown fields', () => expectAllRejected(UNKNOWN_FIELDS))
  it('rejects what is against the rules', () => expectAllRejected(AGAINST_THE_RULES))
  it('rejects unknown ids', () => expectAllRejected(UNKNOWN_IDS))

  it('stores nothing of a rejected call that had to create a category or pet first', () =>
    expectAllRejected(
      [
        ['a stock below 0', ({ pets }) => pets.create({ stock: -1 }), /quantity/],
        ['a quantity of 0', ({ orders }) => orders.create({ quantity: 0 }), /quantity/],
        ['an invalid date', ({ orders }) => orders.create({ shipDate: 'today' }), /shipDate/],
      ],
      { categories: [], pets: [], inventory: [], orders: [] },
    ))

  it('creates, finds, updates and deletes a category, visible over HTTP', async () => {
    const { api, data } = await openData(adapter)
    const owls = { id: 3, name: 'Owls', description: 'They hoot' }
    expect(data.categories.create({ name: 'Owls', description: 'They hoot' })).toStrictEqual(owls)
    expect(data.categories.find(3)).toStrictEqual(owls)
    expectResponse(await api.get('/categories/3'), 200, owls)
    expect(data.categories.update(3, { name: 'Barn owls' })).toStrictEqual({ ...owls, name: 'Barn owls' })
    expectResponse(await api.get('/categories/3'), 200, { ...owls, name: 'Barn owls' })
    expect(data.categories.all()).toStrictEqual([...SHOP.categories, { ...owls, name: 'Barn owls' }])
    expect(data.categories.delete(3)).toBeUndefined()
    expect(data.categories.find(3)).toBeUndefined()
    expect((await api.get('/categories/3')).status).toBe(404)
  })

  it('creates a named category without a description by default', async () => {
    const { data } = await openData(adapter)
    expect(data.categories.create({ name: 'Owls' })).toStrictEqual({ id: 3, name: 'Owls' })
  })

  it('creates, finds, updates and deletes a pet and its inventory entry, visible over HTTP', async () => {
    const { api, data } = await openData(adapter)
    const rex = { id: 5, name: 'Rex', categoryId: 2, status: 'pending' }
    expect(data.pets.create({ name: 'Rex', categoryId: 2, status: 'pending', stock: 3 })).toStrictEqual(rex)
    expectResponse(await api.get('/pets/5'), 200, rex)
    expectResponse(await api.get('/store/inventory/5'), 200, { petId: 5, quantity: 3, status: 'pending' })
    expect(data.pets.update(5, { status: 'available', stock: 7 })).toStrictEqual({ ...rex, status: 'available' })
    expect(data.pets.update(5, { name: 'Max' })).toStrictEqual({ ...rex, name: 'Max', status: 'available' })
    expect(data.inventory.find(5)).toStrictEqual({ petId: 5, quantity: 7, status: 'available' })
    expect(data.pets.all()).toStrictEqual([...SHOP.pets, data.pets.find(5)])
    expect(data.pets.delete(5)).toBeUndefined()
    expect([data.pets.find(5), data.inventory.find(5)]).toStrictEqual([undefined, undefined])
    expect((await api.get('/pets/5')).status).toBe(404)
  })

  it.each([
    ['available', 4],
    ['pending', 0],
    ['pending', 4],
    ['sold', 0],
  ] as const)('can make a pet %s with a stock of %i, with create and with update', async (status, stock) => {
    const { data } = await openData(adapter)
    const { id } = data.pets.create({ status, stock })
    expect(data.inventory.find(id)).toStrictEqual({ petId: id, quantity: stock, status })
    expect(data.pets.update(1, { status, stock })).toMatchObject({ id: 1, status })
    expect(data.inventory.find(1)).toStrictEqual({ petId: 1, quantity: stock, status })
  })

  it('makes a new pet without stock sold', async () => {
    const { data } = await openData(adapter)
    const { id, status } = data.pets.create({ stock: 0 })
    expect(status).toBe('sold')
    expect(data.inventory.find(id)).toStrictEqual({ petId: id, quantity: 0, status: 'sold' })
  })

  it('places, changes, completes and cancels orders by the rules', async () => {
    const { api, petstore, data } = await openData(adapter)
    petstore.clock.freeze()
    petstore.clock.set('2026-03-31T12:00:00Z')
    const order = { id: 3, petId: 1, quantity: 5, complete: false }
    expect(data.orders.create({ petId: 1, quantity: 5 })).toStrictEqual(order)
    expect(data.inventory.find(1)).toStrictEqual({ petId: 1, quantity: 0, status: 'pending' })
    expect(data.orders.update(3, { quantity: 2 })).toStrictEqual({ ...order, quantity: 2 })
    expect(data.inventory.find(1)).toStrictEqual({ petId: 1, quantity: 3, status: 'available' })
    expect(data.orders.delete(3)).toBeUndefined()
    expect(data.orders.find(3)).toBeUndefined()
    expect(data.inventory.find(1)).toStrictEqual({ petId: 1, quantity: 5, status: 'available' })
    const shipped = { id: 1, petId: 3, quantity: 1, shipDate: '2026-03-31T12:00:00.000Z', complete: true }
    expect(data.orders.update(1, { complete: true })).toStrictEqual(shipped)
    expectResponse(await api.get('/store/orders/1'), 200, shipped)
    expect(data.pets.find(3)).toMatchObject({ status: 'sold' })
    expect(data.orders.all()).toStrictEqual([shipped, SHOP.orders[1]])
  })

  it('restocks a pet', async () => {
    const { data } = await openData(adapter)
    const entry = { petId: 2, quantity: 9, status: 'available' }
    expect(data.inventory.update(2, { quantity: 9 })).toStrictEqual(entry)
    expect(data.inventory.all()).toStrictEqual(SHOP.inventory.map((each) => (each.petId === 2 ? entry : each)))
  })

  it('has what was created over HTTP', async () => {
    const { api, data } = await openData(adapter)
    const category = await api.post('/categories', { name: 'Owls' })
    const pet = await api.post('/pets', { name: 'Hedwig', categoryId: 3 })
    const order = await api.post('/store/orders', { petId: 5 })
    expect([data.categories.find(3), data.orders.find(3)]).toStrictEqual([category.body, order.body])
    expect(data.pets.find(5)).toStrictEqual({ ...(pet.body as object), status: 'pending' })
  })

  it('lists all records, without pages', async () => {
    const { mock, data } = await openData(adapter, { scenario: 'busy' })
    const { categories, pets, inventory, orders } = await exportState(mock)
    expect(orders.length).toBeGreaterThan(200)
    expect(data.orders.all()).toStrictEqual(orders)
    expect([data.categories.all(), data.pets.all(), data.inventory.all()]).toStrictEqual([categories, pets, inventory])
    const hundred = await openData(adapter, { scenario: 'empty' })
    for (let count = 0; count < 100; count++) hundred.data.categories.create()
    expect(hundred.data.categories.all()).toHaveLength(100)
  })

  it.each<[FixtureId, number | bigint]>([
    [12, 12],
    [12n, 12],
    ['12', 12],
    ['9007199254740993', 9007199254740993n],
    [9223372036854775806n, 9223372036854775806n],
  ])('accepts the id %s as a number, string or bigint and returns it exactly', async (id, exact) => {
    const { data } = await openData(adapter, { fixtures: { ...shop([{ id, stock: 9 }]) } })
    for (const given of [id, String(id), BigInt(id)]) {
      expect(data.pets.find(given)?.id).toBe(exact)
      expect(data.orders.create({ petId: given }).petId).toBe(exact)
      expect(data.inventory.update(given, { quantity: 9 }).petId).toBe(exact)
    }
    expect(data.pets.find(BigInt(id) - 1n)).toBeUndefined()
    expect(BigInt(data.pets.create().id)).toBe(BigInt(exact) + 1n)
  })

  it.each([9007199254740992, 1.5, Number.NaN, '01', '', 'x', '9223372036854775808'])(
    'rejects the id %s',
    async (id) => {
      const { data } = await openData(adapter)
      for (const act of [
        () => data.pets.find(id),
        () => data.orders.delete(id),
        () => data.pets.create({ categoryId: id }),
      ]) {
        expect(catchMockError(act)).toMatchObject({ code: 'INVALID_DATA', message: expect.stringContaining(`${id}`) })
      }
    },
  )

  it('treats undefined as omitted', async () => {
    const { data } = await openData(adapter)
    expect(data.pets.update(1, wrong({ name: undefined, stock: undefined }))).toStrictEqual(SHOP.pets[0])
    expect(data.categories.update(1, wrong({ name: undefined, description: undefined }))).toEqual(SHOP.categories[0])
    expect(data.categories.create(wrong({ name: undefined })).name).toEqual(expect.any(String))
    expect(data.pets.create(wrong({ name: undefined, categoryId: undefined })).name).toEqual(expect.any(String))
    expect(data.orders.create(wrong({ petId: undefined, quantity: undefined }))).toMatchObject({ quantity: 1 })
  })

  function generate({ data }: Petstore): unknown[] {
    const created = Array.from({ length: 8 }, () => [
      data.categories.create(),
      data.pets.create(),
      data.orders.create(),
    ])
    return [...created, data.pets.all()]
  }

  it('generates the same values for the same seed, also after a reset, and others for another seed', async () => {
    const one = await openData(adapter, { fixtures: SHOP, seed: 7 })
    const twin = await openData(adapter, { fixtures: SHOP, seed: 7 })
    const other = await openData(adapter, { fixtures: SHOP, seed: 8 })
    const generated = generate(one.petstore)
    expect(generate(twin.petstore)).toStrictEqual(generated)
    expect(generate(other.petstore)).not.toEqual(generated)
    one.petstore.reset()
    expect(generate(one.petstore)).toStrictEqual(generated)
    expect(findBrokenInvariants(await exportState(one.mock))).toEqual([])
  })

  it('creates a missing category for a pet, and a missing pet for an order', async () => {
    const { mock, data } = await openData(adapter, { scenario: 'empty' })
    expect(data.pets.create()).toMatchObject({ id: 1, categoryId: 1, status: 'available' })
    expect(data.categories.all()).toHaveLength(1)
    expect(data.orders.create({ quantity: 4 })).toStrictEqual({ id: 1, petId: 2, quantity: 4, complete: false })
    expect(data.inventory.find(2)).toStrictEqual({ petId: 2, quantity: 0, status: 'pending' })
    expect(findBrokenInvariants(await exportState(mock))).toEqual([])
  })

  it('stores any values with the rules off', async () => {
    const { data } = await openData(adapter, { scenario: 'empty', rules: 'off' })
    const pet = data.pets.create({ name: 'Rex', categoryId: 99, status: 'sold', stock: 4 })
    expect(pet).toStrictEqual({ id: 1, name: 'Rex', categoryId: 99, status: 'sold' })
    expect(data.inventory.find(1)).toStrictEqual({ petId: 1, quantity: 4, status: 'sold' })
    expect(data.pets.create({ status: 'available', stock: 0 })).toMatchObject({ id: 2, status: 'available' })
    expect(data.orders.create({ petId: 1, quantity: -2 })).toMatchObject({ id: 1, petId: 1, quantity: -2 })
    expect(data.orders.create()).toMatchObject({ id: 2, quantity: 1, complete: false })
    expect(catchMockError(() => data.pets.create({ name: wrong(5) }))).toMatchObject({ code: 'INVALID_DATA' })
  })

  it('finds and updates a pet after the enforced sunset of getPet', async () => {
    const { api, petstore, data } = await openData(adapter, { fixtures: SHOP, sunset: 'enforce' })
    petstore.clock.set('2031-01-01T00:00:00Z')
    expect((await api.get('/pets/1')).status).toBe(410)
    expect(data.pets.find(1)).toStrictEqual(SHOP.pets[0])
    expect(data.pets.update(1, { name: 'Max' })).toMatchObject({ id: 1, name: 'Max' })
  })
})

describe('data that needs no generating', () => {
  it('generates the same values whether or not the test awaits something in between', async () => {
    const one = createPetstore()
    const awaited = [one.data.pets.create(), await Promise.resolve(), one.data.pets.create()]
    const other = createPetstore()
    const immediate = [other.data.pets.create(), undefined, other.data.pets.create()]
    expect(awaited).toStrictEqual(immediate)
  })
})

describe('data before it is generated', () => {
  it.each<[string, Call]>([
    ['pets.all', ({ pets }) => pets.all()],
    ['pets.find', ({ pets }) => pets.find(1)],
    ['pets.create', ({ pets }) => pets.create()],
    ['categories.create', ({ categories }) => categories.create()],
    ['orders.create', ({ orders }) => orders.create()],
    ['orders.update', ({ orders }) => orders.update(1, { complete: true })],
    ['inventory.update', ({ inventory }) => inventory.update(1, { quantity: 1 })],
  ])('throws NOT_READY from %s, until the mock is ready', async (_, call) => {
    const petstore = createPetstore({ seed: 7 })
    expect(catchMockError(() => call(petstore.data))).toMatchObject({ code: 'NOT_READY' })
    await petstore.ready
    expect(petstore.data.pets.all()).toHaveLength(72)
    expect(findBrokenInvariants(await exportState({ ...petstore, petstore, close: async () => {} }))).toEqual([])
  })

  it('generates the same values after a call that came too early', async () => {
    const [early, late] = [createPetstore({ seed: 7 }), createPetstore({ seed: 7 })]
    catchMockError(() => early.data.pets.create())
    await Promise.all([early.ready, late.ready])
    expect(early.data.pets.create()).toStrictEqual(late.data.pets.create())
  })
})
