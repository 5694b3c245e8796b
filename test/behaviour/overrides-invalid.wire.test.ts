import { expect, it } from 'vitest'
import { describeEveryAdapter } from '../support/adapters.js'
import { combine, forEachCase } from '../support/cases.js'
import { openClient, readResponse, shop } from '../support/client.js'

const REX = { id: 1, name: 'Rex', categoryId: 1, status: 'available' } as const
const fixtures = shop([{ id: 1, name: 'Rex' }])

/** Headers that no override may set. Each of them crashed a server or a client before it was rejected. */
const HEADERS: { id: string; headers: Record<string, string>; named: string }[] = [
  { id: 'a control character', headers: { 'X-A': 'a\u0001b' }, named: '"X-A"' },
  { id: 'DEL', headers: { 'X-A': 'a\u007fb' }, named: '"X-A"' },
  { id: 'a line break', headers: { 'X-A': 'a\r\nX-B: b' }, named: '"X-A"' },
  { id: 'a character beyond Latin-1', headers: { 'X-A': '\u20ac' }, named: '"X-A"' },
  { id: 'a name with a space', headers: { 'X A': 'a' }, named: '"X A"' },
  { id: 'an empty name', headers: { '': 'a' }, named: '""' },
  { id: 'Trailer', headers: { trailer: 'Expires' }, named: 'Trailer' },
  { id: 'Transfer-Encoding', headers: { 'TRANSFER-ENCODING': 'chunked' }, named: 'Transfer-Encoding' },
  { id: 'Connection', headers: { connection: 'close' }, named: 'Connection' },
  { id: 'Keep-Alive', headers: { 'Keep-Alive': 'timeout=1' }, named: 'Keep-Alive' },
  { id: 'Content-Length', headers: { 'content-length': '1' }, named: 'Content-Length' },
  { id: 'Content-Type', headers: { 'content-type': 'text/plain' }, named: 'Content-Type' },
  { id: 'Content-Encoding', headers: { 'content-encoding': 'gzip' }, named: 'Content-Encoding' },
]

/** Node writes header values as UTF-8 in HTTP/2, and Chromium decodes those from a service worker as UTF-8. */
const SENDS_UTF8 = ['in Chromium', 'over HTTP/2']

/** How an override function can return a response, and how it can be requested. */
const WAYS = ['GET', 'HEAD'].flatMap((method) => [
  { method, wrap: <T>(response: T) => response },
  { method, wrap: async <T>(response: T) => response },
])

describeEveryAdapter('a header that is invalid or reserved for the mock', (adapter) => {
  it('is rejected when a fixed override is added', async () => {
    const api = await openClient(adapter, { fixtures })
    await forEachCase(HEADERS, async ({ headers, named }) => {
      const add = () => api.mock.petstore.override('getPet', { status: 200, body: REX, headers })
      expect(add).toThrow(expect.objectContaining({ name: 'MockError', code: 'INVALID_OVERRIDE' }))
      expect(add).toThrow(`The override of getPet sets the header ${named}`)
      expect((await api.get('/pets/1')).status).toBe(200)
      api.mock.petstore.check()
    })
  })

  it.each([0, 2])('makes check() throw if a function returns it, with a delay of %i ms', async (delay) => {
    const api = await openClient(adapter, { fixtures, delay })
    await forEachCase(
      combine(adapter, HEADERS, () => WAYS),
      async ([, { method, wrap }, { headers, named }]) => {
        const response = { status: 200, body: REX, headers } as const
        const override = api.mock.petstore.override('getPet', () => wrap(response))
        const outcome = await api.mock.fetch('/pets/1', { method }).then(readResponse, (error: unknown) => error)
        if (adapter.isServer) expect(outcome).toMatchObject({ status: 500 })
        else expect(outcome).toBeInstanceOf(Error)
        expect(() => api.mock.petstore.check()).toThrow(`The override of getPet sets the header ${named}`)
        override.remove()
        expect((await api.get('/pets/1')).status).toBe(200)
      },
    )
  })
})

