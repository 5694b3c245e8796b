import { expect, it } from 'vitest'
import { describeEveryAdapter } from '../support/adapters.js'
import { expectNoContent, readState, sandboxByPath } from '../support/admin.js'
import { forEachCase, sampleFor } from '../support/cases.js'
import {
  type ApiResponse,
  type Client,
  createClient,
  expectError,
  expectResponse,
  openClient,
  readResponse,
  shop,
  toJson,
  withoutAdapter,
} from '../support/client.js'

const fixtures = shop([{ id: 1, name: 'Rex' }], [{ id: 1, petId: 1, quantity: 1 }])
const NOON = '2026-05-01T12:00:00.000Z'

/** A mock with a clock, a fault, a snapshot, a sandbox and a journal, to see what a request changes. */
async function openConfigured(adapter: Parameters<typeof openClient>[0]): Promise<Client> {
  const api = await openClient(adapter, { fixtures })
  const { clock, faults, snapshots, sandboxes, fetch } = api.mock.petstore
  clock.freeze()
  clock.set(NOON)
  faults.add({ operation: 'deletePet', status: 503 })
  snapshots.take('kept')
  sandboxes.open('a')
  await fetch('/pets')
  await createClient(withoutAdapter(api.mock)).post('/categories', { name: 'Birds' })
  return api
}

/** Everything that the admin API can change, as text. */
function readEverything({ mock: { petstore } }: Client): string {
  const { clock, faults, snapshots, journal, sandboxes } = petstore
  const parts = [clock.state(), faults.list(), snapshots.list(), journal.entries(), sandboxes.list()]
  return toJson([petstore.exportState(), ...parts])
}

async function expectNothingDone(
  api: Client,
  act: () => Promise<ApiResponse>,
  status: number,
  code: string,
  mentioning?: RegExp,
): Promise<ApiResponse> {
  const before = readEverything(api)
  const response = await act()
  expectError(response, status, code, mentioning)
  expect(readEverything(api)).toBe(before)
  return response
}

/** Every operation that takes a body, with a valid one. */
const VALID_BODIES: [method: 'post' | 'put', path: string, body: object][] = [
  ['post', '/__admin/reset', { scenario: 'single' }],
  ['put', '/__admin/state', {}],
  ['post', '/__admin/snapshots', { name: 'new' }],
  ['post', '/__admin/faults', { status: 503 }],
  ['put', '/__admin/clock', { frozen: false }],
  ['post', '/__admin/clock/advance', { by: 5 }],
]

/** Bodies that violate the schema, and the error message. */
const INVALID_BODIES: readonly (readonly ['post' | 'put', string, string, RegExp])[] = [
  ['post', '/__admin/reset', '{"seed":"7"}', /^\/seed must be/],
  ['post', '/__admin/reset', '{"seed":9007199254740993}', /^\/seed must be|option seed must be/],
  ['post', '/__admin/snapshots', '{}', /^\/name is missing/],
  ['put', '/__admin/clock', '{"frozen":1}', /^\/frozen must be/],
  ['put', '/__admin/state', '{"pets":[{"id":1,"name":"Rex","categoryId":"one"}]}', /^\/pets\/0\/categoryId must be/],
]

const METHODS_NOT_ALLOWED: readonly (readonly [method: string, path: string, allow: string])[] = [
  ['POST', '/__admin/health', 'GET, HEAD, OPTIONS'],
  ['GET', '/__admin/reset', 'POST, OPTIONS'],
  ['POST', '/__admin/state', 'GET, HEAD, PUT, OPTIONS'],
  ['DELETE', '/__admin/snapshots', 'GET, HEAD, POST, OPTIONS'],
  ['GET', '/__admin/snapshots/kept', 'DELETE, OPTIONS'],
  ['PUT', '/__admin/journal', 'GET, HEAD, DELETE, OPTIONS'],
  ['PUT', '/__admin/faults', 'GET, HEAD, POST, DELETE, OPTIONS'],
  ['PATCH', '/__admin/clock', 'GET, HEAD, PUT, OPTIONS'],
  ['GET', '/__admin/sandboxes/a', 'DELETE, OPTIONS'],
]

const NOT_FOUND: readonly (readonly [method: string, path: string, status: number, code: string])[] = [
  ['POST', '/__admin/snapshots/none/restore', 404, 'SNAPSHOT_NOT_FOUND'],
  ['DELETE', '/__admin/snapshots/none', 404, 'SNAPSHOT_NOT_FOUND'],
  ['GET', '/__admin/journal/77', 404, 'ENTRY_NOT_FOUND'],
  ['DELETE', '/__admin/faults/77', 404, 'FAULT_NOT_FOUND'],
  ['DELETE', '/__admin/sandboxes/none', 404, 'SANDBOX_NOT_FOUND'],
  ['DELETE', '/__admin/faults/x', 400, 'INVALID_REQUEST'],
  ['DELETE', '/__admin/sandboxes/a%2Fb', 400, 'INVALID_REQUEST'],
]

