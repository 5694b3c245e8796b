import { describe, expect, it } from 'vitest'
import type { PetstoreEvent } from '../../src/index.js'
import { describeEveryAdapter, inMemory } from '../support/adapters.js'
import { countListeners, expectNoContent, followEvents, sandboxByPath } from '../support/admin.js'
import { expectError, openClient, readResponse, shop } from '../support/client.js'

const fixtures = shop([{ id: 1, name: 'Rex' }, { id: 2 }], [{ id: 1, petId: 2, quantity: 1 }])

describeEveryAdapter('the event stream', (adapter) => {
  it('has every event in order', async () => {
    const api = await openClient(adapter, { fixtures })
    const events = await followEvents(api.mock)
    await api.get('/pets?limit=1')
    await api.post('/pets', { name: 'Max', categoryId: 1 })
    await api.delete('/pets/99')
    await api.post('/__admin/faults', { operation: 'getPet', status: 503, times: 1 })
    await api.get('/pets/1')
    await api.delete('/__admin/faults/1')
    await api.delete('/__admin/faults')
    await api.delete('/__admin/journal')
    await api.post('/__admin/snapshots', { name: 'a' })
    await api.post('/__admin/snapshots/a/restore')
    await api.put('/__admin/state', {})
    api.mock.petstore.data.categories.create({ name: 'Birds' })
    await api.post('/__admin/reset')
    await api.post('/__admin/reset', { scenario: 'single', seed: 4 })
    expect(await events.take(15)).toMatchObject([
      { type: 'request', entry: { id: 1, operation: 'listPets', query: { limit: 1 }, status: 200 } },
      { type: 'request', entry: { id: 2, operation: 'createPet', status: 201 } },
      { type: 'state', cause: 'request' },
      { type: 'request', entry: { id: 3, operation: 'deletePet', params: { petId: 99 }, status: 404 } },
      { type: 'fault', change: 'added', fault: { id: 1, operation: 'getPet', applied: 0, active: true } },
      { type: 'fault', change: 'applied', fault: { id: 1, applied: 1, active: false } },
      { type: 'request', entry: { id: 4, status: 503, fault: { id: 1, kind: 'error' } } },
      { type: 'fault', change: 'removed', fault: { id: 1 } },
      { type: 'fault', change: 'cleared' },
      { type: 'journal', change: 'cleared' },
      { type: 'state', cause: 'restore' },
      { type: 'state', cause: 'import' },
      { type: 'state', cause: 'data' },
      { type: 'reset', seed: 1, scenario: 'empty' },
      { type: 'reset', seed: 4, scenario: 'single' },
    ])
  })

  it('has a change of the data that an override hides, and none that it makes up', async () => {
    const api = await openClient(adapter, { fixtures })
    const { petstore } = api.mock
    const events = await followEvents(api.mock)
    petstore.override('deleteOrder', () => ({ status: 204 }), { times: 1 })
    await api.delete('/store/orders/1')
    petstore.override('deleteOrder', async ({ next }) => {
      await next()
      return { status: 503 }
    })
    await api.delete('/store/orders/1')
    expect(petstore.data.orders.all()).toEqual([])
    petstore.journal.clear()
    const received = (await events.take(9)).filter(({ type }) => type !== 'override')
    expect(received).toMatchObject([
      { type: 'request', entry: { status: 204 } },
      { type: 'request', entry: { pending: true } },
      { type: 'state', cause: 'request' },
      { type: 'request', entry: { status: 503 } },
      { type: 'journal' },
    ])
  })

  it('has the headers of an event stream, and is not cached', async () => {
    const { mock } = await openClient(adapter, { fixtures })
    const { response } = await followEvents(mock)
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('content-length')).toBeNull()
  })

  it('has the journal entry of a request without headers and bodies', async () => {
    const api = await openClient(adapter, { fixtures })
    const events = await followEvents(api.mock)
    await api.get('/pets/9007199254740993')
    await api.get('/pets?limit=0')
    const entries = api.mock.petstore.journal.entries().map(({ request, response, ...summary }) => summary)
    expect(entries).toMatchObject([{ params: { petId: 9007199254740993n } }, { violations: [expect.any(String)] }])
    expect(await events.take(2)).toEqual(entries.map((entry) => ({ type: 'request', entry })))
  })

  it('ends when its sandbox is deleted', async () => {
    const api = await openClient(adapter, { fixtures })
    const stream = await followEvents(sandboxByPath(api, 'a').mock)
    expectNoContent(await api.delete('/__admin/sandboxes/a'))
    expect(await stream.rest()).toEqual([])
  })

  it('has the events of one sandbox, or of the root', async () => {
    const api = await openClient(adapter, { fixtures })
    const sandbox = sandboxByPath(api, 'a')
    const [outside, inside] = [await followEvents(api.mock), await followEvents(sandbox.mock)]
    await api.delete('/store/orders/1')
    await sandbox.post('/__admin/reset')
    await sandbox.get('/pets')
    await api.get('/categories')
    expect(await outside.take(3)).toMatchObject([
      { type: 'request', entry: { operation: 'deleteOrder' } },
      { type: 'state' },
      { type: 'request', entry: { operation: 'listCategories' } },
    ])
    expect(await inside.take(2)).toMatchObject([
      { type: 'reset' },
      { type: 'request', entry: { operation: 'listPets' } },
    ])
  })

  it('ends when it is aborted, and the listener is removed', async () => {
    const api = await openClient(adapter, { fixtures })
    const listeners = countListeners(api.mock.petstore)
    const aborter = new AbortController()
    const events = await followEvents(api.mock, { signal: aborter.signal })
    await api.get('/pets')
    expect(await events.take(1)).toHaveLength(1)
    expect(listeners()).toBe(1)
    aborter.abort()
    expect(await events.rest()).toEqual([])
    await expect.poll(() => listeners()).toBe(0)
    expect((await api.get('/pets')).status).toBe(200)
  })

  it('ends when it is cancelled, and the listener is removed', async () => {
    const api = await openClient(adapter, { fixtures })
    const listeners = countListeners(api.mock.petstore)
    const events = await followEvents(api.mock)
    expect(listeners()).toBe(1)
    void events.cancel()
    // msw keeps a copy that is never read, and does not pass on the cancellation, so it ends like a slow reader.
    const long = 'x'.repeat(10_000)
    for (let count = 0; count < 200 && listeners() > 0; count++) await api.get(`/pets?name=${long}`)
    expect(listeners()).toBe(0)
  })

  it('returns only headers for HEAD, without a listener', async () => {
    const api = await openClient(adapter, { fixtures })
    const listeners = countListeners(api.mock.petstore)
    const { status, text } = await readResponse(await api.mock.fetch('/__admin/events', { method: 'HEAD' }))
    expect({ status, text }).toEqual({ status: 200, text: '' })
    expect(listeners()).toBe(0)
  })

  it('rejects another Accept header or method', async () => {
    const api = await openClient(adapter, { fixtures })
    const rejected = await readResponse(
      await api.mock.fetch('/__admin/events', { headers: { Accept: 'application/json' } }),
    )
    expectError(rejected, 406, 'NOT_ACCEPTABLE', 'text/event-stream')
    const posted = await api.post('/__admin/events', {})
    expectError(posted, 405, 'METHOD_NOT_ALLOWED')
    expect(posted.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
  })
})

