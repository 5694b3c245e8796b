import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createDocumentService } from '../../src/engine/mock/document-service.js'
import { createMock } from '../../src/engine/mock/mock.js'
import { parseYaml } from '../../src/lib/yaml.js'
import { toRecognised } from '../../src/tools/server/recognise-service.js'
import type { Fetch } from '../../src/tools/server/send-request.js'
import { verifyService } from '../../src/tools/verify/verify.js'
import { blocksOf, readPages, titleOf } from '../support/docs-blocks.js'
import { odd } from '../support/odd-documents.js'
import { root } from '../support/packed.js'
import {
  collection,
  content,
  GONE,
  INTEGER,
  inPath,
  inQuery,
  list,
  object,
  PROBLEM,
  ref,
  returns,
  TEXT,
  takes,
  toDocument,
} from '../support/small-documents.js'
import { styles } from '../support/styles-document.js'
import { differencesOf, operationsOf } from '../support/verify.js'

const ID = { ...INTEGER, readOnly: true }
const record = object({ id: ID, name: TEXT, note: TEXT }, ['name'])
const UNAUTHORIZED = { 401: { description: 'Not you.' } }
const header = (name: string, schema: object = TEXT) => ({ name, in: 'header', required: true, schema })
const withHeaders = (name: string, headers: readonly object[], errors: object) => {
  const paths = collection(name, { record, errors: { ...errors } }) as Record<string, Record<string, object>>
  return Object.fromEntries(
    Object.entries(paths).map(([path, item]) => [
      path,
      { ...item, parameters: [...((item.parameters as object[] | undefined) ?? []), ...headers] },
    ]),
  )
}

/** What real documents have, each in a small one. */
const TRAITS: Readonly<Record<string, object>> = {
  'no error has a schema': toDocument(collection('books', { record, errors: { 404: GONE } })),
  'no error is declared': toDocument(collection('books', { record, errors: {} })),
  'only 401 is declared': toDocument(collection('books', { record, errors: UNAUTHORIZED })),
  'errors are problems': toDocument(collection('books', { record, errors: { default: PROBLEM } })),
  'headers are required': toDocument(
    withHeaders('books', [header('Idempotency-Key'), header('X-Version', { ...TEXT, enum: ['2', '3'] })], {
      default: PROBLEM,
    }),
  ),
  'a query is required': toDocument(
    collection('books', { record, query: [{ ...inQuery('shop', { ...INTEGER, minimum: 3 }), required: true }] }),
  ),
  'ids match a pattern': toDocument(
    collection('books', {
      record: object({ id: { ...TEXT, readOnly: true, pattern: '^bk_[0-9a-f]{12}$' }, name: TEXT }, ['name']),
      id: { ...TEXT, pattern: '^bk_[0-9a-f]{12}$' },
    }),
  ),
  'ids have 32 bits, and a maximum': toDocument({
    ...collection('books', { record, id: { ...INTEGER, format: 'int32' } }),
    ...collection('shops', { record, id: { ...INTEGER, minimum: 1, maximum: 9999 } }),
  }),
  'clients choose the id': toDocument(
    collection('books', {
      record: object({ bookId: { ...TEXT, maxLength: 40 }, title: TEXT }, ['bookId', 'title']),
      id: TEXT,
    }),
  ),
  'properties are sent in another type, or never come back': toDocument(
    collection('books', {
      record: object({
        id: ID,
        name: TEXT,
        author: object({ id: INTEGER, name: TEXT }),
        secret: { ...TEXT, writeOnly: true },
      }),
      sent: object({ name: TEXT, author: INTEGER, secret: TEXT }, ['name', 'author', 'secret']),
    }),
  ),
  'bodies are forms': toDocument({
    '/books': {
      get: { responses: { 200: returns(list(record)) } },
      post: { ...takes(record, 'application/x-www-form-urlencoded'), responses: { 201: returns(record) } },
    },
    '/books/{bookId}': { parameters: [inPath('bookId')], get: { responses: { 200: returns(record) } } },
  }),
  'most operations have no state': toDocument({
    ...collection('tasks', { record }),
    '/tasks/{taskId}/complete': { parameters: [inPath('taskId')], post: { responses: { 200: returns(record) } } },
    '/tasks/{taskId}/notes': {
      parameters: [inPath('taskId')],
      get: { responses: { 200: returns(list(record)) } },
      post: { ...takes(record), responses: { 201: returns(record) } },
    },
    '/report': { get: { responses: { 200: { description: 'A table.', ...content(TEXT, 'text/csv') } } } },
    '/search': {
      get: { parameters: [{ ...inQuery('q'), required: true }], responses: { 200: returns(list(record)) } },
    },
    '/settings': {
      get: { responses: { 200: returns(object({ name: TEXT })) } },
      put: { ...takes(object({ name: TEXT })), responses: { 200: returns(object({ name: TEXT })) } },
    },
  }),
  'there is nothing to read': toDocument({
    '/login': { post: { ...takes(record), responses: { 200: returns(record) } } },
  }),
  'values may be null': toDocument(collection('books', { record: ref('Book') }), {
    Book: object({ id: ID, name: TEXT, note: { ...TEXT, nullable: true }, tags: list(TEXT) }, ['name', 'note', 'tags']),
  }),
}

const inDocs = readPages()
  .flatMap(blocksOf)
  .filter(({ code }) => /^openapi: /m.test(code))
  .map((block): [string, object] => [titleOf(block), parseYaml(block.code) as object])

