import { describe, expect, it } from 'vitest'
import { compileValidators } from '../../scripts/validators.js'
import type { AnyData } from '../../src/engine/data/data.js'
import { defineService, type OwnContext } from '../../src/engine/define-service.js'
import { createMock, type Mock } from '../../src/engine/mock.js'
import type { AnyServiceTypes, HandlerResponse } from '../../src/engine/service.js'
import type { ServiceOptions } from '../../src/engine/service-options.js'
import type { Id } from '../../src/lib/int64.js'

/* A tiny lending library: a second service for the engine, with its own document and one rule. */

const bookSchema = {
  type: 'object',
  required: ['title'],
  properties: {
    id: { type: 'integer', format: 'int64' },
    title: { type: 'string', minLength: 1 },
    borrower: { type: 'string' },
  },
}

const json = (schema: object) => ({ content: { 'application/json': { schema } } })
const book = { $ref: '#/components/schemas/Book' }
const bookId = { name: 'bookId', in: 'path', required: true, schema: { type: 'integer', format: 'int64' } }
const error = { description: 'Any error.', ...json({ $ref: '#/components/schemas/Error' }) }

const document = {
  openapi: '3.0.3',
  info: { title: 'Library', version: '1.0.0' },
  components: {
    schemas: {
      Book: bookSchema,
      Error: {
        type: 'object',
        required: ['code', 'message', 'status'],
        additionalProperties: false,
        properties: { code: { type: 'string' }, message: { type: 'string' }, status: { type: 'integer' } },
      },
    },
  },
  paths: {
    '/books': {
      get: {
        operationId: 'listBooks',
        parameters: [{ name: 'borrower', in: 'query', schema: { type: 'string', minLength: 1 } }],
        responses: { 200: { description: 'Books.', ...json({ type: 'array', items: book }) }, default: error },
      },
      post: {
        operationId: 'addBook',
        'x-stability': 'experimental',
        requestBody: { required: true, ...json(book) },
        responses: { 201: { description: 'The new book.', ...json(book) }, default: error },
      },
    },
    '/books/{bookId}': {
      get: {
        operationId: 'getBook',
        parameters: [bookId],
        responses: { 200: { description: 'The book.', ...json(book) }, default: error },
      },
      delete: {
        operationId: 'removeBook',
        parameters: [bookId],
        responses: { 204: { description: 'Removed.' }, default: error },
      },
    },
  },
}

const library = defineService<LibraryTypes>({
  document,
  validators: compileValidators(document),
  errors: { BOOK_LENT: 409 },
  operations: {
    removeBook({ record, options, fail }: OwnContext<BookRecord>, standard: () => HandlerResponse) {
      const isLent = record.borrower !== undefined && options.rules === 'on'
      if (isLent) throw fail('BOOK_LENT', `Book ${record.id} is lent to ${record.borrower}.`)
      return standard()
    },
  },
  scenarios: {
    default: {
      books: [
        { id: 1, title: 'Emma', borrower: 'Ada' },
        { id: 2, title: 'Dune' },
      ],
    },
  },
})

interface BookRecord {
  readonly id: Id
  readonly borrower?: string
}

interface LibraryTypes extends AnyServiceTypes {
  readonly options: Partial<ServiceOptions>
  readonly resolvedOptions: ServiceOptions
  readonly data: AnyData
}

function createLibrary(options: Partial<ServiceOptions> = {}): Mock<LibraryTypes> {
  return createMock(library, { validateResponses: true, ...options }).mock
}

const EMMA = { id: 1, title: 'Emma', borrower: 'Ada' }
const DUNE = { id: 2, title: 'Dune' }

const post = (body: unknown): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

async function read(response: Response) {
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
}

