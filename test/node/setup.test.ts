import { http } from 'msw'
import { setupServer } from 'msw/node'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type NodeOptions, type NodePetstore, setupPetstore } from '../../src/adapters/node/index.js'
import { runInScope } from '../../src/adapters/node/listeners.js'
import { shop } from '../support/client.js'
import { expectBlocked, listen } from './listen.js'

const BASE = 'https://petstore.test'
const fixtures = shop([{ id: 1, name: 'Rex' }])
const ORIGINAL_FETCH = globalThis.fetch

function listenAtBase(options: NodeOptions = { fixtures }): NodePetstore {
  return listen({ baseUrl: BASE, ...options })
}

describe('A mock that listens', () => {
  it('handles requests to its base URLs, at the root and under a path', async () => {
    listenAtBase({ fixtures, baseUrl: ['https://petstore.test', 'http://localhost:8080/api/v1/'] })
    expect(await (await fetch('https://petstore.test/pets/1')).json()).toMatchObject({ name: 'Rex' })
    const created = await fetch('http://localhost:8080/api/v1/pets', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"name":"Ada","categoryId":1}',
    })
    expect([created.status, created.headers.get('location')]).toEqual([201, '/api/v1/pets/2'])
    const list = await fetch('http://localhost:8080/api/v1/pets?limit=1')
    expect(list.headers.get('link')).toContain('</api/v1/pets?limit=1&offset=1>; rel="next"')
  })

  it('uses the address of the OpenAPI document by default', async () => {
    const petstore = setupPetstore({ fixtures })
    petstore.listen()
    expect((await fetch('http://127.0.0.1:4010/pets/1')).status).toBe(200)
    petstore.close()
  })

  it('handles the base URL itself, but not an address that only starts with its text', async () => {
    const petstore = listenAtBase({ fixtures, baseUrl: 'https://petstore.test/api' })
    expect((await fetch('https://petstore.test/api')).status).toBe(404)
    expect((await fetch('https://petstore.test/api?x=1')).status).toBe(404)
    // A reproduction with an empty path cannot be replayed.
    expect(petstore.journal.entries().map(({ path }) => path)).toEqual(['/', '/'])
    await expectBlocked(fetch('https://petstore.test/apis/pets'), 'was blocked by the mock')
    await expectBlocked(fetch('https://petstore.test.invalid/api/pets'), 'was blocked by the mock')
    expect(() => petstore.check()).toThrow('apis/pets')
  })

  it('serves the admin API and the OpenAPI document', async () => {
    listenAtBase()
    expect(await (await fetch(`${BASE}/__admin/health`)).json()).toMatchObject({ status: 'ok' })
    expect(await (await fetch(`${BASE}/openapi.yaml`)).text()).toMatch(/^openapi: /)
  })

  it('can be reset while its starting data is being generated', async () => {
    const petstore = listenAtBase({ seed: 9 })
    petstore.reset()
    expect((await fetch(`${BASE}/pets`)).status).toBe(200)
  })

  it('fails the test if its starting data cannot be generated', async () => {
    const petstore = listenAtBase({ seed: 9, categories: 1_000_000 })
    await expect(fetch(`${BASE}/pets`)).rejects.toThrow()
    expect(() => petstore.close()).toThrow('categories')
  })

  it('H19 can listen twice, close twice, and listen again', async () => {
    const petstore = listenAtBase()
    petstore.listen()
    expect((await fetch(`${BASE}/pets`)).status).toBe(200)
    petstore.close()
    expect(globalThis.fetch).toBe(ORIGINAL_FETCH)
    petstore.close()
    petstore.listen()
    expect((await fetch(`${BASE}/pets`)).status).toBe(200)
  })

  it('I11 restores fetch when the last mock closes', () => {
    const one = listenAtBase()
    const other = listenAtBase({ baseUrl: 'https://other.test' })
    one.close()
    expect(globalThis.fetch).not.toBe(ORIGINAL_FETCH)
    other.close()
    expect(globalThis.fetch).toBe(ORIGINAL_FETCH)
  })
})

