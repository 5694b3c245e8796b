import { describe, expect, it } from 'vitest'
import { createMock } from '../../src/engine/create-mock.js'
import { defineService } from '../../src/engine/define-service.js'
import {
  INTEGER,
  inPath,
  type Json,
  list,
  object as optional,
  serve,
  TEXT,
  takes,
  toDocument,
} from '../support/small-documents.js'

/* Errors in the shape that a document declares for them. */

/** Every property is required. */
const object = (properties: Json, more: Json = {}) => ({ ...optional(properties, Object.keys(properties)), ...more })
const json = (schema: Json, more: Json = {}) => ({
  description: '',
  content: { 'application/json': { schema, ...more } },
})
const closed = { additionalProperties: false }

/** A shop of toys; `/robots` does not exist. */
function documentOf(errors: Json): object {
  const toy = object({ id: INTEGER, name: TEXT })
  return toDocument({
    '/toys': {
      get: { operationId: 'listToys', responses: { 200: json(list(toy)) } },
      post: {
        operationId: 'addToy',
        ...takes(object({ name: TEXT, size: INTEGER })),
        responses: { 201: json(toy), ...errors },
      },
    },
    '/toys/{toyId}': {
      parameters: [inPath('toyId')],
      get: { operationId: 'getToy', responses: { 200: json(toy), ...errors } },
    },
  })
}

async function createToys(document: object) {
  const { mock } = await serve(document)
  return mock
}

async function read(response: Response) {
  const body = await response.text()
  const type = response.headers.get('content-type')
  return { status: response.status, type, body: /json/.test(type ?? '') ? JSON.parse(body) : body }
}

const MESSAGE = 'No toy has the id 7.'

describe('an unknown record', () => {
  it.each<[string, Json, unknown]>([
    [
      'flat',
      object({ code: TEXT, message: TEXT, status: INTEGER }),
      { code: 'TOY_NOT_FOUND', message: MESSAGE, status: 404 },
    ],
    ['flat, with a number as code', object({ code: INTEGER, message: TEXT }), { code: 404, message: MESSAGE }],
    ['flat, with optional fields', { type: 'object', properties: { message: TEXT, hint: TEXT } }, { message: MESSAGE }],
    ['one text', object({ error: TEXT }), { error: MESSAGE }],
    [
      'a code and its description',
      object({ error: TEXT, error_description: TEXT }),
      { error: 'TOY_NOT_FOUND', error_description: MESSAGE },
    ],
    [
      'nested',
      object({ error: object({ type: TEXT, message: TEXT, param: { ...TEXT, nullable: true } }) }),
      { error: { type: 'TOY_NOT_FOUND', message: MESSAGE, param: expect.anything() } },
    ],
    [
      'a list of objects',
      object({ errors: { type: 'array', items: object({ title: TEXT, detail: TEXT, status: TEXT }) } }),
      { errors: [{ title: 'Not Found', detail: MESSAGE, status: '404' }] },
    ],
    ['a list of texts', object({ errors: { type: 'array', items: TEXT } }), { errors: [MESSAGE] }],
    [
      'an enum',
      object({ code: { enum: ['bad_request', 'not_found'] }, message: TEXT }),
      { code: 'not_found', message: MESSAGE },
    ],
    [
      'an enum with other words',
      object({ type: { enum: ['api_error', 'invalid_request_error', 'resource_missing'] } }),
      { type: 'resource_missing' },
    ],
    [
      'success: false',
      object({ success: { type: 'boolean' }, status: { enum: ['ok', 'error'] }, msg: TEXT }, closed),
      { success: false, status: 'error', msg: MESSAGE },
    ],
    ['everything', { type: 'object' }, { code: 'TOY_NOT_FOUND', message: MESSAGE, status: 404 }],
    ['nothing', object({}, closed), {}],
    ['a short message', object({ message: { ...TEXT, maxLength: 10 } }), { message: 'Not Found' }],
    ['allOf', { allOf: [object({ message: TEXT }), object({ status: INTEGER })] }, { message: MESSAGE, status: 404 }],
    [
      'the path',
      object({
        path: TEXT,
        method: TEXT,
        timestamp: { type: 'string', format: 'date-time' },
        request_id: { type: 'string', format: 'uuid' },
      }),
      {
        path: '/toys/7',
        method: 'GET',
        timestamp: expect.stringMatching(/^20/),
        request_id: expect.stringMatching(/^[\da-f-]{36}$/),
      },
    ],
  ])('is reported in the shape: %s', async (_, schema, body) => {
    const { fetch } = await createToys(documentOf({ 404: json(schema) }))
    expect(await read(await fetch('/toys/7'))).toEqual({ status: 404, type: 'application/json', body })
  })
})

