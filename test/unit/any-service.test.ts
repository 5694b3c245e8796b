import { describe, expect, it } from 'vitest'
import { createMock } from '../../src/engine/mock/create-mock.js'
import { defineService } from '../../src/engine/mock/define-service.js'
import {
  collection,
  content,
  ERRORS,
  GONE,
  INTEGER,
  inPath,
  type Json,
  list,
  object,
  PROBLEM,
  ref,
  returns,
  serve,
  TEXT,
  TIME,
  takes,
  toDocument,
} from '../support/small-documents.js'

/* What the generic handlers do for documents in the styles of real ones. */

const ID = { type: 'integer', readOnly: true }
const BOOK = object(
  {
    id: ID,
    title: TEXT,
    note: { type: 'string', nullable: true },
    size: object({ width: INTEGER, depth: INTEGER }),
    tags: list(TEXT),
  },
  ['id', 'title'],
)
const books = (options = {}) => toDocument(collection('books', { record: BOOK, ...options }))

describe('creating', () => {
  const CODE = object({ code: TEXT, title: TEXT }, ['code', 'title'])

  it('refuses an id that exists, with the nearest status that the document declares', async () => {
    for (const [errors, status] of [
      [{ 409: PROBLEM, 422: PROBLEM }, 409],
      [{ 422: PROBLEM, 400: PROBLEM }, 422],
      [{ 400: PROBLEM }, 400],
    ] as const) {
      const { send } = await serve(toDocument(collection('books', { record: CODE, id: TEXT, errors })))
      expect((await send('POST /books', { code: 'a', title: 'Emma' })).status).toBe(201)
      expect((await send('POST /books', { code: 'a', title: 'Dune' })).status).toBe(status)
      expect((await send('GET /books/a')).body).toEqual({ code: 'a', title: 'Emma' })
    }
  })

  it.each([
    [{ format: 'int64', minimum: 1000 }, 1000],
    [{ minimum: 7, exclusiveMinimum: true }, 8],
    [{ format: 'int64', minimum: 1000, multipleOf: 30 }, 1020],
  ])('makes ids in the range of their schema: %j', async (range, first) => {
    const record = object({ id: { ...ID, ...range }, title: TEXT }, ['id', 'title'])
    const document = books({ record })
    const { send } = await serve(document)
    expect(await send('POST /books', { title: 'Emma' })).toMatchObject({ status: 201, body: { id: first } })
    const started = createMock(defineService({ document }))
    await started.ready
    const { books: starting } = started.exportState() as { books?: readonly { id: number }[] }
    expect(starting?.[0]?.id).toBe(first)
  })

  it('takes properties in another spelling, and an id', async () => {
    const sent = object({ Code: TEXT, MainTitle: TEXT }, ['Code', 'MainTitle'])
    const record = object({ code: TEXT, main_title: TEXT }, ['code', 'main_title'])
    const { send } = await serve(toDocument(collection('books', { record, sent, id: TEXT })))
    const emma = { code: 'a', main_title: 'Emma' }
    expect((await send('POST /books', { Code: 'a', MainTitle: 'Emma' })).body).toEqual(emma)
    expect((await send('POST /books', { Code: 'a', MainTitle: 'Dune' })).status).toBe(409)
    expect((await send('PATCH /books/a', { MainTitle: 'Dune' })).body).toEqual({ ...emma, main_title: 'Dune' })
  })

  it('chooses the envelope that fits the record', async () => {
    const only = (value: string) => ({ type: 'string', enum: [value] })
    const page = object({ id: INTEGER, title: TEXT }, ['id', 'title'])
    const draft = object({ id: INTEGER, title: TEXT, draft: { type: 'boolean' } }, ['id', 'title', 'draft'])
    const envelope = (data: Json, type: string) => object({ data, type: only(type) }, ['data', 'type'])
    const drafts = ['draft', 'note', 'sketch'].map((type) => envelope(draft, type))
    const response = { anyOf: [envelope({ ...page, additionalProperties: false }, 'page'), ...drafts] }
    const more = { post: { ...takes(object({ title: TEXT })), responses: { 201: returns(response) } } }
    const { send } = await serve(toDocument(collection('pages', { record: page, more })))
    expect((await send('POST /pages', { title: 'Emma' })).body).toMatchObject({ data: { title: 'Emma' }, type: 'page' })
  })

  it('keeps what only an example of a schema describes', async () => {
    const example = { id: 7, title: 'Emma', tags: ['old'], size: { width: 1.5 } }
    const { send } = await serve(toDocument(collection('books', { record: { type: 'object', example } })))
    const book = { title: 'Dune', tags: ['new', 'big'], size: { width: 2 } }
    expect((await send('POST /books', book)).body).toEqual({ id: 1, ...book })
    expect((await send('GET /books')).body).toEqual([{ id: 1, ...book }])
  })

  it('keeps what only examples of bodies describe', async () => {
    const shown = (example: unknown, type = 'object') => ({
      description: 'OK',
      content: { 'application/json': { schema: { type }, examples: { one: { value: example } } } },
    })
    const example = { bookId: 'b_1', title: 'Emma', size: { width: 1.5 } }
    const { send } = await serve(
      toDocument({
        '/books': {
          get: { responses: { 200: shown([example], 'array') } },
          post: { requestBody: shown({ title: 'Emma', size: {} }), responses: { 201: shown(example) } },
        },
        '/books/{bookId}': { parameters: [inPath('bookId', TEXT)], get: { responses: { 200: shown(example) } } },
      }),
    )
    const { body } = await send('POST /books', { title: 'Dune', size: { width: 2 } })
    expect(body).toEqual({ bookId: expect.any(String), title: 'Dune', size: { width: 2 } })
    expect((await send(`GET /books/${body.bookId}`)).body).toEqual(body)
    expect((await send('GET /books')).body).toEqual([body])
  })

  it('makes an id inside an object of the record', async () => {
    const record = object({ metadata: object({ name: TEXT }), size: INTEGER })
    const { send } = await serve(
      toDocument({
        '/pods': { post: { ...takes(record), responses: { 201: returns(record) } } },
        '/pods/{name}': { parameters: [inPath('name', TEXT)], get: { responses: { 200: returns(record) } } },
      }),
    )
    const { body, headers } = await send('POST /pods', { size: 1 })
    expect(headers.get('location')).toBe(`/pods/${body.metadata.name}`)
    expect((await send(`GET /pods/${body.metadata.name}`)).body).toEqual(body)
  })

  it('sends an id whose type is that of a part of its schema', async () => {
    const record = object({ id: { allOf: [INTEGER], description: 'Unique.' }, title: TEXT }, ['id', 'title'])
    const { send } = await serve(toDocument(collection('books', { record })))
    expect((await send('POST /books', { id: 1, title: 'Emma' })).body).toMatchObject({ id: expect.any(Number) })
    expect((await send('GET /books')).body).toMatchObject([{ id: expect.any(Number) }])
  })

  it('says where the record is', async () => {
    const { send } = await serve(books())
    expect((await send('POST /books', { title: 'Emma' })).headers.get('location')).toBe('/books/1')
  })

  it('answers with a message where the document has no record', async () => {
    const message = object({ message: TEXT, id: INTEGER, ok: { type: 'boolean' } }, ['message', 'id', 'ok'])
    const post = { ...takes(object({ title: TEXT }, ['title'])), responses: { 200: returns(message) } }
    const { send } = await serve(books({ more: { post } }))
    const { status, body } = await send('POST /books', { title: 'Emma' })
    expect([status, body.id, typeof body.message]).toEqual([200, 1, 'string'])
    expect((await send('GET /books/1')).body).toMatchObject({ id: 1, title: 'Emma' })
  })

  it('puts a record under an unknown id where the document declares 201', async () => {
    const put = { ...takes(CODE), responses: { 200: returns(CODE), 201: returns(CODE), ...ERRORS } }
    const { send } = await serve(toDocument(collection('books', { record: CODE, id: TEXT, items: { put } })))
    const created = await send('PUT /books/a', { code: 'a', title: 'Emma' })
    expect([created.status, created.headers.get('location')]).toEqual([201, '/books/a'])
    expect((await send('PUT /books/a', { code: 'a', title: 'Dune' })).status).toBe(200)
    expect((await send('GET /books')).body).toEqual([{ code: 'a', title: 'Dune' }])
    const { send: strict } = await serve(toDocument(collection('books', { record: CODE, id: TEXT })))
    expect((await strict('PUT /books/a', { code: 'a', title: 'Emma' })).status).toBe(404)
  })

  it('creates a record with PATCH where the document declares 201 beside another success', async () => {
    const patch = { ...takes(CODE), responses: { 201: returns(CODE), 200: returns(CODE), 404: PROBLEM } }
    const { send } = await serve(toDocument(collection('books', { record: CODE, id: TEXT, items: { patch } })))
    for (const status of [201, 200]) {
      const { status: given, body } = await send('PATCH /books/a', { code: 'a', title: 'Emma' })
      expect([given, body]).toEqual([status, { code: 'a', title: 'Emma' }])
    }
  })

  it('puts no record under an id that one below another parent has', async () => {
    const put = { ...takes(CODE), responses: { 200: returns(CODE), 201: returns(CODE), ...ERRORS } }
    const { send } = await serve(
      toDocument({
        ...collection('books', { record: BOOK }),
        '/books/{bookId}/tags': {
          parameters: [inPath('bookId', INTEGER)],
          get: { responses: { 200: returns(list(CODE)) } },
        },
        '/books/{bookId}/tags/{code}': {
          parameters: [inPath('bookId', INTEGER), inPath('code', TEXT)],
          get: { responses: { 200: returns(CODE), ...ERRORS } },
          put,
        },
      }),
    )
    const tag = { code: 'a', title: 'Old' }
    for (const title of ['Emma', 'Dune']) await send('POST /books', { title })
    expect((await send('PUT /books/1/tags/a', tag)).status).toBe(201)
    expect((await send('PUT /books/2/tags/a', tag)).status).toBe(409)
    expect((await send('GET /books/1/tags/a')).body).toEqual(tag)
  })
})

