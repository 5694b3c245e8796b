import { expect } from 'vitest'
import { expectNoContent, readState, sandboxByHeader, sandboxByPath } from '../support/admin.js'
import { type Client, createClient, expectError, readResponse, shop } from '../support/client.js'
import { openServer } from '../support/raw-connection.js'

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
  expect((await api.get('/__admin/clock')).body).toEqual({ now, frozen: true, sunset: 'announce' })
  expectNoContent(await api.post('/__admin/reset'))
  expect(await readState(api)).toBe(start)
}
