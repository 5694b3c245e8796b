import { connect } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { countListeners, followEvents, sandboxByPath } from '../support/admin.js'
import { createClient, expectError, shop } from '../support/client.js'
import { isFullRun } from '../support/full-run.js'
import {
  accessControlOf,
  closeIdleServer,
  exchange,
  expectBytesRejected,
  openConnection,
  openServer,
  toHttpText,
} from '../support/raw-connection.js'
import { expectWorkersIsolated } from './crowds.js'
import { shareServer } from './share-server.js'

const SHOP = { fixtures: shop([{ id: 1, name: 'Rex' }], [{ id: 1, petId: 1, quantity: 1 }]) }
const server = await shareServer({ ...SHOP, adminToken: 'let-me-in' })
const CLOSE = 'Connection: close'
const HOST = 'Host: localhost'

/** Ways to spell an admin path, at the root and in a sandbox. */
const SPELLINGS = [
  '/__admin',
  '/%5F_admin',
  '/sandbox/a/__admin',
  '/%73andbox/a/__admin',
  '/%73%61%6e%64%62%6f%78/%61/%5f%5fadmin',
  'HTTP://LOCALHOST/sandbox/a/%5F_admin',
]

function reset(target: string, ...headers: string[]): string {
  return toHttpText([`POST ${target}/reset HTTP/1.1`, HOST, CLOSE, 'Content-Length: 0', ...headers])
}

describe('the guard of the admin API', () => {
  it.each(SPELLINGS)('I1 protects %s', async (target) => {
    const token = 'Authorization: Bearer let-me-in'
    const foreign = await expectBytesRejected(
      server,
      reset(target, token, 'Origin: http://evil.example'),
      ...[403, 'FORBIDDEN_ORIGIN', 'evil.example'],
    )
    expect(accessControlOf(foreign.headers)).toEqual([])
    const loopback = reset(target, token, 'Origin: http://localhost:3000')
    await expectBytesRejected(server, loopback, 403, 'FORBIDDEN_ORIGIN')
    const anonymous = await expectBytesRejected(server, reset(target), 401, 'UNAUTHORIZED', 'token')
    expect(anonymous.headers.get('www-authenticate')).toBe('Bearer')
    await expectBytesRejected(server, reset(target, 'Authorization: Bearer guess'), 401, 'UNAUTHORIZED')
    // Rejected requests create no sandbox.
    expect(server.petstore.sandboxes.list()).toEqual([])
    expect(await exchange(server.port, reset(target, token))).toMatchObject([{ status: 204 }])
  })

  it('protects a sandbox that is named in the header', async () => {
    await expectBytesRejected(server, reset('/__admin', 'X-Petstore-Sandbox: a'), 401, 'UNAUTHORIZED')
    await expectBytesRejected(server, reset('/__admin', 'X-Petstore-Sandbox: a b'), 401, 'UNAUTHORIZED')
    expect(server.petstore.sandboxes.list()).toEqual([])
  })

  it.each([
    ['/sandbox/a%2F__admin/reset', 400],
    ['/sandbox/a//__admin/reset', 404],
    ['//__admin/reset', 404],
    ['/sandbox/a/sandbox/b/__admin/reset', 404],
    ['/./__admin/reset', 404],
    ['/pets/../__admin/reset', 404],
    ['/__admin%2Freset', 404],
    ['/sandbox//__admin/reset', 400],
  ])('cannot be bypassed with %s', async (target, status) => {
    await server.fetch('/store/orders/1', { method: 'DELETE' })
    const request = toHttpText([`POST ${target} HTTP/1.1`, HOST, CLOSE, 'Content-Length: 0'])
    const [response] = await exchange(server.port, request)
    expect([status, 401]).toContain(response?.status)
    expect(server.petstore.data.orders.all()).toEqual([])
  })
})

describe('the body limit of the admin API', () => {
  const LIMIT = 64 * 1_048_576

  it('is larger than that of the API, also in a sandbox', async () => {
    const server = await openServer({ ...SHOP, maxBodyBytes: 10 })
    const put = (target: string, length: number) =>
      toHttpText([
        `PUT ${target} HTTP/1.1`,
        ...[HOST, CLOSE, 'Content-Type: application/json', `Content-Length: ${length}`, 'Expect: 100-continue'],
      ])
    for (const target of ['/__admin/state', '/sandbox/a/%5F_admin/state']) {
      const connection = await openConnection(server.port)
      connection.send(put(target, 1000))
      expect(await connection.response()).toMatchObject({ status: 100 })
      connection.send(`{"description":"${'x'.repeat(982)}"}`)
      expect(await connection.rest()).toMatchObject([{ status: 204 }])
      const [response] = await exchange(server.port, put(target, LIMIT + 1))
      expectError(response as never, 413, 'BODY_TOO_LARGE', String(LIMIT))
    }
    const [response] = await exchange(server.port, put('/sandbox/a/pets/1', 11))
    expectError(response as never, 413, 'BODY_TOO_LARGE', '10 bytes')
  })
})

describe('an event stream', () => {
  it('is closed if its client does not read, without delaying other clients', async () => {
    const server = await openServer({ ...SHOP, journalSize: 1 })
    const listeners = countListeners(server.petstore)
    const quick = await followEvents(server)
    // Without a data listener nothing is read.
    const slow = connect({ port: server.port, host: '127.0.0.1' }).on('error', () => {})
    onTestFinished(() => void slow.destroy())
    slow.write(toHttpText(['GET /__admin/events HTTP/1.1', HOST]))
    await expect.poll(() => listeners()).toBe(2)
    const path = `/${'x'.repeat(100_000)}`
    for (let count = 0; count < 1000 && listeners() > 1; count++) {
      await server.petstore.fetch(path)
      await quick.take(1)
    }
    expect(listeners()).toBe(1)
    await server.fetch('/pets')
    expect(await quick.take(1)).toMatchObject([{ entry: { operation: 'listPets' } }])
  })

  it('ends when the server closes', async () => {
    const server = await openServer(SHOP)
    const listeners = countListeners(server.petstore)
    const streams = [await followEvents(server), await followEvents(sandboxByPath(createClient(server), 'a').mock)]
    const halfOpen = await openConnection(server.port)
    halfOpen.send(toHttpText(['GET /__admin/events HTTP/1.1', HOST]))
    await expect.poll(() => listeners()).toBe(2)
    await closeIdleServer(server)
    for (const stream of streams) expect(await stream.rest()).toEqual([])
    expect(listeners()).toBe(0)
  })

  it('stops when its client disconnects', async () => {
    const server = await openServer(SHOP)
    const listeners = countListeners(server.petstore)
    const connection = await openConnection(server.port)
    connection.send(toHttpText(['GET /__admin/events HTTP/1.1', HOST]))
    await expect.poll(() => listeners()).toBe(1)
    connection.destroy()
    await expect.poll(() => listeners()).toBe(0)
  })
})

it('workers stay isolated in their sandboxes while they send requests and reset their data', async () => {
  await (isFullRun ? expectWorkersIsolated(50, 10) : expectWorkersIsolated(5, 2))
})