describe('Several mocks at one address', () => {
  it('reject a request that could be for any of them', async () => {
    const one = listenAtBase()
    const other = listenAtBase()
    await expectBlocked(fetch(`${BASE}/pets/1`), 'matches the base URL of 2 mocks')
    // Only the newest reports it, because the tests of older ones may have ended.
    one.check()
    expect(() => other.check()).toThrow('petstore.run')
  })

  it('report an ambiguous request only to the mock that it was made for', async () => {
    const one = listenAtBase()
    const other = listenAtBase()
    const elsewhere = listenAtBase({ baseUrl: 'https://other.test' })
    await expectBlocked(fetch(`${BASE}/pets/1`), 'matches the base URL of 2 mocks')
    elsewhere.check()
    expect(() => other.check()).toThrow('petstore.run')
    await expectBlocked(
      elsewhere.run(() => fetch(`${BASE}/pets/1`)),
      'matches the base URL of 2 mocks',
    )
    for (const { check } of [one, other]) check()
    expect(() => elsewhere.check()).toThrow('petstore.run')
  })

  it('do not handle requests of a test that has ended', async () => {
    const ended = listenAtBase()
    ended.close()
    const next = listenAtBase()
    await expectBlocked(
      ended.run(() => fetch(`${BASE}/pets/1`)),
      'was made for a mock that is not listening',
    )
    expect(next.journal.total).toBe(0)
    next.check()
  })
})

describe('The mocks of isolated tests', () => {
  it('get no requests of other tests, but those of their own test and of code outside tests', async () => {
    const OTHER = 'https://other.test'
    const shared = listenAtBase({ fixtures, baseUrl: 'https://shared.test' })
    const others = runInScope(() => listenAtBase({ fixtures, baseUrl: OTHER }))
    await runInScope(async () => {
      const own = listenAtBase()
      const second = listenAtBase({ fixtures, baseUrl: 'https://second.test' })
      await expectBlocked(fetch(`${OTHER}/pets/1`), `was blocked by the mock at ${BASE}`)
      expect(() => own.check()).toThrow(OTHER)
      await own.run(() => fetch('https://second.test/pets/1'))
      await fetch('https://second.test/pets/1')
      await fetch('https://shared.test/pets/1')
      expect([own, second, shared, others].map(({ journal }) => journal.total)).toEqual([0, 2, 1, 0])
    })
    await fetch(`${OTHER}/pets/1`)
    expect(others.journal.total).toBe(1)
  })
})

describe('Handlers', () => {
  it('work in your own msw server, next to other handlers', async () => {
    const petstore = setupPetstore({ baseUrl: BASE, fixtures })
    const server = setupServer(
      ...petstore.handlers,
      http.get('https://elsewhere.invalid/', () => new Response('other handler')),
    )
    server.listen({ onUnhandledRequest: 'error' })
    onTestFinished(() => server.close())
    expect((await fetch(`${BASE}/pets/1`)).status).toBe(200)
    expect(await (await fetch('https://elsewhere.invalid/')).text()).toBe('other handler')
    expect(petstore.journal.total).toBe(1)
  })
})

describe('The options', () => {
  it.each<[string, object, RegExp]>([
    ['an invalid address', { baseUrl: 'petstore' }, /Option "baseUrl" must be an address such as .*"petstore"/],
    ['another protocol', { baseUrl: 'ftp://petstore.test' }, /"baseUrl" must be an address/],
    ['a query', { baseUrl: 'https://petstore.test/?a=1' }, /"baseUrl" must be an address/],
    ['a number', { baseUrl: 5 }, /"baseUrl" must be an address or a list of addresses/],
    ['an empty list', { baseUrl: [] }, /"baseUrl" must be a list of at least one address/],
    ['a typo', { baseURL: BASE }, /Unknown option "baseURL"\. Did you mean "baseUrl"\?/],
    [
      'an unknown strategy',
      { onUnhandledRequest: 'ignore' },
      /"onUnhandledRequest" must be 'error', 'warn', 'bypass' or a function/,
    ],
    [
      'an option of the server',
      { port: 1 },
      /Unknown option "port"\. Available: baseUrl, onUnhandledRequest, server, services, followSandboxes, upstream, .* and \d+ more\./,
    ],
  ])('reject %s', (_, options, message) => {
    expect(() => setupPetstore(options)).toThrow(message)
  })
})
