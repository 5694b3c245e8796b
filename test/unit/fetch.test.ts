import { STATUS_CODES } from 'node:http'
import { describe, expect, it } from 'vitest'
import { createPetstore, type Petstore } from '../../src/index.js'

describe('a cached value', () => {
  it('is not changed by a reader of the journal', async () => {
    const one = createPetstore()
    await one.fetch('/pets?limit=1&limit=2')
    const query = one.journal.entries()[0]?.query as unknown as { limit: string[] }
    query.limit.pop()
    const other = await createPetstore().fetch('/pets?limit=1&limit=2')
    expect(other.status).toBe(400)
  })

  it('is not changed by an override', async () => {
    const petstore = createPetstore()
    const override = petstore.override('listPets', ({ query, next }) => {
      query.limit = 1
      query.status?.pop()
      return next()
    })
    const path = '/pets?limit=3&status=sold&status=pending'
    const overridden = await (await petstore.fetch(path)).text()
    override.remove()
    expect(await (await petstore.fetch(path)).text()).toBe(overridden)
    expect(JSON.parse(overridden)).toHaveLength(3)
  })
})

describe('a request that is aborted immediately', () => {
  it.each([
    ['GET', {}],
    ['DELETE', { method: 'DELETE' }],
    [
      'POST',
      { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"name":"Rex","categoryId":1}' },
    ],
  ])('is never handled: %s', async (_, init) => {
    const petstore = createPetstore({ scenario: 'single' })
    await petstore.fetch('/pets')
    const before = petstore.exportState()
    const controller = new AbortController()
    const response = petstore.fetch('/pets/1', { ...init, signal: controller.signal })
    controller.abort()
    await expect(response).rejects.toMatchObject({ name: 'AbortError' })
    expect(petstore.exportState()).toEqual(before)
    expect(petstore.journal.total).toBe(1)
  })
})

describe('a URL without options', () => {
  it.each([
    '/pets?limit=2#here',
    '/pets/../pets?limit=2',
    '//other.example/pets',
    'http://elsewhere.example/pets?limit=2',
    '/pets\\1',
  ])('gives the same response as a Request for it: %s', async (address) => {
    const petstore = createPetstore()
    const [alone, made] = [await petstore.fetch(address), await petstore.fetch(address, {})]
    expect(alone.status).toBe(made.status)
    expect([...alone.headers]).toEqual([...made.headers])
    expect(await alone.text()).toBe(await made.text())
    const [first, second] = petstore.journal.entries()
    expect(first).toMatchObject({ path: second?.path, query: second?.query, request: second?.request })
  })

  it.each(['pets', 'http://user:secret@localhost/pets', 'http://'])(
    'is rejected like a Request for it: %s',
    async (address) => {
      await expect(createPetstore().fetch(address)).rejects.toThrow(TypeError)
      await expect(createPetstore().fetch(address, {})).rejects.toThrow(TypeError)
    },
  )
})

