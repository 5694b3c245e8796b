import { once } from 'node:events'
import http from 'node:http'
import { text } from 'node:stream/consumers'
import axios from 'axios'
import got from 'got'
import * as undici from 'undici'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { NodePetstore } from '../../src/adapters/node/index.js'
import { createPetstore, type FaultRule } from '../../src/index.js'
import { shop } from '../support/client.js'
import { collectGarbage } from '../support/collect-garbage.js'
import { VERY_LONG_MS } from '../support/faults.js'
import { httpClients } from './http-clients.js'
import { describeError, listen, mswMajor } from './listen.js'

const BODY = '{"id":1,"name":"Rex","categoryId":1,"status":"available"}'
const CREATE = { method: 'POST', body: '{"name":"Bo","categoryId":1}' }

/** With msw 3, node:http gets an error without a code. */
const RESET = mswMajor < 3 ? /ECONNRESET/ : /ECONNRESET|Network error/

describe.each(httpClients)('$name', ({ name, protocol, send }) => {
  const base = `${protocol}//shop.invalid`

  it('sees a reset as a broken connection, and the operation did not run', async () => {
    const petstore = listenWith(base, { kind: 'reset', times: 2 })
    for (const call of [() => send(`${base}/pets/1`), () => send(`${base}/pets`, CREATE)]) {
      expect(await failureOf(call())).toEqual(expect.arrayContaining([expect.stringMatching(RESET)]))
    }
    expect((await send(`${base}/pets`)).headers['x-total-count']).toBe('1')
    expect(petstore.journal.entries()).toMatchObject([{ status: 0 }, { status: 0 }, { status: 200 }])
  })

  it('fails on a truncated body, and the operation ran', async () => {
    const petstore = listenWith(base, { kind: 'truncate', times: 1 })
    const reasons = await failureOf(send(`${base}/pets`, CREATE))
    expect(reasons).toEqual(expect.arrayContaining([expect.stringMatching(TRUNCATED[name] ?? /ECONNRESET/)]))
    expect(petstore.data.pets.all()).toHaveLength(2)
    expect((await send(`${base}/pets/1`)).status).toBe(200)
  })

  it('gets a slow body in full', async () => {
    listenWith(base, { kind: 'slow', delayMs: 21 })
    const { status, headers, text } = await send(`${base}/pets/1`)
    expect([status, headers['content-length'], text]).toEqual([200, String(BODY.length), BODY])
  })
})

/** How a client reports a truncated body, if not by the error of the connection. */
const TRUNCATED: Readonly<Record<string, RegExp>> = {
  'global fetch': /terminated/,
  axios: /ERR_BAD_RESPONSE|aborted/,
  'axios with fetch': /terminated/,
  'undici.request': /UND_ERR_SOCKET/,
  'undici.stream': /UND_ERR_SOCKET/,
  'undici.fetch': /terminated/,
}

