import { describe, expect, it } from 'vitest'
import { createMock } from '../../src/engine/mock/create-mock.js'
import { createDocumentService } from '../../src/engine/mock/document-service.js'
import { summarizeService } from '../../src/engine/mock/summary.js'
import { MockError } from '../../src/http/errors.js'
import {
  collection,
  INTEGER,
  inQuery,
  type Json,
  object,
  returns,
  serve,
  TEXT,
  takes,
  toDocument,
} from '../support/small-documents.js'
import { thrownBy } from '../support/thrown-by.js'

/* What is empty or of another type in a document that can be used without it. */

const NOTE = object({ id: INTEGER, title: TEXT }, ['title'])
const DATA = { notes: [{ id: 1, title: 'First' }] }

/** A mock whose records, requests and parameters have the odd schema inside. */
const serveNotes = (odd: Json, more: Json = {}) =>
  serve(
    toDocument(
      collection('notes', {
        record: { ...NOTE, properties: { ...NOTE.properties, odd, ...more } },
        query: [inQuery('odd', odd)],
      }),
    ),
    DATA,
  )

describe('a schema is served', () => {
  const keywords = ['properties', 'required', 'enum', 'type', 'oneOf', 'anyOf', 'allOf', 'items', 'pattern', 'examples']
  const empty = keywords.map((keyword) => ({ [keyword]: null }))
  const mistyped: Json[] = [
    ...[
      { required: true },
      { required: 'id' },
      { enum: 'red' },
      { enum: [] },
      { type: {} },
      { type: [] },
      { pattern: 5 },
    ],
    ...[{ allOf: [] }, { oneOf: [null] }, { type: 'object', properties: { 'x-internal': 1, inner: null } }],
    ...[{ minLength: '3', maxLength: '5' }, { multipleOf: 0 }, { minimum: 'a' }, { format: 5 }, { readOnly: 'no' }],
    ...[{ type: 'array', items: null, minItems: '1' }, { discriminator: { propertyName: 5 } }, { nullable: 'yes' }],
  ]
  it.each([...empty, ...mistyped])('with %j', async (odd) => {
    const { send } = await serveNotes(odd)
    const list = await send('GET /notes?odd=text')
    expect(list).toMatchObject({ status: 200 })
    const created = await send('POST /notes', { id: 2, title: 'Second', odd: odd.type === 'array' ? [] : {} })
    expect(created.status).toBeLessThan(500)
    expect((await send('POST /notes', { title: 5 })).status).toBe(400)
  })

  it('and its other keywords still apply', async () => {
    const { send } = await serveNotes({ type: 'string', minLength: '3', maxLength: 5, enum: null })
    expect((await send('POST /notes', { title: 'a', odd: 'ab' })).body).toMatchObject({ odd: 'ab' })
    expect((await send('POST /notes', { title: 'a', odd: 'abcdef' })).body.detail).toContain('of 0 to 5 characters')
  })

  it('with a misspelt type, and keeps what it is given', async () => {
    const { send } = await serveNotes({ type: 'strng' }, { seats: { type: ['intger', 'null'] } })
    expect((await send('POST /notes', { title: 'Second', odd: 3, seats: null })).body).toMatchObject({
      odd: 3,
      seats: null,
    })
    expect((await send('POST /notes', { title: 'Third', seats: 3 })).status).toBe(400)
  })

  it('with a name that has no schema, which any value fits', async () => {
    const { send } = await serveNotes({ type: 'object', properties: { inner: null } }, { also: null })
    const sent = { title: 'a', odd: { inner: 1 }, also: [true] }
    expect((await send('POST /notes', sent)).body).toMatchObject(sent)
  })

  it('and its values stay as they are', async () => {
    const odd = { enum: [null, 'a', { type: null }], default: { required: null }, example: null }
    const { send } = await serveNotes(odd)
    expect((await send('POST /notes', { title: 'a', odd: null })).status).toBe(201)
    expect((await send('POST /notes', { title: 'a', odd: { type: null } })).status).toBe(201)
    expect((await send('POST /notes', { title: 'a', odd: 'b' })).status).toBe(400)
  })
})

