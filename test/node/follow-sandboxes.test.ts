import { hasSubscribers } from 'node:diagnostics_channel'
import http, { type RequestListener } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import type { NodeOptions, NodePetstore } from '../../src/adapters/node/index.js'
import { shop } from '../support/client.js'
import { serve } from '../support/serve.js'
import { listen } from './listen.js'

const API = 'http://petstore.test'
const CHANNEL = 'http.server.request.start'

function openMock(options: NodeOptions = {}): NodePetstore {
  const petstore = listen({
    fixtures: shop([{ id: 1, name: 'Rex' }]),
    baseUrl: API,
    onUnhandledRequest: 'bypass',
    followSandboxes: true,
    ...options,
  })
  for (const name of ['a', 'b']) petstore.sandboxes.open(name).data.pets.update(1, { name: `Rex of ${name}` })
  return petstore
}

const readName = async (init?: RequestInit) => (await (await fetch(`${API}/pets/1`, init)).json()).name
const render: RequestListener = async (_, response) => response.end(await readName())
const ask = async (url: string, headers: Record<string, string> = {}) => (await fetch(url, { headers })).text()

it.each([
  ['its header', (name: string) => ({ 'X-Petstore-Sandbox': name })],
  ['baggage', (name: string) => ({ baggage: `x=1, petstore-sandbox=${name}` })],
  ['a cookie', (name: string) => ({ cookie: `session=1; petstore-sandbox=${name}` })],
])('requests go to the sandbox that the incoming request names in %s', async (_, naming) => {
  openMock()
  const url = await serve(render)
  const names = ['a', 'b', 'b', 'a', 'a', 'b']
  expect(await Promise.all(names.map((name) => ask(url, naming(name))))).toEqual(names.map((name) => `Rex of ${name}`))
  expect(await ask(url)).toBe('Rex')
})

it.each([
  ['/@a:0/pets/1', 'Rex of a'],
  ['/@b:4/api/pets/1?fields=name', 'Rex of b'],
  ['/pets/1', 'Rex'],
])('a server of the application passes on %s, as a test with Playwright sends it', async (path, name) => {
  const petstore = openMock({ requireSandbox: path.startsWith('/@') })
  const url = await serve(async ({ url = '' }, response) =>
    response.end((await (await petstore.fetch(url)).json()).name),
  )
  expect(await ask(url + path)).toBe(name)
})

it('a request that names a sandbox itself goes there', async () => {
  openMock()
  const url = await serve(async (_, response) =>
    response.end(await readName({ headers: { baggage: 'petstore-sandbox=b' } })),
  )
  expect(await ask(url, { cookie: 'petstore-sandbox=a' })).toBe('Rex of b')
})

it('incoming names that disagree are rejected', async () => {
  openMock()
  const url = await serve(async (_, response) => response.end(await (await fetch(`${API}/pets/1`)).text()))
  const text = await ask(url, { 'X-Petstore-Sandbox': 'a', baggage: 'petstore-sandbox=b' })
  expect(JSON.parse(text)).toMatchObject({ status: 400, message: expect.stringContaining('"a, b"') })
})

it('the sandbox is known in the events of a body, and no longer in the next request of the connection', async () => {
  openMock()
  const url = await serve((request, response) => {
    request.resume()
    request.on('end', () => {
      http.get(`${API}/pets/1`, (incoming) => incoming.pipe(response))
    })
  })
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  const received = collect(socket)
  socket.write(
    'POST / HTTP/1.1\r\nHost: x\r\nX-Petstore-Sandbox: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n',
  )
  await expect.poll(received).toContain('100 Continue')
  socket.write('ab')
  await expect.poll(received).toContain('"Rex of a"')
  socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  await expect.poll(received).toContain('"Rex"')
})

function collect(socket: Socket): () => string {
  let text = ''
  socket.setEncoding('utf8').on('data', (chunk) => (text += chunk))
  return () => text
}

/** Replaces the global fetch as Next.js does: it caches responses by address, method and headers. */
function patchFetchLikeNext(): void {
  const original = globalThis.fetch
  const cache = new Map<string, string>()
  globalThis.fetch = async (input, init) => {
    const { url, method, headers } = input instanceof Request ? input : new Request(input, init)
    const key = JSON.stringify([url, method, [...headers]])
    const text = cache.get(key) ?? (await (await original(input, init)).text())
    cache.set(key, text)
    return new Response(text)
  }
  onTestFinished(() => {
    globalThis.fetch = original
  })
}

it.each([
  ['an address', () => `${API}/pets/1`],
  ['a Request', () => new Request(`${API}/pets/1`)],
])('a cache in front of the mock keeps the responses of sandboxes apart, for %s', async (_, toInput) => {
  const petstore = openMock()
  patchFetchLikeNext()
  const url = await serve(async (_, response) => response.end((await (await fetch(toInput())).json()).name))
  const askAsClient = (name?: string) =>
    new Promise<string>((resolve, reject) => {
      const headers = name === undefined ? {} : { cookie: `petstore-sandbox=${name}` }
      http.get(url, { headers }, (incoming) => void readText(incoming).then(resolve, reject)).on('error', reject)
    })
  for (const name of ['a', 'b', 'a', 'b']) expect(await askAsClient(name)).toBe(`Rex of ${name}`)
  expect(await askAsClient()).toBe('Rex')
  const totals = ['a', 'b'].map((name) => petstore.sandboxes.open(name).journal.total)
  expect(totals).toEqual([1, 1])
})

it('keeps the properties of a function that replaces the global fetch', () => {
  openMock()
  const original = globalThis.fetch
  const replacement = Object.assign((...args: Parameters<typeof fetch>) => original(...args), { isPatched: true })
  globalThis.fetch = replacement
  expect(globalThis.fetch).toHaveProperty('isPatched', true)
  // As a development server does at a change of the code.
  globalThis.fetch = original
  expect(globalThis.fetch).toBe(original)
})

it('puts the global fetch back', () => {
  const before = Object.getOwnPropertyDescriptor(globalThis, 'fetch')
  const petstore = openMock()
  expect(Object.getOwnPropertyDescriptor(globalThis, 'fetch')).not.toEqual(before)
  petstore.listen()
  petstore.close()
  expect(Object.getOwnPropertyDescriptor(globalThis, 'fetch')).toEqual(before)
})

it('is off by default, and ends with close()', async () => {
  expect(hasSubscribers(CHANNEL)).toBe(false)
  openMock({ followSandboxes: false })
  expect(hasSubscribers(CHANNEL)).toBe(false)
  const petstore = openMock({ baseUrl: 'https://other.test' })
  petstore.listen()
  expect(hasSubscribers(CHANNEL)).toBe(true)
  petstore.close()
  expect(hasSubscribers(CHANNEL)).toBe(false)
})

it('must be true or false', () => {
  expect(() => listen({ followSandboxes: 'yes' as never })).toThrow('Option "followSandboxes" must be true or false.')
})

it('listens in a process without fetch, and sees one that is defined later', async () => {
  const original = globalThis.fetch
  onTestFinished(() => {
    globalThis.fetch = original
  })
  globalThis.fetch = undefined as never
  openMock()
  globalThis.fetch = original
  const url = await serve(render)
  expect(await ask(url, { 'X-Petstore-Sandbox': 'b' })).toBe('Rex of b')
})