describe('fetch options', () => {
  const PET = '{"name":"Rex","categoryId":1}'
  const JSON_TYPE = { 'Content-Type': 'application/json' }

  it.each<[string, RequestInit]>([
    ['none', {}],
    ['a method', { method: 'DELETE' }],
    ['a method in lower case', { method: 'delete' }],
    ['a lower-case method that fetch does not convert', { method: 'patch' }],
    ['a forbidden method', { method: 'TRACE' }],
    ['undefined for everything', { method: undefined, headers: undefined, body: undefined } as never],
    ['no headers and no body', { headers: {}, body: null }],
    ['a text', { method: 'PUT', headers: JSON_TYPE, body: PET }],
    ['a string without a content type', { method: 'PUT', body: PET }],
    [
      'a string with half a surrogate pair',
      { method: 'PUT', headers: JSON_TYPE, body: '{"name":"\ud800","categoryId":1}' },
    ],
    ['an empty string', { method: 'PUT', headers: JSON_TYPE, body: '' }],
    ['bytes', { method: 'PUT', headers: JSON_TYPE, body: new TextEncoder().encode(PET) }],
    ['a form', { method: 'PUT', body: new URLSearchParams({ name: 'Rex' }) }],
    ['a body for a GET', { body: PET }],
    ['headers as pairs', { headers: [['Accept', 'text/html']] }],
    ['headers', { headers: new Headers({ Accept: 'text/html' }) }],
    ['whitespace around a header value', { headers: { Accept: '\t application/json ' } }],
    ['an empty header value', { headers: { Accept: '' } }],
    ['a header twice', { headers: { Accept: 'text/html', accept: 'application/json' } }],
    ['a header that is a number', { headers: { Prefer: 404 } as never }],
    ['a header beyond ASCII', { headers: { Prefer: 'é' } }],
    ['an invalid header name', { headers: { 'Acc ept': 'x' } }],
    ['a header value with a line break', { headers: { Accept: 'a\nb' } }],
    ['a sandbox', { headers: { 'X-Petstore-Sandbox': 'other' } }],
    ['a Prefer header', { headers: { Prefer: 'code=503' } }],
    ['a secret', { headers: { Authorization: 'Bearer x' } }],
    ['options that only a browser uses', { mode: 'no-cors', cache: 'reload' }],
    ['an invalid option', { cache: 'sometimes' } as never],
    ['a signal', { signal: AbortSignal.timeout(60_000) }],
    [
      'an instance of a class',
      new (class {
        method = 'DELETE'
      })() as never,
    ],
    ['a request', new Request('http://localhost/', { method: 'DELETE' })],
  ])('have the same effect as on a Request: %s', async (_, init) => {
    const outcome = async (send: (petstore: Petstore) => Promise<Response>) => {
      const petstore = createPetstore({ scenario: 'single' })
      const result = await send(petstore).then(
        async (response) => [response.status, [...response.headers], await response.text()],
        (error: Error) => error.constructor.name,
      )
      const entries = petstore.journal.entries().map(({ at, durationMs, ...entry }) => entry)
      return { result, entries, state: petstore.exportState() }
    }
    const made = await outcome(async (petstore) => petstore.fetch(new Request('http://localhost/pets/1', init)))
    expect(await outcome((petstore) => petstore.fetch('/pets/1', init))).toEqual(made)
    expect(await outcome((petstore) => petstore.fetch('http://localhost/pets/1', init))).toEqual(made)
  })
})

describe('a response', () => {
  it.each([
    ['/pets', 'http://localhost/pets'],
    ['/pets?limit=1#first', 'http://localhost/pets?limit=1'],
    ['http://shop.example/pets/%31', 'http://shop.example/pets/%31'],
    [new Request('http://shop.example/nope#x'), 'http://shop.example/nope'],
  ])('has the URL that its links are relative to: %s', async (input, url) => {
    const response = await createPetstore().fetch(input)
    expect([response.url, response.clone().clone().url]).toEqual([url, url])
  })

  it('has the reason phrase that the server sends', async () => {
    const petstore = createPetstore()
    const errors = Object.keys(STATUS_CODES).filter((status) => Number(status) >= 400 && status !== '509')
    for (const status of [200, 201, 202, 204, 206, 301, 302, 303, 304, 307, 308, ...errors.map(Number)]) {
      petstore.override('listPets', { status }, { unchecked: true })
      expect((await petstore.fetch('/pets')).statusText).toBe(STATUS_CODES[status])
    }
  })
})

it('says that methods are case-sensitive, because fetch does not convert patch', async () => {
  const response = await createPetstore().fetch('/store/orders/1', { method: 'patch' })
  const message =
    'patch is not allowed on "/store/orders/1". Allowed: GET, HEAD, DELETE, PATCH, OPTIONS. Methods are case-sensitive.'
  expect(await response.json()).toEqual({ code: 'METHOD_NOT_ALLOWED', message, status: 405 })
})

it('does not read the options again after they may have changed', async () => {
  const petstore = createPetstore({ scenario: 'single' })
  petstore.faults.add({ kind: 'slow', delayMs: 1 })
  const init: RequestInit = {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: '{"name":"Bo","categoryId":1}',
  }
  const pending = petstore.fetch('/pets/1', init)
  init.method = 'GET'
  expect(await (await pending).json()).toMatchObject({ name: 'Bo' })
})

it('does not decode the path of a fault rule', () => {
  const { faults } = createPetstore()
  expect(() => faults.add({ path: '/pets/%' })).not.toThrow()
  expect(() => faults.add({ path: '/toys/%' })).toThrow('/path matches no operation')
})
