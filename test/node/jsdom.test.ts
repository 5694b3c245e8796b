// @vitest-environment jsdom
import http from 'node:http'
import https from 'node:https'
import * as undici from 'undici'
import { expect, it } from 'vitest'
import type { NodePetstore } from '../../src/adapters/node/index.js'
import { shop } from '../support/client.js'
import { listen } from './listen.js'

/** The page's own origin: with msw 3, jsdom applies CORS to intercepted requests too. */
const BASE = `${location.origin}/v1`

it('intercepts fetch', async () => {
  listenAtBase()
  const response = await fetch(`${BASE}/pets/1`)
  expect(await response.json()).toMatchObject({ id: 1, name: 'Rex' })
})

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

it('I11 restores everything that it replaced', () => {
  const before = replaceable()
  const petstore = listenAtBase()
  const during = replaceable()
  petstore.close()
  const after = replaceable()
  for (const [name, original] of Object.entries(before)) {
    expect(after[name]?.value, name).toBe(original?.value)
    expect(after[name], name).toStrictEqual(original)
  }
  const replaced = ['fetch', 'XMLHttpRequest', 'http.request', 'dispatcher']
  for (const name of replaced) expect(during[name]?.value, name).not.toBe(before[name]?.value)
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

/** The current descriptors of everything that interception may replace. */
function replaceable(): Record<string, PropertyDescriptor | undefined> {
  return {
    fetch: Object.getOwnPropertyDescriptor(globalThis, 'fetch'),
    XMLHttpRequest: Object.getOwnPropertyDescriptor(globalThis, 'XMLHttpRequest'),
    'http.request': Object.getOwnPropertyDescriptor(http, 'request'),
    'http.get': Object.getOwnPropertyDescriptor(http, 'get'),
    'http.ClientRequest': Object.getOwnPropertyDescriptor(http, 'ClientRequest'),
    'https.request': Object.getOwnPropertyDescriptor(https, 'request'),
    'https.get': Object.getOwnPropertyDescriptor(https, 'get'),
    dispatcher: Object.getOwnPropertyDescriptor(globalThis, Symbol.for('undici.globalDispatcher.1')),
    'next dispatcher': Object.getOwnPropertyDescriptor(globalThis, Symbol.for('undici.globalDispatcher.2')),
  }
}
