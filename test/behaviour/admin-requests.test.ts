import { expect, it } from 'vitest'
import { describeAdapters } from '../support/adapters.js'
import { expectNoContent, readState, sandboxByPath } from '../support/admin.js'
import {
  type ApiResponse,
  type Client,
  createClient,
  expectError,
  expectResponse,
  openClient,
  readResponse,
  shop,
  withoutAdapter,
} from '../support/client.js'

const fixtures = shop([{ id: 1, name: 'Rex' }], [{ id: 1, petId: 1, quantity: 1 }])
const NOON = '2026-05-01T12:00:00.000Z'

/** A store of which everything that can be controlled has been, so that one sees what a request changes. */
async function openControlled(adapter: Parameters<typeof openClient>[0]): Promise<Client> {
  const api = await openClient(adapter, { fixtures })
  const { clock, faults, snapshots, sandboxes, fetch } = api.mock.petstore
  clock.freeze()
  clock.set(NOON)
  faults.add({ operation: 'deletePet', status: 503 })
  snapshots.take('kept')
  sandboxes.get('a')
  await fetch('/pets')
  await createClient(withoutAdapter(api.mock)).post('/categories', { name: 'Birds' })
  return api
}

/** Everything that can be controlled, as text. */
async function controlsOf({ mock }: Client): Promise<string> {
  const look = createClient(withoutAdapter(mock))
  const parts = ['state', 'clock', 'faults', 'snapshots', 'journal', 'sandboxes']
  const responses: string[] = []
  for (const part of parts) responses.push((await look.get(`/__admin/${part}`)).text)
  return responses.join('\n')
}

async function expectNothingDone(
  api: Client,
  act: () => Promise<ApiResponse>,
  status: number,
  code: string,
  mentioning?: RegExp,
): Promise<ApiResponse> {
  const before = await controlsOf(api)
  const response = await act()
  expectError(response, status, code, mentioning)
  expect(await controlsOf(api)).toBe(before)
  return response
}

/** Every operation that takes a body, with one that it takes. */
const BODIES: [method: 'post' | 'put', path: string, body: object][] = [
  ['post', '/__admin/reset', { scenario: 'single' }],
  ['put', '/__admin/state', {}],
  ['post', '/__admin/snapshots', { name: 'new' }],
  ['post', '/__admin/faults', { status: 503 }],
  ['put', '/__admin/clock', { frozen: false }],
  ['post', '/__admin/clock/advance', { by: 5 }],
]