const FLAT = object({ code: TEXT, message: TEXT }, closed)
const flat = json(FLAT)
const post = (body: unknown, type = 'application/json'): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': type },
  body: JSON.stringify(body),
})

describe('the status of an error', () => {
  it.each<[string, Json, number]>([
    ['as it is', { 400: flat }, 400],
    ['422 for 400', { 404: flat, 422: flat }, 422],
    ['a range', { '4XX': flat }, 400],
    ['the default', { default: flat }, 400],
    ['undeclared, in the shape of others', { 404: flat }, 400],
  ])('is one that the document declares: %s', async (_, errors, status) => {
    const { fetch } = await createToys(documentOf(errors))
    const body = { code: 'INVALID_REQUEST', message: expect.stringContaining('/size must be an integer') }
    expect(await read(await fetch('/toys', post({ name: 'Top', size: 'big' })))).toEqual({
      status,
      type: 'application/json',
      body,
    })
  })
})

describe('an error', () => {
  it('has an item in a list for each violation', async () => {
    const { fetch } = await createToys(documentOf({ 400: json(object({ errors: { type: 'array', items: FLAT } })) }))
    const { body } = await read(await fetch('/toys', post({ name: 1, size: 'big' })))
    expect(body.errors.map(({ message }: { message: string }) => message.slice(0, 6))).toEqual(['/name ', '/size '])
  })

  it('has no body if the document declares none', async () => {
    const { fetch } = await createToys(documentOf({ 404: { description: '' } }))
    expect(await read(await fetch('/toys/7'))).toEqual({ status: 404, type: null, body: '' })
  })

  it('is problem details if the document declares no shape', async () => {
    const { fetch } = await createToys(documentOf({}))
    const body = {
      type: 'about:blank',
      title: 'Not Found',
      status: 404,
      detail: MESSAGE,
      instance: '/toys/7',
      code: 'TOY_NOT_FOUND',
    }
    expect(await read(await fetch('/toys/7'))).toEqual({ status: 404, type: 'application/problem+json', body })
  })

  it('is problem details as the document declares them', async () => {
    const schema = {
      type: 'object',
      properties: {
        type: { type: 'string', format: 'uri-reference', default: 'about:blank' },
        title: TEXT,
        status: INTEGER,
        detail: TEXT,
        instance: TEXT,
        balance: INTEGER,
      },
    }
    const problem = { description: '', content: { 'application/problem+json': { schema } } }
    const { fetch } = await createToys(documentOf({ default: problem }))
    const body = { type: 'about:blank', title: 'Not Found', status: 404, detail: MESSAGE, instance: '/toys/7' }
    expect(await read(await fetch('/toys/7'))).toEqual({ status: 404, type: 'application/problem+json', body })
  })

  it('is a text or XML if the document declares that', async () => {
    const plain = { description: '', content: { 'text/plain': { schema: TEXT } } }
    const xml = { description: '', content: { 'application/xml': { schema: FLAT } } }
    const { fetch } = await createToys(documentOf({ 404: plain, 400: xml }))
    expect(await read(await fetch('/toys/7'))).toEqual({ status: 404, type: 'text/plain', body: MESSAGE })
    const { type, body } = await read(await fetch('/toys', post({ name: 'Top', size: 'big' })))
    expect(type).toBe('application/xml')
    expect(body).toContain('<error><code>INVALID_REQUEST</code><message>/size must be')
  })

  it('has the fields of an example that conforms, apart from what the error says', async () => {
    const schema = object({ code: TEXT, message: TEXT, docs: TEXT })
    const docs = 'https://toys.example/errors'
    const wrong = { value: { code: 1 } }
    const good = { value: { code: 'x', message: 'y', docs } }
    const { fetch } = await createToys(documentOf({ 404: json(schema, { examples: { wrong, good } }) }))
    const { body } = await read(await fetch('/toys/7'))
    expect(body).toEqual({ code: 'TOY_NOT_FOUND', message: MESSAGE, docs })
    const named = await read(await fetch('/toys/7', { headers: { prefer: 'code=404, example=good' } }))
    expect(named.body).toEqual(good.value)
  })

  it.each<[number, string, RequestInit]>([
    [404, '/robots', {}],
    [405, '/toys', { method: 'DELETE' }],
    [406, '/toys', { headers: { accept: 'image/png' } }],
    [413, '/toys', post('x'.repeat(2_000_000))],
    [415, '/toys', post('x', 'image/png')],
  ])('with status %s has the shape that most operations use', async (status, path, init) => {
    const { fetch } = await createToys(documentOf({ 404: flat, 409: json(object({ reason: TEXT })) }))
    const { body, ...others } = await read(await fetch(path, init))
    expect(others).toEqual({ status, type: 'application/json' })
    expect(body).toEqual({ code: expect.stringMatching(/^[A-Z_]+$/), message: expect.stringMatching(/\.$/) })
  })

  it('has the same shape from a fault rule, Prefer and an override', async () => {
    const mock = await createToys(documentOf({ 404: flat, '5XX': json(object({ error: FLAT })) }))
    mock.faults.add({ operation: 'getToy', status: 503, times: 1 })
    const fault = await mock.fetch('/toys/1')
    expect(fault.headers.get('retry-after')).toBe('1')
    const message = 'Fault rule 1 makes getToy fail with 503.'
    expect((await read(fault)).body).toEqual({ error: { code: 'SERVICE_UNAVAILABLE', message } })
    const preferred = await mock.fetch('/toys/1', { headers: { prefer: 'code=429' } })
    expect(preferred.headers.get('retry-after')).toBe('1')
    expect((await read(preferred)).body).toMatchObject({ code: 'RATE_LIMITED' })
    mock.override('getToy', { status: 500 }, { times: 1 })
    expect((await read(await mock.fetch('/toys/1'))).body).toMatchObject({ error: { code: 'INTERNAL_ERROR' } })
    const unauthorized = await mock.fetch('/toys/1', { headers: { prefer: 'code=401' } })
    expect(unauthorized.headers.get('www-authenticate')).toBe('Bearer')
  })

  it('of an override may have any status, and any body if the document does not declare the status', async () => {
    const mock = await createToys(documentOf({ 404: flat }))
    const override = async (response: { status: 404 | 503; body?: unknown }) => {
      mock.override('getToy', response as never, { times: 1 })
      return read(await mock.fetch('/toys/1'))
    }
    expect(await override({ status: 503 })).toMatchObject({ status: 503, body: { code: 'SERVICE_UNAVAILABLE' } })
    expect(await override({ status: 503, body: ['down'] })).toMatchObject({ status: 503, body: ['down'] })
    await expect(override({ status: 404, body: ['gone'] })).rejects.toThrow('violates the OpenAPI document')
  })

  it('of the admin API keeps its shape', async () => {
    const { fetch } = await createToys(documentOf({ 404: json(object({ error: TEXT })) }))
    expect((await read(await fetch('/__admin/faults/7', { method: 'DELETE' }))).body).toMatchObject({
      code: 'FAULT_NOT_FOUND',
      status: 404,
    })
  })
})

