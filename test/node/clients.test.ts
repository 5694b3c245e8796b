import { execFile } from 'node:child_process'
import { once } from 'node:events'
import http, { request as requestByName } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import * as undici from 'undici'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type NodeOptions, type NodePetstore, setupPetstore } from '../../src/adapters/node/index.js'
import { shop } from '../support/client.js'
import { httpClients } from '../support/http-clients.js'

const mswMajor = Number.parseInt(createRequire(import.meta.url)('msw/package.json').version, 10)

const BIG = 9007199254740993n
const SHOP = shop([{ id: 1, name: 'Rex' }, { id: 2, name: 'Mia', categoryId: 2 }, { id: BIG }])

describe.each(httpClients)('$name', ({ protocol, send }) => {
  const base = `${protocol}//shop.invalid/v1`
  const listening = (options: NodeOptions = {}) => listen({ baseUrl: base, fixtures: SHOP, ...options })

  it('gets what it asks for with a query', async () => {
    listening()
    const { status, headers, text } = await send(`${base}/pets?name=mia&limit=5`)
    expect({ status, type: headers['content-type'], total: headers['x-total-count'], body: JSON.parse(text) }).toEqual({
      ...{ status: 200, type: 'application/json', total: '1' },
      body: [expect.objectContaining({ id: 2, name: 'Mia' })],
    })
  })

  it('creates a pet from its body and learns where it lies', async () => {
    const petstore = listening()
    const body = JSON.stringify({ name: 'Björn', categoryId: 1, status: 'available' })
    const { status, headers, text } = await send(`${base}/pets`, { method: 'POST', body })
    expect({ status, location: headers.location }).toEqual({ status: 201, location: expect.any(String) })
    expect(JSON.parse((await send(new URL(String(headers.location), base).href)).text)).toEqual(JSON.parse(text))
    expect((await petstore.fetch('/pets?name=Björn')).headers.get('x-total-count')).toBe('1')
  })

  it('reads an error as an answer', async () => {
    listening()
    const { status, text } = await send(`${base}/pets/77`)
    expect({ status, code: JSON.parse(text).code }).toEqual({ status: 404, code: 'PET_NOT_FOUND' })
  })

  it('gets the head of an answer alone', async () => {
    listening()
    const { status, headers, text } = await send(`${base}/pets`, { method: 'HEAD' })
    expect({ status, total: headers['x-total-count'], text }).toEqual({ status: 200, total: '3', text: '' })
  })

  it('deletes a pet and gets no body', async () => {
    const petstore = listening()
    expect(await send(`${base}/pets/2`, { method: 'DELETE' })).toMatchObject({ status: 204, text: '' })
    expect((await petstore.fetch('/pets/2')).status).toBe(404)
  })

  it('gets the digits of an id that no double holds', async () => {
    listening()
    expect((await send(`${base}/pets/${BIG}`)).text).toContain(`"id":${BIG},`)
  })

  it('I10 is stopped on its way to another address, and the test hears of it again', async () => {
    const petstore = listening()
    const failure = await send(`${protocol}//elsewhere.invalid/secret?token=1`).then(
      ({ status }) => expect.unreachable(`it was answered with ${status}`),
      reasons,
    )
    const message = `GET ${protocol}//elsewhere.invalid/secret is not for the pet store at ${base}`
    expect(failure).toContainEqual(expect.stringContaining(`UNHANDLED_REQUEST: ${message}`))
    expect(() => petstore.close()).toThrow(
      expect.objectContaining({ code: 'UNHANDLED_REQUEST', message: expect.stringContaining(message) }),
    )
  })

  it('reaches the pet store that it runs for, where two listen at one address', async () => {
    const stores = ['Odd', 'Even'].map((name) => listening({ fixtures: shop([{ id: 1, name }]) }))
    const names = await Promise.all(
      Array.from({ length: 40 }, async (_, i) => {
        const petstore = stores[i % 2] as NodePetstore
        return petstore.run(async () => {
          const before = JSON.parse((await send(`${base}/pets/1`)).text)
          const body = JSON.stringify({ name: `Child ${i}`, categoryId: 1, status: 'available' })
          return [before.name, (await send(`${base}/pets`, { method: 'POST', body })).status]
        })
      }),
    )
    expect(names).toEqual(Array.from({ length: 40 }, (_, i) => [i % 2 ? 'Even' : 'Odd', 201]))
    for (const [k, petstore] of stores.entries()) {
      const children = petstore.data.pets.all().filter(({ name }) => name.startsWith('Child'))
      expect(children.map(({ name }) => Number(name.slice(6)) % 2)).toEqual(Array(20).fill(k))
    }
  })

  it('reaches the pet store that it runs for, one request after the other', async () => {
    const stores = ['Odd', 'Even'].map((name) => listening({ fixtures: shop([{ id: 1, name }]) }))
    for (const [k, name] of ['Odd', 'Even', 'Odd', 'Even'].entries()) {
      const { text } = await (stores[k % 2] as NodePetstore).run(() => send(`${base}/pets/1`))
      expect(JSON.parse(text).name).toBe(name)
    }
  })
})