describe('an operation is served', () => {
  const post = (more: Json) => ({ '/odd': { post: { ...takes(NOTE), responses: { 200: returns(NOTE) }, ...more } } })
  const media = (more: Json) => ({ content: { 'application/json': { schema: NOTE, ...more } } })
  it.each<[what: string, paths: Json]>([
    ['no parameters', post({ parameters: null })],
    ['an empty parameter', post({ parameters: [null] })],
    ['a parameter without a schema', post({ parameters: [{ name: 'a', in: 'query', schema: null, content: null }] })],
    ['a parameter without conditions', post({ parameters: [{ name: 'a', in: 'query', schema: true }] })],
    ['a parameter in the body, as in Swagger 2', post({ parameters: [{ name: 'a', in: 'body', schema: NOTE }] })],
    ['no parameters of its path', { '/odd': { ...(post({})['/odd'] as Json), parameters: null } }],
    ['no responses', post({ responses: null })],
    ['an empty response', post({ responses: { 200: null } })],
    ['a response without content', post({ responses: { 200: { description: null, content: null, headers: null } } })],
    ['an empty media type', post({ responses: { 200: { content: { 'application/json': null } } } })],
    [
      'an empty header',
      post({ responses: { 200: returns(NOTE, { headers: { 'X-A': null, 'X-B': { schema: null } } }) } }),
    ],
    ['no examples', post({ responses: { 200: media({ examples: null }) }, requestBody: media({ examples: null }) })],
    ['empty examples', post({ responses: { 200: media({ examples: { a: null } }) } })],
    ['a list of examples', post({ responses: { 200: media({ examples: [{ id: 1, title: 'a' }] }) } })],
    ['no request body', post({ requestBody: null })],
    ['an empty request body', post({ requestBody: { content: null } })],
    ['an empty media type of its body', post({ requestBody: { content: { 'application/json': null } } })],
    [
      'an empty encoding',
      post({ requestBody: { content: { 'multipart/form-data': { encoding: { a: null } }, 'application/json': {} } } }),
    ],
    ['an object as security', post({ security: { key: [] } })],
    ['empty security', post({ security: [null] })],
    ['text as security', post({ security: ['key'] })],
    ['a number as its id', post({ operationId: 5, deprecated: 'no' })],
    ['empty operations beside it', { '/odd': { ...(post({})['/odd'] as Json), get: null }, '/none': null, 'x-a': 1 }],
  ])('with %s', async (_what, paths) => {
    const mock = createMock({ document: toDocument(paths) })
    await mock.ready
    const send = async (path: string, body: unknown) => {
      const headers = { 'content-type': 'application/json' }
      return (await mock.fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })).status
    }
    expect(await send('/odd', { id: 1, title: 'a' })).toBeLessThan(300)
    expect(await send('/odd?a=1', {})).toBeLessThan(500)
  })

  it('with odd security schemes, none of which can be checked', async () => {
    const schemes = {
      a: { type: 'http', scheme: 5 },
      b: { type: 'apiKey', in: 'header', name: 5 },
      c: { type: 'apiKey', in: 'query' },
      d: null,
    }
    const paths = Object.fromEntries(
      Object.keys(schemes).map((name) => [
        `/${name}`,
        { get: { security: [{ [name]: [] }], responses: { 200: null } } },
      ]),
    )
    const document = { ...toDocument(paths), components: { securitySchemes: schemes } }
    const mock = createMock({ document, security: 'require' } as never)
    await mock.ready
    for (const path of Object.keys(paths)) expect((await mock.fetch(path)).status).toBe(200)
  })
})

describe('a document', () => {
  it('says what was left out', () => {
    const odd = { type: 'string', minLength: '3', 'x-a': 1 }
    const service = createDocumentService({
      ...toDocument({ '/a': { get: { security: { key: [] }, parameters: null } } }, { Odd: odd }),
    })
    expect(summarizeService(service).notUnderstood).toEqual([
      '/components/schemas/Odd/minLength is ignored: it must be an integer of 0 or more.',
      '/paths/~1a/get/security is ignored: it must be a list.',
    ])
  })

  it('is refused with all that makes it unusable', () => {
    const paths = { '/a': { get: { parameters: [{ in: 'query' }], responses: { 200: 'OK' } } } }
    const document = toDocument(paths, { Odd: { properties: { a: 'text', b: null }, items: [TEXT] } })
    expect(thrownBy(MockError, () => createMock({ document })).problems?.toSorted()).toEqual([
      '/components/schemas/Odd/items must be an object.',
      '/components/schemas/Odd/properties/a must be an object.',
      '/paths/~1a/get/parameters/0/name must be a string.',
      '/paths/~1a/get/responses/200 must be an object.',
    ])
  })

  it('is not changed', () => {
    const document = toDocument({ '/a': { get: { responses: { 200: null } } } }, { Odd: { required: true } })
    const copy = structuredClone(document)
    expect(createDocumentService(document).document).toBe(document)
    expect(document).toStrictEqual(copy)
  })
})

