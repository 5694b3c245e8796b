import { once } from 'node:events'
import http, { request as requestByName } from 'node:http'
import { connect, createServer } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import * as undici from 'undici'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { NodeOptions, NodePetstore } from '../../src/adapters/node/index.js'
import { shop } from '../support/client.js'
import { serve } from '../support/serve.js'
import { httpClients } from './http-clients.js'
import { describeError, listen, mswMajor } from './listen.js'

const BIG = 9007199254740993n
const SHOP = shop([{ id: 1, name: 'Rex' }, { id: 2, name: 'Mia', categoryId: 2 }, { id: BIG }])

it('sends the reason phrase of the status, as a server does', async () => {
  listen({ baseUrl: 'http://shop.invalid', fixtures: SHOP })
  const [response] = (await once(http.get('http://shop.invalid/pets/77'), 'response')) as [http.IncomingMessage]
  expect(response.resume().statusMessage).toBe('Not Found')
  expect((await fetch('http://shop.invalid/pets')).statusText).toBe('OK')
  expect((await undici.fetch('http://shop.invalid/pets/1', { method: 'DELETE' })).statusText).toBe('No Content')
})

describe.each(httpClients)('$name', ({ protocol, send }) => {
  const base = `${protocol}//shop.invalid/v1`
  const listenAtBase = (options: NodeOptions = {}) => listen({ baseUrl: base, fixtures: SHOP, ...options })

  it('gets a list with a query', async () => {
    listenAtBase()
    const { status, headers, text } = await send(`${base}/pets?name=mia&limit=5`)
    expect({ status, type: headers['content-type'], total: headers['x-total-count'], body: JSON.parse(text) }).toEqual({
      ...{ status: 200, type: 'application/json', total: '1' },
      body: [expect.objectContaining({ id: 2, name: 'Mia' })],
    })
  })

  it('creates a pet from its body and gets its location', async () => {
    const petstore = listenAtBase()
    const body = JSON.stringify({ name: 'Björn', categoryId: 1, status: 'available' })
    const { status, headers, text } = await send(`${base}/pets`, { method: 'POST', body })
    expect({ status, location: headers.location }).toEqual({ status: 201, location: expect.any(String) })
    expect(JSON.parse((await send(new URL(String(headers.location), base).href)).text)).toEqual(JSON.parse(text))
    expect((await petstore.fetch('/pets?name=Björn')).headers.get('x-total-count')).toBe('1')
  })

  it('gets only the headers for HEAD', async () => {
    listenAtBase()
    const { status, headers, text } = await send(`${base}/pets`, { method: 'HEAD' })
    expect({ status, total: headers['x-total-count'], text }).toEqual({ status: 200, total: '3', text: '' })
  })

  it('deletes a pet and gets no body', async () => {
    const petstore = listenAtBase()
    expect(await send(`${base}/pets/2`, { method: 'DELETE' })).toMatchObject({ status: 204, text: '' })
    expect((await petstore.fetch('/pets/2')).status).toBe(404)
  })

  it('I10 is blocked if it is sent to another address, and close() reports it', async () => {
    const petstore = listenAtBase()
    const failure = await send(`${protocol}//elsewhere.invalid/secret?token=1`).then(
      ({ status }) => expect.unreachable(`It got a response with status ${status}.`),
      describeError,
    )
    const message = `GET ${protocol}//elsewhere.invalid/secret was blocked by the mock at ${base}`
    expect(failure).toEqual(expect.arrayContaining(['UNHANDLED_REQUEST', expect.stringContaining(message)]))
    expect(() => petstore.close()).toThrow(
      expect.objectContaining({ code: 'UNHANDLED_REQUEST', message: expect.stringContaining(message) }),
    )
  })

  it('reaches the mock whose run() it is in, when two listen at one address', async () => {
    const mocks = ['Odd', 'Even'].map((name) => listenAtBase({ fixtures: shop([{ id: 1, name }]) }))
    const names = await Promise.all(
      Array.from({ length: 10 }, async (_, i) => {
        const petstore = mocks[i % 2] as NodePetstore
        return petstore.run(async () => {
          const before = JSON.parse((await send(`${base}/pets/1`)).text)
          const body = JSON.stringify({ name: `Child ${i}`, categoryId: 1, status: 'available' })
          return [before.name, (await send(`${base}/pets`, { method: 'POST', body })).status]
        })
      }),
    )
    expect(names).toEqual(Array.from({ length: 10 }, (_, i) => [i % 2 ? 'Even' : 'Odd', 201]))
    for (const [k, petstore] of mocks.entries()) {
      const children = petstore.data.pets.all().filter(({ name }) => name.startsWith('Child'))
      expect(children.map(({ name }) => Number(name.slice(6)) % 2)).toEqual(Array(5).fill(k))
    }
  })

  it('reaches the mock whose run() it is in, for one request after another', async () => {
    const mocks = ['Odd', 'Even'].map((name) => listenAtBase({ fixtures: shop([{ id: 1, name }]) }))
    for (const [k, name] of ['Odd', 'Even', 'Odd', 'Even'].entries()) {
      const { text } = await (mocks[k % 2] as NodePetstore).run(() => send(`${base}/pets/1`))
      expect(JSON.parse(text).name).toBe(name)
    }
  })
})

