import { expect, it } from 'vitest'
import type { UncheckedResponse } from '../../src/engine/rules/override.js'
import { MockError, type OperationId } from '../../src/index.js'
import { describeEveryAdapter } from '../support/adapters.js'
import { expectError, expectResponse, openClient, shop } from '../support/client.js'

const REX = { id: 1, name: 'Rex', categoryId: 1, status: 'available' } as const
const fixtures = shop([
  { id: 1, name: 'Rex' },
  { id: 2, name: 'Ada', stock: 3 },
])

describeEveryAdapter('an override', (adapter) => {
  it('responds in place of the operation, with its lifecycle headers', async () => {
    const api = await openClient(adapter, { fixtures })
    api.mock.petstore.override('getPet', { status: 200, body: { ...REX, name: 'Rover' } })
    const response = await api.get('/pets/1')
    expectResponse(response, 200, { ...REX, name: 'Rover' })
    expect(response.headers.get('deprecation')).toBe('@1767225600')
    expect(api.mock.petstore.data.pets.find(1)).toEqual(REX)
  })

  it('does not change with the objects that were given or returned', async () => {
    const api = await openClient(adapter, { fixtures })
    const { override, overrides } = api.mock.petstore
    const given = { status: 200, body: { ...REX }, headers: { 'X-A': '1' } } as const
    const added = override('getPet', given)
    for (const each of [given, added, ...overrides.list()]) {
      Object.assign(each.body as object, { name: 'Changed' })
      Object.assign(each.headers as object, { 'X-A': '2' })
    }
    const response = await api.get('/pets/1')
    expectResponse(response, 200, REX)
    expect(response.headers.get('x-a')).toBe('1')
  })

  it('is called with the parsed request', async () => {
    const api = await openClient(adapter, { fixtures })
    const calls: unknown[] = []
    api.mock.petstore.override('listPets', ({ query, params, body, next }) => {
      calls.push({ query, params, body })
      return next()
    })
    api.mock.petstore.override('updatePet', ({ query, params, body, headers, next }) => {
      calls.push({ query, params, body, type: headers['content-type'] })
      return next()
    })
    await api.get('/pets?limit=5&status=sold&other=1')
    await api.put('/pets/2', { name: 'Ada', categoryId: 2 })
    expect(calls).toEqual([
      { query: { limit: 5, offset: 0, sort: 'id', status: ['sold'] }, params: {}, body: undefined },
      { query: {}, params: { petId: 2 }, body: { name: 'Ada', categoryId: 2 }, type: 'application/json' },
    ])
  })

  it('cannot change the request that the operation receives', async () => {
    const api = await openClient(adapter, { fixtures })
    const { petstore } = api.mock
    petstore.override('createPet', ({ body, headers, next }) => {
      Object.assign(body as object, { name: 5 })
      Object.assign(headers, { 'x-never-sent': 'yes' })
      return next()
    })
    expect(await api.post('/pets', { name: 'Max', categoryId: 1 })).toMatchObject({ body: { name: 'Max' } })
    expect(petstore.journal.entries()[0]?.request.headers).not.toHaveProperty('x-never-sent')
  })

  it('sends anything that HTTP can carry, if it is raw', async () => {
    const { petstore, fetch } = (await openClient(adapter, { fixtures })).mock
    const respond = async (response: UncheckedResponse) => {
      const override = petstore.override('getPet', response, { raw: true })
      const received = await fetch('/pets/1')
      override.remove()
      const { status, headers } = received
      const bytes = new Uint8Array(await received.arrayBuffer())
      return [status, headers.get('content-type'), headers.get('content-length'), [...bytes]]
    }
    const page = '<h1>Bad Gateway \u20ac</h1>'
    const html = { 'content-type': 'text/html; charset=utf-8' }
    const encoded = [...new TextEncoder().encode(page)]
    expect(await respond({ status: 502, headers: html, body: page })).toEqual([
      ...[502, html['content-type'], String(encoded.length), encoded],
    ])
    expect(await respond({ status: 200, body: 'ok' })).toEqual([200, 'text/plain;charset=utf-8', '2', [111, 107]])
    expect(await respond({ status: 500 })).toMatchObject([500, null, expect.toBeOneOf([null, '0']), []])
    const bytes = new Uint8Array([0, 255, 128])
    expect(await respond({ status: 200, body: bytes })).toEqual([200, 'application/octet-stream', '3', [...bytes]])
    const problem = { 'Content-Type': 'application/problem+json' }
    expect(await respond({ status: 400, headers: problem, body: {} })).toEqual([
      ...[400, problem['Content-Type'], '2', [123, 125]],
    ])
    expect(() => petstore.override('getPet', { status: 304, body: 'x' }, { raw: true })).toThrow('no body with 304')
    expect(petstore.journal.entries()[0]?.response.body).toBe(page)
  })

  it('sends the bytes of a raw response as a fault says', async () => {
    const { petstore, fetch } = (await openClient(adapter, { fixtures })).mock
    const bytes = new Uint8Array([91, 255, 0, 93])
    petstore.override('getPet', { status: 200, body: bytes }, { raw: true })
    const receive = async (kind: 'malformed' | 'slow' | 'truncate') => {
      const rule = kind === 'slow' ? { kind, delayMs: 10 } : { kind }
      petstore.faults.add({ operation: 'getPet', times: 1, ...rule })
      return [...new Uint8Array(await (await fetch('/pets/1')).arrayBuffer())]
    }
    expect(await receive('malformed')).toEqual([91, 255, 0, 44])
    expect(await receive('slow')).toEqual([...bytes])
    await expect(receive('truncate')).rejects.toThrow()
    petstore.override('getPet', { status: 200, body: '"\u20ac' }, { raw: true })
    // The announced length stays right.
    expect(await receive('malformed')).toEqual([34, 44, 44, 44])
    petstore.override('getPet', { status: 200, body: new Uint8Array(0) }, { raw: true })
    expect(await receive('malformed')).toEqual([])
    petstore.override('getPet', { status: 200, body: new Uint8Array(300_000) }, { raw: true })
    expect((await receive('malformed')).slice(-2)).toEqual([0, 44])
  })

  it('can call the operation and change its response', async () => {
    const api = await openClient(adapter, { fixtures })
    api.mock.petstore.override('createPet', async ({ next }) => {
      const response = await next()
      return response.status === 201 ? { ...response, body: { ...response.body, name: 'Changed' } } : response
    })
    const created = await api.post('/pets', { name: 'Max', categoryId: 1 })
    expectResponse(created, 201, { id: 3, name: 'Changed', categoryId: 1, status: 'available' })
    expect(created.headers.get('location')).toBe('/pets/3')
    expect(api.mock.petstore.data.pets.find(3)?.name).toBe('Max')
  })

  it('receives an error of the operation as a response', async () => {
    const api = await openClient(adapter, { fixtures })
    const seen: unknown[] = []
    api.mock.petstore.override('getPet', async ({ next }) => {
      const response = await next()
      seen.push(response)
      return response
    })
    expectError(await api.get('/pets/99'), 404, 'PET_NOT_FOUND', '99')
    expect(seen).toMatchObject([{ status: 404, body: { code: 'PET_NOT_FOUND', status: 404 } }])
  })

  it('is not called for an invalid request', async () => {
    const api = await openClient(adapter, { fixtures })
    api.mock.petstore.override('getPet', { status: 200, body: REX })
    expectError(await api.get('/pets/x'), 400, 'INVALID_REQUEST', 'petId')
  })

  it('is called before an older one, which it can call', async () => {
    const api = await openClient(adapter, { fixtures })
    api.mock.petstore.override('getPet', { status: 500 })
    api.mock.petstore.override('getPet', async ({ next }) => ({ ...(await next()), headers: { 'X-Seen': 'yes' } }))
    const response = await api.get('/pets/1')
    expectError(response, 500, 'INTERNAL_ERROR')
    expect(response.headers.get('x-seen')).toBe('yes')
  })

  it('that is running during a reset changes and reports nothing afterwards', async () => {
    const api = await openClient(adapter, { fixtures })
    const { petstore } = api.mock
    const waiting: (() => void)[] = []
    petstore.override('createPet', async ({ next }) => {
      await new Promise<void>((resolve) => waiting.push(resolve))
      return next()
    })
    petstore.override('getPet', async () => {
      await new Promise<void>((resolve) => waiting.push(resolve))
      throw new RangeError('from the previous test')
    })
    const late = [api.post('/pets', { name: 'Late', categoryId: 1 }), api.get('/pets/1')].map((response) =>
      response.catch(() => {}),
    )
    await expect.poll(() => waiting.length).toBe(2)
    petstore.reset()
    for (const resume of waiting) resume()
    await Promise.all(late)
    expect(petstore.data.pets.all()).toHaveLength(2)
    expect(petstore.journal.total).toBe(0)
    petstore.check()
  })

  it('can set headers, whatever the case of their names', async () => {
    const api = await openClient(adapter, { fixtures })
    api.mock.petstore.override('listPets', async ({ next }) => {
      const response = await next()
      return { ...response, headers: { ...response.headers, 'x-total-count': '77', 'retry-after': '5' } }
    })
    const { headers } = await api.get('/pets')
    expect(headers.get('x-total-count')).toBe('77')
    expect(headers.get('retry-after')).toBe('5')
  })

  // A page cannot read cookies of a response.
  it.skipIf('document' in globalThis)(
    'can set several cookies, which are sent as several headers and hidden in the journal',
    async () => {
      const { mock, get } = await openClient(adapter, { fixtures })
      const { petstore } = mock
      petstore.override('getPet', {
        status: 200,
        body: { id: 1, name: 'Rex', categoryId: 1 },
        headers: { 'set-cookie': ['a=1; Path=/', 'b=2'] },
      })
      const { headers } = await get('/pets/1')
      expect(headers.getSetCookie()).toEqual(['a=1; Path=/', 'b=2'])
      petstore.override('getPet', ({ next }) => next())
      expect((await get('/pets/1')).headers.getSetCookie()).toEqual(['a=1; Path=/', 'b=2'])
      expect(petstore.journal.entries()[0]?.response.headers['set-cookie']).toBe('(hidden)')
    },
  )

  it.each<[string, OperationId, unknown, RegExp]>([
    [
      'a wrong type',
      'getPet',
      { status: 200, body: { ...REX, id: 'x' } },
      /getPet returned 200 .*\/id must be a 64-bit/,
    ],
    ['a body with 204', 'deletePet', { status: 204, body: REX }, /deletePet returned 204 .*the body must be/],
    ['undefined', 'getPet', undefined, /getPet must return .* Received: undefined/],
  ])('that violates the OpenAPI document makes check() throw: %s', async (_, operation, response, message) => {
    const api = await openClient(adapter, { fixtures })
    const path = { getPet: '/pets/1', listPets: '/pets', deletePet: '/pets/1' }[operation as string] as string
    const send = () => (operation === 'deletePet' ? api.delete(path) : api.get(path))
    api.mock.petstore.override(operation, (() => response) as never)
    await expectMisuse(send)
    expect(() => api.mock.petstore.check()).toThrow(message)
    // Thrown once.
    expect(() => api.mock.petstore.check()).not.toThrow()
  })

  it('that throws or rejects makes check() throw its error, after a reset as well', async () => {
    const api = await openClient(adapter, { fixtures })
    api.mock.petstore.override('getPet', () => {
      throw new RangeError('thrown')
    })
    await expectMisuse(() => api.get('/pets/1'))
    api.mock.petstore.reset()
    expect(() => api.mock.petstore.check()).toThrow(new RangeError('thrown'))
    api.mock.petstore.override('getPet', async () => {
      throw new RangeError('later')
    })
    await expectMisuse(() => api.get('/pets/1'))
    expect(() => api.mock.petstore.check()).toThrow(new RangeError('later'))
  })

  it('returns header values without surrounding whitespace', async () => {
    const api = await openClient(adapter, { fixtures })
    api.mock.petstore.override('getPet', { status: 200, body: REX, headers: { 'X-A': ' a\n' } })
    expect((await api.get('/pets/1')).headers.get('x-a')).toBe('a')
  })

  it('is rejected for an unknown operation, value or option', async () => {
    const { petstore } = (await openClient(adapter)).mock
    expect(() => petstore.override('getHealth' as never, { status: 500 })).toThrow(MockError)
    expect(() => petstore.override('getPet', 5 as never)).toThrow(
      /override of getPet must be a response, a function that returns one, or "pass"/,
    )
    expect(() => petstore.override('getPet', { status: 500 }, { onec: true } as never)).toThrow(/Unknown option "onec"/)
  })

  /** Expects that the request fails in process, and returns 500 on the server. */
  async function expectMisuse(send: () => Promise<{ status: number }>): Promise<void> {
    const outcome = await send().catch((error: unknown) => error)
    if (adapter.isServer) expect(outcome).toMatchObject({ status: 500 })
    else expect(outcome).toBeInstanceOf(Error)
  }
})