describe('a timeout of the client', () => {
  /** Longer than a request takes to reach the mock on a busy machine. */
  const SHORT = 1000
  const base = 'http://shop.invalid'
  const url = `${base}/pets/1`
  const CALLS: Readonly<Record<string, [call: (url: string) => Promise<unknown>, reason: string]>> = {
    'fetch with a signal': [(url) => fetch(url, { signal: AbortSignal.timeout(SHORT) }), 'TimeoutError'],
    'node:http with timeout': [(url) => callByNode(url, { timeout: SHORT }), 'timed out'],
    'node:http with a signal': [(url) => callByNode(url, { signal: AbortSignal.timeout(SHORT) }), 'AbortError'],
    axios: [(url) => axios.get(url, { timeout: SHORT, proxy: false }), 'ECONNABORTED'],
    'axios with fetch': [(url) => axios.get(url, { timeout: SHORT, adapter: 'fetch' }), 'ETIMEDOUT'],
    got: [(url) => got(url, { timeout: { request: SHORT }, retry: { limit: 0 } }), 'ETIMEDOUT'],
    'undici with headersTimeout': [(url) => undici.request(url, { headersTimeout: SHORT }), 'UND_ERR_HEADERS_TIMEOUT'],
    'undici with a signal': [(url) => undici.request(url, { signal: AbortSignal.timeout(SHORT) }), 'TimeoutError'],
    'undici.fetch': [(url) => undici.fetch(url, { signal: AbortSignal.timeout(SHORT) }), 'TimeoutError'],
  }

  it.each<[string, FaultRule]>([
    ['a response that never comes', { kind: 'timeout', times: 1 }],
    ['a response that comes too late', { delayMs: VERY_LONG_MS, times: 1 }],
  ])('ends the wait for %s', async (_, rule) => {
    const timers = countTimers()
    await Promise.all(
      Object.entries(CALLS).map(async ([name, [call, reason]], index) => {
        const base = `http://shop-${index}.invalid`
        const petstore = listenWith(base, rule)
        expect(await failureOf(call(`${base}/pets/1`)), name).toContain(reason)
        expect(petstore.faults.list(), name).toMatchObject([{ applied: 1, active: false }])
        expect((await fetch(`${base}/pets/1`)).status, name).toBe(200)
      }),
    )
    await expectTimers(timers)
  })

  it('ends the wait for the next part of a slow body', async () => {
    listenWith(base, { kind: 'slow', delayMs: VERY_LONG_MS })
    const { body } = await undici.request(url, { bodyTimeout: 30 })
    expect(await failureOf(body.text())).toContain('UND_ERR_BODY_TIMEOUT')
    const response = await fetch(url, { signal: AbortSignal.timeout(SHORT) })
    expect(await failureOf(response.text())).toContain('TimeoutError')
    expect(await failureOf(callByNode(url, { timeout: 30 }))).toContain('timed out')
  })

  // Node's `setTimeout` and got's `timeout.response` start with the connection.
  it.runIf(mswMajor < 3)(
    'does not start before the connection, which msw 2 makes together with the response',
    async () => {
      const petstore = listenWith(base, { kind: 'timeout', times: 1 })
      const request = http.get(url).on('error', () => {})
      onTestFinished(() => void request.destroy())
      await expect.poll(() => petstore.journal.total).toBe(1)
      expect(request.socket?.connecting).toBe(true)
    },
  )

  function callByNode(url: string, options: http.RequestOptions): Promise<string> {
    return new Promise((resolve, reject) => {
      const request = http.get(url, options, (response) => void text(response).then(resolve, reject))
      request.on('timeout', () => request.destroy(new Error('timed out')))
      request.on('error', reject)
    })
  }
})

describe('the body of an intercepted fetch', () => {
  const url = 'http://shop.invalid/pets/1'

  it.each<[string, (body: ReadableStream<Uint8Array>) => Promise<void>]>([
    ['cancel', (body) => body.cancel()],
    ['cancel of its reader', (body) => body.getReader().cancel()],
    [
      'leaving a loop early',
      async (body) => {
        for await (const _part of body as unknown as AsyncIterable<Uint8Array>) break
      },
    ],
  ])('can be cancelled: %s', async (_, cancel) => {
    const petstore = listenWith('http://shop.invalid', { kind: 'slow', delayMs: VERY_LONG_MS })
    await cancel((await fetch(url)).body as ReadableStream<Uint8Array>)
    petstore.faults.clear()
    await cancel((await fetch(url)).body as ReadableStream<Uint8Array>)
  })

  it('can be read into a buffer, and is the same in a copy', async () => {
    listen({ baseUrl: 'http://shop.invalid', fixtures: shop([{ id: 1, name: 'Rex' }]) })
    const response = await fetch(url)
    expect(await response.clone().text()).toBe(BODY)
    const reader = (await fetch(url)).body?.getReader({ mode: 'byob' })
    const first = await reader?.read(new Uint8Array(1000))
    expect(new TextDecoder().decode(first?.value)).toBe(BODY)
    expect(await reader?.read(new Uint8Array(1000))).toMatchObject({ done: true })
    expect(await response.text()).toBe(BODY)
  })
})

it.runIf(mswMajor < 3)('gives msw an error of its own realm when node:http gives up', async () => {
  // In Jest, msw has another `Error` than Node, and throws what is not one of its own where nobody can catch it.
  const reasons: unknown[] = []
  vi.spyOn(AbortController.prototype, 'abort').mockImplementation((reason) => void reasons.push(reason))
  onTestFinished(() => void vi.restoreAllMocks())
  listenWith('http://shop.invalid', { kind: 'slow', delayMs: VERY_LONG_MS })
  const request = http.get('http://shop.invalid/pets/1')
  const [response] = await once(request, 'response')
  response.on('error', () => {})
  request.destroy()
  await expect
    .poll(() => reasons.filter((reason) => reason instanceof Error && !isDomException(reason)))
    .toHaveLength(1)
})