const DOCUMENTS: readonly (readonly [string, object])[] = [
  ...inDocs,
  [
    'the lending library',
    parseYaml(readFileSync(join(root, 'examples/lending-library/library.yaml'), 'utf8')) as object,
  ],
  ['styles', styles],
  ['odd', odd],
  ...Object.entries(TRAITS),
]

/** What the command does with `--document`, for a mock of the same document. */
async function verifyDocument(document: object, allowWrites: boolean, alter?: (fetch: Fetch) => Fetch) {
  const service = createDocumentService(document)
  const { mock } = createMock(service, {})
  await mock.ready
  const inMemory: Fetch = (url, { signal, ...init }) => Promise.resolve(mock.fetch(url, init))
  const fetch = alter?.(inMemory) ?? inMemory
  const checked = { ...toRecognised(service), document: service.document, errorCodes: service.errorCodes }
  return verifyService(checked, { baseUrl: 'http://localhost', headers: [], timeoutMs: 60_000, allowWrites, fetch })
}

describe.each(DOCUMENTS)('a mock of the document: %s', (_, document) => {
  it.each([
    ['read-only', false],
    ['with writes', true],
  ])('has no differences, %s', async (_, allowWrites) => {
    const report = await verifyDocument(document, allowWrites)
    const found = operationsOf(report).flatMap(({ operation, differences }) =>
      differences.map(({ aspect, sent, expected, received }) => ({ operation, aspect, sent, expected, received })),
    )
    expect(found).toStrictEqual([])
    expect(report).toMatchObject({ failed: 0, changed: [] })
    for (const { passed, skipped } of operationsOf(report)) {
      expect(passed.length + skipped.length).toBeGreaterThan(0)
      expect(skipped.filter(({ reason }) => reason === '')).toStrictEqual([])
    }
    expect(report.leftBehind.filter(({ reason }) => !/^the document has no operation/.test(reason))).toStrictEqual([])
  })
})

describe('a service with known faults', () => {
  const books = TRAITS['errors are problems'] as object
  const respond = (status: number, body: object) =>
    new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json' } })

  /** Returns 200 for a new book, lists books without a name, invents those it does not have, takes any name, and fails for null. */
  const faulty =
    (fetch: Fetch): Fetch =>
    async (url, init) => {
      const { method } = init
      if (method === 'POST' && init.body === 'null') return respond(500, { error: 'Cannot read properties of null' })
      const isWrong = method === 'PUT' && /"name":42/.test(String(init.body))
      const response = await fetch(
        url,
        isWrong ? { ...init, body: String(init.body).replace('"name":42', '"name":"42"') } : init,
      )
      if (method === 'POST' && response.status === 201) return respond(200, (await response.json()) as object)
      if (method === 'GET' && /\/books\/\d+$/.test(url) && response.status === 404)
        return respond(200, { id: 9, name: 'None' })
      if (method !== 'GET' || !/\/books(?:\?|$)/.test(url) || response.status !== 200) return response
      return respond(
        200,
        ((await response.json()) as object[]).map((book) => ({ ...book, name: undefined })),
      )
    }

  it('has exactly these', async () => {
    const report = await verifyDocument(books, true, faulty)
    expect(differencesOf(report)).toStrictEqual([
      'GET /books body /*/name',
      'POST /books status 201→200',
      'POST /books status 400→500',
      'GET /books/{bookId} status 404→200',
      'PUT /books/{bookId} status 400→200',
    ])
    expect(report).toMatchObject({ leftBehind: [], changed: [] })
    const [, create] = operationsOf(report)
    expect(create?.differences[1]).toMatchObject({ sent: 'POST /books null', received: '500' })
  })

  it('is reported with the body of a request that had no response', async () => {
    const report = await verifyDocument(
      books,
      true,
      (fetch) => (url, init) =>
        init.body === 'null' && init.method === 'POST' ? Promise.reject(new Error('closed')) : fetch(url, init),
    )
    expect(operationsOf(report).flatMap(({ differences }) => differences)).toMatchObject([
      { aspect: 'response', sent: 'POST /books null' },
    ])
  })

  it('writes no more after a record that verify did not create has changed', async () => {
    let writes = 0
    const report = await verifyDocument(books, true, (fetch) => async (url, init) => {
      if (init.method === 'GET') return fetch(url, init)
      writes += 1
      // The first write goes to a book of the service as well.
      if (writes === 1) await fetch('http://localhost/books/1', { ...init, method: 'PUT' })
      return fetch(url, init)
    })
    expect(report.changed).toMatchObject([{ kind: 'book', id: '1' }])
    const reasons = new Set(operationsOf(report).flatMap(({ skipped }) => skipped.map(({ reason }) => reason)))
    expect(reasons).toStrictEqual(new Set(['a record that verify did not create has changed']))
    expect(writes).toBeLessThan(4)
    expect(report.leftBehind).toHaveLength(writes)
    expect(report.leftBehind[0]?.reason).toBe('a record that verify did not create has changed')
  })
})

it('names what it does not send, and why', async () => {
  const report = await verifyDocument(TRAITS['most operations have no state'] as object, true)
  const skipped = operationsOf(report).flatMap((each) =>
    each.skipped.map(({ reason }) => `${each.operation}: ${reason}`),
  )
  expect([...new Set(skipped)]).toStrictEqual([
    'POST /tasks/{taskId}/complete: the document does not say what POST /tasks/{taskId}/complete changes',
    'POST /tasks/{taskId}/notes: the document does not say what POST /tasks/{taskId}/notes changes',
    'PUT /settings: the document does not say what PUT /settings changes',
  ])
})
