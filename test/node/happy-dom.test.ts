// @vitest-environment happy-dom
import axios from 'axios'
import { expect, it } from 'vitest'
import { shop } from '../support/client.js'
import { listen } from './listen.js'

const BASE = `${location.origin}/v1`
const CAT = { name: 'Birds' }

const CLIENTS: readonly [name: string, send: (headers: Record<string, string>) => Promise<number>][] = [
  [
    'fetch',
    async (headers) =>
      (await fetch(`${BASE}/categories`, { method: 'POST', headers, body: JSON.stringify(CAT) })).status,
  ],
  ['XMLHttpRequest', (headers) => sendWithXhr('POST', `${BASE}/categories`, headers, JSON.stringify(CAT))],
  [
    'axios',
    async (headers) => (await axios.post(`${BASE}/categories`, CAT, { headers, validateStatus: () => true })).status,
  ],
]

it.each(CLIENTS)('reads the headers of %s however they are capitalized', async (_, send) => {
  const petstore = listen({ baseUrl: BASE, fixtures: shop() })
  const types = { 'Content-Type': 'application/json' }
  expect(await send(types)).toBe(201)
  expect(await send({ ...types, Prefer: 'code=409' })).toBe(409)
  expect(await send({ ...types, 'X-Petstore-Sandbox': 'other' })).toBe(201)
  expect(petstore.sandboxes.list()).toMatchObject([{ name: 'other' }])
  expect(petstore.journal.entries({ operation: 'createCategory' })).toMatchObject([
    { status: 201, request: { body: CAT } },
    { status: 409, request: { body: CAT } },
  ])
})

function sendWithXhr(method: string, url: string, headers: Record<string, string>, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(method, url)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.onload = () => resolve(request.status)
    request.onerror = () => reject(new Error('The request failed.'))
    request.send(body)
  })
}
