import { describe, expect, it } from 'vitest'
import { type Adapter, adapters, describeAdapters } from '../support/adapters.js'
import {
  type BadInput,
  expectAccepted,
  expectConsistent,
  expectRejectedUnchanged,
  openPair,
  sendToPair,
  withTitle,
} from '../support/bad-inputs.js'
import {
  type ApiResponse,
  expectError,
  expectNoLongEcho,
  expectStock,
  exportText,
  openClient,
  shop,
} from '../support/client.js'
import { findBrokenInvariants } from '../support/invariants.js'
import { STARTING_DATA } from '../support/operations.js'

const [rex] = STARTING_DATA.fixtures.pets

/** A request with a body that the rules of the store refuse. */
function refused(title: string, line: string, refusal: string, naming: string, body?: object): BadInput {
  return [title, line, refusal, naming, body && { body: JSON.stringify(body) }]
}

const ORDER = 'POST /store/orders'
const IVY = { name: 'Ivy', categoryId: 2 }

const impossible: BadInput[] = [
  refused('G1 an order for no such pet', ORDER, '422 UNKNOWN_PET', 'none with id 999999', { petId: 999999 }),
  refused('G1 an order moved to no such pet', 'PATCH /store/orders/1', '422 UNKNOWN_PET', '/petId', { petId: 999999 }),
  refused('G2 an order for a sold pet', ORDER, '409 PET_NOT_AVAILABLE', 'pet 3 is sold', { petId: 3 }),
  refused('G2 an order for a pending pet', ORDER, '409 PET_NOT_AVAILABLE', 'pet 2 is pending', { petId: 2 }),
  refused('G2 an order moved to a sold pet', 'PATCH /store/orders/1', '409 PET_NOT_AVAILABLE', 'pet 3', { petId: 3 }),
  refused('G3 one more than in stock', ORDER, '409 INSUFFICIENT_STOCK', '/quantity', { petId: 1, quantity: 4 }),
  refused('G3 as many as can be', ORDER, '409 INSUFFICIENT_STOCK', '3 left', { petId: 1, quantity: 9007199254740991 }),
  refused('G4 a category with pets', 'DELETE /categories/2', '409 CATEGORY_IN_USE', 'category 2 still has pets (3)'),
  refused('G4 a pet with an open order', 'DELETE /pets/2', '409 PET_IN_USE', 'pet 2 still has open orders (1)'),
  refused('G5 a pet of no such category', 'POST /pets', '422 UNKNOWN_CATEGORY', '/categoryId', {
    ...IVY,
    categoryId: 9,
  }),
  refused('G5 a pet moved there', 'PUT /pets/1', '422 UNKNOWN_CATEGORY', '/categoryId', { ...IVY, categoryId: 9 }),
  refused('G7 a pet that is not there', 'PUT /pets/999999', '404 PET_NOT_FOUND', '999999', IVY),
  refused('G7 its stock', 'PUT /store/inventory/999999', '404 PET_NOT_FOUND', '999999', { quantity: 1 }),
  refused('G7 an order', 'PATCH /store/orders/999999', '404 ORDER_NOT_FOUND', '999999', { quantity: 1 }),
  refused('G7 a category', 'PUT /categories/999999', '404 CATEGORY_NOT_FOUND', '999999', { name: 'Owls' }),
  refused('G9 an order reopened', 'PATCH /store/orders/2', '409 ORDER_COMPLETE', 'order 2', { complete: false }),
  refused('G9 a complete order changed', 'PATCH /store/orders/2', '409 ORDER_COMPLETE', 'order 2', { quantity: 2 }),
  refused('G9 a complete order deleted', 'DELETE /store/orders/2', '409 ORDER_COMPLETE', 'order 2'),
  refused('G9 a sold pet for sale', 'PUT /pets/3', '409 INVALID_TRANSITION', 'restock', {
    ...IVY,
    status: 'available',
  }),
]

/** The same request, that many times at once. */
function atOnce(times: number, ask: (index: number) => Promise<ApiResponse>): Promise<ApiResponse[]> {
  return Promise.all(Array.from({ length: times }, (_, index) => ask(index)))
}

