import { expect, it } from 'vitest'
import { shop } from '../support/client.js'
import { type Connections, openConnections } from '../support/connections.js'
import { isFullRun } from '../support/full-run.js'
import { closeIdleServer, expectServerResponds, openServer, toHttpText } from '../support/raw-connection.js'
import { sendMeanwhile } from './crowds.js'

// With thousands of connections: crowds.full.test.ts.

const HOST = 'Host: localhost'
const SHOP = { fixtures: shop([{ id: 1, name: 'Rex' }]) }

it('H4 H5 slow clients are disconnected if they send headers or a body byte by byte, while other clients get responses', async () => {
  const server = await openServer({ ...SHOP, headersTimeoutMs: 1000, requestTimeoutMs: 1500 })
  const size = isFullRun ? 1000 : 20
  const [heads, bodies] = [await openConnections(server.port, size), await openConnections(server.port, size)]
  heads.send(['GET /pets HTTP/1.1', HOST, 'X-Slow: '].join('\r\n'))
  heads.sendRepeatedly('x', 100)
  const head = ['POST /pets HTTP/1.1', HOST, 'Content-Type: application/json', 'Content-Length: 1000']
  bodies.send(toHttpText(head, '{"name":"'))
  bodies.sendRepeatedly('x', 100)
  const allTimedOut = Promise.all([heads, bodies].map(expectAllTimedOut))
  expect(await sendMeanwhile(server.url, allTimedOut)).toBeGreaterThan(0)
  expect(server.petstore.data.pets.all()).toHaveLength(1)
  await closeIdleServer(server)
})

it('H6 keeps responding with idle connections, until they are closed', async () => {
  const server = await openServer({ ...SHOP, idleTimeoutMs: 60_000 })
  const clients = await openConnections(server.port, 100)
  clients.send(toHttpText(['GET /categories/2 HTTP/1.1', HOST]))
  await clients.waitForText('{"id":2,"name":"Cats"}')
  await expectServerResponds(server)
  expect(clients.openCount()).toBe(100)
})

/** Expects one 408 on each connection, and then its end. */
async function expectAllTimedOut(clients: Connections): Promise<void> {
  for (const response of await clients.waitUntilClosed()) {
    expect(response).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
    expect(response).toMatch(/\{"code":"REQUEST_TIMEOUT","message":"[^"]+","status":408\}$/)
    expect(response).toContain('\r\nConnection: close\r\n')
  }
}
