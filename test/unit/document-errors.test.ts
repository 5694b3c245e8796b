import { describe, expect, it } from 'vitest'
import { createMock } from '../../src/engine/mock/create-mock.js'
import { defineService } from '../../src/engine/mock/define-service.js'
import {
  INTEGER,
  inPath,
  inQuery,
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
      { error: { type: 'TOY_NOT_FOUND', message: MESSAGE, param: null } },
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

const DETAIL = json(object({ detail: TEXT }))

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

  it.each<[string, Json, Json]>([
    ['its operation declares for others', { 404: { description: '' }, 400: DETAIL, 409: flat }, { detail: MESSAGE }],
    ['its operation declares for a range', { 404: { description: '' }, '4XX': DETAIL }, { detail: MESSAGE }],
    [
      'most declare, if its operation has none',
      { 404: { description: '' } },
      { code: 'TOY_NOT_FOUND', message: MESSAGE },
    ],
    ['most declare, whatever others do for the status', {}, { code: 'TOY_NOT_FOUND', message: MESSAGE }],
  ])('has the shape that %s', async (_, declared, body) => {
    const { paths, ...others } = documentOf({ 400: flat, 403: flat }) as { paths: Record<string, Json> }
    const other = { get: { responses: { 200: json(TEXT), 404: DETAIL } } }
    const toys = {
      parameters: [inPath('toyId')],
      get: { responses: { 200: json(object({ id: INTEGER })), ...declared } },
    }
    const { fetch } = await createToys({ ...others, paths: { ...paths, '/toys/{toyId}': toys, '/robots': other } })
    expect(await read(await fetch('/toys/7'))).toEqual({ status: 404, type: 'application/json', body })
    for (const code of [404, 503]) {
      const wanted = await read(await fetch('/toys/7', { headers: { prefer: `code=${code}` } }))
      expect([wanted.status, Object.keys(wanted.body)]).toEqual([code, Object.keys(body)])
    }
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
      message: MESSAGE,
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
    [406, '/toys/7', { headers: { accept: 'image/png' } }],
    [413, '/toys', post('x'.repeat(2_000_000))],
    [415, '/toys', post('x', 'image/png')],
  ])('with status %s has the shape that most operations use', async (status, path, init) => {
    const declared = { 404: flat, 406: flat, 409: json(object({ reason: TEXT })) }
    const { fetch } = await createToys(documentOf(declared))
    const { body, ...others } = await read(await fetch(path, init))
    expect(others).toEqual({ status, type: 'application/json' })
    expect(body).toEqual({ code: expect.stringMatching(/^[A-Z_]+$/), message: expect.stringMatching(/\.$/) })
  })

  it('is 406 only where the operation declares it, and never for another type of JSON', async () => {
    for (const declared of [
      { 404: flat, '4XX': flat, default: flat },
      { 404: flat, 406: flat },
    ]) {
      const { fetch } = await createToys(documentOf(declared))
      const status = async (path: string, accept: string, init: RequestInit = {}) =>
        (await fetch(path, { ...init, headers: { ...init.headers, accept } })).status
      const isDeclared = '406' in declared
      expect((await fetch('/toys', post({ name: 'Top', size: 1 }))).status).toBe(201)
      for (const accept of ['application/vnd.toys.v3+json', 'application/problem+json;q=0.1', 'APPLICATION/JSON']) {
        expect(await status('/toys/1', accept), accept).toBe(200)
      }
      for (const accept of ['application/binary', 'text/html', 'application/json;q=0']) {
        expect(await status('/toys/1', accept), accept).toBe(isDeclared ? 406 : 200)
        expect(await status('/toys', accept), accept).toBe(200)
        expect(await status('/toys/7', accept), accept).toBe(isDeclared ? 406 : 404)
        expect(await status('/toys', accept, post({ name: 'Top', size: 1 })), accept).toBe(isDeclared ? 406 : 201)
      }
    }
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
      { field: 'name', issue: expect.stringMatching(/^is missing: it must be/) },
      { field: 'size', issue: expect.stringMatching(/^must be an integer.*, but is the string "x"$/) },
    ])
  })

  it('is left out if its items have a field and nothing else', async () => {
    const items = { type: 'object', properties: { field: TEXT } }
    const few = { ...shape, properties: { message: TEXT, details: { type: 'array', items } } }
    const mock = await createToys(documentOf({ 404: json(few) }))
    expect((await read(await mock.fetch('/toys/7'))).body).toEqual({ message: MESSAGE })
  })
})

