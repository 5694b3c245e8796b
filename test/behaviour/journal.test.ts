import { expect, it } from 'vitest'
import type { JournalEntry, Petstore } from '../../src/index.js'
import { assertReceived, assertReceivedTimes } from '../../src/runners/assertions/index.js'
import { describeAdapters } from '../support/adapters.js'
import { followEvents } from '../support/admin.js'
import { openClient, shop } from '../support/client.js'
import { startCall, VERY_LONG_MS } from '../support/faults.js'

const fixtures = shop([{ id: 1, name: 'Rex' }])

const ORDER = {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ petId: 1, quantity: 1 }),
}

/** Holds back the responses of createOrder until the returned function is called. */
function holdBack({ override }: Petstore): () => void {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  override('createOrder', async ({ next }) => {
    const response = await next()
    await released
    return response
  })
  return release
}

describeAdapters('a delayed request', (adapter) => {
  it('is in the journal from its arrival on', async () => {
    const { mock } = await openClient(adapter, { fixtures })
    const { petstore } = mock
    petstore.faults.add({ operation: 'createOrder', kind: 'delay', delayMs: VERY_LONG_MS })
    const call = await startCall(mock, '/store/orders', ORDER)
    await mock.fetch('/pets/1')
    // The data changes at once.
    expect(petstore.data.pets.find(1)?.status).toBe('pending')
    expect(petstore.journal.entries()).toMatchObject([
      { id: 1, operation: 'createOrder', pending: true, status: 0, durationMs: 0, request: { body: { petId: 1 } } },
      { id: 2, operation: 'getPet', status: 200 },
    ])
    expect(petstore.journal.find(1)?.response).toEqual({ headers: {} })
    expect(petstore.journal.find(2)).not.toHaveProperty('pending')
    expect(petstore.reproduction().steps.filter((step) => 'request' in step)).toMatchObject([{ id: 1 }, { id: 2 }])

    assertReceivedTimes(petstore, 'createOrder', 1, { body: { petId: 1 } })
    expect(() => assertReceived(petstore, 'createOrder', { status: 0 })).toThrow('→ no response yet')
    expect(await petstore.journal.waitFor('createOrder')).toMatchObject([{ id: 1, pending: true }])
    for (const status of [0, 201]) expect(petstore.journal.entries({ status })).toEqual([])
    await expect(petstore.journal.waitFor('createOrder', { status: 201, timeoutMs: 1 })).rejects.toThrow(
      'POST /store/orders → no response yet',
    )
    expect(petstore.journal.toHar().log.entries[0]?.response).toMatchObject({ _error: 'no response was sent yet' })
    await call.abort()
  })

  it('gets its response when that is sent, in the events and the admin API as well', async () => {
    const api = await openClient(adapter, { fixtures })
    const { petstore } = api.mock
    const release = holdBack(petstore)
    const events = await followEvents(api.mock)
    const arrived = api.get('/__admin/journal?operation=createOrder&waitMs=60000')
    const response = api.mock.fetch('/store/orders', ORDER)
    expect((await arrived).body).toMatchObject({ entries: [{ id: 1, pending: true, status: 0 }], total: 1, evicted: 0 })
    expect((await api.get('/__admin/journal/1')).body).toMatchObject({ pending: true })
    expect((await api.get('/__admin/journal?status=0')).body).toMatchObject({ entries: [] })

    const sent = petstore.journal.waitFor('createOrder', { status: 201, timeoutMs: 60_000 })
    release()
    await (await response).text()
    expect(await sent).toMatchObject([{ id: 1, status: 201, override: 1, response: { body: { petId: 1 } } }])
    expect(petstore.journal.find(1)).not.toHaveProperty('pending')
    expect(petstore.journal.total).toBe(1)
    const [, ...received] = await events.take(4)
    expect(received).toMatchObject([
      { type: 'request', entry: { id: 1, pending: true, status: 0 } },
      { type: 'state', cause: 'request' },
      { type: 'request', entry: { id: 1, status: 201 } },
    ])
    expect(received[2]).not.toHaveProperty('entry.pending')
  })

  it('does not come back into a journal that was cleared meanwhile', async () => {
    const { mock } = await openClient(adapter, { fixtures })
    const { petstore } = mock
    const release = holdBack(petstore)
    const response = mock.fetch('/store/orders', ORDER)
    await petstore.journal.waitFor('createOrder')
    petstore.journal.clear()
    const waiting = petstore.journal.waitFor('createOrder', { timeoutMs: 60_000 })
    const announced: string[] = []
    petstore.events.subscribe(({ type }) => announced.push(type))
    release()
    await (await response).text()
    expect(petstore.journal.entries()).toEqual([])
    // Another entry may have its id by now.
    expect(announced).not.toContain('request')
    await mock.fetch('/store/orders', { ...ORDER, body: '{}' })
    expect(await waiting).toMatchObject([{ id: 1, request: { body: {} } }])
    expect(petstore.journal.total).toBe(1)
  })
})