describeAdapters('A body for the control plane', (adapter) => {
  it.each(BODIES)('that is for %s %s may not have a field more', async (method, path, body) => {
    const api = await openControlled(adapter)
    const act = () => api[method](path, { ...body, typo: 1 })
    await expectNothingDone(api, act, 400, 'INVALID_REQUEST', /^\/typo is not known here: there are [$\w]/)
    const inherited = () => api[method](path, `{"__proto__":{},${JSON.stringify(body).slice(1)}`.replace(',}', '}'))
    await expectNothingDone(api, inherited, 400, 'INVALID_REQUEST', /__proto__/)
  })

  it.each(BODIES)('that is for %s %s names an unknown field in a few words', async (method, path, body) => {
    const api = await openControlled(adapter)
    const act = () => api[method](path, { ...body, [`${'x'.repeat(5000)}\n`]: 1 })
    await expectNothingDone(api, act, 400, 'INVALID_REQUEST', /is not known here/)
  })

  it.each(BODIES)('that is for %s %s must be an object', async (method, path) => {
    const api = await openControlled(adapter)
    for (const text of ['[]', '5', '"{}"', 'null', 'true']) {
      await expectNothingDone(api, () => api[method](path, text), 400, 'INVALID_REQUEST', /the body must be an object/)
    }
  })

  it.each(BODIES)('that is for %s %s must be JSON', async (method, path) => {
    const api = await openControlled(adapter)
    for (const text of ['{', '{"a":1,}', "{'a':1}", '{"a":1}{}', '\ufeff{}', '{"seed":NaN}']) {
      await expectNothingDone(api, () => api[method](path, text), 400, 'MALFORMED_BODY')
    }
  })

  it.each(BODIES)('that is for %s %s must be declared as JSON', async (method, path, body) => {
    const api = await openControlled(adapter)
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=latin1']) {
      const init = { method: method.toUpperCase(), headers: { 'content-type': type }, body: JSON.stringify(body) }
      const act = async () => readResponse(await api.mock.fetch(path, init))
      const { headers } = await expectNothingDone(api, act, 415, 'UNSUPPORTED_MEDIA_TYPE', /application\/json/)
      expect(headers.get(method === 'post' ? 'accept-post' : 'accept')).toBe('application/json')
    }
    const bytes = new TextEncoder().encode(JSON.stringify(body))
    const undeclared = async () =>
      readResponse(await api.mock.fetch(path, { method: method.toUpperCase(), body: bytes }))
    await expectNothingDone(api, undeclared, 415, 'UNSUPPORTED_MEDIA_TYPE', /no Content-Type/)
  })

  it.each(BODIES.slice(1))('that is for %s %s must be there', async (method, path) => {
    const api = await openControlled(adapter)
    await expectNothingDone(api, () => api[method](path), 400, 'MALFORMED_BODY', /empty/)
    await expectNothingDone(api, () => api[method](path, ''), 400, 'MALFORMED_BODY', /empty/)
  })

  it.each<['post' | 'put', string, string, RegExp]>([
    ['post', '/__admin/reset', '{"seed":"7"}', /^\/seed must be/],
    ['post', '/__admin/reset', '{"seed":-1}', /^\/seed must be/],
    ['post', '/__admin/reset', '{"seed":1.5}', /^\/seed must be/],
    ['post', '/__admin/reset', '{"seed":9007199254740993}', /^\/seed must be|option seed must be/],
    ['post', '/__admin/reset', '{"seed":null}', /^\/seed must be/],
    ['post', '/__admin/reset', '{"scenario":5}', /^\/scenario must be/],
    ['post', '/__admin/snapshots', '{}', /^\/name is missing/],
    ['post', '/__admin/snapshots', '{"name":5}', /^\/name must be/],
    ['post', '/__admin/snapshots', '{"name":null}', /^\/name must be/],
    ['post', '/__admin/faults', '{"status":200}', /^\/status must be/],
    ['post', '/__admin/faults', '{"kind":"bang"}', /^\/kind must be/],
    ['post', '/__admin/faults', '{"delayMs":[5]}', /^\/delayMs must be/],
    ['put', '/__admin/clock', '{"frozen":1}', /^\/frozen must be/],
    ['put', '/__admin/state', '{"pets":[{"id":1,"name":"Rex","categoryId":"one"}]}', /^\/pets\/0\/categoryId must be/],
  ])('that is for %s %s may not be %s', async (method, path, text, message) => {
    const api = await openControlled(adapter)
    await expectNothingDone(api, () => api[method](path, text), 400, 'INVALID_REQUEST', message)
  })
})

