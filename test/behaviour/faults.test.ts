import { describe, expect, it } from 'vitest'
import type { FaultRule } from '../../src/index.js'
import { describeAdapters } from '../support/adapters.js'
import { expectNoContent } from '../support/admin.js'
import { forEachCase } from '../support/cases.js'
import {
  type Client,
  expectError,
  expectResponse,
  expectUnchanged,
  openClient,
  readResponse,
} from '../support/client.js'
import { STARTING_DATA, VALID_BODIES } from '../support/operations.js'

/** The ways to add a rule, which must be equivalent. */
const WAYS = [
  { way: 'in process', add: async ({ mock }: Client, rule: FaultRule) => mock.petstore.faults.add(rule) },
  { way: 'over HTTP', add: async (api: Client, rule: FaultRule) => (await api.post('/__admin/faults', rule)).body },
] as const

function toPost(body: string): RequestInit {
  return { method: 'POST', body, headers: { 'content-type': 'application/json' } }
}

/** Requests that are rejected if no fault applies. */
const INVALID: readonly (readonly [title: string, path: string, init: RequestInit])[] = [
  ['an Accept that excludes JSON', '/pets', { headers: { accept: 'text/html' } }],
  ['an invalid id', '/pets/abc', {}],
  ['a parameter out of range', '/pets?limit=0', {}],
  ['another content type', '/pets', { method: 'POST', body: 'x', headers: { 'content-type': 'text/plain' } }],
  ['a body that is too large', '/pets', toPost(`"${'x'.repeat(200)}"`)],
  ['a body that is not JSON', '/pets', toPost('{')],
  ['an unknown pet', '/pets/999', {}],
  ['an unknown category', '/pets', toPost('{"name":"Rex","categoryId":99}')],
]