describeAdapters('the journal', (adapter) => {
  it('names the override that has answered', async () => {
    const api = await openClient(adapter, { fixtures })
    const { petstore } = api.mock
    petstore.override('getPet', { status: 503 }, { times: 1 })
    petstore.override('listPets', ({ next }) => next(), { times: 1 })
    for (const path of ['/pets/1', '/pets', '/pets/1', '/pets']) await api.get(path)
    const overrides = (entries: readonly JournalEntry[]) => entries.map(({ override }) => override)
    expect(overrides(petstore.journal.entries())).toEqual([1, 2, undefined, undefined])
    const { entries } = (await api.get('/__admin/journal')).body as { entries: JournalEntry[] }
    expect(overrides(entries)).toEqual([1, 2, undefined, undefined])
  })

  it('has the contract violations of a request', async () => {
    const api = await openClient(adapter, { fixtures })
    await api.get('/pets?limit=0')
    await api.post('/pets', '{"name"')
    await api.get('/petz')
    await api.delete('/pets')
    await api.get('/pets/99')
    const violations = api.mock.petstore.journal.entries().map((entry) => entry.violations)
    expect(violations).toEqual([
      [expect.stringContaining('limit')],
      [expect.stringContaining('JSON')],
      [expect.stringContaining('/petz')],
      [expect.stringContaining('DELETE')],
      undefined,
    ])
    const [badLimit, badBody] = api.mock.petstore.journal.entries()
    expect(badLimit?.query).toEqual({ limit: 0 })
    expect(badBody?.request.body).toBe('{"name"')
  })

  it('records no violation for an error from an override', async () => {
    const api = await openClient(adapter, { fixtures })
    const message = 'x'.repeat(70_000)
    api.mock.petstore.override('getPet', { status: 400, body: { code: 'INVALID_REQUEST', message, status: 400 } })
    await api.get('/pets/1')
    expect(api.mock.petstore.journal.entries()).toMatchObject([{ status: 400, response: { cut: true } }])
    expect(api.mock.petstore.journal.entries()[0]?.violations).toBeUndefined()
  })
})

describeAdapters('lifecycle warnings', (adapter) => {
  it('name the deprecated and experimental operations that were used, with counts', async () => {
    const api = await openClient(adapter, { fixtures })
    await api.get('/pets/1')
    await api.get('/pets/99')
    await api.get('/store/orders')
    await api.delete('/pets/1')
    expect(api.mock.petstore.lifecycleWarnings).toEqual([
      { operation: 'getPet', marker: 'deprecated', count: 2, since: '2026-01-01', sunset: '2030-12-05' },
      { operation: 'deletePet', marker: 'experimental', count: 1 },
    ])
    api.mock.petstore.reset()
    expect(api.mock.petstore.lifecycleWarnings).toEqual([])
  })

  it('fail the test with the option failOn', async () => {
    const api = await openClient(adapter, { fixtures, failOn: ['deprecated', 'experimental'] })
    await api.get('/pets')
    api.mock.petstore.check()
    await api.get('/pets/1')
    await api.get('/pets/1')
    api.mock.petstore.reset()
    expect(() => api.mock.petstore.check()).toThrow(/^getPet was used 2 times, but is deprecated since 2026-01-01/)
    await api.get('/pets/1')
    await api.delete('/pets/1')
    expect(() => api.mock.petstore.check()).toThrow(/getPet was used once[\s\S]*deletePet was used once/)
    // Thrown once, but still listed.
    api.mock.petstore.check()
    expect(api.mock.petstore.lifecycleWarnings).toHaveLength(2)
  })
})