describeEveryAdapter('listeners in process', (adapter) => {
  it('receive no events of failed calls', async () => {
    const api = await openClient(adapter, { fixtures })
    const received: PetstoreEvent[] = []
    api.mock.petstore.events.subscribe((event) => received.push(event))
    await api.put('/__admin/state', { pets: [{ id: 1, name: 'Rex', categoryId: 7 }] })
    await api.post('/__admin/reset', { scenario: 'nowhere' })
    await api.post('/__admin/snapshots/none/restore')
    await api.post('/__admin/faults', { operation: 'nope' })
    await api.delete('/__admin/faults/1')
    expect(() => api.mock.petstore.data.pets.create({ categoryId: 99 })).toThrow()
    expect(received).toEqual([])
  })
})

describe('a client in memory that does not read the event stream', () => {
  it('is disconnected, and can still read the buffered events', async () => {
    const api = await openClient(inMemory, { fixtures })
    const listeners = countListeners(api.mock.petstore)
    const events = await followEvents(api.mock)
    const long = 'x'.repeat(100_000)
    for (let count = 0; count < 50; count++) await api.get(`/pets?name=${long}`)
    expect(listeners()).toBe(0)
    const received = await events.rest()
    expect(received.length).toBeGreaterThan(5)
    expect(received.length).toBeLessThan(20)
  })
})