describeEveryAdapter('a valid header with unusual characters', (adapter) => {
  it('is returned as it is', async () => {
    const api = await openClient(adapter, { fixtures })
    await forEachCase(['a\tb', 'caf\u00e9', ''], async (value) => {
      api.mock.petstore.override('getPet', { status: 200, body: REX, headers: { "x-!#$%&'*+.^_`|~9": value } })
      const { status, headers } = await api.get('/pets/1')
      const expected = SENDS_UTF8.includes(adapter.name) ? value.replace('\u00e9', '\u00c3\u00a9') : value
      expect([status, headers.get("x-!#$%&'*+.^_`|~9")]).toEqual([200, expected])
    })
  })
})

const INVALID_RESPONSES: [title: string, response: object, message: RegExp][] = [
  ['an invalid status', { status: 99 }, /getPet must return a status from 200 to 599. Received: 99/],
  [
    'a status that is an object',
    { status: Object.create(null) },
    /getPet must return a status .* Received: \[object Object\]/,
  ],
  ['an unknown field', { status: 404, boddy: 1 }, /getPet is invalid. Unknown field "boddy"/],
  ['a Response', new Response(), /getPet must return .* Received: \[object Response\]/],
  ['Headers', { status: 404, headers: new Headers({ 'X-A': 'a' }) }, /getPet must have headers as an object/],
  ['a header that is not a string', { status: 404, headers: { 'X-A': 5 } }, /getPet sets the header "X-A"/],
]

describeEveryAdapter('a fixed override', (adapter) => {
  it('is rejected when it is added, if it is invalid', async () => {
    const api = await openClient(adapter, { fixtures })
    await forEachCase(INVALID_RESPONSES, async ([, response, message]) => {
      expect(() => api.mock.petstore.override('getPet', response as never)).toThrow(message)
      expect((await api.get('/pets/1')).status).toBe(200)
      api.mock.petstore.check()
    })
  })
})

const UNPRINTABLE = {
  toString() {
    throw new RangeError('no text')
  },
}

const THROWN: [title: string, create: () => unknown, shown: string][] = [
  ['an object without a prototype', () => Object.create(null), '[object Object]'],
  ['an object whose toString throws', () => UNPRINTABLE, '[object Object]'],
  ['a revoked proxy', revoked, 'a value that cannot be shown'],
  ['undefined', () => undefined, 'undefined'],
]

describeEveryAdapter('an override that throws a value other than an error', (adapter) => {
  it('is named in the error', async () => {
    const api = await openClient(adapter, { fixtures })
    await forEachCase(THROWN, async ([, create, shown]) => {
      const fail = () => {
        throw create()
      }
      for (const failing of [fail, async () => fail(), () => Promise.reject(create())]) {
        const override = api.mock.petstore.override('getPet', failing)
        const outcome = await api.get('/pets/1').catch((error: unknown) => error)
        if (adapter.isServer) {
          expect(outcome).toMatchObject({ status: 500, body: { message: `The override of getPet threw ${shown}.` } })
        } else {
          expect(outcome).toBeInstanceOf(Error)
        }
        expect(() => api.mock.petstore.check()).toThrow(
          expect.objectContaining({
            code: 'INVALID_OVERRIDE',
            message: expect.stringContaining(`The override of getPet threw ${shown}. (at `),
          }),
        )
        override.remove()
      }
    })
  })
})

describeEveryAdapter('an override that does not await next()', (adapter) => {
  it('returns its own response even if next() fails', async () => {
    const api = await openClient(adapter, { fixtures })
    api.mock.petstore.override('getPet', () => {
      throw new RangeError('thrown by the older override')
    })
    api.mock.petstore.override('getPet', ({ next }) => {
      void next()
      return { status: 503 }
    })
    expect((await api.get('/pets/1')).status).toBe(503)
  })
})

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}
