// @vitest-environment jsdom
import * as undici from 'undici'
import { expect, it } from 'vitest'
import type { NodePetstore } from '../../src/adapters/node/index.js'
import type { FaultRule } from '../../src/index.js'
import { shop } from '../support/client.js'
import { listen, mswMajor } from './listen.js'

/** The page's own origin: with msw 3, jsdom applies CORS to intercepted requests too. */
const BASE = `${location.origin}/v1`
const BODY = '{"id":1,"name":"Rex","categoryId":1,"status":"available"}'

it('resolves a relative base URL against the page', async () => {
  listen({ baseUrl: '/api', fixtures: shop([{ id: 1, name: 'Rex' }]) })
  expect((await fetch(`${location.origin}/api/pets/1`)).status).toBe(200)
})

it('intercepts XMLHttpRequest', async () => {
  listenAtBase()
  const request = await send('GET', `${BASE}/pets?name=rex`)
  expect(request.status).toBe(200)
  expect(request.getResponseHeader('x-total-count')).toBe('1')
  expect(JSON.parse(request.responseText)).toMatchObject([{ id: 1, name: 'Rex' }])
})

it('receives the body of an XMLHttpRequest', async () => {
  listenAtBase()
  const request = await send('POST', `${BASE}/categories`, '{"name":"Birds"}')
  expect(request.status).toBe(201)
  expect(request.getResponseHeader('location')).toMatch(/^\/v1\/categories\/\d+$/)
})

it('records the bodies of requests, although jsdom has typed arrays of its own', async () => {
  const { journal } = listenAtBase()
  await send('POST', `${BASE}/categories`, '{"name":"Birds"}')
  const init = { method: 'POST', headers: { 'Content-Type': 'application/json' } }
  await fetch(`${BASE}/categories`, { ...init, body: '{"name":"Fish"}' })
  await fetch(`${BASE}/categories`, { ...init, body: new Uint8Array(Buffer.from('{"name":"Cats"}')) })
  const names = journal.entries({ operation: 'createCategory' }).map(({ request }) => request.body?.name)
  expect(names).toEqual(['Birds', 'Fish', 'Cats'])
  expect(JSON.stringify(journal.toHar())).toContain('Birds')
})

it('I10 blocks an XMLHttpRequest to another address, and close() reports it', async () => {
  const petstore = listenAtBase()
  expect((await send('GET', 'http://elsewhere.invalid/')).status).toBe(0)
  expect(() => petstore.close()).toThrow('GET http://elsewhere.invalid/ was blocked by the mock')
})

it('separates the XMLHttpRequests of two mocks at one address', async () => {
  const mocks = ['Odd', 'Even'].map((name) => listenAtBase(name))
  const names = await Promise.all(
    Array.from({ length: 40 }, async (_, i) => {
      const request = await mocks[i % 2]?.run(() => send('GET', `${BASE}/pets/1`))
      return JSON.parse(request?.responseText ?? '').name
    }),
  )
  expect(names).toEqual(Array.from({ length: 40 }, (_, i) => (i % 2 ? 'Even' : 'Odd')))
})

it('intercepts undici although jsdom replaces global classes', async () => {
  listenAtBase()
  const { statusCode, body } = await undici.request(`${BASE}/pets/1`)
  expect([statusCode, await body.json()]).toMatchObject([200, { name: 'Rex' }])
  await expect(undici.fetch(`${BASE}/pets/1`)).resolves.toMatchObject({ status: 200 })
  const post = { method: 'POST', body: '{"name":"Birds"}', headers: { 'content-type': 'application/json' } } as const
  await expect(undici.request(`${BASE}/categories`, post)).resolves.toMatchObject({ statusCode: 201 })
})

// With msw 3, jsdom reads the connection itself and waits for the rest of a truncated body.
const BREAKING: [FaultRule][] = mswMajor < 3 ? [[{ kind: 'reset' }], [{ kind: 'truncate' }]] : [[{ kind: 'reset' }]]