describe('changing', () => {
  const EMMA = { id: 1, title: 'Emma', note: 'a', size: { width: 1, depth: 2 }, tags: ['x', 'y'] }
  const patch = (mediaType: string) => ({ ...takes({}, mediaType), responses: { 200: returns(BOOK), ...ERRORS } })
  const MERGE = 'application/merge-patch+json'
  const JSON_PATCH = 'application/json-patch+json'

  it.each([
    ['merges members', { size: { width: 9 } }, { size: { width: 9, depth: 2 } }],
    ['removes members', { size: { width: null }, note: null }, { size: { depth: 2 }, note: undefined }],
    ['replaces lists', { tags: ['z'] }, { tags: ['z'] }],
    ['keeps the id', { id: 7 }, {}],
  ])('JSON Merge Patch: %s', async (_, change, expected) => {
    const { send } = await serve(books({ items: { patch: patch(MERGE) } }), { books: [EMMA] })
    const { status, body } = await send('PATCH /books/1', change, { 'content-type': MERGE })
    expect([status, body]).toEqual([200, JSON.parse(JSON.stringify({ ...EMMA, ...expected }))])
    expect((await send('GET /books/1')).body).toEqual(body)
  })

  it('JSON Merge Patch: refuses what leaves an invalid record', async () => {
    const { send } = await serve(books({ items: { patch: patch(MERGE) } }), { books: [EMMA] })
    for (const change of [{ title: null }, { size: { width: 'wide' } }, { tags: 1 }]) {
      expect((await send('PATCH /books/1', change, { 'content-type': MERGE })).status).toBe(422)
    }
    expect((await send('GET /books/1')).body).toEqual(EMMA)
  })

  it.each([
    ['add', [{ op: 'add', path: '/tags/-', value: 'z' }], { tags: ['x', 'y', 'z'] }],
    ['add in a list', [{ op: 'add', path: '/tags/1', value: 'z' }], { tags: ['x', 'z', 'y'] }],
    ['remove', [{ op: 'remove', path: '/note' }], { note: undefined }],
    ['replace', [{ op: 'replace', path: '/size/width', value: 5 }], { size: { width: 5, depth: 2 } }],
    ['move', [{ op: 'move', from: '/tags/0', path: '/note' }], { tags: ['y'], note: 'x' }],
    ['copy', [{ op: 'copy', from: '/title', path: '/tags/0' }], { tags: ['Emma', 'x', 'y'] }],
    ['test', [{ op: 'test', path: '/size', value: { depth: 2, width: 1 } }], {}],
  ])('JSON Patch: %s', async (_, operations, expected) => {
    const { send } = await serve(books({ items: { patch: patch(JSON_PATCH) } }), { books: [EMMA] })
    const { status, body } = await send('PATCH /books/1', operations, { 'content-type': JSON_PATCH })
    expect([status, body]).toEqual([200, JSON.parse(JSON.stringify({ ...EMMA, ...expected }))])
  })

  it.each([
    ['a test that fails', [{ op: 'test', path: '/title', value: 'Dune' }], 409],
    ['an unknown path', [{ op: 'remove', path: '/nothing' }], 422],
    ['an unknown place', [{ op: 'add', path: '/tags/7', value: 'z' }], 422],
    ['an unknown operation', [{ op: 'drop', path: '/title' }], 422],
    ['a path without a slash', [{ op: 'remove', path: 'title' }], 422],
    ['a move into itself', [{ op: 'move', from: '/size', path: '/size/width' }], 422],
    ['an invalid record', [{ op: 'remove', path: '/title' }], 422],
    ['the whole record', [{ op: 'replace', path: '', value: 1 }], 422],
    ['another id', [{ op: 'replace', path: '/id', value: 7 }], 422],
    ['a record without its id', [{ op: 'remove', path: '/id' }], 422],
    ['the prototype', [{ op: 'add', path: '/__proto__/x', value: 1 }], 422],
  ])('JSON Patch: refuses %s', async (_, operations, status) => {
    const { send } = await serve(books({ items: { patch: patch(JSON_PATCH) } }), { books: [EMMA] })
    const refused = [{ op: 'replace', path: '/note', value: 'changed' }, ...operations]
    expect((await send('PATCH /books/1', refused, { 'content-type': JSON_PATCH })).status).toBe(status)
    expect((await send('GET /books/1')).body).toEqual(EMMA)
  })

  it('takes the names of a request in a JSON Merge Patch, and ids of what the record has as objects', async () => {
    const author = object({ id: ID, name: TEXT }, ['id', 'name'])
    const record = object({ id: ID, main_title: TEXT, author })
    const sent = object({ MainTitle: TEXT, author_id: INTEGER })
    const document = toDocument({
      ...collection('authors', { record: author }),
      ...collection('books', {
        record,
        sent,
        items: { patch: { ...takes(sent, MERGE), responses: { 200: returns(record) } } },
      }),
    })
    const authors = ['Jane', 'Frank'].map((name, index) => ({ id: index + 1, name }))
    const { send } = await serve(document, { authors, books: [{ id: 1, main_title: 'Emma', author: authors[0] }] })
    const change = { MainTitle: 'Dune', author_id: 2 }
    expect((await send('PATCH /books/1', change, { 'content-type': MERGE })).body).toEqual({
      id: 1,
      main_title: 'Dune',
      author: authors[1],
    })
  })

  it.each([INTEGER, { type: 'string', format: 'uuid' }, TEXT])('keeps an id of the type %j', async (id) => {
    const [known, other] = id === INTEGER ? [1, 77] : [1, 2].map((last) => `01941f2a-f94d-7c2a-b97d-9b26e462851${last}`)
    const record = object({ id, title: TEXT }, ['id', 'title'])
    const { send } = await serve(books({ record, id }), { books: [{ id: known, title: 'Emma' }] })
    expect((await send(`PUT /books/${known}`, { id: other, title: 'Dune' })).body).toEqual({ id: known, title: 'Dune' })
    expect((await send(`GET /books/${other}`)).status).toBe(404)
  })

  it.each([
    ['PUT', undefined, { name: 'new' }],
    ['PATCH', undefined, { name: 'new' }],
    ['PATCH', MERGE, { name: 'new' }],
    ['PATCH', JSON_PATCH, [{ op: 'replace', path: '/name', value: 'new' }]],
  ])('%s of %s: keeps what is below a record with a new name, and what refers to it', async (method, type, change) => {
    const rack = { rackId: { type: 'string' } }
    const record = object({ name: TEXT, size: TEXT }, ['name'])
    const items = type === undefined ? {} : { patch: { ...takes({}, type), responses: { 200: returns(record) } } }
    const document = toDocument({
      ...collection('racks', { record, id: TEXT, items }),
      ...collection('books', {
        record: object({ id: ID, title: TEXT, ...rack }),
        sent: object({ title: TEXT }),
        prefix: '/racks/{rackId}',
        parents: [inPath('rackId', TEXT)],
      }),
      ...collection('labels', { record: object({ id: ID, ...rack }) }),
    })
    const { mock, send } = await serve(document)
    await send('POST /racks', { name: 'old', size: 'S' })
    await send('POST /racks/old/books', { title: 'Emma' })
    await send('POST /labels', { rackId: 'old' })
    const headers = type === undefined ? {} : { 'content-type': type }
    expect((await send(`${method} /racks/old`, change, headers)).body.name).toBe('new')
    const emma = [{ id: 1, title: 'Emma', rackId: 'new' }]
    for (const name of ['old', 'new']) expect((await send(`GET /racks/${name}/books`)).body).toEqual(emma)
    expect((await send('GET /labels/1')).body.rackId).toBe('new')
    const copy = await serve(document)
    await copy.mock.importState(mock.exportState())
    expect((await copy.send('GET /racks/new/books')).body).toEqual(emma)
    await send('DELETE /racks/new')
    expect((await send('GET /racks/new/books/1')).status).toBe(404)
  })

  it('takes no other list for a JSON Patch', async () => {
    const { send } = await serve(books({ items: { patch: patch('application/json') } }), { books: [EMMA] })
    const { status, body } = await send('PATCH /books/1', [{ title: 'Dune' }])
    expect([status, body]).toEqual([200, EMMA])
  })

  it('removes what a replacement leaves out, but nothing that only the mock sets', async () => {
    const record = object({ id: ID, title: TEXT, note: TEXT, version: { ...INTEGER, readOnly: true } }, [
      'id',
      'title',
      'version',
    ])
    const sent = object({ title: TEXT, note: TEXT }, ['title'])
    const { send } = await serve(books({ record, sent }))
    const { body } = await send('POST /books', { title: 'Emma', note: 'a' })
    expect((await send('PUT /books/1', { title: 'Dune' })).body).toEqual({
      id: 1,
      title: 'Dune',
      version: body.version,
    })
  })

  it('sets what says when it changed', async () => {
    const record = object({
      id: ID,
      title: TEXT,
      createdAt: { ...TIME, readOnly: true },
      updated_on: { type: 'string', format: 'date', readOnly: true },
      modified: { ...INTEGER, readOnly: true },
    })
    const { mock, send } = await serve(books({ record, sent: object({ title: TEXT }) }))
    mock.clock.freeze()
    mock.clock.set('2030-01-01T00:00:00Z')
    const { body } = await send('POST /books', { title: 'Emma' })
    mock.clock.set('2031-01-01T00:00:00Z')
    const changed = { ...body, title: 'Dune', updated_on: '2031-01-01', modified: Date.parse('2031-01-01') / 1000 }
    expect((await send('PATCH /books/1', { title: 'Dune' })).body).toEqual(changed)
    expect(changed.createdAt).toBe('2030-01-01T00:00:00.000Z')
  })
})

