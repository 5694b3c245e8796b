import { expect, it } from 'vitest'
import { parseJson } from '../../src/lib/json.js'
import { describeAdapters } from '../support/adapters.js'
import { expectNoContent, readState } from '../support/admin.js'
import { forEachCase } from '../support/cases.js'
import { expectRejected, expectResponse, openClient, probeNextIds, shop, toJson } from '../support/client.js'

const fixtures = shop(
  [
    { id: 1, name: 'Rex' },
    { id: 2, stock: 4 },
  ],
  [{ id: 1, petId: 2, quantity: 1 }],
)

describeAdapters('the state over HTTP', (adapter) => {
  it('has all data and the next ids', async () => {
    const api = await openClient(adapter, { fixtures })
    await api.post('/pets', { name: 'Max', categoryId: 2 })
    await api.delete('/pets/3')
    await api.post('/store/orders', { complete: true, shipDate: '2026-02-03T09:30:00Z' })
    const { specHash } = (await api.get('/__admin/health')).body as { specHash: string }
    expectResponse(await api.get('/__admin/state'), 200, {
      categories: [
        { id: 1, name: 'Dogs', description: 'They bark' },
        { id: 2, name: 'Cats' },
      ],
      pets: fixtures.pets,
      inventory: fixtures.inventory,
      orders: [
        { id: 1, petId: 2, quantity: 1 },
        { id: 2, quantity: 1, shipDate: '2026-02-03T09:30:00.000Z', complete: true },
      ],
      nextIds: { categories: 3, pets: 4, orders: 3 },
      specHash,
    })
  })

  it.each(['default', 'edge-cases', 'big-ids', 'empty'] as const)(
    'of %s is exported as it was imported',
    async (scenario) => {
      const from = await openClient(adapter, { scenario })
      await from.post('/categories', { name: 'New' })
      const [state, next] = [await readState(from), await probeNextIds(from.mock)]
      const to = await openClient(adapter, { fixtures })
      expectNoContent(await to.put('/__admin/state', state))
      expect([await readState(to), await probeNextIds(to.mock)]).toEqual([state, next])
      expect(toJson(parseJson(state))).toBe(state)
      // A reset still returns to the starting data.
      expectNoContent(await to.post('/__admin/reset'))
      expect((await to.get('/pets/1')).body).toMatchObject({ name: 'Rex' })
    },
  )

  it('may be partial: missing lists are empty, and ids continue after the largest', async () => {
    const api = await openClient(adapter, { fixtures })
    const state = { $schema: 'fixture.schema.json', description: 'Birds', categories: [{ id: 5, name: 'Birds' }] }
    expectNoContent(await api.put('/__admin/state', state))
    expect(parseJson(await readState(api))).toMatchObject({
      categories: [{ id: 5, name: 'Birds' }],
      ...{ pets: [], inventory: [], orders: [] },
      nextIds: { categories: 6, pets: 1, orders: 1 },
    })
    expectNoContent(await api.put('/__admin/state', {}))
    expect(parseJson(await readState(api))).toMatchObject({ categories: [], nextIds: { categories: 1 } })
  })

  it('may set the next ids', async () => {
    const api = await openClient(adapter, { fixtures })
    const nextIds = { categories: 10, pets: 9007199254740993n, orders: '77' }
    expectNoContent(await api.put('/__admin/state', { categories: [{ id: 1, name: 'Dogs' }], nextIds }))
    const created = [
      await api.post('/categories', { name: 'Birds' }),
      await api.post('/pets', { name: 'Max', categoryId: 1 }),
      await api.post('/store/orders', {}),
    ]
    expect(created.map(({ headers }) => headers.get('location'))).toEqual([
      ...['/categories/10', '/pets/9007199254740993', '/store/orders/77'],
    ])
  })

  it('does not affect clock, faults, journal and snapshots', async () => {
    const api = await openClient(adapter, { fixtures })
    await api.put('/__admin/clock', { now: '2026-05-01T10:00:00Z', frozen: true })
    await api.post('/__admin/faults', { operation: 'listPets', status: 503 })
    await api.post('/__admin/snapshots', { name: 'a' })
    await api.get('/categories')
    expectNoContent(await api.put('/__admin/state', {}))
    expect((await api.get('/__admin/clock')).body).toEqual({
      now: '2026-05-01T10:00:00.000Z',
      frozen: true,
      sunset: 'announce',
    })
    expect((await api.get('/pets')).status).toBe(503)
    expect((await api.get('/__admin/snapshots')).body).toMatchObject([{ name: 'a' }])
    expect(api.mock.petstore.journal.total).toBe(2)
  })
})