it.each(BREAKING)('fails XMLHttpRequest with %j', async (rule) => {
  const petstore = listenWith(rule)
  const { request, events } = await get(`${BASE}/pets/1`)
  expect([request.status, request.responseText]).toEqual([0, ''])
  expect(events).toEqual(['error', 'loadend'])
  expect(petstore.journal.entries()).toMatchObject([{ fault: { id: 1, kind: rule.kind } }])
})

it('lets XMLHttpRequest read a slow body part by part', async () => {
  listenWith({ kind: 'slow', delayMs: 70 })
  const { request, events, lengths } = await get(`${BASE}/pets/1`)
  expect([request.status, request.responseText]).toEqual([200, BODY])
  expect(events).toEqual(['load', 'loadend'])
  expect(lengths.length).toBeGreaterThan(1)
  expect(lengths).toEqual([...lengths].sort((one, other) => one - other))
})

// msw 2 holds the request back from jsdom until there is a response, so neither its timeout nor abort() ends it.
it.runIf(mswMajor < 3)(
  'leaves an XMLHttpRequest waiting for a response that never comes, despite timeout and abort()',
  async () => {
    const petstore = listenWith({ kind: 'timeout', times: 1 })
    const request = new XMLHttpRequest()
    const events = watch(request)
    request.open('GET', `${BASE}/pets/1`)
    request.timeout = 1
    request.send()
    await expect.poll(() => petstore.journal.total).toBe(1)
    expect((await get(`${BASE}/pets/1`)).request.status).toBe(200)
    request.abort()
    expect([request.status, request.readyState, events]).toEqual([0, 1, []])
  },
)

it.each<[FaultRule, string, number]>([
  [{ kind: 'reset' }, 'TypeError', 30_000],
  [{ kind: 'timeout' }, 'TimeoutError', 30],
])('fails fetch in jsdom with %j', async (rule, name, timeoutMs) => {
  listenWith(rule)
  const signal = AbortSignal.timeout(timeoutMs)
  await expect(fetch(`${BASE}/pets/1`, { signal })).rejects.toMatchObject({ name })
})

it('fails fetch in jsdom while it reads the body', async () => {
  const petstore = listenWith({ kind: 'truncate' })
  const response = await fetch(`${BASE}/pets/1`)
  await expect(response.text()).rejects.toThrow('terminated')
  petstore.faults.clear()
  petstore.faults.add({ kind: 'slow', delayMs: 600_000 })
  const aborter = new AbortController()
  const slow = await fetch(`${BASE}/pets/1`, { signal: aborter.signal })
  aborter.abort(new DOMException('Too late.', 'TimeoutError'))
  await expect(slow.text()).rejects.toMatchObject({ name: 'TimeoutError' })
})

function listenAtBase(name = 'Rex'): NodePetstore {
  return listen({ baseUrl: BASE, fixtures: shop([{ id: 1, name }]) })
}

function send(method: string, url: string, body: string | null = null): Promise<XMLHttpRequest> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest()
    request.open(method, url)
    if (body !== null) request.setRequestHeader('content-type', 'application/json')
    request.addEventListener('loadend', () => resolve(request))
    request.send(body)
  })
}

function listenWith(rule: FaultRule): NodePetstore {
  const petstore = listenAtBase()
  petstore.faults.add(rule)
  return petstore
}

/** Sends a request and records its final events, and the length of its text at each progress event. */
async function get(url: string): Promise<{ request: XMLHttpRequest; events: string[]; lengths: number[] }> {
  const request = new XMLHttpRequest()
  const events = watch(request)
  const lengths: number[] = []
  request.addEventListener('progress', () => lengths.push(request.responseText.length))
  request.open('GET', url)
  await new Promise((resolve) => {
    request.addEventListener('loadend', resolve)
    request.send()
  })
  return { request, events, lengths }
}

function watch(request: XMLHttpRequest): string[] {
  const events: string[] = []
  for (const name of ['load', 'error', 'timeout', 'abort', 'loadend']) {
    request.addEventListener(name, () => events.push(name))
  }
  return events
}