/** How many answers there are of each status. */
function tally(responses: readonly ApiResponse[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

describeAdapters('what the rules refuse', (adapter) => {
  it.each(withTitle(impossible))('%s', async (_, input) => {
    await expectRejectedUnchanged(await openPair(adapter), input)
  })

  it.each([
    ['a pet', '/pets/1', '404 PET_NOT_FOUND'],
    ['a category', '/categories/1', '404 CATEGORY_NOT_FOUND'],
    ['an order', '/store/orders/1', '404 ORDER_NOT_FOUND'],
  ])('G6 %s is deleted once', async (_, path, refusal) => {
    const pair = await openPair(adapter)
    await expectAccepted(pair, `DELETE ${path}`, 204)
    await expectRejectedUnchanged(pair, ['G6', `DELETE ${path}`, refusal, 'with id 1'])
    await expectRejectedUnchanged(pair, ['G6', `GET ${path}`, refusal, 'with id 1'])
  })

  it.each(['2', '999999', '-1', '9223372036854775807'])('G8 the id %s in a body is ignored', async (id) => {
    const pair = await openPair(adapter)
    const body = `{"id":${id},"name":"Max","categoryId":2}`
    const max = { ...rex, name: 'Max' }
    await expectAccepted(pair, 'PUT /pets/1', 200, max, { body })
    await expectAccepted(pair, 'GET /pets', 200, [max, ...STARTING_DATA.fixtures.pets.slice(1)])
    const order = { id: 1, petId: 2, quantity: 1, complete: false }
    await expectAccepted(pair, 'PATCH /store/orders/1', 200, order, { body: `{"id":${id}}` })
  })

  it('G10 a hundred orders at once buy the last unit once', async () => {
    const api = await openClient(adapter, { fixtures: shop([{ id: 1 }]) })
    const responses = await atOnce(100, () => api.post('/store/orders', { petId: 1 }))
    expect(tally(responses)).toEqual({ 201: 1, 409: 99 })
    await expectStock(api, 1, 0, 'pending')
    await expectConsistent(api)
  })

  it('G11 a thousand creates at once give a thousand pets', async () => {
    const api = await openClient(adapter, STARTING_DATA)
    const responses = await atOnce(1000, (index) => api.post('/pets', { name: `Pet ${index}`, categoryId: 1 }))
    expect(tally(responses)).toEqual({ 201: 1000 })
    expect(new Set(responses.map(({ headers }) => headers.get('location'))).size).toBe(1000)
    expect((await api.get('/pets')).headers.get('x-total-count')).toBe('1003')
    const world = api.mock.petstore.exportState()
    expect([new Set(world.pets.map(({ id }) => id)).size, world.inventory.length]).toEqual([1003, 1003])
    expect(findBrokenInvariants(world)).toStrictEqual([])
  })

  it('G12 the inventory is a recount of the pets after every kind of change', async () => {
    const pair = await openPair(adapter)
    for (const [line, body] of [
      ['POST /pets', { ...IVY, status: 'sold' }],
      ['PUT /store/inventory/4', { quantity: 2 }],
      ['POST /store/orders', { petId: 4, quantity: 2 }],
      ['PATCH /store/orders/3', { petId: 1 }],
      ['PATCH /store/orders/3', { complete: true }],
      ['DELETE /store/orders/1', undefined],
      ['PUT /pets/2', { ...IVY, status: 'pending' }],
      ['DELETE /pets/4', undefined],
    ] as const) {
      const response = await sendToPair(pair, line, body && { body: JSON.stringify(body) })
      expect([line, response.status < 300]).toEqual([line, true])
    }
  })

  it.each([1, 2, 3])('G13 pet %i replaced with its own body stays as it is', async (id) => {
    const pair = await openPair(adapter)
    const before = pair.api.mock.petstore.exportState()
    const { text, body } = await pair.api.get(`/pets/${id}`)
    await expectAccepted(pair, `PUT /pets/${id}`, 200, body, { body: text })
    expect(pair.api.mock.petstore.exportState()).toStrictEqual(before)
  })

  it('G14 fifty deletes at once delete a pet once', async () => {
    const api = await openClient(adapter, STARTING_DATA)
    expect(tally(await atOnce(50, () => api.delete('/pets/1')))).toEqual({ 204: 1, 404: 49 })
    expect(api.mock.petstore.exportState().pets.map(({ name }) => name)).toEqual(['Mia', 'Tom'])
    await expectConsistent(api)
  })

  it.each([1, 7])('G15 the seed %i gives the same bytes on every adapter', async (seed) => {
    const listings = await exportText((await openClient(adapter, { seed })).mock)
    expect(await exportText((await openClient(adapter, { seed })).mock)).toBe(listings)
    expect(await exportText((await openClient(adapters[0] as Adapter, { seed })).mock)).toBe(listings)
  })
})

describe('the control plane', () => {
  const long = 'x'.repeat(1000)
  const odd = `\u001b[31m\u202e${long}`

  it.each([
    ['a scenario', '/__admin/reset', { scenario: odd }, 422, 'UNKNOWN_SCENARIO'],
    ['a scenario with blanks', '/__admin/reset', { scenario: ' default' }, 422, 'UNKNOWN_SCENARIO', '" default"'],
    ['an operation', '/__admin/faults', { operation: odd }, 422, 'UNKNOWN_OPERATION'],
    ['a field of a rule', '/__admin/faults', { [odd]: 1 }, 400, 'INVALID_REQUEST'],
    ['a list of a state', '/__admin/state', { [odd]: [] }, 400, 'INVALID_REQUEST'],
    ['a field of a state', '/__admin/state', { categories: [{ id: 1, name: 'a', [odd]: 1 }] }, 400, 'INVALID_REQUEST'],
    ['the next ids', '/__admin/state', { nextIds: { [odd]: 1 } }, 400, 'INVALID_REQUEST'],
  ] as const)('repeats little of a name that %s cannot have, and nothing that steers a terminal', async (...row) => {
    const [, path, body, status, code, said = '\\u001b'] = row
    const api = await openClient(adapters[0] as Adapter, STARTING_DATA)
    const response = await (path === '/__admin/state' ? api.put(path, body) : api.post(path, body))
    expectError(response, status, code)
    const { message } = response.body as { message: string }
    expect(message).toContain(said)
    expect(message).not.toMatch(/\p{C}/u)
    expectNoLongEcho(response, [JSON.stringify(body)])
  })
})