describeAdapters('fault rules', (adapter) => {
  describe.each(WAYS)('added $way', ({ add }) => {
    it('are listed the same in process and over HTTP', async () => {
      const api = await openFrozen()
      const rule: FaultRule = {
        operation: 'getPet',
        status: 503,
        delayMs: [0, 1],
        times: 2,
        after: 1,
        probability: 0.5,
      }
      const fault = { ...rule, id: 1, matched: 0, applied: 0, active: true, addedAt: '2026-05-01T10:00:00.000Z' }
      expect(await add(api, rule)).toStrictEqual(fault)
      expect(api.mock.petstore.faults.list()).toStrictEqual([fault])
      expectResponse(await api.get('/__admin/faults'), 200, [fault])
    })

    it('return an error in the shape of the contract, and the operation does not run', async () => {
      const api = await openClient(adapter, STARTING_DATA)
      await add(api, { operation: 'createOrder', status: 503, times: 2 })
      await expectUnchanged(api.mock, async () => {
        for (const _ of [1, 2]) {
          expectError(
            await api.post('/store/orders', VALID_BODIES.createOrder),
            503,
            'SERVICE_UNAVAILABLE',
            'createOrder',
          )
        }
        expect((await api.get('/store/orders')).status).toBe(200)
      })
      expect((await api.post('/store/orders', VALID_BODIES.createOrder)).status).toBe(201)
      expect((await api.get('/__admin/faults')).body).toMatchObject([{ matched: 3, applied: 2, active: false }])
    })
  })

  it('can be listed, removed and cleared over HTTP', async () => {
    const api = await openClient(adapter, STARTING_DATA)
    for (const status of [500, 501, 502]) await api.post('/__admin/faults', { status })
    expectNoContent(await api.delete('/__admin/faults/1'))
    expect((await api.get('/pets')).status).toBe(501)
    expectError(await api.delete('/__admin/faults/1'), 404, 'FAULT_NOT_FOUND', '1')
    expectNoContent(await api.delete('/__admin/faults'))
    expectResponse(await api.get('/__admin/faults'), 200, [])
    expect((await api.get('/pets')).status).toBe(200)
  })

  it('are rejected over HTTP if they are invalid', async () => {
    const api = await openClient(adapter, STARTING_DATA)
    await forEachCase(
      [
        [{ status: 200 }, 400, 'INVALID_REQUEST', '/status'],
        [[], 400, 'INVALID_REQUEST', ''],
        ['{"status":', 400, 'MALFORMED_BODY', ''],
        [{ kind: 'reset', status: 503 }, 422, 'INVALID_FAULT', '/status'],
        [{ path: '/petz' }, 422, 'INVALID_FAULT', 'matches no operation'],
        [{ operation: 'getPet', method: 'POST' }, 422, 'INVALID_FAULT', '/method'],
        [{ operation: 'listFaults' }, 422, 'UNKNOWN_OPERATION', 'listFaults'],
      ] as [unknown, number, string, string][],
      async ([rule, status, code, mentioning]) => {
        expectError(await api.post('/__admin/faults', rule), status, code, mentioning)
        expect(api.mock.petstore.faults.list()).toEqual([])
      },
    )
  })

  it('return the lifecycle headers of the operation', async () => {
    const api = await openClient(adapter, STARTING_DATA)
    const [pet, pets] = [await api.get('/pets/1'), await api.get('/pets')]
    api.mock.petstore.faults.add({ status: 429 })
    const [failedPet, failedPets] = [await api.get('/pets/1'), await api.get('/pets')]
    expectError(failedPet, 429, 'RATE_LIMITED', 'getPet')
    for (const name of ['deprecation', 'sunset', 'link']) {
      expect(failedPet.headers.get(name)).toBe(pet.headers.get(name))
      expect(failedPet.headers.get(name)).not.toBeNull()
    }
    expect(failedPets.headers.get('x-stability')).toBe(pets.headers.get('x-stability'))
    expect(failedPets.headers.get('x-stability')).toBe('beta')
    expect(failedPets.headers.get('preference-applied')).toBeNull()
  })

  it('determine status and code from each other', async () => {
    const api = await openClient(adapter, STARTING_DATA)
    await forEachCase(
      [
        [{}, 500, 'INTERNAL_ERROR'],
        [{ status: 400 }, 400, 'BAD_REQUEST'],
        [{ status: 418 }, 418, 'HTTP_418'],
        [{ status: 599 }, 599, 'HTTP_599'],
        [{ code: 'INSUFFICIENT_STOCK' }, 409, 'INSUFFICIENT_STOCK'],
        [{ code: 'OUR_OWN' }, 500, 'OUR_OWN'],
        [{ code: 'constructor' }, 500, 'constructor'],
        [{ status: 402, code: 'PET_NOT_FOUND' }, 402, 'PET_NOT_FOUND'],
      ] as [FaultRule, number, string][],
      async ([rule, status, code]) => {
        api.mock.petstore.reset()
        api.mock.petstore.faults.add(rule)
        expectError(await api.get('/pets'), status, code)
      },
    )
  })

  it('return the given code and message', async () => {
    const api = await openClient(adapter, STARTING_DATA)
    const message = 'Das Lager ist "zu" 🐕'
    api.mock.petstore.faults.add({ status: 503, code: 'LAGER', message })
    expect((await api.get('/pets')).body).toEqual({ code: 'LAGER', message, status: 503 })
  })

  it('match the decoded path without the query', async () => {
    const api = await openClient(adapter, STARTING_DATA)
    api.mock.petstore.faults.add({ path: '/pets/1', status: 503 })
    expect((await api.get('/%70ets/%31?x=1')).status).toBe(503)
    expect((await api.get('/pets/2')).status).toBe(200)
  })

  it('do not apply to a request that reaches no operation', async () => {
    const api = await openClient(adapter, { ...STARTING_DATA, sunset: 'enforce' })
    api.mock.petstore.clock.set('2031-01-01T00:00:00Z')
    api.mock.petstore.faults.add({})
    await forEachCase(
      [
        ['an unknown path', 404, 'ROUTE_NOT_FOUND', '/petz'],
        ['a method that is not allowed', 405, 'METHOD_NOT_ALLOWED', '/pets', { method: 'DELETE' }],
        ['a sunset', 410, 'OPERATION_SUNSET', '/pets/1'],
        ['an undecodable path', 400, 'INVALID_REQUEST', '/pets/%zz'],
      ] as [string, number, string, string, RequestInit?][],
      async ([, status, code, path, init]) => {
        expectError(await readResponse(await api.mock.fetch(path, init)), status, code)
        expect(api.mock.petstore.faults.list()).toMatchObject([{ matched: 0, applied: 0 }])
      },
    )
  })

  it('take precedence over other errors', async () => {
    const api = await openClient(adapter, { ...STARTING_DATA, maxBodyBytes: 100 })
    await forEachCase(INVALID, async ([, path, init]) => {
      api.mock.petstore.faults.add({ status: 503, times: 1 })
      expectError(await readResponse(await api.mock.fetch(path, init)), 503, 'SERVICE_UNAVAILABLE')
      const { status } = await api.mock.fetch(path, init)
      expect(status).toBeGreaterThanOrEqual(400)
      expect(status).toBeLessThan(500)
    })
  })

  it('take precedence over an override', async () => {
    const api = await openClient(adapter, STARTING_DATA)
    api.mock.petstore.override('listPets', () => expect.unreachable('The override was called.'))
    api.mock.petstore.faults.add({ status: 503 })
    expect((await api.get('/pets')).status).toBe(503)
  })

  it('do not apply to OPTIONS', async () => {
    const api = await openClient(adapter, STARTING_DATA)
    api.mock.petstore.faults.add({ kind: 'reset' })
    expect((await api.mock.fetch('/pets', { method: 'OPTIONS' })).status).toBe(204)
  })

  it('are recorded in the journal', async () => {
    const api = await openClient(adapter, STARTING_DATA)
    api.mock.petstore.faults.add({ operation: 'createPet' })
    api.mock.petstore.faults.add({ operation: 'getPet', kind: 'malformed' })
    api.mock.petstore.faults.add({ operation: 'listPets', delayMs: 1 })
    await api.post('/pets', VALID_BODIES.createPet)
    await api.mock.fetch('/pets/1').then((response) => response.text())
    await api.get('/pets')
    await api.get('/categories')
    expect(api.mock.petstore.journal.entries().map(({ status, fault }) => ({ status, fault }))).toEqual([
      { status: 500, fault: { id: 1, kind: 'error' } },
      { status: 200, fault: { id: 2, kind: 'malformed' } },
      { status: 200, fault: { id: 3, kind: 'delay' } },
      { status: 200, fault: undefined },
    ])
    const { body } = await api.get('/__admin/journal?operation=getPet')
    expect(body).toMatchObject({ entries: [{ fault: { id: 2, kind: 'malformed' } }] })
    const [entry] = api.mock.petstore.journal.entries({ operation: 'getPet' })
    expect(entry?.response.body).toMatch(/^\{"id":1,.*,$/)
  })

  it("expire by the mock's clock", async () => {
    const api = await openFrozen()
    await api.post('/__admin/faults', { status: 503, expiresAfterMs: 3_600_000 })
    expect((await api.get('/pets')).status).toBe(503)
    await api.post('/__admin/clock/advance', { by: 'PT59M' })
    expect((await api.get('/pets')).status).toBe(503)
    await api.post('/__admin/clock/advance', { by: 'PT1M' })
    expect((await api.get('/pets')).status).toBe(200)
    expect(api.mock.petstore.faults.list()).toMatchObject([{ active: false, matched: 2, applied: 2 }])
  })

  async function openFrozen(): Promise<Client> {
    const api = await openClient(adapter, STARTING_DATA)
    api.mock.petstore.clock.freeze()
    api.mock.petstore.clock.set('2026-05-01T10:00:00Z')
    return api
  }
})