describe('a second service in the same engine', () => {
  it('routes requests to its own handlers', async () => {
    const { fetch } = createLibrary()
    expect(await read(await fetch('/books'))).toEqual({ status: 200, body: [EMMA, DUNE] })
    expect(await read(await fetch('/books?borrower=Ada'))).toEqual({ status: 200, body: [EMMA] })
    expect(await read(await fetch('/books/2'))).toEqual({ status: 200, body: DUNE })
    expect(await read(await fetch('/books/2', { method: 'DELETE' }))).toEqual({ status: 204, body: undefined })
    expect(await read(await fetch('/books/2'))).toMatchObject({ status: 404, body: { code: 'BOOK_NOT_FOUND' } })
    expect(await read(await fetch('/pets'))).toMatchObject({ status: 404, body: { code: 'ROUTE_NOT_FOUND' } })
    expect(await read(await fetch('/books', { method: 'PUT' }))).toMatchObject({ status: 405 })
  })

  it('validates requests against its own document', async () => {
    const { fetch } = createLibrary()
    for (const bad of [fetch('/books/01'), fetch('/books?borrower='), fetch('/books', post({ title: '' }))]) {
      expect(await read(await bad)).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST' } })
    }
    const added = await fetch('/books', post({ title: 'Ulysses', unknown: true }))
    expect(await read(added)).toEqual({ status: 201, body: { id: 3, title: 'Ulysses' } })
    expect(added.headers.get('location')).toBe('/books/3')
    expect(added.headers.get('x-stability')).toBe('experimental')
  })

  it('applies fault rules and overrides to its own operations', async () => {
    const library = createLibrary()
    library.faults.add({ operation: 'getBook', code: 'BOOK_NOT_FOUND', times: 1 })
    library.override('listBooks', { status: 503 }, { times: 1 })
    expect(await read(await library.fetch('/books/1'))).toMatchObject({ status: 404, body: { code: 'BOOK_NOT_FOUND' } })
    expect((await library.fetch('/books')).status).toBe(503)
    expect((await library.fetch('/books/1')).status).toBe(200)
    expect(() => library.faults.add({ operation: 'getPet' as never })).toThrow(/getPet/)
    const added = await library.fetch('/__admin/faults', post({ operation: 'listBooks', status: 500 }))
    expect(added.status).toBe(201)
    expect((await library.fetch('/books')).status).toBe(500)
  })

  it('records requests in the journal, coverage and lifecycle warnings', async () => {
    const library = createLibrary()
    await library.fetch('/books', post({ title: 'Emil' }))
    await library.fetch('/books/7')
    expect(library.journal.entries().map(({ operation, status }) => [operation, status])).toEqual([
      ['addBook', 201],
      ['getBook', 404],
    ])
    expect(library.journal.entries({ operation: 'getBook' })[0]?.params).toEqual({ bookId: 7 })
    const { body } = await read(await library.fetch('/__admin/journal?operation=addBook'))
    expect(body.entries).toMatchObject([{ operation: 'addBook', request: { body: { title: 'Emil' } } }])
    expect(library.coverage().summary.operations).toEqual({ total: 4, exercised: 2 })
    expect(library.lifecycleWarnings).toEqual([{ operation: 'addBook', marker: 'experimental', count: 1 }])
  })

  it('isolates sandboxes from the root and from each other', async () => {
    const library = createLibrary()
    const headers = { 'x-petstore-sandbox': 'a' }
    const added = await library.fetch('/books', {
      ...post({ title: 'Ulysses' }),
      headers: { ...post(0).headers, ...headers },
    })
    expect(added.headers.get('location')).toBe('/books/3')
    expect((await library.fetch('/sandbox/a/books/3')).status).toBe(200)
    expect((await library.fetch('/sandbox/b/books/3')).status).toBe(404)
    expect((await library.fetch('/books/3')).status).toBe(404)
    expect(library.sandboxes.list().map(({ name }) => name)).toEqual(['a', 'b'])
    expect(library.sandboxes.open('a').data.books?.create({ title: 'Emil' })).toEqual({ id: 4, title: 'Emil' })
  })

  it('takes and restores snapshots', async () => {
    const library = createLibrary()
    const before = library.snapshot()
    expect(library.snapshots.take('full')).toMatchObject({ name: 'full', sizes: { books: 2 } })
    await library.fetch('/books/2', { method: 'DELETE' })
    expect((await library.fetch('/books/2')).status).toBe(404)
    library.restore(before)
    expect((await library.fetch('/books/2')).status).toBe(200)
    await library.fetch('/books/2', { method: 'DELETE' })
    expect((await library.fetch('/__admin/snapshots/full/restore', { method: 'POST' })).status).toBe(204)
    expect((await library.fetch('/books/2')).status).toBe(200)
  })

  it('resets to its starting data, or to another scenario', async () => {
    const library = createLibrary()
    library.data.books?.create({ title: 'Emil' })
    library.faults.add({ status: 503 })
    library.reset()
    expect(await read(await library.fetch('/books'))).toEqual({ status: 200, body: [EMMA, DUNE] })
    await library.reset({ scenario: 'empty' })
    expect(library.startingData).toEqual({ seed: 1, scenario: 'empty', fixtures: false })
    expect(await read(await library.fetch('/books'))).toEqual({ status: 200, body: [] })
    const reset = await library.fetch('/__admin/reset', { method: 'POST' })
    expect(reset.status).toBe(204)
    expect(await read(await library.fetch('/books'))).toEqual({ status: 200, body: [EMMA, DUNE] })
  })

  it('exports and imports its own state, in process and over HTTP', async () => {
    const library = createLibrary()
    expect(library.exportState()).toMatchObject({ books: [EMMA, DUNE], nextIds: { books: 3 } })
    library.importState({ books: [{ id: 9, title: 'Emil' }] })
    expect(await read(await library.fetch('/__admin/state'))).toMatchObject({
      status: 200,
      body: { books: [{ id: 9, title: 'Emil' }] },
    })
    const imported = await library.fetch('/__admin/state', { ...post({ books: [DUNE] }), method: 'PUT' })
    expect(imported.status).toBe(204)
    expect(library.exportState()).toMatchObject({ books: [DUNE] })
  })
})