describe('a list of what is wrong where', () => {
  const detail = object({ field: TEXT, issue: TEXT })
  const details = { type: 'array', items: detail }
  const shape = { type: 'object', required: ['message'], properties: { message: TEXT, details } }

  it('has the field of each violation, and is left out where there is none', async () => {
    const mock = await createToys(documentOf({ 400: json(shape), 404: json(shape) }))
    expect(await read(await mock.fetch('/toys/7'))).toMatchObject({ status: 404, body: { message: MESSAGE } })
    expect((await read(await mock.fetch('/toys/7'))).body).not.toHaveProperty('details')
    const { body } = await read(await mock.fetch('/toys', post({ size: 'x' })))
    expect(body.details).toEqual([
      { field: 'name', issue: expect.stringMatching(/^\/name is missing/) },
      { field: 'size', issue: expect.stringMatching(/^\/size must be an integer/) },
    ])
  })

  it('is left out if its items have a field and nothing else', async () => {
    const items = { type: 'object', properties: { field: TEXT } }
    const few = { ...shape, properties: { message: TEXT, details: { type: 'array', items } } }
    const mock = await createToys(documentOf({ 404: json(few) }))
    expect((await read(await mock.fetch('/toys/7'))).body).toEqual({ message: MESSAGE })
  })
})

