// @vitest-environment jsdom
import { createRequire } from 'node:module'
import { expect, it, onTestFinished, vi } from 'vitest'
import { type NodePetstore, setupPetstore } from '../../src/adapters/node/index.js'
import type { FaultRule } from '../../src/index.js'
import { shop } from '../support/client.js'

/** Of the page's own origin: with msw 3 jsdom applies its rules for other origins to what is intercepted too. */
const BASE = `${location.origin}/v1`
const BODY = '{"id":1,"name":"Rex","categoryId":1,"status":"available"}'

const mswMajor = Number.parseInt(createRequire(import.meta.url)('msw/package.json').version, 10)

// With msw 3 jsdom itself reads the connection, and waits for the rest of a body that broke off.
const BREAKING: [FaultRule][] = mswMajor < 3 ? [[{ kind: 'reset' }], [{ kind: 'truncate' }]] : [[{ kind: 'reset' }]]

it.each(BREAKING)('fails XMLHttpRequest with %j', async (rule) => {
  const petstore = listen(rule)
  const { request, events } = await send(`${BASE}/pets/1`)
  expect([request.status, request.responseText]).toEqual([0, ''])
  expect(events).toEqual(['error', 'loadend'])
  expect(petstore.journal.entries()).toMatchObject([{ fault: { id: 1, kind: rule.kind } }])
})

it('gives XMLHttpRequest what is no JSON', async () => {
  listen({ kind: 'malformed' })
  const { request, events } = await send(`${BASE}/pets/1`)
  expect([request.status, request.responseText]).toEqual([200, `${BODY.slice(0, -1)},`])
  expect(events).toEqual(['load', 'loadend'])
})

it('lets XMLHttpRequest see a slow body grow', async () => {
  listen({ kind: 'slow', delayMs: 70 })
  const { request, events, lengths } = await send(`${BASE}/pets/1`)
  expect([request.status, request.responseText]).toEqual([200, BODY])
  expect(events).toEqual(['load', 'loadend'])
  expect(lengths.length).toBeGreaterThan(1)
  expect(lengths).toEqual([...lengths].sort((one, other) => one - other))
})

it('answers XMLHttpRequest late, after what was done at once', async () => {
  listen({ delayMs: 20 })
  expect((await send(`${BASE}/pets/1`)).request.responseText).toBe(BODY)
})

it('answers XMLHttpRequest with an error in the shape of the contract', async () => {
  listen({ status: 503 })
  const { request } = await send(`${BASE}/pets/1`)
  expect([request.status, JSON.parse(request.responseText).code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
})

// msw 2 keeps the request from jsdom until there is an answer: its own time-out does not begin, nor does abort end it.
it.runIf(mswMajor < 3)('leaves XMLHttpRequest waiting for what never comes, whatever it does', async () => {
  const petstore = listen({ kind: 'timeout', times: 1 })
  const request = new XMLHttpRequest()
  const events = watch(request)
  request.open('GET', `${BASE}/pets/1`)
  request.timeout = 1
  request.send()
  await vi.waitFor(() => expect(petstore.journal.total).toBe(1))
  expect((await send(`${BASE}/pets/1`)).request.status).toBe(200)
  request.abort()
  expect([request.status, request.readyState, events]).toEqual([0, 1, []])
})

it.each<[FaultRule, string]>([
  [{ kind: 'reset' }, 'TypeError'],
  [{ kind: 'timeout' }, 'TimeoutError'],
])('fails fetch among the globals of a page with %j', async (rule, name) => {
  listen(rule)
  const signal = AbortSignal.timeout(30)
  await expect(fetch(`${BASE}/pets/1`, { signal })).rejects.toMatchObject({ name })
})

it('fails fetch among the globals of a page while it reads', async () => {
  const petstore = listen({ kind: 'truncate' })
  const response = await fetch(`${BASE}/pets/1`)
  await expect(response.text()).rejects.toThrow('terminated')
  petstore.faults.clear()
  petstore.faults.add({ kind: 'slow', delayMs: 600_000 })
  const slow = await fetch(`${BASE}/pets/1`, { signal: AbortSignal.timeout(30) })
  await expect(slow.text()).rejects.toMatchObject({ name: 'TimeoutError' })
})

/** A pet store that listens until the running test ends. */
function listen(rule: FaultRule): NodePetstore {
  const petstore = setupPetstore({ baseUrl: BASE, fixtures: shop([{ id: 1, name: 'Rex' }]) })
  petstore.faults.add(rule)
  petstore.listen()
  onTestFinished(() => petstore.close())
  return petstore
}

/** How a request of the page ends: the events at its end, and how much text there was at each progress. */
async function send(url: string): Promise<{ request: XMLHttpRequest; events: string[]; lengths: number[] }> {
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