describe('a list that has the only message', () => {
  const item = object({ loc: list({ anyOf: [TEXT, INTEGER] }), msg: TEXT, type: TEXT })
  const missing = { loc: [], msg: MESSAGE, type: 'TOY_NOT_FOUND' }

  it.each<[string, Json, unknown]>([
    ['nothing beside it', optional({ detail: list(item) }), { detail: [missing] }],
    [
      'a title beside it',
      optional({ title: TEXT, problems: optional({ errors: list(item) }) }),
      { title: 'Not Found', problems: { errors: [missing] } },
    ],
    ['a message after it', optional({ detail: list(item), message: TEXT }), { message: MESSAGE }],
  ])('stays without a place: %s', async (_, schema, body) => {
    const mock = await createToys(documentOf({ 404: json(schema) }))
    expect((await read(await mock.fetch('/toys/7'))).body).toEqual(body)
  })

  it('stays where an example has it empty', async () => {
    const schema = optional({ detail: list(item) })
    for (const example of [{ detail: [] }, {}]) {
      const mock = await createToys(documentOf({ 404: json(schema, { example }) }))
      expect((await read(await mock.fetch('/toys/7'))).body).toEqual({ detail: [missing] })
    }
  })
})

describe('the source of an error', () => {
  const SOURCE = { pointer: TEXT, parameter: TEXT, header: TEXT }
  const errorsWith = (source: Json) =>
    json(optional({ errors: list(optional({ status: TEXT, title: TEXT, detail: TEXT, source })) }))

  async function sources(source: Json) {
    const toy = object({ id: INTEGER, name: TEXT })
    const errors = { 400: errorsWith(source), 404: errorsWith(source) }
    const size = { name: 'X-Size', in: 'header', schema: INTEGER }
    const sent = takes(object({ data: object({ x: INTEGER }) }))
    const document = toDocument({
      '/toys': {
        get: { parameters: [inQuery('limit', INTEGER), size], responses: { 200: json(list(toy)), ...errors } },
        post: { ...sent, responses: { 201: json(toy), ...errors } },
      },
      '/toys/{id}': { parameters: [inPath('id')], get: { responses: { 200: json(toy), ...errors } } },
    })
    const { send } = await serve(document)
    const replies = [
      await send('GET /toys?limit=x'),
      await send('GET /toys', undefined, { 'x-size': 'x' }),
      await send('POST /toys', { data: { x: 'x' } }),
      await send('GET /toys/7'),
    ]
    for (const { body } of replies)
      expect(body.errors[0].detail).toMatch(/^(must be an integer.*|No toy has the id 7.)$/)
    return replies.map(({ body }) => body.errors[0].source)
  }

  it('is a parameter, a header or a pointer, and left out without a place', async () => {
    const found = [{ parameter: 'limit' }, { header: 'x-size' }, { pointer: '/data/x' }, undefined]
    expect(await sources(optional(SOURCE))).toEqual(found)
  })

  it('has the others empty if they are required', async () => {
    const none = { pointer: '', parameter: '', header: '' }
    const found = [
      { ...none, parameter: 'limit' },
      { ...none, header: 'x-size' },
      { ...none, pointer: '/data/x' },
      none,
    ]
    expect(await sources(object(SOURCE))).toEqual(found)
  })
})

