import { describe, expect, it } from 'vitest'
import { shop } from '../support/client.js'
import { openConnections } from '../support/connections.js'
import { expectServerResponds, openServer, toHttpText } from '../support/raw-connection.js'
import { expectAllTimedOut, expectSlowClientsDisconnected } from './crowds.js'

// With thousands of connections: crowds.full.test.ts.

const SHOP = { fixtures: shop([{ id: 1, name: 'Rex' }]) }

describe('slow clients', () => {
  it('H3 are disconnected if they send nothing', async () => {
    const server = await openServer({ ...SHOP, headersTimeoutMs: 300 })
    const clients = await openConnections(server.port, 20)
    await expectAllTimedOut(clients)
    await expectServerResponds(server)
  })

  it('H4 H5 are disconnected if they send headers or a body byte by byte, while other clients get responses', async () => {
    await expectSlowClientsDisconnected(20)
  })
})

it('H6 keeps responding with idle connections, until they are closed', async () => {
  const server = await openServer({ ...SHOP, idleTimeoutMs: 60_000 })
  const clients = await openConnections(server.port, 100)
  clients.send(toHttpText(['GET /categories/2 HTTP/1.1', 'Host: localhost']))
  await clients.waitForText('{"id":2,"name":"Cats"}')
  await expectServerResponds(server)
  expect(clients.openCount()).toBe(100)
})
