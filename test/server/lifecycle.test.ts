import { createServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type ServerOptions, startServer } from '../../src/adapters/server/index.js'
import { MockError } from '../../src/index.js'
import { exportText, shop } from '../support/client.js'
import { collectGarbage } from '../support/collect-garbage.js'
import {
  closeIdleServer,
  expectServerResponds,
  openConnection,
  openServer,
  toHttpText,
} from '../support/raw-connection.js'

const SHOP: ServerOptions = { fixtures: shop([{ id: 1, name: 'Rex' }]) }
const HOST = 'Host: localhost'
const PET = JSON.stringify({ name: 'Bo', categoryId: 1 })
const GET = toHttpText(['GET /pets HTTP/1.1', HOST])
const NEW_PET = { method: 'POST', body: PET, headers: { 'content-type': 'application/json' } }

/**
 * The last one may still be referenced. Bun's collector also keeps what an old value on the stack happens to point to,
 * which differs from run to run; a leak would keep all hundred.
 */
const MAX_KEPT_MOCKS = 'bun' in process.versions ? 10 : 1

describe('start', () => {
  it('picks a free port for 0 and returns its url', async () => {
    const server = await openServer(SHOP)
    expect(server.port).toBeGreaterThan(0)
    expect(server).toMatchObject({
      host: '127.0.0.1',
      url: `http://127.0.0.1:${server.port}`,
      adminToken: undefined,
    })
    expect((await fetch(`${server.url}/pets`)).status).toBe(200)
  })

  it.runIf(hasIpv6())('puts an IPv6 address in brackets', async () => {
    const server = await openServer({ ...SHOP, host: '::1' })
    expect(server.url).toBe(`http://[::1]:${server.port}`)
    expect(server.adminToken).toBeUndefined()
    expect((await fetch(`${server.url}/pets`)).status).toBe(200)
  })

  it.runIf(hasIpv6() && process.platform === 'linux').each([
    ['::1%lo', '[::1]'],
    ['::ffff:127.0.0.1', '[::ffff:7f00:1]'],
  ])('can be reached at its URL if the host is %s', async (host, name) => {
    const server = await openServer({ ...SHOP, host })
    expect(server.url).toBe(`http://${name}:${server.port}`)
    expect((await fetch(`${server.url}/pets`)).status).toBe(200)
  })

  it('H8 rejects with one line that names the port if it is in use', async () => {
    const port = await listenAnywhere()
    const error = await rejection(startServer({ ...SHOP, port }))
    expect(error.code).toBe('CANNOT_LISTEN')
    expect(error.message).toContain(String(port))
    expect(error.message).toContain('in use')
    expect(error.message).not.toContain('\n')
  })

  it('rejects if the host is not an address of this machine', async () => {
    const error = await rejection(startServer({ ...SHOP, port: 0, host: '192.0.2.1' }))
    expect(error.code).toBe('CANNOT_LISTEN')
    expect(error.message).toContain('192.0.2.1')
    expect(error.message).not.toContain('\n')
  })

  it.each<[string, object, string]>([
    ['a port too large', { port: 70000 }, 'port'],
    ['an origin with a path', { cors: ['https://app.example/app'] }, 'https://app.example/app'],
    ['every origin', { cors: ['*'] }, 'cors'],
    ['a bad option of the mock', { rules: 'maybe' }, 'rules'],
    ['an allowed host with a port', { allowHost: ['petstore.test:8080'] }, 'petstore.test:8080'],
    ['an empty token', { adminToken: '' }, 'adminToken'],
    ['an empty host', { host: '' }, 'host'],
    ['a maxHeaderBytes of 0', { maxHeaderBytes: 0 }, 'maxHeaderBytes'],
    ['a headersTimeoutMs of 0', { headersTimeoutMs: 0 }, 'headersTimeoutMs'],
  ])('rejects %s', async (_, options, mentioning) => {
    const starting = startServer({ ...SHOP, port: 0, ...options })
    // If it starts by mistake, it must not outlive the test.
    onTestFinished(() => starting.then((server) => server.close()).catch(() => {}))
    const error = await rejection(starting)
    expect(error.code).toBe('INVALID_OPTION')
    expect(error.message).toContain(mentioning)
    expect(error.message).not.toContain('\n')
  })
})

describe('two servers in one process', () => {
  it('H18 share nothing', async () => {
    const [one, seven] = await Promise.all([openServer({ seed: 1 }), openServer({ seed: 7 })])
    const before = await Promise.all([one, seven].map(exportText))
    expect(before[0]).not.toBe(before[1])
    await Promise.all([1, 2, 3].map(() => one.fetch('/pets', NEW_PET)))
    one.petstore.clock.set('2030-12-06T00:00:00Z')
    expect(await exportText(one)).not.toBe(before[0])
    expect(await exportText(seven)).toBe(before[1])
    expect(Math.abs(seven.petstore.clock.now() - Date.now())).toBeLessThan(86_400_000)
    await one.close()
    await expectServerResponds(seven)
  })
})

