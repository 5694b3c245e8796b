import { expect, it } from 'vitest'
import type { PetstoreOptions } from '../../src/index.js'
import { describeEveryAdapter, type RunningMock } from '../support/adapters.js'
import { combine, forEachCase } from '../support/cases.js'
import { expectError, expectResponse, openClient, readResponse } from '../support/client.js'
import {
  type Changes,
  document,
  fillPath,
  type Operation,
  operation,
  operations,
  parseLinks,
  paths,
  STARTING_DATA,
  send,
  specification,
} from '../support/operations.js'
import { readText } from '../support/read-file-node.js'

const { version } = JSON.parse(await readText('package.json')) as { version: string }

const [BEFORE, AFTER] = ['2030-12-04T23:59:59.999Z', '2030-12-05T00:00:00.001Z']

/** The headers that the lifecycle markers of an operation require. Null means the header must be absent. */
function lifecycleOf({ source }: Operation): Record<string, string | null> {
  const startOf = (day: unknown) => new Date(`${day}T00:00:00Z`)
  const since = source['x-deprecated-since']
  const sunset = source['x-deprecated-sunset']
  return {
    deprecation: source.deprecated ? `@${startOf(since).getTime() / 1000}` : null,
    sunset: source.deprecated && sunset ? startOf(sunset).toUTCString() : null,
    'x-stability': (source['x-stability'] as string | undefined) ?? null,
  }
}

