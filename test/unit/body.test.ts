import { describe, expect, it } from 'vitest'
import { type BodyLimits, readJsonBody } from '../../src/engine/contract/body.js'
import { ApiError } from '../../src/engine/contract/errors.js'
import type { PlainRequest } from '../../src/engine/contract/messages.js'
import { thrownBy } from '../support/thrown-by.js'

const LIMITS: BodyLimits = { maxBodyBytes: 30, maxJsonDepth: 2, maxJsonValues: 4 }
const JSON_TYPE = { 'content-type': 'application/json' }

interface Sent {
  readonly body?: string | Uint8Array
  readonly headers?: PlainRequest['headers']
  readonly method?: string
}

function read({ body, headers = JSON_TYPE, method = 'POST' }: Sent): unknown {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const request = { method, path: '/pets', query: '', base: '', headers }
  return readJsonBody(bytes === undefined ? request : { ...request, body: bytes }, LIMITS)
}

const errorOf = (run: () => unknown) => thrownBy(ApiError, run)

describe('a body', () => {
  it.each([
    ['{"id":9007199254740993}', { id: 9007199254740993n }],
    ['{"name":"Zoë 💚"}', { name: 'Zoë 💚' }],
    [' [1, "a", null, true] ', [1, 'a', null, true]],
    ['""', ''],
    ['0', 0],
  ])('%j is parsed as JSON', (body, value) => {
    expect(read({ body })).toEqual(value)
  })

  it.each(['application/json', 'application/json; charset=utf-8', 'APPLICATION/JSON'])(
    'may be declared as %s',
    (type) => {
      expect(read({ body: '{}', headers: { 'content-type': type } })).toEqual({})
    },
  )

  it.each(['', ' '])('may have an empty Content-Encoding: %j', (coding) => {
    expect(read({ body: '{}', headers: { ...JSON_TYPE, 'content-encoding': coding } })).toEqual({})
  })

  it.each([
    ['the bytes', `"${'x'.repeat(28)}"`],
    ['the depth', '[[1]]'],
    ['the values', '[1,2,3,4]'],
  ])('may be as large as the limit of %s', (_, body) => {
    expect(read({ body })).toEqual(JSON.parse(body))
  })
})

describe('rejects a body that', () => {
  it.each<[string, Sent, string, string]>([
    ['is empty', { body: '' }, 'MALFORMED_BODY', 'Request body is empty. A JSON object is required.'],
    ['is missing', {}, 'MALFORMED_BODY', 'Request body is empty'],
    ['is missing and has no content type', { headers: {} }, 'MALFORMED_BODY', 'Request body is empty'],
    ['is not JSON', { body: '{"name":' }, 'MALFORMED_BODY', 'not valid JSON'],
    ['is two documents', { body: '{}{}' }, 'MALFORMED_BODY', 'not valid JSON'],
    ['starts with a byte-order mark', { body: '\uFEFF{}' }, 'MALFORMED_BODY', 'not valid JSON'],
    ['is not UTF-8', { body: Uint8Array.of(0x22, 0xff, 0x22) }, 'MALFORMED_BODY', 'not valid UTF-8'],
    ['is UTF-16', { body: Uint8Array.of(0x7b, 0, 0x7d, 0) }, 'MALFORMED_BODY', 'JSON'],
    ['is too large', { body: `"${'x'.repeat(29)}"` }, 'BODY_TOO_LARGE', 'exceeds 30 bytes'],
    ['is too large and not JSON', { body: 'x'.repeat(31) }, 'BODY_TOO_LARGE', 'exceeds 30 bytes'],
    [
      'is too large in bytes but not in characters',
      { body: `"${'é'.repeat(15)}"` },
      'BODY_TOO_LARGE',
      'exceeds 30 bytes',
    ],
    ['is too deep', { body: '[[[]]]' }, 'INVALID_REQUEST', 'Request body is nested deeper than 2 levels.'],
    ['has too many values', { body: '[1,2,3,4,5]' }, 'INVALID_REQUEST', 'Request body has more than 4 values.'],
    [
      'has a text content type',
      { body: '{}', headers: { 'content-type': 'text/plain' } },
      'UNSUPPORTED_MEDIA_TYPE',
      'text/plain',
    ],
    [
      'has no content type',
      { body: '{}', headers: {} },
      'UNSUPPORTED_MEDIA_TYPE',
      'no Content-Type. Set it to application/json',
    ],
    [
      'is empty and has a text content type',
      { body: '', headers: { 'content-type': 'text/plain' } },
      'UNSUPPORTED_MEDIA_TYPE',
      'text/plain',
    ],
    [
      'is compressed',
      { body: '{}', headers: { ...JSON_TYPE, 'content-encoding': 'gzip' } },
      'UNSUPPORTED_MEDIA_TYPE',
      'gzip',
    ],
  ])('%s', (_, sent, code, words) => {
    const error = errorOf(() => read(sent))
    expect(error.code).toBe(code)
    expect(error.message).toContain(words)
  })

  it('the adapter stopped reading because of its size', () => {
    const request = {
      method: 'POST',
      path: '/pets',
      query: '',
      base: '',
      headers: JSON_TYPE,
      body: 'too large',
    } as const
    expect(errorOf(() => readJsonBody(request, LIMITS))).toMatchObject({ code: 'BODY_TOO_LARGE', status: 413 })
  })

  it.each([
    ['POST', 'Accept-Post'],
    ['PATCH', 'Accept-Patch'],
    ['PUT', 'Accept'],
  ])('has an unsupported type, and names the supported one in a header for %s', (method, header) => {
    const accepted = { [header]: 'application/json' }
    const type = { 'content-type': 'application/xml' }
    expect(errorOf(() => read({ method, body: '<a/>', headers: type })).headers).toEqual(accepted)
    const coding = { ...JSON_TYPE, 'content-encoding': 'br' }
    expect(errorOf(() => read({ method, body: '{}', headers: coding })).headers).toEqual({
      ...accepted,
      'Accept-Encoding': 'identity',
    })
  })
})