describe.each(httpClients.filter(({ protocol }) => protocol === 'http:'))('$name, bypassed', ({ send }) => {
  it('reaches a real server', async () => {
    const { origin, received } = await openServer()
    listen({ onUnhandledRequest: 'bypass' })
    const response = await send(`${origin}/else?where=1`, { method: 'POST', body: '{"a":1}' })
    expect(response).toMatchObject({ status: 202, text: 'from the server' })
    expect(received).toEqual(['POST /else?where=1 {"a":1}'])
  })

  it('is blocked if onUnhandledRequest returns error, and calls it once', async () => {
    const { origin, received } = await openServer()
    const urls: string[] = []
    const petstore = listen({
      onUnhandledRequest: ({ url }) => {
        urls.push(url.slice(origin.length))
        return url.endsWith('/allowed') ? 'bypass' : 'error'
      },
    })
    await expect(send(`${origin}/allowed`)).resolves.toMatchObject({ status: 202 })
    await expect(send(`${origin}/secret`)).rejects.toThrow()
    expect({ urls, received }).toEqual({ urls: ['/allowed', '/secret'], received: ['GET /allowed '] })
    expect(() => petstore.close()).toThrow('/secret was blocked by the mock')
  })
})

function useMockAgent() {
  const previous = undici.getGlobalDispatcher()
  const mockAgent = new undici.MockAgent()
  mockAgent.disableNetConnect()
  undici.setGlobalDispatcher(mockAgent)
  return { mockAgent, restore: () => undici.setGlobalDispatcher(previous) }
}