describe('the place of an error', () => {
  const array = (items: Json) => ({ type: 'array', items })
  const anyOf = { anyOf: [TEXT, INTEGER] }
  const [missing, wrong] = [/^is missing/, /^must be an integer/].map((text) => expect.stringMatching(text))
  /** Each has an item for the missing name, and one for a size that is a text. */
  it.each<[string, Json, unknown]>([
    [
      'loc, as a list',
      object({ detail: array(object({ loc: array(anyOf), msg: TEXT, type: TEXT })) }),
      {
        detail: [
          { loc: ['body', 'name'], msg: missing, type: 'INVALID_REQUEST' },
          { loc: ['body', 'size'], msg: wrong, type: 'INVALID_REQUEST' },
        ],
      },
    ],
    [
      'loc, as a text',
      array(object({ loc: TEXT, msg: TEXT })),
      [
        { loc: 'body.name', msg: missing },
        { loc: 'body.size', msg: wrong },
      ],
    ],
    [
      'path, as a list, and location',
      object({ errors: array(object({ path: array(TEXT), location: TEXT, message: TEXT })) }),
      {
        errors: [
          { path: ['name'], location: 'body', message: missing },
          { path: ['size'], location: 'body', message: wrong },
        ],
      },
    ],
    [
      'pointer, and no parameter',
      object({ errors: array(object({ source: optional({ pointer: TEXT, parameter: TEXT }), detail: TEXT })) }),
      {
        errors: [
          { source: { pointer: '/name' }, detail: missing },
          { source: { pointer: '/size' }, detail: wrong },
        ],
      },
    ],
    [
      'name and reason',
      object({ 'invalid-params': array(object({ name: TEXT, reason: TEXT })) }),
      {
        'invalid-params': [
          { name: 'name', reason: missing },
          { name: 'size', reason: wrong },
        ],
      },
    ],
    ['property', object({ property: TEXT, message: TEXT }), { property: 'name', message: missing }],
    ['path', object({ path: TEXT, message: TEXT }), { path: 'name', message: missing }],
    [
      'not the path of the request',
      object({ path: TEXT, status: INTEGER, message: TEXT }),
      { path: '/toys', status: 400, message: expect.stringMatching(/^\/name is missing/) },
    ],
  ])('is in the field for it: %s', async (_, schema, body) => {
    const mock = await createToys(documentOf({ 400: json(schema) }))
    expect((await read(await mock.fetch('/toys', post({ size: 'x' })))).body).toEqual(body)
  })

  it('is the parameter, or the whole body', async () => {
    const shape = object({ loc: array(anyOf), msg: TEXT, param: { ...TEXT, nullable: true } })
    const document = documentOf({ 400: json(shape) })
    const mock = await createToys(document)
    const broken = { ...post({}), body: '{' }
    expect((await read(await mock.fetch('/toys', broken))).body).toEqual({
      loc: ['body'],
      msg: 'Request body is not valid JSON.',
      param: null,
    })
    expect((await read(await mock.fetch('/toys/x'))).body).toEqual({
      loc: ['path', 'toyId'],
      msg: expect.stringMatching(/^must be/),
      param: 'toyId',
    })
  })

  it('is the property of a reference to what does not exist', async () => {
    const shape = object({ field: TEXT, message: TEXT })
    const owner = object({ id: INTEGER, name: TEXT })
    const toy = object({ id: INTEGER, ownerId: INTEGER })
    const crud = (name: string, schema: Json, sent: Json) => ({
      [`/${name}`]: {
        get: { operationId: `list ${name}`, responses: { 200: json(list(schema)) } },
        post: { operationId: `add ${name}`, ...takes(sent), responses: { 201: json(schema), 422: json(shape) } },
      },
      [`/${name}/{id}`]: { parameters: [inPath('id')], get: { responses: { 200: json(schema) } } },
    })
    const document = toDocument({
      ...crud('owners', owner, object({ name: TEXT })),
      ...crud('toys', toy, object({ ownerId: INTEGER })),
    })
    const service = defineService({ document, resources: { toys: { references: { ownerId: 'owners' } } } } as never)
    const mock = createMock(service)
    expect((await read(await mock.fetch('/toys', post({ ownerId: 987_654 })))).body).toEqual({
      field: 'ownerId',
      message: 'must be the id of an owner, but no owner has the id 987654.',
    })
  })
})

describe('a field of an error about which nothing is known', () => {
  it('is left out, or empty if it is required', async () => {
    const hints = {
      hint: TEXT,
      loc: { type: 'array', items: TEXT },
      field: TEXT,
      rank: INTEGER,
      nested: optional({ a: TEXT }),
    }
    const required = object({ message: TEXT, advice: TEXT, ...hints })
    const mock = await createToys(documentOf({ 404: json(required) }))
    const empty = { advice: '', hint: '', loc: [], field: '', rank: 0, nested: {} }
    expect((await read(await mock.fetch('/toys/7'))).body).toEqual({ message: MESSAGE, ...empty })
    const few = { ...required, required: ['message'] }
    for (const [schema, body] of [
      [few, { message: MESSAGE }],
      [{ type: 'array', items: few }, [{ message: MESSAGE }]],
      [object({ errors: { type: 'array', items: few } }), { errors: [{ message: MESSAGE }] }],
    ] as const) {
      const other = await createToys(documentOf({ 404: json(schema) }))
      expect((await read(await other.fetch('/toys/7'))).body).toEqual(body)
    }
  })

  it('is left out if no known value is allowed, and kept if an example has it', async () => {
    const code = { ...TEXT, pattern: '^E\\d+$' }
    const schema = { type: 'object', required: ['message'], properties: { message: TEXT, code } }
    const made = await createToys(documentOf({ 404: json(schema) }))
    expect((await read(await made.fetch('/toys/7'))).body).toEqual({ message: MESSAGE })
    const mock = await createToys(documentOf({ 404: json(schema, { example: { message: 'x', code: 'E42' } }) }))
    expect((await read(await mock.fetch('/toys/7'))).body).toEqual({ message: MESSAGE, code: 'E42' })
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
