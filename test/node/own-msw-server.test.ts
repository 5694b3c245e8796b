import * as httpByName from 'node:http'
import * as httpsByName from 'node:https'
import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type NodeOptions, type NodePetstore, setupPetstore } from '../../src/adapters/node/index.js'
import { shop } from '../support/client.js'
import { importTwice } from '../support/import-twice.js'
import { httpClients } from './http-clients.js'
import { listen } from './listen.js'

const BASE = 'https://petstore.test'
const RATES = 'https://rates.test/eur'
const fixtures = shop([{ id: 1, name: 'Rex' }])
const ADVICE = 'Pass it to the mock as the option server'

type Server = ReturnType<typeof setupServer>

function createServer(): Server {
  return setupServer(http.get(RATES, () => HttpResponse.text('1.1')))
}

/** msw 3 knows the option by another name. */
const STRICT = { onUnhandledRequest: 'error', onUnhandledFrame: 'error' } as const

function start(server: Server): void {
  server.listen(STRICT)
  onTestFinished(() => server.close())
}

function listenWith(server: Server, options: NodeOptions = {}) {
  return listen({ baseUrl: BASE, fixtures, server, ...options })
}

const readRate = async () => (await fetch(RATES)).text()
const readPet = async () => (await (await fetch(`${BASE}/pets/1`)).json()).name

describe('A mock with the user’s own msw server', () => {
  it.each<[string, (server: Server) => void]>([
    [
      'the server first',
      (server) => {
        start(server)
        listenWith(server)
      },
    ],
    [
      'the mock first',
      (server) => {
        listenWith(server)
        start(server)
      },
    ],
  ])('responds beside it, when they start in this order: %s', async (_, startBoth) => {
    startBoth(createServer())
    expect([await readPet(), await readRate()]).toEqual(['Rex', '1.1'])
  })

  it('leaves the server listening when it closes', async () => {
    const server = createServer()
    start(server)
    const petstore = listenWith(server)
    petstore.close()
    expect(await readRate()).toBe('1.1')
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
    onTestFinished(() => printed.mockRestore())
    await expect(fetch(`${BASE}/pets/1`)).rejects.toThrow()
    expect([petstore.journal.total, printed.mock.calls.length]).toEqual([0, 1])
  })

  it('still gets requests after resetHandlers, and later handlers of the user come first', async () => {
    const server = createServer()
    start(server)
    const petstore = listenWith(server)
    server.use(http.get(`${BASE}/pets/1`, () => HttpResponse.json({ name: 'Ada' })))
    expect(await readPet()).toBe('Ada')
    server.resetHandlers()
    expect([await readPet(), await readRate(), petstore.journal.total]).toEqual(['Rex', '1.1', 1])
  })

  it('gets requests inside a boundary of the server', async () => {
    const server = createServer()
    start(server)
    listenWith(server)
    await server.boundary(async () => {
      server.use(http.get(RATES, () => HttpResponse.text('2.2')))
      expect([await readPet(), await readRate()]).toEqual(['Rex', '2.2'])
    })()
    expect(await readRate()).toBe('1.1')
  })

  it.each(httpClients)('handles requests of $name', async ({ protocol, send }) => {
    const server = createServer()
    start(server)
    const base = `${protocol}//petstore.test`
    const petstore = listenWith(server, { baseUrl: base })
    expect((await send(`${base}/pets/1`)).status).toBe(200)
    expect(petstore.journal.total).toBe(1)
  })

  it('blocks a request that could be for two mocks, instead of passing it to the server', async () => {
    const server = createServer()
    start(server)
    listenWith(server)
    const newest = listenWith(server)
    await expect(fetch(`${BASE}/pets/1`)).rejects.toThrow()
    expect(() => newest.check()).toThrow('matches the base URL of 2 mocks')
  })

  it('restores resetHandlers when the last of its mocks closes', () => {
    const server = createServer()
    const { resetHandlers } = server
    const one = listenWith(server)
    const other = listenWith(server)
    one.close()
    expect(server.resetHandlers).not.toBe(resetHandlers)
    other.close()
    expect(server.resetHandlers).toBe(resetHandlers)
  })

  it.each<[string, object, string]>([
    ['something else than a server', { server: {} }, 'Option "server" must be an msw server'],
    [
      'its own rule for unhandled requests',
      { server: createServer(), onUnhandledRequest: 'bypass' },
      'Option "onUnhandledRequest" must be omitted with the option server',
    ],
  ])('rejects %s', (_, options, message) => {
    expect(() => setupPetstore(options)).toThrow(message)
  })
})

