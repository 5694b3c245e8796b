import { beforeAll, expect, it } from 'vitest'
import { defineService, type ServiceDescription } from '../../src/engine/define-service.js'
import { loadContract } from '../../src/engine/load-contract.js'
import type { AnyServiceTypes } from '../../src/engine/service.js'
import { pullHar } from '../../src/remote/pull/pull-har.js'
import { pullService } from '../../src/remote/pull/pull-service.js'
import {
  GONE,
  INTEGER,
  inPath,
  inQuery,
  list,
  object,
  ref,
  returns,
  TEXT,
  toDocument,
} from '../support/small-documents.js'

/* A library that differs from the Pet Store in every way that pull has to know: ids, envelopes, paging, null. */

const document = {
  ...toDocument(
    {
      '/authors': { get: { responses: { 200: returns(list(ref('Author'))) } } },
      '/authors/{handle}': {
        get: { parameters: [inPath('handle', TEXT)], responses: { 200: returns(ref('Author')) } },
      },
      '/books': {
        get: {
          operationId: 'listBooks',
          parameters: [inQuery('page', { ...INTEGER, minimum: 1 }), inQuery('per_page', { ...INTEGER, maximum: 2 })],
          responses: { 200: returns(object({ books: list(ref('Book')) })) },
        },
      },
      '/books/{id}': {
        parameters: [inPath('id', TEXT)],
        get: { responses: { 200: returns(object({ book: ref('Book') })) } },
        delete: { responses: { 204: GONE } },
      },
    },
    {
      Author: object({ handle: TEXT, name: TEXT, born: { ...TEXT, nullable: true } }, ['handle', 'name']),
      Book: object({ id: { ...TEXT, format: 'uuid' }, title: TEXT, writtenBy: TEXT, pages: INTEGER }, [
        'id',
        'title',
        'writtenBy',
      ]),
    },
  ),
  info: { title: 'Library API', version: '1.0.0' },
}

const description = {
  document,
  resources: { authors: { path: '/authors' }, books: { path: '/books', references: { writtenBy: 'authors' } } },
  scenarios: { default: {} },
}
const service = defineService<AnyServiceTypes>(description as ServiceDescription)

beforeAll(() => loadContract(service.contract))

const toBook = (digit: number) => ({
  id: `00000000-0000-4000-8000-00000000000${digit}`,
  title: `Book ${digit}`,
  writtenBy: 'ada',
})
const BOOKS = [1, 2, 3].map(toBook)
const ADA = { handle: 'ada', name: 'Ada', born: null }

function pull(authors: readonly unknown[] | undefined, requests: string[] = []) {
  const fetch = async (address: string) => {
    const { pathname, search, searchParams } = new URL(address)
    requests.push(`${pathname}${search}`)
    if (pathname === '/v1/authors') return authors ? Response.json(authors) : new Response('{}', { status: 404 })
    const [page, size] = [Number(searchParams.get('page')), Number(searchParams.get('per_page'))]
    const books = BOOKS.slice((page - 1) * size, page * size)
    return Response.json({ books: books.map((book) => ({ ...book, pages: null })) })
  }
  const baseUrl = 'https://library.example/v1'
  return pullService({ service, baseUrl, fetch, headers: [], timeoutMs: 1000, maxBytes: 100_000 })
}

it('pulls numbered pages in envelopes, with ids of any kind', async () => {
  const requests: string[] = []
  const { fixture, notes } = await pull([ADA, ADA], requests)
  expect(fixture).toEqual({ authors: [ADA], books: BOOKS })
  expect(notes).toEqual([])
  const pages = [1, 2, 3].map((page) => `/v1/books?per_page=2&page=${page}`)
  expect(requests).toEqual(['/v1/authors', ...pages])
})

it('adds the records that others refer to, if their list is missing', async () => {
  const { fixture, notes } = await pull(undefined)
  expect(fixture.authors).toEqual([{ handle: 'ada', name: 'Author ada' }])
  expect(notes).toEqual([
    'The authors are missing: GET /authors returned 404.',
    'The names of 1 author are not known. They are "Author" and the id.',
  ])
})

it('leaves out records whose reference is unknown', async () => {
  const { fixture, omissions } = await pull([])
  expect(fixture).toEqual({ authors: [], books: [] })
  expect(omissions.books).toMatchObject({ count: 3 })
  expect(omissions.books?.examples[0]).toBe(
    `book ${BOOKS[0]?.id}: /writtenBy refers to author ada, which is not in the fixture`,
  )
})

it('reads recorded traffic', () => {
  const entry = (method: string, target: string, body?: unknown) => ({
    request: { method, url: `https://library.example/v1${target}` },
    response: { status: 200, content: { text: JSON.stringify(body) } },
  })
  const [first, second, third] = BOOKS
  const entries = [
    entry('GET', '/books?page=1', { books: [first, second] }),
    entry('GET', `/books/${third?.id}`, { book: third }),
    entry('DELETE', `/books/${first?.id}`),
    entry('GET', '/authors/ada', ADA),
  ]
  const { fixture } = pullHar({ log: { entries } }, { service, maxBytes: 100_000 })
  expect(fixture).toEqual({ authors: [ADA], books: [second, third] })
  const none = () => pullHar({ log: { entries: [] } }, { service, maxBytes: 100_000 })
  expect(none).toThrow('The file has no response with data of the Library API')
})