/** Beyond Latin-1, control characters, half a character, and what has a meaning in a header or an address. */
const NAMES_FOR_HEADERS = [
  '日本',
  'a\r\nX-Evil: 1',
  '\u0000',
  'a>; rel="x", <b',
  '\ud800',
  '%zz#?',
  'é ü',
  'x'.repeat(5000),
]

describe('names of the document in headers', () => {
  const header = { schema: TEXT, example: 'value' }

  it.each(NAMES_FOR_HEADERS.map((name) => [name.slice(0, 20), name] as const))(
    '%j is encoded or left out',
    async (_start, name) => {
      const page = { size: `${name}limit`, position: 'offset' }
      const marks = { deprecated: true, 'x-deprecated-sunset': '2030-12-05', 'x-stability': name }
      const headers = {
        Link: header,
        ETag: header,
        Location: header,
        [name]: header,
        [`X ${name} Total Count`]: header,
      }
      const mediaType = `application/json; profile="${name}"`
      const security = [{ key: [] }, { scheme: [] }, { cookie: [] }]
      const { get } = collection('notes', { record: NOTE })['/notes'] as { readonly get: Json }
      const document = toDocument({
        ...collection('notes', {
          record: NOTE,
          prefix: `/${name.replaceAll(/[/?#]/g, '')}`,
          more: {
            get: {
              ...get,
              ...marks,
              operationId: name,
              security,
              parameters: [inQuery(page.size, INTEGER), inQuery(page.position, INTEGER)],
              responses: { 200: { ...returns({ type: 'array', items: NOTE }), headers } },
            },
            post: { ...takes(NOTE), ...marks, responses: { 201: { ...returns(NOTE), headers } } },
          },
        }),
        '/plain': {
          get: {
            ...marks,
            operationId: `plain ${name}`,
            responses: {
              200: { description: '', headers, content: { [mediaType]: { schema: TEXT, example: 'Hi.' } } },
            },
          },
        },
      })
      const securitySchemes = {
        key: { type: 'apiKey', in: 'header', name },
        cookie: { type: 'apiKey', in: 'cookie', name },
        scheme: { type: 'http', scheme: name },
      }
      const { mock } = await serve({ ...document, components: { securitySchemes } }, DATA)
      const collectionPath = `/${encodeURIComponent(name.replaceAll(/[/?#]/g, '').replace('\ud800', '\ufffd'))}/notes`
      if (name !== '\ud800') {
        const listed = await mock.fetch(`${collectionPath}?offset=0`)
        expect(listed.status).toBe(200)
        if (name.length < 1000) expect(listed.headers.get('link')).toContain('rel="first"')
        expect(listed.headers.get('link')).toMatch(/<\/docs[^<>"]*>; rel="sunset"/)
        const stability = /^[éx]/.test(name) ? name : encodeURIComponent(name)
        if (!name.startsWith('%') && !name.includes('>')) expect(listed.headers.get('x-stability')).toBe(stability)
        const init = { method: 'POST', body: '{"title":"b"}', headers: { 'content-type': 'application/json' } }
        const created = await mock.fetch(collectionPath, init)
        expect(created.status).toBe(201)
        if (name.length < 1000) expect((await mock.fetch(String(created.headers.get('location')))).status).toBe(200)
      }
      const plain = await mock.fetch('/plain')
      expect(plain.status).toBe(200)
      expect(await plain.json()).toBe('Hi.')
      expect(plain.headers.has('x-evil')).toBe(false)
      const fragment = /#([^>]*)>/.exec(plain.headers.get('link') ?? '')?.[1]
      expect(fragment && decodeURIComponent(fragment)).toBe(
        name.length > 1000 ? undefined : `plain ${name.replace('\ud800', '\ufffd')}`,
      )
    },
  )

  it('in a lifecycle date, which is left out if it is none', async () => {
    const marks = { deprecated: true, 'x-deprecated-since': 'soon', 'x-deprecated-sunset': '2030-02-30' }
    const document = toDocument({ '/a': { get: { ...marks, responses: { 204: { description: '' } } } } })
    const { mock } = await serve(document)
    const response = await mock.fetch('/a')
    expect(response.status).toBe(204)
    expect(response.headers.get('deprecation')).toBe('@0')
    expect(response.headers.get('sunset')).toBeNull()
    expect(summarizeService(createDocumentService(document)).notUnderstood).toEqual([
      '/paths/~1a/get/x-deprecated-since is ignored: it must be a date such as 2030-12-05.',
      '/paths/~1a/get/x-deprecated-sunset is ignored: it must be a date such as 2030-12-05.',
    ])
  })
})

describe('names that every object has', () => {
  const NAMES = ['constructor', 'toString', 'hasOwnProperty', 'valueOf', 'prototype']

  it.each(NAMES)('%s as a property that requests and records may lack', async (name) => {
    const record = { ...NOTE, properties: { ...NOTE.properties, [name]: TEXT, inner: object({ [name]: INTEGER }) } }
    const { send } = await serve(toDocument(collection('notes', { record, query: [inQuery(name)] })), DATA)
    const created = await send('POST /notes', { title: 'Second', inner: {} })
    expect(created).toMatchObject({ status: 201, body: { title: 'Second', inner: {} } })
    const path = `/notes/${created.body.id}`
    expect(Object.keys(created.body)).not.toContain(name)
    expect((await send(`PUT ${path}`, { title: 'New' })).body).toStrictEqual({ id: created.body.id, title: 'New' })
    expect((await send(`PATCH ${path}`, { [name]: 'x' })).body).toMatchObject({ title: 'New', [name]: 'x' })
    expect((await send(`GET ${path}`)).body).toMatchObject({ title: 'New', [name]: 'x' })
    expect((await send('GET /notes')).body).toHaveLength(2)
    expect((await send(`GET /notes?${name}=x`)).body).toEqual([expect.objectContaining({ title: 'New' })])
    expect((await send(`PATCH ${path}`, { [name]: 5 })).status).toBe(400)
  })

  it.each(NAMES)('%s as a parameter that requests may lack', async (name) => {
    const parameters = ['query', 'header', 'cookie'].map((place) => ({ name, in: place, schema: TEXT }))
    const { send } = await serve(toDocument({ '/odd': { get: { parameters, responses: { 200: returns(TEXT) } } } }))
    expect((await send('GET /odd')).status).toBe(200)
    expect((await send(`GET /odd?${name}=x`, undefined, { [name]: 'x' })).status).toBe(200)
  })

  it.each([...NAMES, '__proto__'])('%s as the name of an operation', async (operationId) => {
    const { send } = await serve(toDocument({ '/odd': { get: { operationId, responses: { 200: returns(TEXT) } } } }))
    expect((await send('GET /odd')).status).toBe(200)
  })

  it.each([...NAMES, '__proto__'])('%s as a collection', async (name) => {
    const document = toDocument(
      collection(name, { record: { ...NOTE, properties: { ...NOTE.properties, inner: TEXT } } }),
    )
    const mock = createMock({ document })
    await mock.ready
    const list = (await (await mock.fetch(`/${name}`)).json()) as object[]
    expect(list.length).toBeGreaterThan(0)
    const headers = { 'content-type': 'application/json' }
    const created = await mock.fetch(`/${name}`, { method: 'POST', headers, body: JSON.stringify({ title: 'New' }) })
    expect(created.status).toBe(201)
  })

  it('as a security scheme, and as the header of one', async () => {
    const schemes = { constructor: { type: 'apiKey', in: 'header', name: 'constructor' } }
    const security: Json[] = [{ constructor: [] }, { toString: [] }]
    const get = { security, responses: { 200: returns(TEXT) } }
    const document = { ...toDocument({ '/odd': { get } }), components: { securitySchemes: schemes } }
    const mock = createMock({ document, security: 'require' } as never)
    await mock.ready
    expect((await mock.fetch('/odd', { headers: { constructor: 'x' } })).status).toBe(200)
  })

  it('as a format and as the value of an enum', async () => {
    const odd = { anyOf: [{ type: 'string', format: 'constructor', maxLength: 3 }, { enum: [{ toString: 1 }] }] }
    const { send } = await serveNotes(odd)
    expect((await send('POST /notes', { title: 'a', odd: 5 })).body.detail).toContain('a string of 0 to 3 characters')
    expect((await send('POST /notes', { title: 'a', odd: 5 })).body.detail).toContain('{"toString":1}')
  })
})