describe('undici', () => {
  const base = 'http://shop.invalid'
  const CALLS = [
    { name: 'request', call: undici.request },
    { name: 'fetch', call: undici.fetch },
  ]

  it('gets the responses of a MockAgent that was the global dispatcher, which are not reported', async () => {
    const { mockAgent, restore } = useMockAgent()
    onTestFinished(restore)
    mockAgent.get('http://rates.test').intercept({ path: '/eur' }).reply(200, '1.1')
    const petstore = listen({ baseUrl: 'http://petstore.test' })
    expect(await (await undici.request('http://rates.test/eur')).body.text()).toBe('1.1')
    expect((await undici.request('http://petstore.test/pets')).statusCode).toBe(200)
    expect((await fetch('http://petstore.test/pets')).status).toBe(200)
    petstore.check()
  })

  it('is blocked when a MockAgent would let a request through to the network', async () => {
    const { mockAgent, restore } = useMockAgent()
    onTestFinished(restore)
    mockAgent.enableNetConnect()
    const petstore = listen({ baseUrl: 'http://petstore.test' })
    await expect(undici.request('http://127.0.0.1:9/eur')).rejects.toThrow('was blocked by the mock')
    expect(petstore.check).toThrow('http://127.0.0.1:9/eur was blocked by the mock')
  })

  it('is blocked with its own Agent, after a MockAgent has responded at the same address', async () => {
    const { mockAgent, restore } = useMockAgent()
    onTestFinished(restore)
    const petstore = listen({ baseUrl: 'http://petstore.test', onUnhandledRequest: () => reaction })
    let reaction: 'bypass' | 'error' = 'bypass'
    mockAgent.get('http://127.0.0.1:9').intercept({ path: '/eur' }).reply(200, '1.1')
    await undici.request('http://127.0.0.1:9/eur')
    reaction = 'error'
    const dispatcher = new undici.Agent()
    onTestFinished(() => dispatcher.destroy())
    await expect(undici.request('http://127.0.0.1:9/eur', { dispatcher })).rejects.toThrow('was blocked by the mock')
    expect(petstore.check).toThrow('http://127.0.0.1:9/eur was blocked by the mock')
  })

  it('is blocked with its own Agent, after a closed global dispatcher rejected the same request', async () => {
    const previous = undici.getGlobalDispatcher()
    const closed = new undici.Agent()
    await closed.close()
    undici.setGlobalDispatcher(closed)
    onTestFinished(() => undici.setGlobalDispatcher(previous))
    let reaction: 'bypass' | 'error' = 'bypass'
    const petstore = listen({ baseUrl: 'http://petstore.test', onUnhandledRequest: () => reaction })
    await expect(undici.request('http://127.0.0.1:9/eur')).rejects.toThrow('destroyed')
    reaction = 'error'
    const dispatcher = new undici.Agent()
    onTestFinished(() => dispatcher.destroy())
    await expect(undici.request('http://127.0.0.1:9/eur', { dispatcher })).rejects.toThrow('was blocked by the mock')
    expect(petstore.check).toThrow('http://127.0.0.1:9/eur was blocked by the mock')
  })

  it('accepts a query, headers as a flat list and a body as a stream', async () => {
    listen({ baseUrl: base, fixtures: SHOP })
    const { headers } = await undici.request(`${base}/pets`, { query: { name: 'mia' } })
    expect(headers['x-total-count']).toBe('1')
    const { statusCode } = await undici.request(`${base}/categories`, {
      method: 'POST',
      headers: ['Content-Type', 'application/json'],
      body: Readable.from(['{"name":', '"Birds"}']),
    })
    expect(statusCode).toBe(201)
  })

  it('sends the type of a Blob, unless there is a Content-Type', async () => {
    const petstore = listen({ baseUrl: base, fixtures: SHOP })
    // The types of undici do not have it.
    const body = new Blob(['{"name":"Birds"}'], { type: 'application/json' }) as never
    expect((await undici.request(`${base}/categories`, { method: 'POST', body })).statusCode).toBe(201)
    const headers = { 'content-type': 'text/plain' }
    expect((await undici.request(`${base}/categories`, { method: 'POST', headers, body })).statusCode).toBe(415)
    expect(petstore.journal.total).toBe(2)
  })

  it.each(CALLS)('ends a $name that is aborted while it waits', async ({ call }) => {
    const petstore = listen({ baseUrl: base, fixtures: SHOP })
    const aborter = new AbortController()
    petstore.override('listPets', () => {
      aborter.abort()
      return new Promise(() => {})
    })
    await expect(call(`${base}/pets`, { signal: aborter.signal })).rejects.toMatchObject({ name: 'AbortError' })
  })

  it.each(CALLS)('does not send a $name that is already aborted', async ({ call }) => {
    const petstore = listen({ baseUrl: base, fixtures: SHOP })
    await expect(call(`${base}/pets`, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: 'AbortError',
    })
    expect(petstore.journal.entries()).toEqual([])
  })

  it('gets the response of a real server as it was sent', async () => {
    const compressed = gzipSync('text')
    const { origin } = await openServer({ 'set-cookie': ['a=1', 'b=2'], 'content-encoding': 'gzip' }, compressed)
    listen({ onUnhandledRequest: 'bypass' })
    const { headers, body } = await undici.request(origin)
    expect(headers).toMatchObject({ 'set-cookie': ['a=1', 'b=2'], 'content-encoding': 'gzip' })
    expect(Buffer.from(await body.arrayBuffer())).toEqual(compressed)
    await expect(undici.fetch(origin).then((response) => response.text())).resolves.toBe('text')
  })

  it('is blocked if it goes through a custom dispatcher, whatever its address', async () => {
    const { origin, received } = await openServer()
    const petstore = listen({ baseUrl: base, fixtures: SHOP })
    const dispatcher = new undici.Agent()
    const withHttp2 = new undici.Agent({ allowH2: true })
    onTestFinished(async () => void (await Promise.all([dispatcher.destroy(), withHttp2.destroy()])))
    await expect(undici.request(origin, { dispatcher })).rejects.toThrow('was blocked by the mock')
    expect(() => petstore.check()).toThrow('was blocked by the mock')
    for (const custom of [dispatcher, withHttp2]) {
      await expect(undici.request(`${base}/pets`, { dispatcher: custom })).rejects.toThrow(
        'the global dispatcher and the global fetch',
      )
      expect(() => petstore.check()).toThrow('custom undici dispatcher')
    }
    expect(received).toEqual([])
  })

  it('is mocked again by the next mock, after another global dispatcher was set', async () => {
    const before = undici.getGlobalDispatcher()
    const petstore = listen({ baseUrl: base, fixtures: SHOP })
    const another = new undici.Agent()
    undici.setGlobalDispatcher(another)
    onTestFinished(() => {
      undici.setGlobalDispatcher(before)
      return another.destroy()
    })
    await expect(undici.request(`${base}/pets`)).rejects.toThrow('the global undici dispatcher was set after listen()')
    expect(() => petstore.check()).toThrow('Set it, or import undici, before.')
    listen({ baseUrl: 'http://other.invalid', fixtures: SHOP })
    expect((await undici.request(`${base}/pets`)).statusCode).toBe(200)
  })

  it('may go through a custom dispatcher with the global fetch', async () => {
    const petstore = listen({ baseUrl: base, fixtures: SHOP })
    const dispatcher = new undici.Agent()
    onTestFinished(() => dispatcher.destroy())
    await expect(fetch(`${base}/pets`, { dispatcher } as RequestInit)).resolves.toMatchObject({ status: 200 })
    expect(petstore.journal.total).toBe(1)
  })

  it('may use a custom dispatcher for a bypassed request', async () => {
    const { origin, received } = await openServer()
    listen({ onUnhandledRequest: 'bypass' })
    const dispatcher = new undici.Agent()
    onTestFinished(() => dispatcher.destroy())
    await expect(undici.request(origin, { dispatcher })).resolves.toMatchObject({ statusCode: 202 })
    await expect(fetch(origin, { dispatcher } as RequestInit)).resolves.toMatchObject({ status: 202 })
    expect(received).toHaveLength(2)
  })

  it('restores the global dispatcher, unless another one was set meanwhile', async () => {
    const { origin } = await openServer()
    const before = undici.getGlobalDispatcher()
    listen().close()
    expect(undici.getGlobalDispatcher()).toBe(before)
    await expect(undici.request(origin)).resolves.toMatchObject({ statusCode: 202 })

    onTestFinished(() => undici.setGlobalDispatcher(before))
    const another = new undici.Agent()
    const petstore = listen()
    undici.setGlobalDispatcher(another)
    petstore.close()
    expect(undici.getGlobalDispatcher()).toBe(another)
    await another.destroy()
  })
})