describeEveryAdapter('a body for the admin API', (adapter) => {
  it('must be a JSON object with known fields', async () => {
    const api = await openConfigured(adapter)
    await forEachCase(VALID_BODIES, async ([method, path, body]) => {
      const reject = (sent: unknown, code: string, message?: RegExp) =>
        expectNothingDone(api, () => api[method](path, sent), 400, code, message)
      await reject({ ...body, typo: 1 }, 'INVALID_REQUEST', /^\/typo is unknown\. Available: [$\w]/)
      await reject({ ...body, [`${'x'.repeat(5000)}\n`]: 1 }, 'INVALID_REQUEST', /is unknown/)
      const inherited = `{"__proto__":{},${JSON.stringify(body).slice(1)}`.replace(',}', '}')
      await reject(inherited, 'INVALID_REQUEST', /__proto__/)
      for (const text of sampleFor(adapter, ['[]', '5', '"{}"', 'null', 'true'])) {
        await reject(text, 'INVALID_REQUEST', /the body must be an object/)
      }
      for (const text of sampleFor(adapter, ['{', '{"a":1,}', "{'a':1}", '{"a":1}{}', '{"seed":NaN}', '\ufeff{}'])) {
        await reject(text, 'MALFORMED_BODY')
      }
      // Only a reset needs no body.
      if (path === '/__admin/reset') return
      for (const empty of [undefined, '']) await reject(empty, 'MALFORMED_BODY', /empty/)
    })
  })

  it('must have a JSON content type', async () => {
    const api = await openConfigured(adapter)
    await forEachCase(VALID_BODIES, async ([method, path, body]) => {
      const types = ['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=latin1']
      for (const type of sampleFor(adapter, types)) {
        const init = { method: method.toUpperCase(), headers: { 'content-type': type }, body: JSON.stringify(body) }
        const act = async () => readResponse(await api.mock.fetch(path, init))
        const { headers } = await expectNothingDone(api, act, 415, 'UNSUPPORTED_MEDIA_TYPE', /application\/json/)
        expect(headers.get(method === 'post' ? 'accept-post' : 'accept')).toBe('application/json')
      }
      // `fetch` adds no content type to bytes.
      const bytes = new TextEncoder().encode(JSON.stringify(body))
      const withoutType = async () =>
        readResponse(await api.mock.fetch(path, { method: method.toUpperCase(), body: bytes }))
      await expectNothingDone(api, withoutType, 415, 'UNSUPPORTED_MEDIA_TYPE', /no Content-Type/)
    })
  })

  it('must match the schema', async () => {
    const api = await openConfigured(adapter)
    await forEachCase(INVALID_BODIES, async ([method, path, text, message]) => {
      await expectNothingDone(api, () => api[method](path, text), 400, 'INVALID_REQUEST', message)
    })
  })
})

