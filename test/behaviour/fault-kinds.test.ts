import { describe, expect, it } from 'vitest'
import type { FaultRule, PetstoreOptions } from '../../src/index.js'
import { type Adapter, adapters, describeAdapters, type RunningMock } from '../support/adapters.js'
import { type Client, expectAnswer, openClient, readAnswer } from '../support/client.js'
import { expectSameState, readParts, startCall, VERY_LONG } from '../support/faults.js'
import { BODIES, WORLD } from '../support/http.js'

const CREATE: RequestInit = {
  method: 'POST',
  body: JSON.stringify(BODIES.createPet),
  headers: { 'content-type': 'application/json' },
}

describeAdapters('A fault of the kind', (adapter) => {
  describe('reset', () => {
    it('is a network error, and nothing was done', async () => {
      const { open } = await openWith({ kind: 'reset' })
      await expectSameState(open, async () => {
        await expect(open.fetch('/pets', CREATE)).rejects.toThrow(TypeError)
        await expect(open.fetch('/pets/1')).rejects.toThrow(TypeError)
        await expect(open.fetch('/pets/1', { method: 'HEAD' })).rejects.toThrow(TypeError)
      })
      const entry = { status: 0, fault: { id: 1, kind: 'reset' }, response: { headers: {} } }
      expect(open.petstore.journal.entries()).toMatchObject([entry, entry, entry])
      expect(open.petstore.journal.entries()[0]).not.toHaveProperty('response.body')
      expect(() => open.petstore.check()).not.toThrow()
    })

    it('leaves the next request alone', async () => {
      const api = await openWith({ kind: 'reset', times: 1 })
      await expect(api.get('/pets')).rejects.toThrow(TypeError)
      expect((await api.get('/pets')).status).toBe(200)
    })

    it('can be late', async () => {
      const { open } = await openWith({ kind: 'reset', delayMs: VERY_LONG, times: 1 })
      const call = await startCall(open, '/pets/1')
      await expectAnswered(open)
      expect(call.isSettled()).toBe(false)
      await call.abort()
    })
  })

  describe('timeout', () => {
    it('never answers, and nothing was done', async () => {
      const { open } = await openWith({ kind: 'timeout', times: 1 })
      await expectSameState(open, async () => {
        const call = await startCall(open, '/pets', CREATE)
        await expectAnswered(open)
        expect(call.isSettled()).toBe(false)
        expect(await call.abort()).toMatchObject({ name: 'AbortError' })
      })
      const [entry] = open.petstore.journal.entries({ operation: 'createPet' })
      expect(entry).toMatchObject({ status: 0, fault: { id: 1, kind: 'timeout' } })
    })
  })

  describe('delay', () => {
    it('holds back the answer of what was done at once', async () => {
      const { open } = await openWith({ delayMs: VERY_LONG, times: 1 })
      const call = await startCall(open, '/pets', CREATE)
      const { body } = await readAnswer(await open.fetch('/pets?name=Ivy'))
      expect(body).toMatchObject([{ name: 'Ivy' }])
      expect(call.isSettled()).toBe(false)
      expect(await call.abort()).toMatchObject({ name: 'AbortError' })
    })

    it('changes nothing of the answer', async () => {
      const api = await openWith({ delayMs: [1, 3] })
      expectAnswer(await api.get('/pets/1'), 200, { id: 1, name: 'Rex', categoryId: 2, status: 'available' })
      expect((await api.delete('/pets/3')).status).toBe(204)
      expect((await api.get('/pets/77')).status).toBe(404)
      const head = await api.open.fetch('/pets', { method: 'HEAD' })
      expect([head.status, head.headers.get('x-total-count'), await head.text()]).toEqual([200, '2', ''])
      expect(api.open.petstore.journal.entries().map(({ fault }) => fault?.kind)).toEqual(Array(4).fill('delay'))
    })

    it('lets the answer of an error be late too', async () => {
      const { open } = await openWith({ status: 503, delayMs: VERY_LONG, times: 1 })
      const call = await startCall(open, '/pets/1')
      await expectAnswered(open)
      expect(call.isSettled()).toBe(false)
      await call.abort()
    })

    it('is not recorded where everything started over in the meantime', async () => {
      const { open } = await openWith({ delayMs: VERY_LONG })
      const call = await startCall(open, '/pets', CREATE)
      open.petstore.reset()
      await call.abort()
      await expectAnswered(open)
      expect(open.petstore.journal.entries()).toMatchObject([{ id: 1, operation: 'listCategories' }])
    })
  })

  describe('truncate', () => {
    it('announces the whole length and breaks off, after the operation ran', async () => {
      const { open } = await openWith({ kind: 'truncate' })
      const response = await open.fetch('/pets', CREATE)
      expect(response.status).toBe(201)
      expect(response.headers.get('content-type')).toBe('application/json')
      const whole = JSON.stringify(open.petstore.data.pets.all().at(-1))
      expect(whole).toContain('Ivy')
      expect(response.headers.get('content-length')).toBe(String(whole.length))
      const { text, error } = await readParts(response)
      expect(error).toBeInstanceOf(Error)
      expect(whole.startsWith(text)).toBe(true)
      expect(text.length).toBeLessThanOrEqual(whole.length / 2)
    })

    it('fails whoever reads the body as a whole', async () => {
      const { open } = await openWith({ kind: 'truncate' })
      await expect(open.fetch('/pets').then((response) => response.json())).rejects.toThrow(Error)
      await expect(open.fetch('/pets/77').then((response) => response.text())).rejects.toThrow(Error)
      expect(open.petstore.journal.entries()).toMatchObject([
        { status: 200, fault: { id: 1, kind: 'truncate' }, response: { body: [{ id: 1 }, {}, {}] } },
        { status: 404, fault: { id: 1, kind: 'truncate' }, response: { body: { code: 'PET_NOT_FOUND' } } },
      ])
    })
  })

  describe('malformed', () => {
    it('announces JSON of its length that is none, after the operation ran', async () => {
      const { open } = await openWith({ kind: 'malformed' })
      const response = await open.fetch('/pets', CREATE)
      const text = await response.text()
      expect(response.status).toBe(201)
      expect(response.headers.get('content-type')).toBe('application/json')
      expect(response.headers.get('content-length')).toBe(String(text.length))
      expect(() => JSON.parse(text)).toThrow(SyntaxError)
      expect(text).toContain('"name":"Ivy"')
      expect(open.petstore.data.pets.all()).toHaveLength(4)
    })

    it.each(['/pets', '/pets?limit=1&offset=50', '/pets/1', '/pets/77', '/pets?limit=0'])('spoils %s', async (path) => {
      const { open } = await openWith({ kind: 'malformed', times: 1 })
      const spoiled = await open.fetch(path)
      const text = await spoiled.text()
      expect(() => JSON.parse(text)).toThrow(SyntaxError)
      const sound = await readAnswer(await open.fetch(path))
      expect(spoiled.status).toBe(sound.status)
      expect(text.slice(0, -1)).toBe(sound.text.slice(0, -1))
    })

    it('spoils what an override answers', async () => {
      const { open } = await openWith({ kind: 'malformed' })
      open.petstore.override('listPets', { status: 200, body: [] })
      expect(await (await open.fetch('/pets')).text()).toBe('[,')
    })
  })

  describe('slow', () => {
    it('lets the body drip behind a head that is there at once, after the operation ran', async () => {
      const { open } = await openWith({ kind: 'slow', delayMs: VERY_LONG, times: 1 })
      const aborter = new AbortController()
      const response = await open.fetch('/pets', { ...CREATE, signal: aborter.signal })
      expect(response.status).toBe(201)
      const whole = JSON.stringify(open.petstore.data.pets.all().at(-1))
      expect(response.headers.get('content-length')).toBe(String(whole.length))
      const reader = (response.body as ReadableStream<Uint8Array>).getReader()
      const { value = new Uint8Array() } = await reader.read()
      expect(value.length).toBeGreaterThan(0)
      expect(value.length).toBeLessThan(whole.length / 2)
      expect(whole.startsWith(new TextDecoder().decode(value))).toBe(true)
      await expectAnswered(open)
      const next = reader.read().catch((error: unknown) => error)
      aborter.abort()
      expect(await next).toMatchObject({ name: 'AbortError' })
    })

    it('comes to its end, whole, and cut between characters as well as within', async () => {
      const api = await openWith({ kind: 'slow', delayMs: 16 })
      const name = 'Größe 🐕🐈 ñandú'
      api.open.petstore.data.pets.update(1, { name, categoryId: 2 })
      expectAnswer(await api.get('/pets/1'), 200, { id: 1, name, categoryId: 2, status: 'available' })
    })
  })

  it.each<[FaultRule]>([[{ kind: 'truncate' }], [{ kind: 'malformed' }], [{ kind: 'slow', delayMs: VERY_LONG }]])(
    '%j finds nothing to spoil where there is no body',
    async (rule) => {
      const api = await openWith(rule)
      const head = await api.open.fetch('/pets', { method: 'HEAD' })
      expect([head.status, head.headers.get('x-total-count'), await head.text()]).toEqual([200, '3', ''])
      expect((await api.delete('/pets/3')).text).toBe('')
      expect(api.open.petstore.data.pets.all()).toHaveLength(2)
      const fault = { id: 1, kind: rule.kind }
      expect(api.open.petstore.journal.entries()).toMatchObject([
        { status: 200, fault },
        { status: 204, fault },
      ])
    },
  )

  it('error has no body where HEAD asks', async () => {
    const { open } = await openWith({ status: 503 })
    const response = await open.fetch('/pets', { method: 'HEAD' })
    expect([response.status, await response.text()]).toEqual([503, ''])
    expect(response.headers.get('content-type')).toBe('application/json')
  })

  it('any, with a chance, happens in the same sequence in two runs, and as in memory', async () => {
    const inMemory = await playOn(adapters[0] as Adapter, 7)
    expect(new Set(inMemory)).toEqual(new Set(['TypeError', 200, 201, 429, 503]))
    expect(await playOn(adapter, 7)).toEqual(inMemory)
    expect(await playOn(adapter, 7)).toEqual(inMemory)
    expect(await playOn(adapter, 8)).not.toEqual(inMemory)
  })

  describe('none, under the option delay', () => {
    it('every answer of the store is held back, and none of the control plane', async () => {
      const { open } = await openClient(adapter, { ...WORLD, delay: [VERY_LONG, VERY_LONG] })
      const aborter = new AbortController()
      let settled = false
      const calls = ['/pets', '/pets/77', '/pets?limit=0'].map((path) =>
        open
          .fetch(path, { signal: aborter.signal })
          .catch((error: Error) => error.name)
          .finally(() => {
            settled = true
          }),
      )
      for (const path of ['/__admin/health', '/openapi.json', '/nowhere']) await open.fetch(path)
      expect(open.petstore.data.pets.all()).toHaveLength(3)
      expect(settled).toBe(false)
      aborter.abort()
      expect(await Promise.all(calls)).toEqual(Array(3).fill('AbortError'))
    })

    it('answers come all the same', async () => {
      const api = await openClient(adapter, { ...WORLD, delay: [0, 2] })
      for (let round = 0; round < 5; round++) expect((await api.get('/pets')).status).toBe(200)
    })
  })

  function openWith(rule: FaultRule, options: PetstoreOptions = {}): Promise<Client> {
    return openClient(adapter, { ...WORLD, ...options }).then((api) => {
      api.open.petstore.faults.add(rule)
      return api
    })
  }
})

/** A request that no rule speaks of any more is answered while others wait. */
async function expectAnswered(open: RunningMock): Promise<void> {
  expect((await open.fetch('/categories')).status).toBe(200)
}

/** What sixty requests come to under a plan with chance in it. */
async function playOn(adapter: Adapter, seed: number): Promise<(number | string)[]> {
  const { open } = await openClient(adapter, { ...WORLD, seed })
  open.petstore.faults.add({ operation: 'getPet', probability: 0.4, kind: 'reset' })
  open.petstore.faults.add({ method: 'POST', probability: 0.5, status: 503, times: 5 })
  open.petstore.faults.add({ probability: 0.3, status: 429, delayMs: [0, 2] })
  const requests: [string, RequestInit?][] = [['/pets/1'], ['/pets', CREATE], ['/pets']]
  const outcomes: (number | string)[] = []
  for (let count = 0; count < 60; count++) {
    const [path, init] = requests[count % 3] as [string, RequestInit?]
    outcomes.push(
      await open.fetch(path, init).then(
        ({ status }) => status,
        (error: Error) => error.name,
      ),
    )
  }
  return outcomes
}
