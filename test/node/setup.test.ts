import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { http } from 'msw'
import { setupServer } from 'msw/node'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type NodeOptions, type NodePetstore, setupPetstore } from '../../src/adapters/node/index.js'
import { shop } from '../support/client.js'

const BASE = 'https://petstore.test'
const fixtures = shop([{ id: 1, name: 'Rex' }])
const ORIGINAL_FETCH = globalThis.fetch

/** A pet store that listens until the test ends. */
function listening(options: NodeOptions = { fixtures }): NodePetstore {
  const petstore = setupPetstore({ baseUrl: BASE, ...options })
  petstore.listen()
  onTestFinished(() => {
    try {
      petstore.close()
    } catch {
      // The test has looked at it already.
    }
  })
  return petstore
}

/** The call fails with this, or because of this: msw 3 leaves it to fetch to say that it failed. */
async function expectStopped(call: Promise<unknown>, reason: string): Promise<void> {
  const error = await call.catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(Error)
  const { message, cause } = error as Error
  expect([message, (cause as Error | undefined)?.message].join('\n')).toContain(reason)
}

/** A server on loopback that counts what reaches it. */
async function neighbour(): Promise<{ url: string; received: string[] }> {
  const received: string[] = []
  const server = createServer((request, response) => {
    received.push(request.url ?? '')
    response.end('from the neighbour')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received }
}

describe('A pet store that listens', () => {
  it('answers for its addresses, at the root and below a path', async () => {
    listening({ fixtures, baseUrl: ['https://petstore.test', 'http://localhost:8080/api/v1/'] })
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

  it('answers for the address of the document where none is given', async () => {
    const petstore = setupPetstore({ fixtures })
    petstore.listen()
    expect((await fetch('http://127.0.0.1:4010/pets/1')).status).toBe(200)
    petstore.close()
  })

  it('knows the base address itself, and leaves alone what only begins like it', async () => {
    const petstore = listening({ fixtures, baseUrl: 'https://petstore.test/api' })
    expect((await fetch('https://petstore.test/api')).status).toBe(404)
    expect((await fetch('https://petstore.test/api?x=1')).status).toBe(404)
    await expectStopped(fetch('https://petstore.test/apis/pets'), 'is not for the pet store')
    await expectStopped(fetch('https://petstore.test.invalid/api/pets'), 'is not for the pet store')
    expect(() => petstore.check()).toThrow('apis/pets')
  })

  it('answers the control plane and the document too', async () => {
    listening()
    expect(await (await fetch(`${BASE}/__admin/health`)).json()).toMatchObject({ status: 'ok' })
    expect(await (await fetch(`${BASE}/openapi.yaml`)).text()).toMatch(/^openapi: /)
  })

  it('waits for a world that is still being generated', async () => {
    listening({ seed: 9 })
    expect((await fetch(`${BASE}/pets`)).status).toBe(200)
  })

  it('can be reset while its world is still being generated', async () => {
    const petstore = listening({ seed: 9 })
    petstore.reset()
    expect((await fetch(`${BASE}/pets`)).status).toBe(200)
  })

  it('fails the test where its world cannot be generated', async () => {
    const petstore = listening({ seed: 9, categories: 1_000_000 })
    await expect(fetch(`${BASE}/pets`)).rejects.toThrow()
    expect(() => petstore.close()).toThrow('categories')
  })

  it('H19 can be listened to twice, closed twice, and listened to again', async () => {
    const petstore = listening()
    petstore.listen()
    expect((await fetch(`${BASE}/pets`)).status).toBe(200)
    petstore.close()
    expect(globalThis.fetch).toBe(ORIGINAL_FETCH)
    petstore.close()
    petstore.listen()
    expect((await fetch(`${BASE}/pets`)).status).toBe(200)
  })

  it('I11 gives fetch back when the last one closes', () => {
    const one = listening()
    const other = listening({ baseUrl: 'https://other.test' })
    one.close()
    expect(globalThis.fetch).not.toBe(ORIGINAL_FETCH)
    other.close()
    expect(globalThis.fetch).toBe(ORIGINAL_FETCH)
  })
})

describe('A request for another address', () => {
  it('I10 is stopped, and fails the test even if the code under test swallows it', async () => {
    const { url, received } = await neighbour()
    const petstore = listening()
    await expectStopped(
      fetch(`${url}/secret?token=abc`),
      `GET ${url}/secret is not for the pet store at ${BASE} and was stopped on its way to the network`,
    )
    expect(() => petstore.reset()).toThrow("set onUnhandledRequest to 'bypass'")
    petstore.reset()
    expect(received).toEqual([])
  })

  it('is let through where the option says so', async () => {
    const { url, received } = await neighbour()
    const petstore = listening({ onUnhandledRequest: 'bypass' })
    expect(await (await fetch(`${url}/hello`)).text()).toBe('from the neighbour')
    petstore.check()
    expect(received).toEqual(['/hello'])
  })

  it('is decided by a function', async () => {
    const { url, received } = await neighbour()
    const petstore = listening({
      onUnhandledRequest: ({ url: asked }) => (asked.startsWith(url) ? 'bypass' : 'error'),
    })
    expect((await fetch(`${url}/hello`)).status).toBe(200)
    await expectStopped(fetch('https://elsewhere.invalid/'), 'elsewhere.invalid')
    expect(() => petstore.close()).toThrow('elsewhere.invalid')
    expect(received).toEqual(['/hello'])
  })

  it('is stopped unless the function says clearly that it may go', async () => {
    const { url, received } = await neighbour()
    const silent = listening({ onUnhandledRequest: () => undefined as never })
    await expectStopped(fetch(url), 'is not for the pet store')
    expect(() => silent.close()).toThrow('is not for the pet store')
    const throwing = listening({
      onUnhandledRequest() {
        throw new RangeError('of the function')
      },
    })
    await expectStopped(fetch(url), 'is not for the pet store')
    expect(() => throwing.close()).toThrow('of the function')
    expect(received).toEqual([])
  })

  it('fails the test of the one who minds, and not of another', async () => {
    const careless = listening({ onUnhandledRequest: 'bypass' })
    const careful = listening({ baseUrl: 'https://other.test' })
    await expectStopped(fetch('https://elsewhere.invalid/'), 'is not for the pet store at https://other.test')
    expect(() => careful.close()).toThrow('elsewhere.invalid')
    careless.close()
  })

  it('is told in few words, however often it was made', async () => {
    const petstore = listening()
    for (let count = 0; count < 30; count++) await fetch('https://elsewhere.invalid/poll').catch(() => {})
    expect(() => petstore.close()).toThrow(/^(\n- GET https:\/\/elsewhere.invalid\/poll .*){10}\n- and 20 more$/)
  })
})

describe('Several pet stores at one address', () => {
  it('are told apart by who runs the code', async () => {
    const one = listening()
    const other = listening()
    other.data.pets.update(1, { name: 'Other' })
    const read = async () => (await (await fetch(`${BASE}/pets/1`)).json()).name
    expect(await Promise.all([one.run(read), other.run(read)])).toEqual(['Rex', 'Other'])
  })

  it('are not guessed between', async () => {
    const one = listening()
    const other = listening()
    await expectStopped(fetch(`${BASE}/pets/1`), 'could be for any of 2 pet stores')
    // One says it; the test of an older one may be over.
    one.check()
    expect(() => other.check()).toThrow('petstore.run')
  })

  it('do not mind what others are asked for by mistake', async () => {
    const one = listening()
    const other = listening()
    const elsewhere = listening({ baseUrl: 'https://other.test' })
    await expectStopped(fetch(`${BASE}/pets/1`), 'could be for any of 2 pet stores')
    elsewhere.check()
    expect(() => other.check()).toThrow('petstore.run')
    await expectStopped(
      elsewhere.run(() => fetch(`${BASE}/pets/1`)),
      'could be for any of 2 pet stores',
    )
    for (const { check } of [one, other]) check()
    expect(() => elsewhere.check()).toThrow('petstore.run')
  })

  it('do not take over what a test that has ended still asks for', async () => {
    const ended = listening()
    ended.close()
    const next = listening()
    await expectStopped(
      ended.run(() => fetch(`${BASE}/pets/1`)),
      'is made for a pet store that does not listen, or no longer does',
    )
    expect(next.journal.total).toBe(0)
    next.check()
  })
})

describe('Handlers', () => {
  it('serve in an msw server of one’s own, beside other handlers', async () => {
    const petstore = setupPetstore({ baseUrl: BASE, fixtures })
    const server = setupServer(
      ...petstore.handlers,
      http.get('https://elsewhere.invalid/', () => new Response('theirs')),
    )
    server.listen({ onUnhandledRequest: 'error' })
    onTestFinished(() => server.close())
    expect((await fetch(`${BASE}/pets/1`)).status).toBe(200)
    expect(await (await fetch('https://elsewhere.invalid/')).text()).toBe('theirs')
    expect(petstore.journal.total).toBe(1)
  })
})

describe('The options', () => {
  it.each<[string, object, RegExp]>([
    ['an address that is none', { baseUrl: 'petstore' }, /Option "baseUrl" must be an address such as .*"petstore"/],
    ['another protocol', { baseUrl: 'ftp://petstore.test' }, /"baseUrl" must be an address/],
    ['a query', { baseUrl: 'https://petstore.test/?a=1' }, /"baseUrl" must be an address/],
    ['something else', { baseUrl: 5 }, /"baseUrl" must be an address or a list of addresses/],
    ['no address', { baseUrl: [] }, /"baseUrl" must be a list of at least one address/],
    ['a typo', { baseURL: BASE }, /Unknown option "baseURL"\. Did you mean "baseUrl"\?/],
    [
      'another strategy',
      { onUnhandledRequest: 'warn' },
      /"onUnhandledRequest" must be 'error', 'bypass' or a function/,
    ],
    ['an option of the server', { port: 1 }, /Unknown option "port"\. Available: baseUrl, onUnhandledRequest, seed/],
  ])('refuse %s', (_, options, message) => {
    expect(() => setupPetstore(options)).toThrow(message)
  })
})