it.each<[string, (server: Server, petstore: NodePetstore) => void]>([
  [
    'in it, and it closes first',
    (server, petstore) => {
      start(server)
      petstore.listen()
      petstore.close()
    },
  ],
  [
    'in it, and the server closes first',
    (server, petstore) => {
      petstore.listen()
      server.listen(STRICT)
      server.close()
      petstore.close()
    },
  ],
  [
    'beside it, and it closes first',
    (server) => {
      const petstore = setupPetstore({ baseUrl: BASE })
      petstore.listen()
      start(server)
      expect(() => petstore.close()).toThrow(ADVICE)
    },
  ],
])('a mock restores what is imported by name when it listens %s', (_, listenAndClose) => {
  const readNames = () => [httpByName.get, httpByName.request, httpsByName.get, httpsByName.request]
  const originals = readNames()
  const server = createServer()
  listenAndClose(server, setupPetstore({ baseUrl: BASE, server }))
  expect(readNames()).toEqual(originals)
})

it('both builds of the package share what they know of a server', async () => {
  const [one, other] = await importTwice(() => import('../../src/adapters/node/own-server.js'))
  const server = setupServer()
  const { resetHandlers } = server
  const handler = http.get(RATES, () => undefined)
  one.addHandler(server, handler)
  other.addHandler(server, handler)
  other.releaseHandler(server)
  expect(server.resetHandlers).toBe(resetHandlers)
})

describe('A mock without the option server', () => {
  it('refuses to listen while an msw server of the user listens', async () => {
    start(createServer())
    const petstore = setupPetstore({ baseUrl: BASE, fixtures })
    expect(() => petstore.listen()).toThrow(ADVICE)
    expect(await readRate()).toBe('1.1')
    petstore.close()
  })

  it('says so when a server of the user has replaced it', () => {
    const petstore = setupPetstore({ baseUrl: BASE, fixtures })
    petstore.listen()
    start(createServer())
    const other = setupPetstore({ baseUrl: 'https://other.test', fixtures })
    expect(() => other.listen()).toThrow(ADVICE)
    expect(() => petstore.close()).toThrow(ADVICE)
  })

  it('says so when that server was closed again', () => {
    const petstore = setupPetstore({ baseUrl: BASE, fixtures })
    petstore.listen()
    const server = createServer()
    server.listen(STRICT)
    server.close()
    const other = setupPetstore({ baseUrl: 'https://other.test', fixtures })
    expect(() => other.listen()).toThrow('Another msw server has replaced that of the mock, and was closed.')
    expect(() => petstore.close()).toThrow('was closed.')
  })

  it('names the option when it blocks a request to another address', async () => {
    const petstore = listen({ baseUrl: BASE, fixtures })
    await expect(fetch(RATES)).rejects.toThrow()
    expect(() => petstore.check()).toThrow('If your own msw server handles it, pass that server as the option server.')
  })

  it('runs a request once, even if it listens and its handlers are in a server that listens', async () => {
    const petstore = setupPetstore({ baseUrl: BASE, fixtures })
    petstore.listen()
    start(setupServer(...petstore.handlers))
    for (const count of [1, 2, 3]) {
      await fetch(`${BASE}/pets/1`)
      // msw makes the second call after the response.
      await new Promise((resolve) => setImmediate(resolve))
      expect(petstore.journal.total).toBe(count)
    }
    expect(() => petstore.close()).toThrow(ADVICE)
  })
})