describe.each(httpClients.filter(({ protocol }) => protocol === 'http:'))('$name, let through', ({ send }) => {
  it('really reaches another server', async () => {
    const { origin, received } = await openServer()
    listen({ onUnhandledRequest: 'bypass' })
    const answer = await send(`${origin}/else?where=1`, { method: 'POST', body: '{"a":1}' })
    expect(answer).toMatchObject({ status: 202, text: 'really' })
    expect(received).toEqual(['POST /else?where=1 {"a":1}'])
  })

  it('is stopped where the function of the request says so, which is asked once', async () => {
    const { origin, received } = await openServer()
    const asked: string[] = []
    const petstore = listen({
      onUnhandledRequest: ({ url }) => {
        asked.push(url.slice(origin.length))
        return url.endsWith('/fine') ? 'bypass' : 'error'
      },
    })
    await expect(send(`${origin}/fine`)).resolves.toMatchObject({ status: 202 })
    await expect(send(`${origin}/secret`)).rejects.toThrow()
    expect({ asked, received }).toEqual({ asked: ['/fine', '/secret'], received: ['GET /fine '] })
    expect(() => petstore.close()).toThrow('/secret is not for the pet store')
  })
})

describe('undici', () => {
  const base = 'http://shop.invalid'
  const CALLS = [
    { name: 'request', call: undici.request },
    { name: 'fetch', call: undici.fetch },
  ]

  it('takes a query, headers in turn and a body in pieces', async () => {
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

  it.each(CALLS)('gives up a $name that is aborted while it waits', async ({ call }) => {
    const petstore = listen({ baseUrl: base, fixtures: SHOP })
    const aborter = new AbortController()
    petstore.override('listPets', () => {
      aborter.abort()
      return new Promise(() => {})
    })
    await expect(call(`${base}/pets`, { signal: aborter.signal })).rejects.toMatchObject({ name: 'AbortError' })
  })

  it.each(CALLS)('does not make a $name that was aborted before', async ({ call }) => {
    const petstore = listen({ baseUrl: base, fixtures: SHOP })
    await expect(call(`${base}/pets`, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: 'AbortError',
    })
    expect(petstore.journal.entries()).toEqual([])
  })

  // With msw 3 it comes by way of fetch, which unpacks it.
  it.skipIf(mswMajor >= 3)('gets the answer of another server as it is on the wire', async () => {
    const packed = gzipSync('packed')
    const { origin } = await openServer({ 'set-cookie': ['a=1', 'b=2'], 'content-encoding': 'gzip' }, packed)
    listen({ onUnhandledRequest: 'bypass' })
    const { headers, body } = await undici.request(origin)
    expect(headers).toMatchObject({ 'set-cookie': ['a=1', 'b=2'], 'content-encoding': 'gzip' })
    expect(Buffer.from(await body.arrayBuffer())).toEqual(packed)
    await expect(undici.fetch(origin).then((response) => response.text())).resolves.toBe('packed')
  })

  it('is stopped where it goes through a dispatcher of its own, whoever it is for', async () => {
    const { origin, received } = await openServer()
    const petstore = listen({ baseUrl: base, fixtures: SHOP })
    const dispatcher = new undici.Agent()
    onTestFinished(() => dispatcher.destroy())
    await expect(undici.request(origin, { dispatcher })).rejects.toThrow('is not for the pet store')
    expect(() => petstore.check()).toThrow('is not for the pet store')
    await expect(undici.request(`${base}/pets`, { dispatcher })).rejects.toThrow('dispatcher of its own')
    expect(() => petstore.check()).toThrow('dispatcher of its own')
    expect(received).toEqual([])
  })

  it('may use a dispatcher of its own for what is let through', async () => {
    const { origin, received } = await openServer()
    listen({ onUnhandledRequest: 'bypass' })
    const dispatcher = new undici.Agent()
    onTestFinished(() => dispatcher.destroy())
    await expect(undici.request(origin, { dispatcher })).resolves.toMatchObject({ statusCode: 202 })
    await expect(fetch(origin, { dispatcher } as RequestInit)).resolves.toMatchObject({ status: 202 })
    expect(received).toHaveLength(2)
  })

  it('gets its dispatcher back, and keeps one that was set in between', async () => {
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

it('I11 gives back what is imported by name', () => {
  const before = requestByName
  const petstore = listen()
  expect(requestByName).not.toBe(before)
  petstore.close()
  expect(requestByName).toBe(before)
})

it('answers a fetch that was kept from before', async () => {
  const kept = fetch
  listen({ baseUrl: 'http://shop.invalid', fixtures: SHOP })
  expect((await kept('http://shop.invalid/pets/1')).status).toBe(200)
})

it('leaves nothing behind that keeps a process alive', async () => {
  const script = fileURLToPath(new URL('../support/use-every-client-then-close.ts', import.meta.url))
  const args = ['--import', 'tsx', script]
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 50_000, killSignal: 'SIGKILL' })
  const { statuses, closeError, resources } = JSON.parse(stdout)
  expect(statuses).toEqual(Object.fromEntries(httpClients.map(({ name }) => [name, 200])))
  expect(closeError).toContain('elsewhere.invalid')
  // msw 3 leaves sockets behind, which keep nothing alive.
  const allowed = mswMajor >= 3 ? ['TCPSocketWrap'] : []
  expect(resources.filter((name: string) => !allowed.includes(name))).toEqual([])
})

it('keeps a process alive that waits for an answer which never comes, until its signal aborts', async () => {
  const script = fileURLToPath(new URL('../support/abort-a-timeout-fault.ts', import.meta.url))
  const args = ['--import', 'tsx', script]
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 50_000, killSignal: 'SIGKILL' })
  expect(stdout).toBe('TimeoutError')
})

it('lets a process end that simulates a page', async () => {
  const script = fileURLToPath(new URL('../support/use-jsdom-then-close.ts', import.meta.url))
  const args = ['--import', 'tsx', script]
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 50_000, killSignal: 'SIGKILL' })
  expect(JSON.parse(stdout)).toEqual([200, 200])
})

/** A pet store that listens until the running test ends; what it complains of by then is the test's own affair. */
function listen(options: NodeOptions = {}): NodePetstore {
  const petstore = setupPetstore(options)
  petstore.listen()
  onTestFinished(() => {
    petstore.close()
  })
  return petstore
}

/** A real server on the loopback interface, and what it was asked. */
async function openServer(headers: http.OutgoingHttpHeaders = {}, content: string | Buffer = 'really') {
  const received: string[] = []
  const server = http.createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    received.push(`${request.method} ${request.url} ${body}`)
    response.writeHead(202, headers).end(content)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  })
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received }
}

/** The codes and messages of an error and of what caused it. */
function reasons(error: unknown): string[] {
  if (!(error instanceof Error)) return []
  return [`${'code' in error && error.code}: ${error.message}`, ...reasons(error.cause)]
}