it('I11 restores named imports from node:http', () => {
  const before = requestByName
  const petstore = listen()
  expect(requestByName).not.toBe(before)
  petstore.close()
  expect(requestByName).toBe(before)
})

it('intercepts a fetch function that was saved before listen()', async () => {
  const saved = fetch
  listen({ baseUrl: 'http://shop.invalid', fixtures: SHOP })
  expect((await saved('http://shop.invalid/pets/1')).status).toBe(200)
})

it('leaves nothing open that keeps the process alive', async () => {
  const before = process.getActiveResourcesInfo()
  const petstore = listen({ baseUrl: ['http://shop.invalid', 'https://shop.invalid'] })
  for (const { name, protocol, send } of httpClients) {
    expect((await send(`${protocol}//shop.invalid/pets`)).status, name).toBe(200)
    await send(`${protocol}//elsewhere.invalid/`).catch(() => {})
  }
  expect(() => petstore.close()).toThrow('elsewhere.invalid')
  // msw 3 leaves sockets open, but they do not keep the process alive.
  const unrelated = ['FSReqCallback', 'Immediate', ...(mswMajor >= 3 ? ['TCPSocketWrap'] : [])]
  const findOpen = (): string[] => {
    const open = process.getActiveResourcesInfo().filter((name) => !unrelated.includes(name))
    for (const name of before) if (open.includes(name)) open.splice(open.indexOf(name), 1)
    return open
  }
  // A closed socket disappears after a few turns of the event loop.
  const deadline = performance.now() + 30_000
  while (findOpen().length > 0 && performance.now() < deadline) await new Promise(setImmediate)
  expect(findOpen()).toEqual([])
})

/** A real server on the loopback interface, and the requests that it received. */
async function openServer(headers: http.OutgoingHttpHeaders = {}, content: string | Buffer = 'from the server') {
  const received: string[] = []
  const origin = await serve(async (request, response) => {
    received.push(`${request.method} ${request.url} ${await text(request)}`)
    response.writeHead(202, headers).end(content)
  })
  return { origin, received }
}

// With msw 3 it gets no response.
it.runIf(mswMajor < 3)('node:http2 reaches a real server, although its address is that of the mock', async () => {
  const server = createServer((_, response) => void response.end()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const petstore = listen({ baseUrl: origin })
  const session = connect(origin)
  onTestFinished(() => session.close())
  const [headers] = await once(session.request({ ':path': '/pets/999' }), 'response')
  expect([headers[':status'], petstore.journal.total]).toEqual([200, 0])
})