const isDomException = (reason: unknown) => Object.prototype.toString.call(reason) === '[object DOMException]'

it('can still abort calls that nothing references', async () => {
  const petstore = listenWith('http://shop.invalid', { kind: 'timeout' })
  const aborter = new AbortController()
  const { signal } = aborter
  const failures = Promise.all([
    failureOf(openMemory().fetch('/pets', { signal })),
    failureOf(openMemory().fetch(new Request('http://a/pets', { signal }))),
    failureOf(fetch('http://shop.invalid/pets', { signal })),
  ])
  for (let round = 0; round < 5; round++) {
    await new Promise(setImmediate)
    collectGarbage()
  }
  aborter.abort()
  for (const failure of await failures) expect(failure).toContain('AbortError')
  petstore.close()
})

it('keeps the process alive while it waits for a response that never comes, until its signal aborts', async () => {
  onTestFinished(() => void vi.restoreAllMocks())
  const setTimer = vi.spyOn(globalThis, 'setTimeout')
  const clearTimer = vi.spyOn(globalThis, 'clearTimeout')
  const aborter = new AbortController()
  const failure = failureOf(openMemory().fetch('/pets', { signal: aborter.signal }))
  await new Promise(setImmediate)
  const timer = setTimer.mock.results[setTimer.mock.calls.findIndex(([, ms]) => ms === 60_000)]?.value as NodeJS.Timeout
  expect(timer.hasRef()).toBe(true)
  expect(clearTimer).not.toHaveBeenCalledWith(timer)
  aborter.abort()
  expect(await failure).toContain('AbortError')
  expect(clearTimer).toHaveBeenCalledWith(timer)
})

it.runIf(mswMajor < 3)('is retried by got after a reset and after a 503', async () => {
  const petstore = listenWith('http://shop.invalid', { kind: 'reset', times: 1 })
  petstore.faults.add({ status: 503, times: 1 })
  const retry = {
    limit: 2,
    backoffLimit: 1,
    calculateDelay: ({ computedValue }: { computedValue: number }) => Math.min(computedValue, 1),
  }
  expect(await got('http://shop.invalid/pets/1', { retry }).text()).toBe(BODY)
  expect(petstore.journal.entries().map(({ status }) => status)).toEqual([0, 503, 200])
})

it('reports and prints nothing for faults', async () => {
  const error = vi.spyOn(console, 'error')
  const warn = vi.spyOn(console, 'warn')
  onTestFinished(() => void vi.restoreAllMocks())
  const petstore = listenWith('http://shop.invalid', { kind: 'reset' })
  await failureOf(fetch('http://shop.invalid/pets'))
  await failureOf(axios.get('http://shop.invalid/pets', { proxy: false }))
  petstore.faults.clear()
  petstore.faults.add({ kind: 'truncate' })
  await failureOf(fetch('http://shop.invalid/pets').then((response) => response.text()))
  expect(() => petstore.check()).not.toThrow()
  expect([error.mock.calls, warn.mock.calls]).toEqual([[], []])
})

function listenWith(baseUrl: string, rule: FaultRule): NodePetstore {
  const petstore = listen({ baseUrl, fixtures: shop([{ id: 1, name: 'Rex' }]) })
  petstore.faults.add(rule)
  return petstore
}

/** A mock that never responds. */
function openMemory() {
  const petstore = createPetstore()
  petstore.faults.add({ kind: 'timeout' })
  return petstore
}

/** Describes the error that a call fails with. */
async function failureOf(call: Promise<unknown>): Promise<string[]> {
  const error = await call.then(
    () => expect.unreachable('It did not fail.'),
    (reason: unknown) => reason,
  )
  return describeError(error)
}

function countTimers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
}

/** Waits for the clients' own timers to end. */
async function expectTimers(max: number): Promise<void> {
  const deadline = performance.now() + 30_000
  while (countTimers() > max && performance.now() < deadline) await new Promise(setImmediate)
  expect(countTimers()).toBeLessThanOrEqual(max)
}
