import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { toHar } from '../../src/engine/log/har.js'
import { createJournal, type Journal } from '../../src/engine/log/journal.js'
import type { JournalEntry } from '../../src/engine/log/journal-entry.js'
import { createLog } from '../../src/engine/log/log.js'
import { version } from '../../src/generated/lib/version.js'
import type { PlainRequest, PlainResponse, Trace } from '../../src/http/messages.js'
import { storeContract } from '../../src/petstore/contract.js'

// --- The format, as its specification has it ---

const text = { type: 'string' }
const number = { type: 'number' }
const optional = ['comment', 'encoding', 'text', 'postData']

/** An object with these fields; custom ones start with an underscore. */
function object(properties: Record<string, object>): object {
  const required = Object.keys(properties).filter((name) => !optional.includes(name))
  return { type: 'object', properties, required, patternProperties: { '^_': {} }, additionalProperties: false }
}

const list = (items: object) => ({ type: 'array', items })
const pairs = list(object({ name: text, value: text, comment: text }))
const message = { httpVersion: text, cookies: list(object({ name: text, value: text })), headers: pairs }
const sizes = { headersSize: { type: 'integer', minimum: -1 }, bodySize: { type: 'integer', minimum: -1 } }

const isHar = new Ajv().compile(
  object({
    log: object({
      version: { const: '1.2' },
      creator: object({ name: text, version: text }),
      entries: list(
        object({
          startedDateTime: { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' },
          time: { type: 'number', minimum: 0 },
          request: object({
            ...message,
            ...sizes,
            method: text,
            url: { type: 'string', pattern: '^https?://' },
            queryString: pairs,
            postData: object({ mimeType: text, text, comment: text }),
          }),
          response: object({
            ...message,
            ...sizes,
            status: { type: 'integer' },
            statusText: text,
            content: object({ size: { type: 'integer' }, mimeType: text, text, encoding: text, comment: text }),
            redirectURL: text,
          }),
          cache: object({}),
          timings: object({ send: number, wait: number, receive: number }),
        }),
      ),
    }),
  }),
)

// --- A journal to export ---

const REQUEST: PlainRequest = { method: 'GET', path: '/pets', query: '', base: '', headers: {} }
const RESPONSE: PlainResponse = { status: 200, headers: { 'Content-Type': 'application/json' } }

function keep(size = 10): {
  journal: Journal
  record: (request: object, response?: object, durationMs?: number) => void
} {
  const log = createLog({ journalSize: size, journalBytes: 1_000_000 })
  const { journal } = createJournal(log.journal, storeContract())
  return {
    journal,
    record(request, { trace = {}, ...response }: object & { trace?: Trace } = {}, durationMs = 2) {
      const outcome = { response: { ...RESPONSE, ...response }, trace: { operation: 'listPets', ...trace } }
      const at = Date.parse('2026-05-01T10:00:00.500Z')
      const entry = log.begin({ ...REQUEST, ...request }, at)
      log.list(entry, 'listPets')
      log.complete(entry, outcome, durationMs)
    },
  }
}

function archiveOf(request: object, response: object = {}) {
  const { journal, record } = keep()
  record(request, response)
  const har = journal.toHar()
  expect(isHar(har), JSON.stringify(isHar.errors)).toBe(true)
  const [entry] = har.log.entries
  if (entry === undefined) throw new Error('The archive is empty.')
  expect(URL.canParse(entry.request.url)).toBe(true)
  return entry
}

const bytes = (body: string) => new TextEncoder().encode(body)

describe('an archive of the journal', () => {
  it('names its creator, and has an entry for every exchange', () => {
    const { journal, record } = keep()
    expect(journal.toHar()).toEqual({
      log: { version: '1.2', creator: { name: 'petstore-mock', version }, entries: [] },
    })
    record({})
    record({ method: 'DELETE', path: '/pets/1' }, { status: 204, operation: 'deletePet' })
    expect(journal.toHar().log.entries.map(({ request, response }) => [request.method, response.status])).toEqual([
      ['GET', 200],
      ['DELETE', 204],
    ])
  })

  it('has the request and the response of an exchange', () => {
    const body = '{"name":"Réx","categoryId":1}'
    const responseBody = '{"id":1,"name":"Réx","categoryId":1,"status":"available"}'
    const entry = archiveOf(
      {
        method: 'POST',
        path: '/pets',
        query: 'a=1&a=x%20y&b',
        base: '/v1',
        headers: { host: 'localhost:4010', 'content-type': 'application/json' },
        body: bytes(body),
      },
      { status: 201, headers: { 'Content-Type': 'application/json', Location: '/v1/pets/1' }, body: responseBody },
    )
    expect(entry).toEqual({
      startedDateTime: '2026-05-01T10:00:00.500Z',
      time: 2,
      request: {
        method: 'POST',
        url: 'http://localhost:4010/v1/pets?a=1&a=x%20y&b',
        httpVersion: 'HTTP/1.1',
        cookies: [],
        headers: [
          { name: 'host', value: 'localhost:4010' },
          { name: 'content-type', value: 'application/json' },
        ],
        queryString: [
          { name: 'a', value: '1' },
          { name: 'a', value: 'x y' },
          { name: 'b', value: '' },
        ],
        postData: { mimeType: 'application/json', text: body },
        headersSize: -1,
        bodySize: body.length + 1,
      },
      response: {
        status: 201,
        statusText: 'Created',
        httpVersion: 'HTTP/1.1',
        cookies: [],
        headers: [
          { name: 'content-type', value: 'application/json' },
          { name: 'location', value: '/v1/pets/1' },
        ],
        content: { size: responseBody.length + 1, mimeType: 'application/json', text: responseBody },
        redirectURL: '',
        headersSize: -1,
        bodySize: responseBody.length + 1,
      },
      cache: {},
      timings: { send: 0, wait: 2, receive: 0 },
    })
  })

  it('has no body if there was none', () => {
    const { request, response } = archiveOf({}, { status: 204, headers: {} })
    expect(request).not.toHaveProperty('postData')
    expect(request.bodySize).toBe(0)
    expect(response).toMatchObject({ statusText: 'No Content', bodySize: 0 })
    expect(response.content).toEqual({ size: 0, mimeType: 'x-unknown' })
  })

  it('has exact bodies, JSON or not', () => {
    const odd = '{ "id": 9223372036854775807, "price": 1.50 }'
    expect(archiveOf({ method: 'POST', body: bytes(odd) }, { body: odd })).toMatchObject({
      request: { postData: { text: odd } },
      response: { content: { text: odd } },
    })
    expect(archiveOf({ method: 'POST', body: bytes('"text"') }).request.postData?.text).toBe('"text"')
    expect(archiveOf({ method: 'POST', body: bytes('{"name') }).request.postData?.text).toBe('{"name')
  })

  it('hides the same secrets as the journal', () => {
    const headers = { authorization: 'Bearer abc', cookie: 'session=abc', 'x-api-key': 'abc', accept: '*/*' }
    const { request } = archiveOf({ headers })
    expect(JSON.stringify(request)).not.toContain('abc')
    expect(request.headers).toContainEqual({ name: 'authorization', value: '(hidden)' })
    expect(request.headers).toContainEqual({ name: 'accept', value: '*/*' })
  })

  it.each<[string, object, string]>([
    ['a client that names no host', {}, 'http://localhost/pets'],
    ['an invalid host', { headers: { host: 'a b/../c' } }, 'http://localhost/pets'],
    ['a host with a port', { headers: { host: '[::1]:4010' } }, 'http://[::1]:4010/pets'],
    ['a request without a path', { method: 'OPTIONS', path: '*' }, 'http://localhost/*'],
  ])('has an absolute address for %s', (_, request, url) => {
    expect(archiveOf(request).request.url).toBe(url)
  })

  it('keeps a query that cannot be decoded', () => {
    const { url, queryString } = archiveOf({ query: 'a=%zz&b=1' }).request
    expect(url).toBe('http://localhost/pets?a=%zz&b=1')
    expect(queryString).toEqual([
      { name: 'a', value: '%zz' },
      { name: 'b', value: '1' },
    ])
  })

  it('has the size of a body that was truncated', () => {
    const body = JSON.stringify('x'.repeat(100_000))
    const { request, response } = archiveOf(
      { method: 'POST', headers: { 'content-length': String(body.length) }, body: bytes(body) },
      { headers: { 'Content-Length': String(body.length) }, body },
    )
    expect(request.bodySize).toBe(body.length)
    expect(response.content.size).toBe(body.length)
    expect(response.content.text).toBe(body.slice(0, 65_536))
    expect(response.content.comment).toContain('only the start')
    expect(request.postData?.comment).toContain('only the start')
  })

  it('has the bytes of a raw response in base64', () => {
    const { content, bodySize } = archiveOf({}, { bytes: new Uint8Array([0, 255, 128]) }).response
    expect(content).toMatchObject({ text: 'AP+A', encoding: 'base64', size: 3 })
    expect(bodySize).toBe(3)
  })

  it('has no size for a body that was not read and has no Content-Length', () => {
    const rejected = { status: 413, body: '{}' }
    expect(archiveOf({ method: 'POST', body: 'too large' }, rejected).request.bodySize).toBe(-1)
    const announced = archiveOf({ method: 'POST', body: 'too large', headers: { 'content-length': '99' } }, rejected)
    expect(announced.request.bodySize).toBe(99)
    expect(announced.request).not.toHaveProperty('postData')
  })

  it('has an exchange without a response in the format of browsers', () => {
    const { response } = archiveOf({}, { status: 0, headers: {}, fault: { id: 1, kind: 'reset' } })
    expect(response).toMatchObject({ status: 0, statusText: '', httpVersion: '', bodySize: -1, headers: [] })
    expect(response._error).toMatch(/^no response was sent/)
    expect(archiveOf({}, { status: 503 }).response).not.toHaveProperty('_error')
  })

  it('has the entries that match a filter', () => {
    const { journal, record } = keep()
    record({})
    record({}, { status: 400 })
    record({}, { status: 400 })
    const statuses = (filter: object) => journal.toHar(filter).log.entries.map(({ response }) => response.status)
    expect(statuses({ status: 400 })).toEqual([400, 400])
    expect(statuses({ limit: 1, operation: 'listPets' })).toEqual([400])
    expect(statuses({ since: 3 })).toEqual([])
    expect(() => journal.toHar({ operation: 'noSuch' as never })).toThrow('Unknown operation "noSuch"')
  })

  it('can be created from copied entries', () => {
    const entry: JournalEntry = {
      id: 1,
      params: {},
      at: '2026-05-01T10:00:00.000Z',
      method: 'PUT',
      path: '/pets/9223372036854775807',
      query: { status: ['sold', 'pending'], limit: 2 },
      status: 200,
      durationMs: 0.25,
      fault: { kind: 'truncate' },
      request: { headers: {}, body: 'not JSON' as never },
      response: { headers: {}, body: { id: 9223372036854775807n } },
    }
    const har = toHar([entry])
    expect(isHar(har), JSON.stringify(isHar.errors)).toBe(true)
    expect(har.log.entries[0]).toMatchObject({
      request: {
        url: 'http://localhost/pets/9223372036854775807?status=sold&status=pending&limit=2',
        postData: { text: 'not JSON' },
      },
      response: {
        content: { text: '{"id":9223372036854775807}' },
        _error: 'the response broke off in the middle of its body (fault: truncate)',
      },
    })
  })
})

describe('an entry by its id', () => {
  it('is found until it is evicted or cleared', () => {
    const { journal, record } = keep(3)
    for (const status of [200, 201, 202]) record({}, { status })
    const found = () =>
      [-1, 0, 1, 1.5, 2, 3, 4, 5, 6, Number.NaN].map((id) => journal.find(id)?.status ?? '-').join(' ')
    expect(found()).toBe('- - 200 - 201 202 - - - -')
    for (const status of [203, 204]) record({}, { status })
    expect(found()).toBe('- - - - - 202 203 204 - -')
    journal.clear()
    expect(found()).toBe('- - - - - - - - - -')
  })

  it('is not found if the journal keeps no entries', () => {
    const { journal, record } = keep(0)
    record({})
    expect(journal.find(1)).toBeUndefined()
    expect(journal.toHar().log.entries).toEqual([])
  })
})