describeEveryAdapter('a reset over HTTP', (adapter) => {
  it.each<[string, RequestInit]>([
    ['no body', {}],
    ['an empty body', { body: '', headers: { 'content-type': 'application/json' } }],
    ['an empty object', { body: '{}', headers: { 'content-type': 'application/json' } }],
  ])('with %s restores everything but snapshots and coverage', async (_, init) => {
    const api = await openConfigured(adapter)
    api.mock.petstore.override('listPets', { status: 500 })
    expectNoContent(await readResponse(await api.mock.fetch('/__admin/reset', { method: 'POST', ...init })))
    const fresh = await openClient(adapter, { fixtures })
    expect(await readState(api)).toBe(await readState(fresh))
    expect((await api.get('/__admin/clock')).body).toMatchObject({ frozen: false })
    expectResponse(await api.get('/__admin/faults'), 200, [])
    expect((await api.get('/__admin/snapshots')).body).toMatchObject([{ name: 'kept' }])
    expectResponse(await api.get('/__admin/journal'), 200, { entries: [], total: 0, evicted: 0 })
    expect(api.mock.petstore.coverage().summary.operations.exercised).toBe(2)
    expect((await api.get('/pets')).status).toBe(200)
  })

  it('can change to other starting data, until the next reset', async () => {
    const api = await openConfigured(adapter)
    for (const options of [
      { scenario: 'busy' },
      { scenario: 'default', seed: 3 },
      { scenario: 'big-ids', seed: 9 },
    ] as const) {
      expectNoContent(await api.post('/__admin/reset', options))
      const created = await openClient(adapter, options)
      expect(await readState(api)).toBe(await readState(created))
      expect((await api.get('/__admin/health')).body).toMatchObject({ seed: 1, ...options })
    }
    expectNoContent(await api.post('/__admin/reset'))
    expect((await api.get('/__admin/health')).body).toMatchObject({ seed: 1, scenario: 'empty' })
    expect((await api.get('/pets/1')).body).toMatchObject({ name: 'Rex' })
  })

  it.each(['nowhere', '', 'Default', '__proto__', 'constructor', `${'x'.repeat(2000)}\n`])(
    'rejects the unknown scenario "%s"',
    async (scenario) => {
      const api = await openConfigured(adapter)
      const act = () => api.post('/__admin/reset', { scenario })
      await expectNothingDone(api, act, 422, 'UNKNOWN_SCENARIO', /Unknown scenario/)
      await expect(api.mock.petstore.reset({ scenario: scenario as never })).rejects.toThrow(
        expect.objectContaining({ code: 'UNKNOWN_SCENARIO' }),
      )
    },
  )

  it('can change to every listed scenario, which has the listed sizes', async () => {
    const api = await openClient(adapter, { fixtures })
    const scenarios = (await api.get('/__admin/scenarios')).body as { name: string; sizes: Record<string, number> }[]
    expect(scenarios.map(({ name }) => name)).toEqual(expect.arrayContaining(['default', 'empty', 'big-ids']))
    for (const { name, sizes } of scenarios) {
      expectNoContent(await api.post('/__admin/reset', { scenario: name }))
      expect((await api.post('/__admin/snapshots', { name: 'size' })).body).toMatchObject({ sizes })
    }
  })
})

describeEveryAdapter('the paths of the admin API', (adapter) => {
  it('return 405 and the allowed methods for any other method', async () => {
    const api = await openConfigured(adapter)
    await forEachCase(METHODS_NOT_ALLOWED, async ([method, path, allow]) => {
      const act = async () => readResponse(await api.mock.fetch(path, { method }))
      const { headers } = await expectNothingDone(api, act, 405, 'METHOD_NOT_ALLOWED')
      const sorted = (list: string | null) => list?.split(', ').sort()
      expect(sorted(headers.get('allow'))).toEqual(sorted(allow))
      const options = await readResponse(await api.mock.fetch(path, { method: 'OPTIONS' }))
      expect([options.status, options.headers.get('allow')]).toEqual([204, headers.get('allow')])
    })
  })

  it('return 404 if they are unknown', async () => {
    const api = await openConfigured(adapter)
    const unknown = [
      '/__admin/nowhere',
      '/__admin/clock/',
      '/__admin//clock',
      '/__ADMIN/health',
      '/__admin/journal/1/2',
    ]
    await forEachCase(unknown, async (path) => {
      expectError(await api.get(path), 404, 'ROUTE_NOT_FOUND')
      expectError(await sandboxByPath(api, 'a').get(path), 404, 'ROUTE_NOT_FOUND')
    })
  })

  it('return an error for an unknown or invalid name or id', async () => {
    const api = await openConfigured(adapter)
    await forEachCase(NOT_FOUND, async ([method, path, status, code]) => {
      await expectNothingDone(api, async () => readResponse(await api.mock.fetch(path, { method })), status, code)
    })
  })

  it('return no body for HEAD, and change nothing when they are read', async () => {
    const api = await openConfigured(adapter)
    const before = readEverything(api)
    for (const part of ['health', 'scenarios', 'state', 'snapshots', 'journal', 'journal.har', 'faults', 'clock']) {
      const { status, text } = await readResponse(await api.mock.fetch(`/__admin/${part}`, { method: 'HEAD' }))
      expect({ part, status, text }).toEqual({ part, status: 200, text: '' })
      expect((await api.get(`/__admin/${part}`)).status).toBe(200)
    }
    expect(readEverything(api)).toBe(before)
  })

  it('are not affected by faults or Prefer', async () => {
    const api = await openConfigured(adapter)
    await api.post('/__admin/faults', { path: '*', status: 500 }).then(({ status }) => expect(status).toBe(400))
    await api.post('/__admin/faults', { path: '/*', status: 500 })
    await api.post('/__admin/faults', {})
    expect((await api.get('/pets')).status).toBe(500)
    expect((await api.get('/__admin/health')).status).toBe(200)
    const preferred = await api.mock.fetch('/__admin/health', { headers: { Prefer: 'code=503' } })
    expect((await readResponse(preferred)).status).toBe(200)
    expectNoContent(await api.delete('/__admin/faults'))
  })
})
