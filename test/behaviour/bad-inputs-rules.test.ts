import { describe, expect, it } from 'vitest'
import { describeAdapters, inMemory } from '../support/adapters.js'
import {
  atOnce,
  countStatuses,
  expectAccepted,
  expectAllCreated,
  expectConsistent,
  openPair,
  resetPair,
  sendToPair,
} from '../support/bad-inputs.js'
import { forEachCase } from '../support/cases.js'
import {
  expectError,
  expectNoLongEcho,
  expectResponse,
  expectStock,
  exportText,
  openClient,
  shop,
} from '../support/client.js'
import { isFullRun } from '../support/full-run.js'
import { STARTING_DATA } from '../support/operations.js'

const [rex] = STARTING_DATA.fixtures.pets

const IVY = { name: 'Ivy', categoryId: 2 }

// G1 to G6, G9 and G13 are in the tests of pets, orders and categories, G7 is in that of ids.

describeAdapters('requests against the rules', (adapter) => {
  it('G8 the id in the body of an update is ignored', async () => {
    const pair = await openPair(adapter)
    await forEachCase(['2', '999999', '-1', '9223372036854775807'], async (id) => {
      resetPair(pair)
      const body = `{"id":${id},"name":"Max","categoryId":2}`
      const max = { ...rex, name: 'Max' }
      await expectAccepted(pair, 'PUT /pets/1', 200, max, { body })
      await expectAccepted(pair, 'GET /pets', 200, [max, ...STARTING_DATA.fixtures.pets.slice(1)])
      const order = { id: 1, petId: 2, quantity: 1, complete: false }
      await expectAccepted(pair, 'PATCH /store/orders/1', 200, order, { body: `{"id":${id}}` })
    })
  })

  it('G10 of a hundred simultaneous orders for the last unit, one succeeds', async () => {
    const api = await openClient(adapter, { fixtures: shop([{ id: 1 }]) })
    const responses = await atOnce(100, () => api.post('/store/orders', { petId: 1 }))
    expect(countStatuses(responses)).toEqual({ 201: 1, 409: 99 })
    for (const response of responses) if (response.status === 409) expectError(response, 409, 'PET_NOT_AVAILABLE')
    expectResponse(await api.get('/store/orders'), 200, [{ id: 1, petId: 1, quantity: 1, complete: false }])
    await expectStock(api, 1, 0, 'pending')
    await expectConsistent(api)
  })

  it('G11 many simultaneous creations give as many pets', () =>
    expectAllCreated(adapter, isFullRun || adapter === inMemory ? 1000 : 100))

  it('G12 the inventory matches the pets after every kind of change', async () => {
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
      await expectConsistent(pair.api)
    }
  })

  it('G14 of fifty simultaneous deletions of a pet, one succeeds', async () => {
    const api = await openClient(adapter, STARTING_DATA)
    expect(countStatuses(await atOnce(50, () => api.delete('/pets/1')))).toEqual({ 204: 1, 404: 49 })
    expect(api.mock.petstore.exportState().pets.map(({ name }) => name)).toEqual(['Mia', 'Tom'])
    await expectConsistent(api)
  })

  it.each([1, 7])('G15 the seed %i gives the same bytes on every adapter', async (seed) => {
    const listings = await exportText((await openClient(adapter, { seed })).mock)
    expect(await exportText((await openClient(adapter, { seed })).mock)).toBe(listings)
    expect(await exportText((await openClient(inMemory, { seed })).mock)).toBe(listings)
  })
})

describe('the admin API', () => {
  const long = 'x'.repeat(1000)
  const odd = `\u001b[31m\u202e${long}`

  it.each([
    ['a scenario', '/__admin/reset', { scenario: odd }, 422, 'UNKNOWN_SCENARIO'],
    ['a scenario with spaces', '/__admin/reset', { scenario: ' default' }, 422, 'UNKNOWN_SCENARIO', '" default"'],
    ['an operation', '/__admin/faults', { operation: odd }, 422, 'UNKNOWN_OPERATION'],
    ['a field of a rule', '/__admin/faults', { [odd]: 1 }, 400, 'INVALID_REQUEST'],
    ['a field of a state', '/__admin/state', { categories: [{ id: 1, name: 'a', [odd]: 1 }] }, 400, 'INVALID_REQUEST'],
  ] as const)('rejects a bad name of %s, repeating little of it and no control characters', async (...row) => {
    const [, path, body, status, code, mentioning = '\\u001b'] = row
    const api = await openClient(inMemory, STARTING_DATA)
    const response = await (path === '/__admin/state' ? api.put(path, body) : api.post(path, body))
    expectError(response, status, code)
    const { message } = response.body as { message: string }
    expect(message).toContain(mentioning)
    expect(message).not.toMatch(/\p{C}/u)
    expectNoLongEcho(response, [JSON.stringify(body)])
  })
})