it('sends the status that a service has for its own code, even if the operation declares another', async () => {
  const document = documentOf({ 422: json(object({ message: TEXT })) })
  const errors = { TOY_LENT: 409 }
  const operations = {
    addToy({ fail }: { fail(code: string, message: string): unknown }) {
      throw fail('TOY_LENT', 'It is lent.')
    },
  }
  const mock = createMock(defineService({ document, errors, operations, scenarios: { default: {} } } as never))
  expect(await read(await mock.fetch('/toys', post({ name: 'Bear', size: 1 })))).toMatchObject({
    status: 409,
    body: { message: 'It is lent.' },
  })
})

describe('the message for an invalid value', () => {
  const number = { type: 'number' }
  const SENTENCES: readonly (readonly [schema: Json, value: unknown, sentence: string])[] = [
    [{ ...TEXT, minLength: 1 }, '', 'must be a non-empty string, but is the string ""'],
    [{ ...TEXT, minLength: 8 }, 'abc', 'must be a string of at least 8 characters, but is the string "abc"'],
    [
      { ...TEXT, pattern: '^a+$', maxLength: 3 },
      'aaaa',
      'must be a string of 0 to 3 characters that matches ^a+$, but is the string "aaaa"',
    ],
    [
      { ...TEXT, format: 'email', maxLength: 5 },
      'a@b.example',
      'must be an email address of 0 to 5 characters, but is the string "a@b.example"',
    ],
    [{ ...number, multipleOf: 5 }, 7, 'must be a number and a multiple of 5, but is the number 7'],
    [
      { ...number, minimum: 1, exclusiveMaximum: 5 },
      0,
      'must be a number less than 5 and of at least 1, but is the number 0',
    ],
    [
      { ...list(TEXT), minItems: 2 },
      ['a'],
      'must be a list of at least 2, each item a string, but is an array of 1 items',
    ],
    [
      { ...list(TEXT), uniqueItems: true },
      ['a', 'a'],
      'must be a list without repeated items, each item a string, but is an array',
    ],
    [{ type: 'object', minProperties: 2 }, {}, 'must be an object with at least 2 properties, but is an object'],
    [{ type: 'object', dependentRequired: { one: ['a/b'] } }, { one: 1 }, '/a~1b is missing'],
    [{ not: TEXT }, 'a', 'must be anything but a string, but is the string "a"'],
    [
      { type: 'object', propertyNames: { pattern: '^a' } },
      { b: 1 },
      'must be an object in which each name is a string that matches ^a, but is an object with the name "b"',
    ],
  ]

  it('says what the keyword asks for that it violates', async () => {
    const names = SENTENCES.map((_, index) => `v${index}`)
    const toy = optional(Object.fromEntries(names.map((name, index) => [name, SENTENCES[index]?.[0]])))
    const document = toDocument({ '/toys': { post: { ...takes(toy), responses: { 204: { description: '' } } } } })
    const { send } = await serve({ ...document, openapi: '3.1.0' })
    for (const [index, [, value, sentence]] of SENTENCES.entries()) {
      const { body } = await send('POST /toys', { [`v${index}`]: value })
      expect(body.detail).toBe(`/v${index}${sentence.startsWith('/') ? '' : ' '}${sentence}`)
    }
  })
})
