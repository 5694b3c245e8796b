import { describe, expect, it } from 'vitest'
import { createMock } from '../../src/engine/create-mock.js'
import { defineService } from '../../src/engine/define-service.js'

/* Errors in the shape that a document declares for them. */

type Json = Readonly<Record<string, unknown>>

const object = (properties: Json, more: Json = {}) => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
  ...more,
})
const text = { type: 'string' }
const integer = { type: 'integer' }
const json = (schema: Json, more: Json = {}) => ({
  description: '',
  content: { 'application/json': { schema, ...more } },
})
const closed = { additionalProperties: false }

/** A shop of toys; `/robots` has no body, no resource and declares what is given. */
function documentOf(errors: Json, others: Json = {}): object {
  const toy = object({ id: integer, name: text })
  const toyId = { name: 'toyId', in: 'path', required: true, schema: integer }
  return {
    openapi: '3.0.3',
    info: { title: 'Toys', version: '1' },
    paths: {
      '/toys': {
        get: { operationId: 'listToys', responses: { 200: json({ type: 'array', items: toy }), ...others } },
        post: {
          operationId: 'addToy',
          requestBody: { ...json(object({ name: text, size: integer })), required: true },
          responses: { 201: json(toy), ...errors },
        },
      },
      '/toys/{toyId}': {
        parameters: [toyId],
        get: { operationId: 'getToy', responses: { 200: json(toy), ...errors } },
      },
    },
  }
}

async function createToys(document: object) {
  const mock = createMock(defineService({ document, scenarios: { default: {} } }), { validateResponses: true })
  await mock.ready
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
      object({ code: text, message: text, status: integer }),
      { code: 'TOY_NOT_FOUND', message: MESSAGE, status: 404 },
    ],
    ['flat, with a number as code', object({ code: integer, message: text }), { code: 404, message: MESSAGE }],
    ['flat, with optional fields', { type: 'object', properties: { message: text, hint: text } }, { message: MESSAGE }],
    ['one text', object({ error: text }), { error: MESSAGE }],
    [
      'a code and its description',
      object({ error: text, error_description: text }),
      { error: 'TOY_NOT_FOUND', error_description: MESSAGE },
    ],
    [
      'nested',
      object({ error: object({ type: text, message: text, param: { ...text, nullable: true } }) }),
      { error: { type: 'TOY_NOT_FOUND', message: MESSAGE, param: expect.anything() } },
    ],
    [
      'a list of objects',
      object({ errors: { type: 'array', items: object({ title: text, detail: text, status: text }) } }),
      { errors: [{ title: 'Not Found', detail: MESSAGE, status: '404' }] },
    ],
    ['a list of texts', object({ errors: { type: 'array', items: text } }), { errors: [MESSAGE] }],
    [
      'an enum',
      object({ code: { enum: ['bad_request', 'not_found'] }, message: text }),
      { code: 'not_found', message: MESSAGE },
    ],
    [
      'an enum with other words',
      object({ type: { enum: ['api_error', 'invalid_request_error', 'resource_missing'] } }),
      { type: 'resource_missing' },
    ],
    [
      'success: false',
      object({ success: { type: 'boolean' }, status: { enum: ['ok', 'error'] }, msg: text }, closed),
      { success: false, status: 'error', msg: MESSAGE },
    ],
    ['everything', { type: 'object' }, { code: 'TOY_NOT_FOUND', message: MESSAGE, status: 404 }],
    ['nothing', object({}, closed), {}],
    ['a short message', object({ message: { ...text, maxLength: 10 } }), { message: 'Not Found' }],
    ['allOf', { allOf: [object({ message: text }), object({ status: integer })] }, { message: MESSAGE, status: 404 }],
    [
      'the path',
      object({
        path: text,
        method: text,
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

const FLAT = object({ code: text, message: text }, closed)
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
        title: text,
        status: integer,
        detail: text,
        instance: text,
        balance: integer,
      },
    }
    const problem = { description: '', content: { 'application/problem+json': { schema } } }
    const { fetch } = await createToys(documentOf({ default: problem }))
    const body = { type: 'about:blank', title: 'Not Found', status: 404, detail: MESSAGE, instance: '/toys/7' }
    expect(await read(await fetch('/toys/7'))).toEqual({ status: 404, type: 'application/problem+json', body })
  })

  it('is a text or XML if the document declares that', async () => {
    const plain = { description: '', content: { 'text/plain': { schema: text } } }
    const xml = { description: '', content: { 'application/xml': { schema: FLAT } } }
    const { fetch } = await createToys(documentOf({ 404: plain, 400: xml }))
    expect(await read(await fetch('/toys/7'))).toEqual({ status: 404, type: 'text/plain', body: MESSAGE })
    const { type, body } = await read(await fetch('/toys', post({ name: 'Top', size: 'big' })))
    expect(type).toBe('application/xml')
    expect(body).toContain('<error><code>INVALID_REQUEST</code><message>/size must be')
  })

  it('has the fields of an example that conforms, apart from what the error says', async () => {
    const schema = object({ code: text, message: text, docs: text })
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
    const { fetch } = await createToys(documentOf({ 404: flat, 409: json(object({ reason: text })) }))
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
    const { fetch } = await createToys(documentOf({ 404: json(object({ error: text })) }))
    expect((await read(await fetch('/__admin/faults/7', { method: 'DELETE' }))).body).toMatchObject({
      code: 'FAULT_NOT_FOUND',
      status: 404,
    })
  })
})

describe('a list of what is wrong where', () => {
  const detail = object({ field: text, issue: text })
  const details = { type: 'array', items: detail }
  const shape = { type: 'object', required: ['message'], properties: { message: text, details } }

  it('has the field of each violation, and is left out where there is none', async () => {
    const mock = await createToys(documentOf({ 400: json(shape), 404: json(shape) }))
    expect(await read(await mock.fetch('/toys/7'))).toMatchObject({ status: 404, body: { message: MESSAGE } })
    expect((await read(await mock.fetch('/toys/7'))).body).not.toHaveProperty('details')
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"size":"x"}' }
    const { body } = await read(await mock.fetch('/toys', init))
    expect(body.details).toEqual([
      { field: 'name', issue: expect.stringMatching(/^\/name is missing/) },
      { field: 'size', issue: expect.stringMatching(/^\/size must be an integer/) },
    ])
  })

  it('is left out if its items have a field and nothing else', async () => {
    const items = { type: 'object', properties: { field: text } }
    const few = { ...shape, properties: { message: text, details: { type: 'array', items } } }
    const mock = await createToys(documentOf({ 404: json(few) }))
    expect((await read(await mock.fetch('/toys/7'))).body).toEqual({ message: MESSAGE })
  })
})

it('sends the status that a service has for its own code, even if the operation declares another', async () => {
  const document = documentOf({ 422: json(object({ message: text })) })
  const errors = { TOY_LENT: 409 }
  const operations = {
    addToy({ fail }: { fail(code: string, message: string): unknown }) {
      throw fail('TOY_LENT', 'It is lent.')
    },
  }
  const mock = createMock(defineService({ document, errors, operations, scenarios: { default: {} } } as never))
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"name":"Bear","size":1}' }
  expect(await read(await mock.fetch('/toys', init))).toMatchObject({ status: 409, body: { message: 'It is lent.' } })
})
