import { describe, expect, it } from 'vitest'
import { createLibrary } from '../support/library-service.js'

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
    library.override('listBooks', { status: 503 }, { once: true })
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
    expect(library.sandboxes.get('a').data.add('Emil')).toBe(4)
  })

  it('takes and restores snapshots', async () => {
    const library = createLibrary()
    const before = library.snapshot()
    expect(library.snapshots.take('full')).toMatchObject({ name: 'full', sizes: { books: 2 } })
    await library.fetch('/books/1', { method: 'DELETE' })
    expect((await library.fetch('/books/1')).status).toBe(404)
    library.restore(before)
    expect((await library.fetch('/books/1')).status).toBe(200)
    await library.fetch('/books/1', { method: 'DELETE' })
    expect((await library.fetch('/__admin/snapshots/full/restore', { method: 'POST' })).status).toBe(204)
    expect((await library.fetch('/books/1')).status).toBe(200)
  })

  it('resets to its starting data, or to another scenario', async () => {
    const library = createLibrary()
    library.data.add('Emil')
    library.faults.add({ status: 503 })
    library.reset()
    expect(await read(await library.fetch('/books'))).toEqual({ status: 200, body: [EMMA, DUNE] })
    await library.reset({ scenario: 'empty' })
    expect(library.startingData).toEqual({ seed: 1, scenario: 'empty' })
    expect(await read(await library.fetch('/books'))).toEqual({ status: 200, body: [] })
    const reset = await library.fetch('/__admin/reset', { method: 'POST' })
    expect(reset.status).toBe(204)
    expect(await read(await library.fetch('/books'))).toEqual({ status: 200, body: [EMMA, DUNE] })
  })

  it('exports and imports its own state, in process and over HTTP', async () => {
    const library = createLibrary()
    expect(library.exportState()).toEqual({ books: [EMMA, DUNE] })
    library.importState({ books: [{ id: 9, title: 'Emil' }] })
    expect(await read(await library.fetch('/__admin/state'))).toEqual({
      status: 200,
      body: { books: [{ id: 9, title: 'Emil' }] },
    })
    const imported = await library.fetch('/__admin/state', { ...post({ books: [DUNE] }), method: 'PUT' })
    expect(imported.status).toBe(204)
    expect(library.exportState()).toEqual({ books: [DUNE] })
  })
})