const CATEGORY = { id: 1, name: 'Dogs' }
const PET = { id: 1, name: 'Rex', categoryId: 1 }

const MALFORMED: readonly (readonly [title: string, state: unknown, message: RegExp])[] = [
  ['is a list', [], /must be an object/],
  ['has an unknown list', { cats: [] }, /\/cats is unknown/],
  ['has an object in place of a list', { pets: {} }, /\/pets must be a list/],
  ['has a wrong type', { categories: [CATEGORY], pets: [{ ...PET, name: 5 }] }, /\/pets\/0\/name must be a string/],
  ['has an id too large', { categories: [{ ...CATEGORY, id: 2n ** 63n }] }, /\/categories\/0\/id must be/],
  ['has next ids that are not an object', { nextIds: 5 }, /\/nextIds must be an object/],
  ['has a next id of 0', { nextIds: { pets: 0 } }, /\/nextIds\/pets must be/],
  [
    'has a next id that is in use',
    { categories: [CATEGORY], nextIds: { categories: 1 } },
    /\/nextIds\/categories must be a 64-bit integer of 1 or more that is not in use/,
  ],
]

const INCONSISTENT: typeof MALFORMED = [
  ['refers to an unknown category', { pets: [PET] }, /\/pets\/0\/categoryId refers to category 1/],
  [
    'belongs to another OpenAPI document',
    { specHash: '0000000000000000' },
    /\/specHash is "0000000000000000", which is another OpenAPI document/,
  ],
]

describeAdapters('an invalid state', (adapter) => {
  it('is rejected with 400 if it violates the schema', async () => {
    const api = await openClient(adapter, { fixtures })
    await forEachCase(MALFORMED, ([, state, message]) =>
      expectRejected(api, () => api.put('/__admin/state', state), 400, 'INVALID_REQUEST', message),
    )
  })

  it('is rejected with 422 if it is inconsistent', async () => {
    const api = await openClient(adapter, { fixtures })
    await forEachCase(INCONSISTENT, async ([, state, message]) => {
      await expectRejected(api, () => api.put('/__admin/state', state), 422, 'INVALID_STATE', message)
      expect(() => api.mock.petstore.importState(state as never)).toThrow(
        expect.objectContaining({ code: 'INVALID_STATE' }),
      )
    })
  })

  it('is reported with its first problem and a note that there are more', async () => {
    const api = await openClient(adapter, { fixtures })
    const pets = Array.from({ length: 100 }, (_, index) => ({ ...PET, id: index + 1 }))
    const message = /^\/pets\/0\/categoryId refers to category 1.*\(and more\)$/
    await expectRejected(api, () => api.put('/__admin/state', { pets }), 422, 'INVALID_STATE', message)
  })

  it('may break rules that are switched off, but not have duplicate ids', async () => {
    const api = await openClient(adapter, { fixtures, rules: 'off' })
    const state = {
      categories: [CATEGORY],
      pets: [{ ...PET, status: 'sold' }],
      inventory: [{ petId: 1, quantity: 2, status: 'sold' }],
    }
    expectNoContent(await api.put('/__admin/state', state))
    expect((await api.get('/store/inventory/1')).body).toEqual({ petId: 1, quantity: 2, status: 'sold' })
    const twice = { categories: [CATEGORY, CATEGORY] }
    await expectRejected(api, () => api.put('/__admin/state', twice), 422, 'INVALID_STATE', /\/categories\/1\/id/)
  })
})