describeAdapters('A reset over HTTP', (adapter) => {
  it.each<[string, RequestInit]>([
    ['no body', {}],
    ['an empty one', { body: '', headers: { 'content-type': 'application/json' } }],
    ['an object that says nothing', { body: '{}', headers: { 'content-type': 'application/json' } }],
  ])('with %s leads to the start: all but snapshots and coverage', async (_, init) => {
    const api = await openControlled(adapter)
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

  it('into another world is what a store there is, until the next reset', async () => {
    const api = await openControlled(adapter)
    for (const world of [
      { scenario: 'busy' },
      { scenario: 'default', seed: 3 },
      { scenario: 'big-ids', seed: 9 },
    ] as const) {
      expectNoContent(await api.post('/__admin/reset', world))
      const there = await openClient(adapter, world)
      expect(await readState(api)).toBe(await readState(there))
      expect((await api.get('/__admin/health')).body).toMatchObject({ seed: 1, ...world })
    }
    expectNoContent(await api.post('/__admin/reset'))
    expect((await api.get('/__admin/health')).body).toMatchObject({ seed: 1, scenario: 'empty' })
    expect((await api.get('/pets/1')).body).toMatchObject({ name: 'Rex' })
  })

  it('to another seed stays in the scenario', async () => {
    const api = await openClient(adapter)
    expectNoContent(await api.post('/__admin/reset', { seed: 3 }))
    const there = await openClient(adapter, { seed: 3 })
    expect(await readState(api)).toBe(await readState(there))
    expect((await api.get('/__admin/health')).body).toMatchObject({ seed: 3, scenario: 'default' })
    api.mock.petstore.reset()
    expect((await api.get('/__admin/health')).body).toMatchObject({ seed: 1 })
  })

  it('knows no other options in process either', async () => {
    const { petstore } = (await openClient(adapter)).mock
    await expect(petstore.reset({ seeed: 7 } as never)).rejects.toThrow(/Unknown option "seeed"/)
  })

  it('into a world that there is not leaves an earlier one alone', async () => {
    const { petstore } = (await openClient(adapter)).mock
    const [made, refused] = [petstore.reset({ seed: 7 }), petstore.reset({ scenario: 'nowhere' as never })]
    await expect(refused).rejects.toThrow('nowhere')
    await made
    expect(petstore.startingData).toEqual({ seed: 7, scenario: 'default' })
  })

  it('into a world that is still being made gives way to a later one', async () => {
    const { petstore } = (await openClient(adapter)).mock
    const other = petstore.reset({ seed: 7 })
    petstore.reset()
    const before = petstore.exportState()
    await other
    expect(petstore.exportState()).toEqual(before)
  })

  it('to another seed keeps the fixtures', async () => {
    const api = await openClient(adapter, { fixtures })
    expectNoContent(await api.post('/__admin/reset', { seed: 3 }))
    expect((await api.get('/pets')).body).toMatchObject([{ name: 'Rex' }])
  })

  it.each(['nowhere', '', 'Default', '__proto__', 'constructor', `${'x'.repeat(2000)}\n`])(
    'does not lead to the scenario "%s"',
    async (scenario) => {
      const api = await openControlled(adapter)
      const act = () => api.post('/__admin/reset', { scenario })
      await expectNothingDone(api, act, 422, 'UNKNOWN_SCENARIO', /Unknown scenario/)
      await expect(api.mock.petstore.reset({ scenario: scenario as never })).rejects.toThrow(
        expect.objectContaining({ code: 'UNKNOWN_SCENARIO' }),
      )
    },
  )

  it('can be told of every scenario that is listed, which is as large as the list says', async () => {
    const api = await openClient(adapter, { fixtures })
    const scenarios = (await api.get('/__admin/scenarios')).body as { name: string; sizes: Record<string, number> }[]
    expect(scenarios.map(({ name }) => name)).toEqual(expect.arrayContaining(['default', 'empty', 'big-ids']))
    for (const { name, sizes } of scenarios) {
      expectNoContent(await api.post('/__admin/reset', { scenario: name }))
      expect((await api.post('/__admin/snapshots', { name: 'size' })).body).toMatchObject({ sizes })
    }
  })
})

describeAdapters('The paths of the control plane', (adapter) => {
  it.each<[string, string, string]>([
    ['POST', '/__admin/health', 'GET, HEAD, OPTIONS'],
    ['GET', '/__admin/reset', 'POST, OPTIONS'],
    ['DELETE', '/__admin/scenarios', 'GET, HEAD, OPTIONS'],
    ['POST', '/__admin/state', 'GET, HEAD, PUT, OPTIONS'],
    ['DELETE', '/__admin/snapshots', 'GET, HEAD, POST, OPTIONS'],
    ['GET', '/__admin/snapshots/kept', 'DELETE, OPTIONS'],
    ['GET', '/__admin/snapshots/kept/restore', 'POST, OPTIONS'],
    ['PUT', '/__admin/journal', 'GET, HEAD, DELETE, OPTIONS'],
    ['DELETE', '/__admin/journal/1', 'GET, HEAD, OPTIONS'],
    ['DELETE', '/__admin/journal.har', 'GET, HEAD, OPTIONS'],
    ['PUT', '/__admin/faults', 'GET, HEAD, POST, DELETE, OPTIONS'],
    ['GET', '/__admin/faults/1', 'DELETE, OPTIONS'],
    ['PATCH', '/__admin/clock', 'GET, HEAD, PUT, OPTIONS'],
    ['GET', '/__admin/clock/advance', 'POST, OPTIONS'],
    ['POST', '/__admin/coverage', 'GET, HEAD, OPTIONS'],
    ['DELETE', '/__admin/sandboxes', 'GET, HEAD, OPTIONS'],
    ['GET', '/__admin/sandboxes/a', 'DELETE, OPTIONS'],
  ])('do not take %s %s', async (method, path, allow) => {
    const api = await openControlled(adapter)
    const act = async () => readResponse(await api.mock.fetch(path, { method }))
    const { headers } = await expectNothingDone(api, act, 405, 'METHOD_NOT_ALLOWED')
    const sorted = (list: string | null) => list?.split(', ').sort()
    expect(sorted(headers.get('allow'))).toEqual(sorted(allow))
    const options = await readResponse(await api.mock.fetch(path, { method: 'OPTIONS' }))
    expect([options.status, options.headers.get('allow')]).toEqual([204, headers.get('allow')])
  })

  it.each(['/__admin/nowhere', '/__admin/clock/', '/__admin//clock', '/__ADMIN/health', '/__admin/journal/1/2'])(
    'do not include %s',
    async (path) => {
      const api = await openControlled(adapter)
      expectError(await api.get(path), 404, 'ROUTE_NOT_FOUND')
      expectError(await sandboxByPath(api, 'a').get(path), 404, 'ROUTE_NOT_FOUND')
    },
  )

  it.each<[string, string, number, string]>([
    ['POST', '/__admin/snapshots/none/restore', 404, 'SNAPSHOT_NOT_FOUND'],
    ['DELETE', '/__admin/snapshots/none', 404, 'SNAPSHOT_NOT_FOUND'],
    ['GET', '/__admin/journal/77', 404, 'ENTRY_NOT_FOUND'],
    ['DELETE', '/__admin/faults/77', 404, 'FAULT_NOT_FOUND'],
    ['DELETE', '/__admin/sandboxes/none', 404, 'SANDBOX_NOT_FOUND'],
    ['DELETE', '/__admin/faults/0', 400, 'INVALID_REQUEST'],
    ['DELETE', '/__admin/faults/x', 400, 'INVALID_REQUEST'],
    ['DELETE', '/__admin/sandboxes/a%2Fb', 400, 'INVALID_REQUEST'],
    ['DELETE', '/__admin/snapshots/%zz', 400, 'INVALID_REQUEST'],
  ])('lead %s %s nowhere', async (method, path, status, code) => {
    const api = await openControlled(adapter)
    await expectNothingDone(api, async () => readResponse(await api.mock.fetch(path, { method })), status, code)
  })

  it('answer HEAD without a body, and change nothing when they are read', async () => {
    const api = await openControlled(adapter)
    const before = await controlsOf(api)
    for (const part of ['health', 'scenarios', 'state', 'snapshots', 'journal', 'journal.har', 'faults', 'clock']) {
      const { status, text } = await readResponse(await api.mock.fetch(`/__admin/${part}`, { method: 'HEAD' }))
      expect({ part, status, text }).toEqual({ part, status: 200, text: '' })
      expect((await api.get(`/__admin/${part}`)).status).toBe(200)
    }
    expect(await controlsOf(api)).toBe(before)
  })

  it('answer only in what they are written in', async () => {
    const api = await openControlled(adapter)
    for (const path of ['/__admin/state', '/__admin/journal.har', '/__admin/faults']) {
      const response = await readResponse(await api.mock.fetch(path, { headers: { Accept: 'text/html' } }))
      expectError(response, 406, 'NOT_ACCEPTABLE', 'application/json')
    }
  })

  it('need no body where they take none, and mind none', async () => {
    const api = await openControlled(adapter)
    expectNoContent(await api.post('/__admin/snapshots/kept/restore', '{"name":'))
    expect((await api.get('/categories')).body).toHaveLength(2)
  })

  it('are the same behind faults, overrides and delays of the store', async () => {
    const api = await openControlled(adapter)
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
