import type { IncomingMessage } from 'node:http'
import { expect, it } from 'vitest'
import { forwardSandbox } from '../../src/runners/ssr.js'

const sandboxOf = ({ headers }: RequestInit) => new Headers(headers).get('X-Petstore-Sandbox')

it.each([
  ['its header', { 'x-petstore-sandbox': 'a' }],
  ['baggage', { baggage: 'userId=alice, petstore-sandbox=%61;ttl=1' }],
  ['a cookie', { cookie: 'session=1; petstore-sandbox=a' }],
  ['several of them', { 'x-petstore-sandbox': 'a', baggage: 'petstore-sandbox=a', cookie: 'petstore-sandbox=a' }],
])('forwards the sandbox that an incoming request names in %s', (_, headers) => {
  const message = { url: '/', headers } as unknown as IncomingMessage
  for (const incoming of [message, new Request('http://shop.test/', { headers }), new Headers(headers), headers]) {
    expect(sandboxOf(forwardSandbox(incoming))).toBe('a')
  }
})

it.each([
  ['as a list', { cookie: ['session=1', 'petstore-sandbox=a'] }],
  ['with capital letters', { Cookie: 'petstore-sandbox=a' }],
  ['of other names', { cookie: undefined, Baggage: ['userId=alice', 'petstore-sandbox=a'] }],
])('reads headers %s', (_, headers) => {
  expect(sandboxOf(forwardSandbox({ headers }))).toBe('a')
})

it('keeps the other options', () => {
  const init = { method: 'POST', headers: { Accept: 'application/json' }, body: '{}' }
  const forwarded = forwardSandbox(new Headers({ cookie: 'petstore-sandbox=a' }), init)
  expect(forwarded).toMatchObject({ method: 'POST', body: '{}' })
  expect([...new Headers(forwarded.headers)]).toEqual([
    ['accept', 'application/json'],
    ['x-petstore-sandbox', 'a'],
  ])
  expect(init.headers).toEqual({ Accept: 'application/json' })
})

it('changes nothing if the incoming request names no sandbox, or the options already do', () => {
  const init = { headers: { 'X-Petstore-Sandbox': 'own' } }
  expect(forwardSandbox(new Headers({ cookie: 'petstore-sandbox=a' }), init)).toBe(init)
  const plain = { method: 'GET' }
  expect(forwardSandbox(new Headers({ cookie: 'session=1', baggage: 'a=b' }), plain)).toBe(plain)
  expect(forwardSandbox({ headers: {} })).toEqual({})
})

it('forwards that a request is for the mock itself', () => {
  const cookie = 'petstore-sandbox=planted'
  expect(sandboxOf(forwardSandbox({ headers: { 'x-petstore-sandbox': '/', cookie } }))).toBe('/')
  expect(sandboxOf(forwardSandbox({ headers: { baggage: 'petstore-sandbox=/' } }))).toBe('%2F')
})

it('forwards names that disagree or are invalid as a value that the mock rejects', () => {
  const headers = { 'x-petstore-sandbox': 'a', baggage: 'petstore-sandbox=b' }
  expect(sandboxOf(forwardSandbox({ headers }))).toBe('a, b')
  expect(sandboxOf(forwardSandbox({ headers: { baggage: 'petstore-sandbox=%E2%82%AC%0A' } }))).toBe('%E2%82%AC%0A')
})

it('forwards the name in a cookie only if nothing else names a sandbox', () => {
  const cookie = 'petstore-sandbox=planted'
  expect(sandboxOf(forwardSandbox({ headers: { 'x-petstore-sandbox': 'a', cookie } }))).toBe('a')
  expect(sandboxOf(forwardSandbox({ headers: { baggage: 'petstore-sandbox=a', cookie } }))).toBe('a')
})
