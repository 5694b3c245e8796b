import { describe, expect, it } from 'vitest'
import { createMock } from '../../src/engine/mock/create-mock.js'
import { type AnyService, defineService, type MockOptions } from '../../src/engine/mock/define-service.js'
import type { Mock } from '../../src/engine/mock/mock.js'
import { parseJson, stringifyJson } from '../../src/lib/json.js'
import { readReproduction, startingOptions } from '../../src/tools/replay/read-reproduction.js'
import { replay } from '../../src/tools/replay/replay.js'
import { library as libraryService } from '../support/library.js'
import { document } from '../support/library-document.js'

async function createLibrary(options: MockOptions = {}): Promise<Mock<AnyService>> {
  const mock = createMock(libraryService, { validateResponses: true, ...options })
  await mock.ready
  return mock
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
    const { fetch } = await createLibrary()
    expect(await read(await fetch('/books'))).toEqual({ status: 200, body: [EMMA, DUNE] })
    expect(await read(await fetch('/books?borrower=Ada'))).toEqual({ status: 200, body: [EMMA] })
    expect(await read(await fetch('/books/2'))).toEqual({ status: 200, body: DUNE })
    expect(await read(await fetch('/books/2', { method: 'DELETE' }))).toEqual({ status: 204, body: undefined })
    expect(await read(await fetch('/books/2'))).toMatchObject({ status: 404, body: { code: 'BOOK_NOT_FOUND' } })
    expect(await read(await fetch('/pets'))).toMatchObject({ status: 404, body: { code: 'ROUTE_NOT_FOUND' } })
    expect(await read(await fetch('/books', { method: 'PUT' }))).toMatchObject({ status: 405 })
  })

  it('has errors of its own shape', async () => {
    const service = defineService({
      document: { ...document, components: { schemas: { ...document.components.schemas, Error: {} } } },
      error: ({ code, message }) => ({ error: { code, message } }),
      scenarios: { default: {} },
    })
    const mock = createMock(service)
    await mock.ready
    const expected = { error: { code: 'BOOK_NOT_FOUND', message: 'No book has the id 7.' } }
    expect(await read(await mock.fetch('/books/7'))).toEqual({ status: 404, body: expected })
    expect(() => mock.data.books?.delete(7)).toThrow('data.books.delete: No book has the id 7.')
  })

  it('validates requests against its own document', async () => {
    const { fetch } = await createLibrary()
    for (const bad of [fetch('/books/01'), fetch('/books?borrower='), fetch('/books', post({ title: '' }))]) {
      expect(await read(await bad)).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST' } })
    }
    const added = await fetch('/books', post({ title: 'Ulysses', unknown: true }))
    expect(await read(added)).toEqual({ status: 201, body: { id: 3, title: 'Ulysses' } })
    expect(added.headers.get('location')).toBe('/books/3')
    expect(added.headers.get('x-stability')).toBe('experimental')
  })

  it('applies fault rules and overrides to its own operations', async () => {
    const library = await createLibrary()
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
    const library = await createLibrary()
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

  it('resets to its starting data, or to another scenario', async () => {
    const library = await createLibrary()
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
    const library = await createLibrary()
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

  it('checks fixtures, and names its own lists and records', async () => {
    const filled = await createLibrary({ fixtures: { books: [{ id: '7', title: 'Emil' }] } })
    expect(filled.data.books?.all()).toEqual([{ id: 7, title: 'Emil' }])
    await expect(createLibrary({ fixtures: { books: [{ id: 1 }], boks: [] } })).rejects.toThrow(
      'The fixture is invalid:\n  /boks is unknown. Available: books, nextIds, description, $schema, specHash.\n' +
        '  /books/0/title is missing: it must be a non-empty string',
    )
    const { fetch } = await createLibrary()
    expect(await read(await fetch('/__admin/state', { ...post({ boks: [] }), method: 'PUT' }))).toMatchObject({
      status: 400,
      body: { message: '/boks is unknown. Did you mean "books"?' },
    })
  })

  it('arranges data with random fields, and rejects what its document does not have', async () => {
    const { data } = await createLibrary()
    const { books } = data
    expect(books?.create()).toMatchObject({ id: 3, title: expect.stringMatching(/./) })
    expect(books?.createMany(2, { title: 'Emil' })).toHaveLength(2)
    books?.delete(2)
    expect(books?.find(2)).toBe(undefined)
    // The rules of the service are for clients.
    books?.delete(1)
    expect(books?.find(1)).toBe(undefined)
    expect(() => books?.create({ titel: 'Emil' })).toThrow('Unknown field "titel". Did you mean "title"?')
  })

  it('has its own admin API', async () => {
    const { fetch } = await createLibrary()
    expect(await read(await fetch('/__admin/data'))).toMatchObject({
      status: 200,
      body: [{ name: 'books', noun: 'book', title: 'Books', create: true, delete: true, id: { kind: 'int64' } }],
    })
    expect(await read(await fetch('/__admin/data/books?borrower=Ada'))).toEqual({ status: 200, body: [EMMA] })
    expect(await read(await fetch('/__admin/data/books?offset=1'))).toEqual({ status: 200, body: [DUNE] })
    expect(await read(await fetch('/__admin/data/books?author=x'))).toMatchObject({ status: 400 })
    expect(await read(await fetch('/__admin/data/books/x'))).toMatchObject({
      status: 422,
      body: { message: 'An id must be a 64-bit integer, but is x.' },
    })
    expect(await read(await fetch('/__admin/scenarios'))).toMatchObject({
      body: [{ name: 'empty' }, { name: 'default' }],
    })
    const { body } = await read(await fetch('/__admin/openapi.json'))
    expect(Object.keys(body.components.schemas.State.properties)).toEqual(['books', 'nextIds', 'specHash'])
    for (const path of ['/__admin/openapi.yaml', '/openapi.yaml']) {
      expect(await (await fetch(path)).text()).toMatch(/^openapi: 3.0.3\n/)
    }
  })

  it('has a clock, events, and matches of what it is asked', async () => {
    const library = await createLibrary()
    const events: string[] = []
    library.events.subscribe(({ type }) => events.push(type))
    library.clock.set('2030-01-01T00:00:00Z')
    library.data.books?.create({ borrower: 'Eve' })
    library.override('listBooks', { status: 200, body: [] }, { match: { query: { borrower: 'Eve' } } })
    expect(await read(await library.fetch('/books?borrower=Eve'))).toEqual({ status: 200, body: [] })
    expect(await read(await library.fetch('/books?borrower=Ada'))).toEqual({ status: 200, body: [EMMA] })
    expect(library.journal.entries()[0]?.at).toMatch(/^2030-01-01/)
    expect(events).toEqual(['state', 'override', 'override', 'request', 'request'])
  })

  it('reports what a test has to know: violations, and rules that nothing used', async () => {
    const library = await createLibrary({ failOn: ['violation'], failOnUnused: true })
    library.faults.add({ operation: 'getBook', status: 503 })
    expect((await library.fetch('/books', post({ title: '' }))).status).toBe(400)
    expect(() => library.check()).toThrow(/POST \/books[\s\S]*getBook|getBook[\s\S]*POST \/books/)
    expect(() => library.check()).not.toThrow()
  })

  it('has the options of every mock', async () => {
    const strict = await createLibrary({ strict: true, requireSandbox: true, rules: 'off' })
    expect(await read(await strict.fetch('/books'))).toMatchObject({ body: { code: 'SANDBOX_REQUIRED' } })
    expect((await strict.fetch('/sandbox/a/books?unknown=1')).status).toBe(400)
    expect((await strict.fetch('/sandbox/a/books/1', { method: 'DELETE' })).status).toBe(204)
    const headers = { prefer: 'code=500' }
    expect((await strict.fetch('/sandbox/a/books', { headers })).status).toBe(500)
    await strict.load('books: [{ id: 5, title: Ulysses }]')
    expect(strict.data.books?.all()).toEqual([{ id: 5, title: 'Ulysses' }])
  })

  it('is repeated by a reproduction, with everything that a test has set', async () => {
    const library = await createLibrary()
    library.clock.set('2030-01-01T00:00:00Z')
    library.faults.add({ operation: 'getBook', status: 503, times: 1 })
    library.override('listBooks', { status: 200, body: [] }, { times: 1 })
    library.data.books?.createMany(2)
    const snapshot = library.snapshot()
    await library.fetch('/books', post({ title: 'Ulysses' }))
    library.restore(snapshot)
    const requests = ['/books/1', '/books/1', '/books', '/books?borrower=Ada'].map((path) => library.fetch(path))
    await Promise.all([...requests, library.fetch('/books/1', { method: 'DELETE' })])

    const reproduction = readReproduction(parseJson(stringifyJson(library.reproduction()) as string), libraryService)
    const other = await createLibrary(startingOptions(reproduction) as MockOptions)
    const report = await replay(other, reproduction, { signal: new AbortController().signal })
    expect(report.requests.map(({ outcome }) => outcome)).toEqual(Array(6).fill('same'))
    expect(other.exportState()).toEqual(library.exportState())
  })
})