describe('deleting', () => {
  it.each([
    ['nothing', { 204: GONE }, 204, undefined],
    ['nothing where the status allows no body', { 204: returns(BOOK) }, 204, undefined],
    ['the record', { 200: returns(BOOK) }, 200, { id: 1, title: 'Emma' }],
    [
      'the record in an envelope',
      { 200: returns(object({ data: BOOK }, ['data'])) },
      200,
      { data: { id: 1, title: 'Emma' } },
    ],
    [
      'its id',
      { 200: returns(object({ id: INTEGER, deleted: { type: 'boolean' } }, ['id', 'deleted'])) },
      200,
      { id: 1, deleted: true },
    ],
    ['an empty object', { 200: returns({ type: 'object' }) }, 200, {}],
  ])('answers with %s', async (_, responses, status, body) => {
    const { send } = await serve(books({ items: { delete: { responses } } }), { books: [{ id: 1, title: 'Emma' }] })
    const deleted = await send('DELETE /books/1')
    expect([deleted.status, deleted.body]).toEqual([status, body])
    expect((await send('GET /books/1')).status).toBe(404)
  })

  it('takes what is below, to any depth, and nothing that has a path of its own', async () => {
    const named = object({ id: ID, name: TEXT })
    const authorId = inPath('authorId')
    const document = toDocument({
      ...collection('authors', { record: named }),
      ...collection('series', { record: named, prefix: '/authors/{authorId}', parents: [authorId] }),
      ...collection('parts', {
        record: named,
        prefix: '/authors/{authorId}/series/{serieId}',
        parents: [authorId, inPath('serieId')],
      }),
      ...collection('books', { record: object({ id: ID, title: TEXT, authorId: INTEGER }) }),
      '/authors/{authorId}/books': {
        parameters: [authorId],
        get: { responses: { 200: returns(list(object({ id: ID, title: TEXT, authorId: INTEGER }))) } },
      },
    })
    const { mock, send } = await serve(document)
    const series = Object.keys(document.paths).find((path) => /series\/\{/.test(path))
    expect(series).toBe('/authors/{authorId}/series/{serieId}')
    for (const name of ['Ann', 'Bob']) await send('POST /authors', { name })
    for (const author of [1, 2]) await send(`POST /authors/${author}/series`, { name: 's' })
    await send('POST /authors/1/series/1/parts', { name: 'p' })
    await send('POST /authors/2/series/2/parts', { name: 'q' })
    await send('POST /books', { title: 'Emma', authorId: 1 })
    expect((await send('GET /authors/1/books')).body).toMatchObject([{ title: 'Emma' }])
    const before = mock.snapshot()
    expect((await send('DELETE /authors/1')).status).toBe(204)
    expect((await send('GET /authors/1/series')).status).toBe(404)
    expect((await send('GET /authors/1/series/1/parts/1')).status).toBe(404)
    expect((await send('GET /authors/2/series/2/parts')).body).toEqual([{ id: 2, name: 'q' }])
    expect((await send('GET /books/1')).body).toEqual({ id: 1, title: 'Emma', authorId: 1 })
    expect(mock.snapshots.take('now').sizes).toEqual({ authors: 1, series: 1, parts: 1, books: 1 })
    mock.restore(before)
    expect((await send('GET /authors/1/series/1/parts')).body).toEqual([{ id: 1, name: 'p' }])
  })
})

describe('parents', () => {
  const named = object({ id: ID, name: TEXT })
  const nested = (errors: Json) =>
    toDocument({
      ...collection('authors', { record: named }),
      ...collection('series', {
        record: named,
        prefix: '/authors/{author}',
        parents: [inPath('author')],
        errors: errors as never,
      }),
    })

  it('must exist where the document declares a 404', async () => {
    const { send } = await serve(nested({ 404: PROBLEM }), { authors: [{ id: 1 }] })
    expect((await send('GET /authors/1/series')).body).toEqual([])
    expect((await send('GET /authors/2/series')).status).toBe(404)
    expect((await send('POST /authors/2/series', { name: 's' })).status).toBe(404)
  })

  it('need not exist elsewhere', async () => {
    const { send } = await serve(nested({ 400: PROBLEM }))
    expect((await send('POST /authors/2/series', { name: 's' })).status).toBe(201)
    expect((await send('GET /authors/2/series')).body).toEqual([{ id: 1, name: 's' }])
    expect((await send('GET /authors/3/series')).body).toEqual([])
    expect((await send('GET /authors/3/series/1')).status).toBe(404)
  })
})

describe('single records', () => {
  const settings = object({ theme: TEXT, size: INTEGER }, ['theme'])
  const single = (more: object) => ({
    get: { responses: { 200: returns(settings), ...ERRORS } },
    put: { ...takes(settings), responses: { 200: returns(settings), ...ERRORS } },
    ...more,
  })

  it('always exist, below each parent', async () => {
    const document = toDocument({
      ...collection('users', { record: object({ id: ID, name: TEXT }) }),
      '/users/{userId}/settings': { parameters: [inPath('userId')], ...single({}) },
    })
    const { send } = await serve(document)
    expect((await send('GET /users/1/settings')).status).toBe(404)
    for (const name of ['Ann', 'Bob']) await send('POST /users', { name })
    const { body } = await send('GET /users/1/settings')
    expect(typeof body.theme).toBe('string')
    expect((await send('GET /users/1/settings')).body).toEqual(body)
    expect((await send('PUT /users/2/settings', { theme: 'dark' })).body).toEqual({ theme: 'dark' })
    expect((await send('GET /users/1/settings')).body).toEqual(body)
    expect((await send('GET /users/2/settings')).body).toEqual({ theme: 'dark' })
  })

  it('can be missing if they can be deleted', async () => {
    const { send } = await serve(
      toDocument({ '/settings': single({ delete: { responses: { 204: GONE, ...ERRORS } } }) }),
    )
    expect((await send('GET /settings')).status).toBe(404)
    expect((await send('PUT /settings', { theme: 'dark' })).body).toEqual({ theme: 'dark' })
    expect((await send('DELETE /settings')).status).toBe(204)
    expect((await send('GET /settings')).status).toBe(404)
  })
})

it('creates a single record with POST where it can be deleted', async () => {
  const account = object({ name: TEXT }, ['name'])
  const document = toDocument({
    '/account': {
      get: { responses: { 200: returns(account), ...ERRORS } },
      post: { ...takes(account), responses: { 201: returns(account), ...ERRORS } },
      delete: { responses: { 204: GONE, ...ERRORS } },
    },
  })
  const { send } = await serve(document)
  expect((await send('GET /account')).status).toBe(404)
  for (const name of ['Ann', 'Bob']) {
    expect(await send('POST /account', { name })).toMatchObject({ status: 201, body: { name } })
    expect((await send('GET /account')).body).toEqual({ name })
  }
})

it('has a collection at the root of the API', async () => {
  const paths = collection('books', { record: BOOK })
  const { send } = await serve(toDocument({ '/': paths['/books'], '/{bookId}': paths['/books/{bookId}'] }))
  expect(await send('POST /', { title: 'Emma' })).toMatchObject({ status: 201, body: { id: 1, title: 'Emma' } })
  expect((await send('GET /1')).body).toEqual({ id: 1, title: 'Emma' })
  expect((await send('DELETE /1')).status).toBe(204)
  expect((await send('GET /1')).status).toBe(404)
})

it('has a record under every text where nobody could know its id, which is a number', async () => {
  const player = object({ PlayerID: INTEGER, name: TEXT }, ['PlayerID', 'name'])
  const item = {
    parameters: [inPath('playerid', TEXT)],
    get: { responses: { 200: returns(player), ...ERRORS } },
    delete: { responses: { 204: GONE } },
  }
  const { send } = await serve(toDocument({ '/players/{playerid}': item }))
  const [ann, bob] = [await send('GET /players/ann'), await send('GET /players/bob')]
  expect([ann.status, bob.status]).toEqual([200, 200])
  expect(ann.body.PlayerID).not.toBe(bob.body.PlayerID)
  expect((await send('GET /players/ann')).body).toEqual(ann.body)
  expect((await send('DELETE /players/ann')).status).toBe(204)
  expect((await send('GET /players/ann')).status).toBe(404)
})

describe('preconditions', () => {
  const ETAG = { headers: { ETag: { schema: TEXT } } }
  const items = {
    get: { responses: { 200: returns(BOOK, ETAG), 304: { description: 'Not modified.' }, ...ERRORS } },
    put: { ...takes(BOOK), responses: { 200: returns(BOOK, ETAG), ...ERRORS } },
  }

  it('compare the ETag of the record', async () => {
    const { send } = await serve(books({ items }), { books: [{ id: 1, title: 'Emma' }] })
    const first = (await send('GET /books/1')).headers.get('etag') ?? ''
    expect(first).toMatch(/^"[0-9a-f]{16}"$/)
    const unchanged = await send('GET /books/1', undefined, { 'if-none-match': `"other", W/${first}` })
    expect([unchanged.status, unchanged.body, unchanged.headers.get('etag')]).toEqual([304, undefined, first])
    const changed = await send('PUT /books/1', { title: 'Dune' }, { 'if-match': first })
    expect([changed.status, changed.headers.get('etag') === first]).toEqual([200, false])
    expect((await send('PUT /books/1', { title: 'Ulysses' }, { 'if-match': first })).status).toBe(412)
    expect((await send('DELETE /books/1', undefined, { 'if-match': first })).status).toBe(412)
    expect((await send('GET /books/1', undefined, { 'if-none-match': first })).body.title).toBe('Dune')
    expect((await send('DELETE /books/1', undefined, { 'if-match': '*' })).status).toBe(204)
  })

  it('compare numbers that a double cannot hold', async () => {
    const record = object({ id: ID, deep: { type: 'object' } })
    const get = { responses: { 200: returns(record, ETAG) } }
    const { send } = await serve(books({ record, items: { get } }), {
      books: [
        { id: 1, deep: { x: 9007199254740993n } },
        { id: 2, deep: { x: 9007199254740995n } },
      ],
    })
    const tags = await Promise.all([1, 2].map(async (id) => (await send(`GET /books/${id}`)).headers.get('etag')))
    expect(new Set([...tags, null]).size).toBe(3)
  })

  it('have no effect where the document has none', async () => {
    const { send } = await serve(books(), { books: [{ id: 1, title: 'Emma' }] })
    expect((await send('PUT /books/1', { title: 'Dune' }, { 'if-match': '"x"' })).status).toBe(200)
  })

  it('create a record only once', async () => {
    const CODE = object({ code: TEXT, title: TEXT }, ['code', 'title'])
    const put = {
      ...takes(CODE),
      parameters: [{ name: 'If-None-Match', in: 'header', schema: TEXT }],
      responses: { 200: returns(CODE), 201: returns(CODE), 412: PROBLEM },
    }
    const { send } = await serve(toDocument(collection('books', { record: CODE, id: TEXT, items: { put } })))
    const book = { code: 'a', title: 'Emma' }
    expect((await send('PUT /books/a', book, { 'if-none-match': '*' })).status).toBe(201)
    expect((await send('PUT /books/a', book, { 'if-none-match': '*' })).status).toBe(412)
  })
})

describe('what is sent as an id and returned as an object', () => {
  const Author = object({ id: ID, name: TEXT }, ['id', 'name'])
  const document = (sent: Json) =>
    toDocument(
      {
        ...collection('authors', { record: ref('Author'), sent: object({ name: TEXT }, ['name']) }),
        ...collection('books', {
          record: object({ id: ID, title: TEXT, author: ref('Author'), editors: list(ref('Author')) }, [
            'id',
            'title',
            'author',
          ]),
          sent,
        }),
      },
      { Author },
    )

  it.each([
    ['by its name', object({ title: TEXT, author: INTEGER, editors: list(INTEGER) }), { author: 2, editors: [1, 2] }],
    [
      'with _id',
      object({ title: TEXT, author_id: INTEGER, editor_ids: list(INTEGER) }),
      { author_id: 2, editor_ids: [1, 2] },
    ],
  ])('is the record that exists: %s', async (_, sent, ids) => {
    const [ann, bob] = [
      { id: 1, name: 'Ann' },
      { id: 2, name: 'Bob' },
    ]
    const { send } = await serve(document(sent), { authors: [ann, bob] })
    const { status, body } = await send('POST /books', { title: 'Emma', ...ids })
    expect([status, body]).toEqual([201, { id: 1, title: 'Emma', author: bob, editors: [ann, bob] }])
    const [property] = Object.keys(ids)
    expect((await send('PATCH /books/1', { [property as string]: 1 })).body.author).toEqual(ann)
  })

  it('is made if it does not exist', async () => {
    const { send } = await serve(document(object({ title: TEXT, author: INTEGER })))
    expect((await send('POST /books', { title: 'Emma', author: 7 })).body).toMatchObject({ author: { id: 7 } })
  })
})

it('takes paths with a trailing slash and with .json', async () => {
  const paths = collection('books', { record: BOOK })
  for (const end of ['/', '.json']) {
    const { send } = await serve(
      toDocument(Object.fromEntries(Object.entries(paths).map(([path, item]) => [path + end, item]))),
    )
    expect((await send(`POST /books${end}`, { title: 'Emma' })).headers.get('location')).toBe(`/books/1${end}`)
    expect((await send(`GET /books/1${end}`)).body).toEqual({ id: 1, title: 'Emma' })
  }
})

it('appends to a list without an item path, and merges by POST on an item', async () => {
  const { send } = await serve(
    toDocument({
      '/events': {
        get: { responses: { 200: returns(list(BOOK)) } },
        post: { ...takes(BOOK), responses: { 201: returns(BOOK) } },
      },
      '/books': {
        get: { responses: { 200: returns(object({ books: list(BOOK) })) } },
        post: { ...takes(BOOK), responses: { 200: returns(BOOK) } },
      },
      '/books/{bookId}': {
        parameters: [inPath('bookId')],
        get: { responses: { 200: returns(BOOK), 404: { description: 'Unknown.', ...content({}) } } },
        post: { ...takes({ ...BOOK, required: [] }), responses: { 200: returns(BOOK) } },
      },
    }),
  )
  expect((await send('POST /events', { title: 'opened' })).status).toBe(201)
  expect((await send('GET /events')).body).toEqual([{ id: 1, title: 'opened' }])
  await send('POST /books', { title: 'Emma', note: 'a' })
  expect((await send('POST /books/1', { title: 'Dune' })).body).toEqual({ id: 1, title: 'Dune', note: 'a' })
  expect((await send('GET /books')).body).toEqual({ books: [{ id: 1, title: 'Dune', note: 'a' }] })
})

it('has bounds also for a document that is given as an object', () => {
  const schema = { oneOf: Array.from({ length: 501 }, (_, index) => ({ title: `c${index}` })) }
  const document = {
    openapi: '3.0.3',
    info: { title: 'Large', version: '1' },
    paths: {},
    components: { schemas: { schema } },
  }
  for (const create of [() => defineService({ document }), () => createMock({ document })]) {
    expect(create).toThrow('/components/schemas/schema/oneOf has 501 oneOf. The maximum is 500.')
  }
})
