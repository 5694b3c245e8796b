import { describe, expect, it, vi } from 'vitest'
import { shop } from '../support/client.js'
import { type Connections, canHoldConnections, openConnections } from '../support/connections.js'
import { closeInTime, expectServerResponds, openServer, toHttpText } from '../support/raw-connection.js'
import { startServerProcess } from '../support/server-process.js'

// Thousands of connections take their time on a busy machine.
vi.setConfig({ testTimeout: 180_000 })

const SHOP = { fixtures: shop([{ id: 1, name: 'Rex' }]) }
const HOST = 'Host: localhost'
const JSON_TYPE = 'Content-Type: application/json'
const MEGABYTE = 1_048_576
const MANY = 1000

/** Asks again and again while something else happens: nobody else's behaviour may cost this client an answer. */
async function askMeanwhile(url: string, meanwhile: Promise<unknown>): Promise<number> {
  let done = false
  meanwhile = meanwhile.finally(() => {
    done = true
  })
  let asked = 0
  while (!done) {
    const [one, two] = await Promise.all([fetch(`${url}/pets/1`), fetch(`${url}/nope`)])
    expect([one.status, two.status]).toEqual([200, 404])
    await Promise.all([one.text(), two.text()])
    asked += 1
  }
  await meanwhile
  return asked
}

/** Every connection was told that it took too long, once, and hung up on. */
async function expectAllCut(crowd: Connections): Promise<void> {
  for (const answer of await crowd.waitUntilClosed()) {
    expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
    expect(answer).toMatch(/\{"code":"REQUEST_TIMEOUT","message":"[^"]+","status":408\}$/)
    expect(answer).toContain('\r\nConnection: close\r\n')
  }
}

describe('clients that take their time', () => {
  it('H3 and never send anything are cut', async () => {
    const server = await openServer({ ...SHOP, headersTimeoutMs: 100 })
    const crowd = await openConnections(server.port, 20)
    await expectAllCut(crowd)
    await expectServerResponds(server)
  })

  it('H4 H5 and send header or body byte by byte, a thousand of each, are cut, and others are answered meanwhile', async () => {
    const server = await openServer({ ...SHOP, headersTimeoutMs: 1000, requestTimeoutMs: 1500 })
    const [heads, bodies] = [await openConnections(server.port, MANY), await openConnections(server.port, MANY)]
    heads.send(['GET /pets HTTP/1.1', HOST, 'X-Slow: '].join('\r\n'))
    heads.sendRepeatedly('x', 100)
    bodies.send(toHttpText(['POST /pets HTTP/1.1', HOST, JSON_TYPE, 'Content-Length: 1000'], '{"name":"'))
    bodies.sendRepeatedly('x', 100)
    const allCut = Promise.all([heads, bodies].map(expectAllCut))
    expect(await askMeanwhile(server.url, allCut)).toBeGreaterThan(0)
    expect(server.petstore.data.pets.all()).toHaveLength(1)
    await closeInTime(server)
  })
})

describe('the process of a server', () => {
  it.runIf(process.env.CI_BROWSER === 'required' || canHoldConnections(10_000))(
    'H6 answers behind 10,000 idle connections, in little memory',
    async () => {
      const server = await startServerProcess({
        ...SHOP,
        idleTimeoutMs: 60_000,
        headersTimeoutMs: 60_000,
        requestTimeoutMs: 60_000,
      })
      const before = await server.stats()
      const crowd = await openConnections(server.port, 10_000)
      crowd.send(toHttpText(['GET /categories/2 HTTP/1.1', HOST]))
      await crowd.waitForText('{"id":2,"name":"Cats"}')
      expect((await fetch(`${server.url}/pets/1`)).status).toBe(200)
      const { memory, sockets } = await server.stats()
      expect(sockets).toBeGreaterThanOrEqual(10_000)
      // Of 300. Running from the sources takes far more than what is installed does, and more with each Node.
      expect(memory - before.memory).toBeLessThan(185 * MEGABYTE)
      expect(crowd.openCount()).toBe(10_000)
      crowd.closeAll()
      await expect.poll(async () => (await server.stats()).sockets, { timeout: 20_000 }).toBeLessThan(10)
    },
  )

  it('E10 gives back what bodies over the limit have taken', async () => {
    const server = await startServerProcess(SHOP)
    const send = () =>
      fetch(`${server.url}/pets`, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
    const body = JSON.stringify({ name: 'x'.repeat(10 * MEGABYTE), categoryId: 1 })
    // The first few make the room that those behind them use again.
    for (let count = 0; count < 5; count++) expect((await send()).status).toBe(413)
    const before = await server.stats()
    for (let count = 0; count < 10; count++) {
      const answer = await send()
      expect([answer.status, await answer.json()]).toMatchObject([413, { code: 'BODY_TOO_LARGE', status: 413 }])
    }
    await expect
      .poll(async () => (await server.stats()).memory - before.memory, { timeout: 30_000 })
      .toBeLessThan(20 * MEGABYTE)
  })

  it('lets clients go that ask for much and never read, and keeps little for them', async () => {
    const readers = 10
    const pets = Array.from({ length: 100 }, (_, index) => ({ id: index + 1, name: 'x'.repeat(20_000) }))
    const server = await startServerProcess({ fixtures: shop(pets), idleTimeoutMs: 500 })
    await fetch(`${server.url}/pets?limit=100`).then((answer) => answer.text())
    const before = await server.stats()
    const crowd = await openConnections(server.port, readers, { mute: true })
    // Each is owed 40 MB.
    crowd.send(toHttpText(['GET /pets?limit=100 HTTP/1.1', HOST]).repeat(20))
    let most = 0
    const released = expect
      .poll(
        async () => {
          const { memory, sockets } = await server.stats()
          most = Math.max(most, memory)
          return sockets
        },
        { timeout: 30_000, interval: 50 },
      )
      .toBeLessThan(readers / 2)
    expect(await askMeanwhile(server.url, released)).toBeGreaterThan(0)
    expect(most - before.memory).toBeLessThan(150 * MEGABYTE)
  })
})
