import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { ServerOptions } from '../../src/adapters/server/index.js'
import { shop } from '../support/client.js'
import { openConnections } from '../support/connections.js'
import { toHttpText } from '../support/raw-connection.js'
import { sendMeanwhile } from './crowds.js'

// Thousands of connections take long on a busy machine.
vi.setConfig({ testTimeout: 180_000 })

const SHOP = { fixtures: shop([{ id: 1, name: 'Rex' }]) }
const HOST = 'Host: localhost'
const MEGABYTE = 1_048_576

describe('a server process', () => {
  it.runIf(process.env.CI_BROWSER === 'required' || canHoldConnections(10_000))(
    'H6 keeps responding with 10,000 idle connections, and needs little memory for them',
    async () => {
      const server = await startServerProcess({
        ...SHOP,
        idleTimeoutMs: 60_000,
        headersTimeoutMs: 60_000,
        requestTimeoutMs: 60_000,
      })
      const before = await server.stats()
      const clients = await openConnections(server.port, 10_000)
      clients.send(toHttpText(['GET /categories/2 HTTP/1.1', HOST]))
      await clients.waitForText('{"id":2,"name":"Cats"}')
      expect((await fetch(`${server.url}/pets/1`)).status).toBe(200)
      const { memory, sockets } = await server.stats()
      expect(sockets).toBeGreaterThanOrEqual(10_000)
      // The target is 300 MB in total, but running from the sources needs far more than the built package.
      expect(memory - before.memory).toBeLessThan(185 * MEGABYTE)
      expect(clients.openCount()).toBe(10_000)
      clients.closeAll()
      await expect.poll(async () => (await server.stats()).sockets, { timeout: 60_000 }).toBeLessThan(10)
    },
  )

  it('E10 frees the memory of bodies over the limit', async () => {
    const server = await startServerProcess(SHOP)
    const send = () =>
      fetch(`${server.url}/pets`, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
    const body = JSON.stringify({ name: 'x'.repeat(10 * MEGABYTE), categoryId: 1 })
    // The first few grow the heap, which the others reuse.
    for (let count = 0; count < 5; count++) expect((await send()).status).toBe(413)
    const before = await server.stats()
    for (let count = 0; count < 10; count++) {
      const response = await send()
      expect([response.status, await response.json()]).toMatchObject([413, { code: 'BODY_TOO_LARGE', status: 413 }])
    }
    await expect
      .poll(async () => (await server.stats()).memory - before.memory, { timeout: 30_000 })
      .toBeLessThan(20 * MEGABYTE)
  })

  it('disconnects clients that never read their responses, and buffers little for them', async () => {
    const readers = 10
    const pets = Array.from({ length: 100 }, (_, index) => ({ id: index + 1, name: 'x'.repeat(20_000) }))
    const server = await startServerProcess({ fixtures: shop(pets), idleTimeoutMs: 500 })
    await fetch(`${server.url}/pets?limit=100`).then((response) => response.text())
    const before = await server.stats()
    const clients = await openConnections(server.port, readers, { mute: true })
    // 40 MB for each connection.
    clients.send(toHttpText(['GET /pets?limit=100 HTTP/1.1', HOST]).repeat(20))
    let maxMemory = 0
    const released = expect
      .poll(
        async () => {
          const { memory, sockets } = await server.stats()
          maxMemory = Math.max(maxMemory, memory)
          return sockets
        },
        { timeout: 30_000, interval: 50 },
      )
      .toBeLessThan(readers / 2)
    expect(await sendMeanwhile(server.url, released)).toBeGreaterThan(0)
    expect(maxMemory - before.memory).toBeLessThan(150 * MEGABYTE)
  })
})

interface ProcessStats {
  /** In bytes, after garbage collection. */
  readonly memory: number
  /** Open connections. */
  readonly sockets: number
}

interface ServerProcess {
  readonly port: number
  readonly url: string
  stats(): Promise<ProcessStats>
}

/** Starts a server in a separate process, which is killed when the running test ends. It must print nothing. */
async function startServerProcess(options: ServerOptions = {}): Promise<ServerProcess> {
  const child = fork(fileURLToPath(new URL('./serve-process.ts', import.meta.url)), {
    execArgv: ['--expose-gc', '--import', import.meta.resolve('tsx')],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text) => (printed += text))
  const closed = once(child, 'close')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await closed
  })
  const receive = async <T>(): Promise<T> => {
    const [message] = await Promise.race([
      once(child, 'message'),
      closed.then(() => expect.fail(`The server process has exited: ${printed}`)),
    ])
    return message as T
  }
  child.send(options)
  const { port } = await receive<{ port: number }>()
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    stats() {
      child.send('vitals')
      expect(printed).toBe('')
      return receive()
    },
  }
}

/** Whether this process and its child process may open this many connections (the limit on open files). */
function canHoldConnections(connections: number): boolean {
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft: number | string } } }
  const limit = userLimits?.open_files?.soft
  return limit === 'unlimited' || Number(limit) > connections + 200
}
