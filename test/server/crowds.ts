import { expect } from 'vitest'
import { expectNoContent, readState, sandboxByHeader, sandboxByPath } from '../support/admin.js'
import { type Client, createClient, expectError, readResponse, shop } from '../support/client.js'
import { type Connections, openConnections } from '../support/connections.js'
import { closeIdleServer, openServer, toHttpText } from '../support/raw-connection.js'

// Checks with as many clients as a test asks for: few in the quick suite, many in crowds.full.test.ts.

const HOST = 'Host: localhost'

/** Sends requests until a promise settles, and expects the right response to each. Returns how many rounds it took. */
export async function sendMeanwhile(url: string, meanwhile: Promise<unknown>): Promise<number> {
  let done = false
  meanwhile = meanwhile.finally(() => {
    done = true
  })
  let rounds = 0
  while (!done) {
    const [one, two] = await Promise.all([fetch(`${url}/pets/1`), fetch(`${url}/nope`)])
    expect([one.status, two.status]).toEqual([200, 404])
    await Promise.all([one.text(), two.text()])
    rounds += 1
  }
  await meanwhile
  return rounds
}

/** Expects one 408 on each connection, and then its end. */
export async function expectAllTimedOut(clients: Connections): Promise<void> {
  for (const response of await clients.waitUntilClosed()) {
    expect(response).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
    expect(response).toMatch(/\{"code":"REQUEST_TIMEOUT","message":"[^"]+","status":408\}$/)
    expect(response).toContain('\r\nConnection: close\r\n')
  }
}

/** Expects that clients which send headers or a body byte by byte are disconnected, while others get responses. */
export async function expectSlowClientsDisconnected(size: number): Promise<void> {
  const server = await openServer({
    ...{ fixtures: shop([{ id: 1, name: 'Rex' }]) },
    ...{ headersTimeoutMs: 1000, requestTimeoutMs: 1500 },
  })
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
}

/** Expects that workers, each in its own sandbox of one server, do not affect each other. Each sends twenty requests a round. */
export async function expectWorkersIsolated(workers: number, rounds: number): Promise<void> {
  const fixtures = shop([{ id: 1, name: 'Rex' }], [{ id: 1, petId: 1, quantity: 1 }])
  // Other tests check that responses conform to the OpenAPI document.
  const server = await openServer({ fixtures, validateResponses: false })
  const outside = createClient(server)
  const before = await readState(outside)
  await Promise.all(
    Array.from({ length: workers }, async (_, worker) => {
      const name = `worker-${worker}`
      for (let round = 0; round < rounds; round++) {
        await work(
          (worker + round) % 2 === 0 ? sandboxByPath(outside, name) : sandboxByHeader(outside, name),
          worker,
          round,
        )
      }
    }),
  )
  const sandboxes = server.petstore.sandboxes.list()
  expect(sandboxes).toHaveLength(workers)
  expect(sandboxes.every(({ requests }) => requests === 20 * rounds)).toBe(true)
  expect(await readState(outside)).toBe(before)
  expect((await readResponse(await server.fetch('/__admin/journal'))).body).toMatchObject({ total: 0 })
  expect(server.petstore.journal.total).toBe(0)
}

/** Twenty requests whose responses would change if another worker interfered. */
async function work(api: Client, worker: number, round: number): Promise<void> {
  const name = `Pet of ${worker}, ${round}`
  const now = new Date(Date.UTC(2026, 0, 1, worker, round)).toISOString()
  const status = 500 + ((worker + round) % 100)
  expectNoContent(await api.post('/__admin/reset'))
  const start = await readState(api)
  await api.put('/__admin/clock', { now, frozen: true })
  expect((await api.post('/__admin/faults', { operation: 'listCategories', status, times: 2 })).body).toMatchObject({
    id: 1,
  })
  expect((await api.post('/pets', { name, categoryId: 1 })).body).toMatchObject({ id: 2, name })
  expect((await api.post('/__admin/snapshots', { name: 'mine' })).body).toMatchObject({
    takenAt: now,
    sizes: { pets: 2 },
  })
  expect((await api.get('/categories')).status).toBe(status)
  expect((await api.get('/categories')).status).toBe(status)
  expect((await api.get('/categories')).body).toHaveLength(2)
  expectError(await api.post('/store/orders', { petId: 77, quantity: 1 }), 422, 'UNKNOWN_PET')
  expect((await api.post('/store/orders', { complete: true })).body).toMatchObject({ shipDate: now })
  expect((await api.get('/pets?name=Pet of')).body).toMatchObject([{ id: 2, name }])
  expect((await api.delete('/pets/2')).status).toBe(204)
  expect((await api.get('/pets/2')).status).toBe(404)
  expectNoContent(await api.post('/__admin/snapshots/mine/restore'))
  expect((await api.get('/pets/2')).body).toMatchObject({ name })
  const { entries, total } = (await api.get('/__admin/journal')).body as { entries: { at: string }[]; total: number }
  expect([total, entries.every(({ at }) => at === now)]).toEqual([10, true])
  expect((await api.get('/__admin/clock')).body).toEqual({ now, frozen: true })
  expectNoContent(await api.post('/__admin/reset'))
  expect(await readState(api)).toBe(start)
}
