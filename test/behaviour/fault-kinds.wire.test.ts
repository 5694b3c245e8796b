import { describe, expect, it } from 'vitest'
import type { FaultRule, PetstoreOptions } from '../../src/index.js'
import { type Adapter, describeEveryAdapter, inMemory, type RunningMock } from '../support/adapters.js'
import { type Client, expectResponse, expectUnchanged, openClient, readResponse } from '../support/client.js'
import { readChunks, startCall, VERY_LONG_MS } from '../support/faults.js'
import { STARTING_DATA, VALID_BODIES } from '../support/operations.js'

const CREATE: RequestInit = {
  method: 'POST',
  body: JSON.stringify(VALID_BODIES.createPet),
  headers: { 'content-type': 'application/json' },
}

describeEveryAdapter('a fault of the kind', (adapter) => {
  describe('reset', () => {
    it('fails with a network error, and the operation does not run', async () => {
      const { mock } = await openWith({ kind: 'reset' })
      await expectUnchanged(mock, async () => {
        await expect(mock.fetch('/pets', CREATE)).rejects.toThrow(TypeError)
        await expect(mock.fetch('/pets/1')).rejects.toThrow(TypeError)
        await expect(mock.fetch('/pets/1', { method: 'HEAD' })).rejects.toThrow(TypeError)
      })
      const entry = { status: 0, fault: { id: 1, kind: 'reset' }, response: { headers: {} } }
      expect(mock.petstore.journal.entries()).toMatchObject([entry, entry, entry])
      expect(mock.petstore.journal.entries()[0]).not.toHaveProperty('response.body')
      expect(() => mock.petstore.check()).not.toThrow()
    })
  })

  describe('timeout', () => {
    it('sends no response, and the operation does not run', async () => {
      const { mock } = await openWith({ kind: 'timeout', times: 1 })
      await expectUnchanged(mock, async () => {
        const call = await startCall(mock, '/pets', CREATE)
        await expectNextSucceeds(mock)
        expect(call.isSettled()).toBe(false)
        expect(await call.abort()).toMatchObject({ name: 'AbortError' })
      })
      const [entry] = mock.petstore.journal.entries({ operation: 'createPet' })
      expect(entry).toMatchObject({ status: 0, fault: { id: 1, kind: 'timeout' } })
    })
  })

  describe('delay', () => {
    it('runs the operation at once and delays the response', async () => {
      const { mock } = await openWith({ delayMs: VERY_LONG_MS, times: 1 })
      const call = await startCall(mock, '/pets', CREATE)
      const { body } = await readResponse(await mock.fetch('/pets?name=Ivy'))
      expect(body).toMatchObject([{ name: 'Ivy' }])
      expect(call.isSettled()).toBe(false)
      expect(await call.abort()).toMatchObject({ name: 'AbortError' })
    })
  })

  describe('truncate', () => {
    it('runs the operation, then sends less than the announced length', async () => {
      const { mock } = await openWith({ kind: 'truncate' })
      const response = await mock.fetch('/pets', CREATE)
      expect(response.status).toBe(201)
      expect(response.headers.get('content-type')).toBe('application/json')
      const whole = JSON.stringify(mock.petstore.data.pets.all().at(-1))
      expect(whole).toContain('Ivy')
      expect(response.headers.get('content-length')).toBe(String(whole.length))
      const { text, error } = await readChunks(response)
      expect(error).toBeInstanceOf(Error)
      expect(whole.startsWith(text)).toBe(true)
      expect(text.length).toBeLessThanOrEqual(whole.length / 2)
    })
  })

  describe('malformed', () => {
    it('runs the operation, then sends invalid JSON', async () => {
      const { mock } = await openWith({ kind: 'malformed' })
      const response = await mock.fetch('/pets', CREATE)
      const text = await response.text()
      expect(response.status).toBe(201)
      expect(response.headers.get('content-type')).toBe('application/json')
      expect(response.headers.get('content-length')).toBe(String(text.length))
      expect(() => JSON.parse(text)).toThrow(SyntaxError)
      expect(text).toContain('"name":"Ivy"')
      expect(mock.petstore.data.pets.all()).toHaveLength(4)
    })
  })

  describe('slow', () => {
    it('runs the operation and sends the head at once, then the body slowly', async () => {
      const { mock } = await openWith({ kind: 'slow', delayMs: VERY_LONG_MS, times: 1 })
      const aborter = new AbortController()
      const response = await mock.fetch('/pets', { ...CREATE, signal: aborter.signal })
      expect(response.status).toBe(201)
      const whole = JSON.stringify(mock.petstore.data.pets.all().at(-1))
      expect(response.headers.get('content-length')).toBe(String(whole.length))
      const reader = (response.body as ReadableStream<Uint8Array>).getReader()
      const { value = new Uint8Array() } = await reader.read()
      expect(value.length).toBeGreaterThan(0)
      expect(value.length).toBeLessThan(whole.length / 2)
      expect(whole.startsWith(new TextDecoder().decode(value))).toBe(true)
      await expectNextSucceeds(mock)
      const next = reader.read().catch((error: unknown) => error)
      aborter.abort()
      expect(await next).toMatchObject({ name: 'AbortError' })
    })

    it('sends the whole body, whether or not a chunk ends within a character', async () => {
      const api = await openWith({ kind: 'slow', delayMs: 16 })
      const name = 'Größe 🐕🐈 ñandú'
      api.mock.petstore.data.pets.update(1, { name, categoryId: 2 })
      expectResponse(await api.get('/pets/1'), 200, { id: 1, name, categoryId: 2, status: 'available' })
    })
  })

  it.each<[FaultRule]>([[{ kind: 'truncate' }], [{ kind: 'malformed' }], [{ kind: 'slow', delayMs: VERY_LONG_MS }]])(
    '%j does not change a response without a body',
    async (rule) => {
      const api = await openWith(rule)
      const head = await api.mock.fetch('/pets', { method: 'HEAD' })
      expect([head.status, head.headers.get('x-total-count'), await head.text()]).toEqual([200, '3', ''])
      expect((await api.delete('/pets/3')).text).toBe('')
      expect(api.mock.petstore.data.pets.all()).toHaveLength(2)
      const fault = { id: 1, kind: rule.kind }
      expect(api.mock.petstore.journal.entries()).toMatchObject([
        { status: 200, fault },
        { status: 204, fault },
      ])
    },
  )

  it('any with a probability is applied in the same sequence in each run, on every adapter', async () => {
    const expected = await playOn(inMemory, 7)
    expect(new Set(expected)).toEqual(new Set(['TypeError', 200, 201, 429, 503]))
    expect(await playOn(adapter, 7)).toEqual(expected)
    expect(await playOn(adapter, 8)).not.toEqual(expected)
  })

  describe('none, with the option delay', () => {
    it('delays every response of the API, and none of the admin API', async () => {
      const { mock } = await openClient(adapter, { ...STARTING_DATA, delay: [VERY_LONG_MS, VERY_LONG_MS] })
      const aborter = new AbortController()
      let settled = false
      const calls = ['/pets', '/pets/77', '/pets?limit=0'].map((path) =>
        mock
          .fetch(path, { signal: aborter.signal })
          .catch((error: Error) => error.name)
          .finally(() => {
            settled = true
          }),
      )
      for (const path of ['/__admin/health', '/openapi.json', '/nowhere']) await mock.fetch(path)
      expect(mock.petstore.data.pets.all()).toHaveLength(3)
      expect(settled).toBe(false)
      aborter.abort()
      expect(await Promise.all(calls)).toEqual(Array(3).fill('AbortError'))
    })
  })

  function openWith(rule: FaultRule, options: PetstoreOptions = {}): Promise<Client> {
    return openClient(adapter, { ...STARTING_DATA, ...options }).then((api) => {
      api.mock.petstore.faults.add(rule)
      return api
    })
  }
})

/** Expects a response to a request that no rule matches, while another one waits. */
async function expectNextSucceeds(mock: RunningMock): Promise<void> {
  expect((await mock.fetch('/categories')).status).toBe(200)
}

/** The outcomes of sixty requests under rules with a probability. */
async function playOn(adapter: Adapter, seed: number): Promise<(number | string)[]> {
  const { mock } = await openClient(adapter, { ...STARTING_DATA, seed })
  mock.petstore.faults.add({ operation: 'getPet', probability: 0.4, kind: 'reset' })
  mock.petstore.faults.add({ method: 'POST', probability: 0.5, status: 503, times: 5 })
  mock.petstore.faults.add({ probability: 0.3, status: 429, delayMs: [0, 2] })
  const requests: [string, RequestInit?][] = [['/pets/1'], ['/pets', CREATE], ['/pets']]
  const outcomes: (number | string)[] = []
  for (let count = 0; count < 60; count++) {
    const [path, init] = requests[count % 3] as [string, RequestInit?]
    outcomes.push(
      await mock.fetch(path, init).then(
        ({ status }) => status,
        (error: Error) => error.name,
      ),
    )
  }
  return outcomes
}