function expectLifecycle({ headers }: { headers: Headers }, each: Operation): void {
  const expected = lifecycleOf(each)
  expect(Object.fromEntries(Object.keys(expected).map((name) => [name, headers.get(name)]))).toEqual(expected)
  const links = parseLinks(headers.get('link'))
  expect('deprecation' in links).toBe(expected.deprecation !== null)
  expect('sunset' in links).toBe(expected.sunset !== null)
  for (const relation of ['deprecation', 'sunset']) {
    if (relation in links) expect(links[relation]).toMatch(/^\/docs(#|$)/)
  }
}

/** Expects the headers that every response has. */
async function expectCommonHeaders(response: Response): Promise<void> {
  const { headers } = response
  expect(headers.get('x-petstore-mock')).toBe(version)
  const body = await response.arrayBuffer()
  if (response.status === 204) expect([body.byteLength, headers.get('content-type')]).toEqual([0, null])
  else expect(headers.get('content-type')).toBe('application/json')
  if (body.byteLength > 0) expect(headers.get('content-length')).toBe(String(body.byteLength))
}

/** Requests of an operation with their status: every error that does not depend on the rules, and a success. */
function requestsOf({ path, body, success, parameters }: Operation): [status: number, changes: Changes][] {
  const requests: [number, Changes][] = [
    [406, { headers: { Accept: 'text/html' } }],
    [400, { query: 'bogus=1' }],
  ]
  if (path.includes('{')) requests.push([400, { id: '01' }], [404, { id: '999999' }])
  if (parameters.some(({ name }) => name === 'limit')) requests.push([400, { query: 'limit=0' }])
  if (body !== undefined) {
    requests.push([415, { contentType: 'text/plain' }], [413, { body: ' '.repeat(2000) }])
    requests.push([400, { body: '{' }], [400, { body: '[]' }])
  }
  return [...requests, [success, {}]]
}

const setClock = ({ petstore }: RunningMock, time: string) => {
  petstore.clock.freeze()
  petstore.clock.set(time)
}

describeEveryAdapter('headers', (adapter) => {
  it('have the lifecycle markers of the operation in every response', async () => {
    const { mock } = await openClient(adapter, { ...STARTING_DATA, strict: true, maxBodyBytes: 1000 })
    const requests = operations.flatMap((each) => requestsOf(each).map((request) => [each, ...request] as const))
    await forEachCase(
      requests.map(([each, status, changes]) => [each.id, status, changes, each] as const),
      async ([, status, changes, each]) => {
        mock.petstore.reset()
        const response = await send(mock, each, changes)
        expect(response.status).toBe(status)
        expectLifecycle(response, each)
        await expectCommonHeaders(response)
      },
    )
  })

  it('have no lifecycle markers if no operation of the path responds', async () => {
    const { mock } = await openClient(adapter, STARTING_DATA)
    await forEachCase(paths, async (path) => {
      for (const method of ['OPTIONS', 'PROPFIND']) {
        const response = await mock.fetch(fillPath(path), { method })
        const markers = ['deprecation', 'sunset', 'x-stability', 'link']
        expect(markers.filter((name) => response.headers.has(name))).toEqual([])
        await expectCommonHeaders(response)
      }
    })
  })
})

describeEveryAdapter('headers with names of members that every object has', (adapter) => {
  // Requests with such headers: test/server/header-names.test.ts, because `fetch` loses the first one.
  it('can be sent by an override', async () => {
    const { petstore, fetch } = (await openClient(adapter, STARTING_DATA)).mock
    petstore.override('deletePet', { status: 204, headers: JSON.parse('{"__proto__":"a","constructor":"b"}') })
    const { headers } = await fetch('/pets/1', { method: 'DELETE' })
    expect([headers.get('__proto__'), headers.get('constructor')]).toEqual(['a', 'b'])
    const [entry] = petstore.journal.entries()
    expect(Object.keys(entry?.response.headers ?? {})).toEqual(expect.arrayContaining(['__proto__', 'constructor']))
  })
})

describeEveryAdapter('a sunset', (adapter) => {
  it('has no effect at any time unless it is enforced', async () => {
    const { mock } = await openClient(adapter, STARTING_DATA)
    const start = mock.petstore.snapshot()
    await forEachCase(
      combine(adapter, operations, () => [BEFORE, AFTER, '2099-01-01T00:00:00Z']),
      async ([, time, each]) => {
        setClock(mock, time)
        mock.petstore.restore(start)
        expect((await send(mock, each)).status).toBe(each.success)
      },
    )
  })

  it('is enforced from its day on, by the clock of the mock', async () => {
    const { mock, get } = await openClient(adapter, { ...STARTING_DATA, sunset: 'enforce' })
    for (const [time, status] of [
      [BEFORE, 200],
      [AFTER, 410],
      ['2026-06-01T00:00:00Z', 200],
      ['2099-01-01T00:00:00Z', 410],
      ['2030-12-05T12:00:00+13:00', 200],
      ['2030-12-04T23:00:00-02:00', 410],
    ] as const) {
      setClock(mock, time)
      const response = await get('/pets/1')
      expect([time, response.status]).toEqual([time, status])
      if (status === 410) expectError(response, 410, 'OPERATION_SUNSET', /2030-12-05/)
      expectLifecycle(response, operation('getPet'))
    }
  })

  it('does not affect operations without one', async () => {
    const { mock } = await openClient(adapter, { ...STARTING_DATA, sunset: 'enforce' })
    setClock(mock, AFTER)
    const others = operations.filter(({ id }) => id !== 'getPet')
    expect(others).toHaveLength(17)
    const start = mock.petstore.snapshot()
    for (const each of others) {
      mock.petstore.restore(start)
      expect([each.id, (await send(mock, each)).status]).toEqual([each.id, each.success])
    }
  })
})

describeEveryAdapter('the mock', (adapter) => {
  it.each<[PetstoreOptions, object]>([
    [{}, { seed: 1, scenario: 'default', fixtures: false }],
    [{ scenario: 'empty' }, { seed: 1, scenario: 'empty', fixtures: false }],
    [{ fixtures: {} }, { seed: 1, scenario: 'empty', fixtures: true }],
  ])('created with %j reports its health', async (options, expected) => {
    const { mock, get } = await openClient(adapter, options)
    const response = await get('/__admin/health')
    const { uptimeMs, specHash } = response.body as { uptimeMs: number; specHash: string }
    const exampleRequest = { operation: 'listPets', target: '/pets?limit=3' }
    const title = 'Pet Store API'
    expectResponse(response, 200, { status: 'ok', version, title, ...expected, specHash, uptimeMs, exampleRequest })
    expect(specHash).toMatch(/^\S+$/)
    expect([Number.isInteger(uptimeMs), uptimeMs >= 0]).toEqual([true, true])
    const again = await openClient(adapter, STARTING_DATA)
    expect((await again.get('/__admin/health')).body).toMatchObject({ specHash })
    await expectCommonHeaders(await mock.fetch('/__admin/health'))
  })

  it('serves the OpenAPI document byte for byte', async () => {
    const { mock } = await openClient(adapter, STARTING_DATA)
    const response = await mock.fetch('/openapi.yaml')
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/yaml'])
    expect(response.headers.get('x-petstore-mock')).toBe(version)
    // Comparing text is faster than comparing bytes, and as strict if the bytes are valid UTF-8.
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
    expect(decoder.decode(await response.arrayBuffer())).toBe(specification)
  })

  it('serves the OpenAPI document as JSON', async () => {
    const { mock } = await openClient(adapter, STARTING_DATA)
    const response = await mock.fetch('/openapi.json')
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json'])
    expect(JSON.parse((await readResponse(response)).text)).toEqual(document)
  })
})