describe('close', () => {
  it('H19 can be called more than once', async () => {
    const server = await openServer(SHOP)
    await Promise.all([closeIdleServer(server), closeIdleServer(server)])
    await closeIdleServer(server)
    await expect(openConnection(server.port)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })

  it('H19 frees the port', async () => {
    const first = await openServer(SHOP)
    await first.close()
    const second = await openServer({ ...SHOP, port: first.port })
    expect(second.port).toBe(first.port)
    await expectServerResponds(second)
  })

  it.each([
    ['is idle after a response', GET, 200],
    ['stays open after a rejected CONNECT', 'CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n', 405],
    ['stays open after a malformed request', 'FOO / HTTP/1.1\r\n\r\n', 400],
  ])('closes a connection that %s', async (_, bytes, status) => {
    const server = await openServer(SHOP)
    const connection = await openConnection(server.port)
    connection.send(bytes)
    expect((await connection.response()).status).toBe(status)
    await closeIdleServer(server)
    expect(await connection.rest()).toStrictEqual([])
  })

  it('closes a connection that has not sent anything yet', async () => {
    const server = await openServer(SHOP)
    const connection = await openConnection(server.port)
    // Once a later connection gets a response, the server has accepted this one, too.
    await expectServerResponds(server)
    await closeIdleServer(server)
    expect(await connection.rest()).toStrictEqual([])
  })

  it('waits for a request whose body is still arriving, and responds to it', async () => {
    const server = await openServer(SHOP)
    const connection = await openConnection(server.port)
    const head = ['POST /pets HTTP/1.1', HOST, 'Content-Type: application/json', `Content-Length: ${PET.length}`]
    connection.send(toHttpText([...head, 'Expect: 100-continue']))
    expect((await connection.response()).status).toBe(100)
    connection.send(PET.slice(0, 10))
    let ended = false
    const closing = server.close().then(() => {
      ended = true
    })
    await expect(openConnection(server.port)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    expect(ended).toBe(false)
    connection.send(PET.slice(10))
    const responses = await connection.rest()
    expect(responses).toMatchObject([{ status: 201, body: { id: 2, name: 'Bo' } }])
    expect(responses[0]?.headers.get('connection')).toBe('close')
    await closing
  })

  it('H17 leaves nothing behind after a hundred servers', async () => {
    const warnings: Error[] = []
    const warn = (warning: Error) => void warnings.push(warning)
    process.on('warning', warn)
    onTestFinished(() => void process.off('warning', warn))
    const useOnce = async (port: number): Promise<void> => {
      const connection = await openConnection(port)
      connection.send(GET)
      expect((await connection.response()).status).toBe(200)
      connection.destroy()
    }
    const mocks: WeakRef<object>[] = []
    const startAndStop = async (round: number): Promise<void> => {
      const server = await startServer({ ...SHOP, port: 0 })
      mocks.push(new WeakRef(server.petstore))
      if (round % 10 === 0) await useOnce(server.port)
      await server.close()
    }
    await expectHandles([])
    await startAndStop(0)
    const listeners = countProcessListeners()
    for (let round = 0; round < 100; round++) await startAndStop(round)
    await expectHandles([])
    expect(countProcessListeners()).toEqual(listeners)
    expect(warnings).toEqual([])
    const countKept = () => {
      collectGarbage()
      return mocks.filter((mock) => mock.deref() !== undefined).length
    }
    await expect.poll(countKept).toBeLessThanOrEqual(MAX_KEPT_MOCKS)
  })

  // Bun does not list open handles.
  it.skipIf('bun' in process.versions)('H19 is not needed if the start failed', async () => {
    const port = await listenAnywhere()
    await expectHandles(['TCPServerWrap'])
    for (let round = 0; round < 10; round++) await rejection(startServer({ ...SHOP, port }))
    await expectHandles(['TCPServerWrap'])
  })
})

/** Another server, which occupies a port. */
async function listenAnywhere(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => void server.close(() => resolve())))
  return (server.address() as { port: number }).port
}

async function rejection(promise: Promise<unknown>): Promise<MockError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(MockError)
  return error as MockError
}

/** Expects exactly these open sockets, servers and timers, after those that are closing have closed. */
async function expectHandles(expected: readonly string[]): Promise<void> {
  const open = (): string[] =>
    process.getActiveResourcesInfo().filter((name) => name.startsWith('TCP') || name === 'Timeout')
  const deadline = performance.now() + 30_000
  while (open().join() !== expected.join() && performance.now() < deadline) await setImmediate()
  expect(open()).toStrictEqual(expected)
}

function countProcessListeners(): Record<string, number> {
  const names = process.eventNames().filter((name) => typeof name === 'string')
  return Object.fromEntries(names.map((name) => [name, process.listenerCount(name)]))
}

function hasIpv6(): boolean {
  return Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ address }) => address === '::1'))
}
