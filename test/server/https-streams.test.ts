import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type ServerOptions, startServer } from '../../src/adapters/server/index.js'
import { useTemporaryCache } from '../support/adapter-tls.js'
import { useEmptyCache } from '../support/certificates.js'
import { shop } from '../support/client.js'
import { openSession, readStream, request } from '../support/http2-client.js'
import { END_HEADERS, END_STREAM, frame, openFrames, pseudoHeaders, TYPES } from '../support/http2-frames.js'
import { exchange, openServer, toHttpText } from '../support/raw-connection.js'

beforeAll(useTemporaryCache)

const openHttps = (options: ServerOptions = {}) =>
  openServer({ fixtures: shop([{ id: 1, name: 'Rex' }]), https: true, ...options })

it('rejects other runtimes before it makes a certificate', async () => {
  const folder = useEmptyCache()
  vi.stubGlobal('Deno', {})
  onTestFinished(() => void vi.unstubAllGlobals())
  await expect(startServer({ port: 0, https: true })).rejects.toThrow('Option "https" requires Node')
  expect(existsSync(folder)).toBe(false)
})

describe('the token of the admin API', () => {
  const TARGETS = [
    '/__admin/reset',
    '__admin/reset',
    '//__admin/reset',
    '/%5f%5fadmin/reset',
    '/sandbox/a/__admin/reset',
    '\\__admin/reset',
    'http://localhost/__admin/reset',
    'x://localhost/__admin/reset',
  ]

  const isRejected = (status: number | undefined) => status !== undefined && (status === 0 || status >= 400)

  it.each(TARGETS)('is required over HTTP/2 and HTTP/1.1, or the path matches nothing: "%s"', async (target) => {
    const server = await openHttps({ adminToken: 'kept-secret' })
    const session = openSession(server)
    for (const method of ['GET', 'POST']) {
      const path = method === 'GET' ? target.replace('reset', 'state') : target
      for (const scheme of ['https', 'http', 'x']) {
        const { status } = await request(session, path, { ':method': method, ':scheme': scheme, ':path': path })
        expect([scheme, method, isRejected(status)]).toEqual([scheme, method, true])
      }
      const head = [`${method} ${path} HTTP/1.1`, 'Host: localhost', 'Content-Length: 0', 'Connection: close']
      const [response] = await exchange(server.port, toHttpText(head))
      expect([method, isRejected(response?.status)]).toEqual([method, true])
    }
    expect((await request(session, '/pets/1')).status).toBe(200)
  })
})

describe('a request over HTTP/2', () => {
  it('is rejected with 431 if it repeats a header too often, and may have many cookies', async () => {
    const session = openSession(await openHttps({ maxHeaders: 10 }))
    const statusFor = async (name: string) =>
      (await request(session, '/pets', { [name]: Array.from({ length: 15 }, (_, index) => `a=${index}`) })).status
    expect(await statusFor('x-a')).toBe(431)
    expect(await statusFor('cookie')).toBe(200)
  })

  it('gets more time for its body if the event loop was blocked', async () => {
    const requestTimeoutMs = 300
    const session = openSession(await openHttps({ requestTimeoutMs }))
    const head = { ':path': '/pets', ':method': 'POST', 'content-type': 'application/json', expect: '100-continue' }
    const stream = session.request(head)
    const result = readStream(stream)
    await once(stream, 'continue')
    const start = performance.now()
    while (performance.now() - start < 2 * requestTimeoutMs);
    stream.end(JSON.stringify({ name: 'Bo', categoryId: 1 }))
    expect((await result).status).toBe(201)
  })
})

describe('an HTTP/2 connection', () => {
  it.each([
    ['at once', undefined],
    ['during the response', { operation: 'getPet', kind: 'slow', delayMs: 60_000 }],
    ['before the response', { operation: 'getPet', kind: 'timeout' }],
  ] as const)('is closed after too many resets %s, though without an error code', async (_, fault) => {
    const server = await openHttps()
    if (fault) server.petstore.faults.add(fault)
    const connection = await openFrames(server)
    const frames = Array.from({ length: 400 }, (_, index) => [
      frame(TYPES.HEADERS, END_HEADERS | END_STREAM, 2 * index + 1, pseudoHeaders('GET', '/pets/1')),
      frame(TYPES.RST_STREAM, 0, 2 * index + 1, Buffer.alloc(4)),
    ])
    connection.send(...frames.flat())
    await connection.closed
    // If the connection is closed while its frames are read, Node sends no GOAWAY.
    const enhanceYourCalm = 11
    expect([undefined, enhanceYourCalm]).toContain(connection.goawayCode())
  })

  it.each([
    ['responses without a body', 'HEAD', undefined, 200],
    ['requests with a body', 'POST', '{"name":"Bo","categoryId":1}', 201],
  ])('may have many %s', async (_, method, body, status) => {
    const session = openSession(await openHttps())
    const head = { ':method': method, 'content-type': 'application/json' }
    const statuses: number[] = []
    for (let round = 0; round < 5; round++) {
      const responses = Array.from({ length: 50 }, () => request(session, '/pets', head, body))
      for (const { status } of await Promise.all(responses)) statuses.push(status)
    }
    expect(new Set(statuses)).toEqual(new Set([status]))
    expect(session.destroyed).toBe(false)
  })

  it('does not keep the server from closing if its client does not close it', async () => {
    const server = await openHttps()
    const connection = await openFrames(server, false)
    connection.send(frame(TYPES.HEADERS, END_HEADERS | END_STREAM, 1, pseudoHeaders('GET', '/pets/1')))
    await server.petstore.journal.waitFor('getPet')
    const start = performance.now()
    await server.close()
    // After five seconds, every connection is closed.
    expect(performance.now() - start).toBeLessThan(4500)
  })
})
