import { beforeAll, describe, expect, it } from 'vitest'
import { defineService, type ServiceDescription } from '../../src/engine/mock/define-service.js'
import { loadContract } from '../../src/engine/mock/load-contract.js'
import type { AnyServiceTypes } from '../../src/engine/service.js'
import { pullHar } from '../../src/tools/pull/pull-har.js'
import { pullService } from '../../src/tools/pull/pull-service.js'
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

describe('records that no list of their own has', () => {
  const ORGS = list(object({ id: INTEGER, name: TEXT }, ['id', 'name']))
  const TASK = object({ id: INTEGER, title: TEXT, notes: TEXT }, ['id', 'title'])
  const small = {
    ...toDocument(
      {
        '/orgs': { get: { responses: { 200: returns(ORGS) } } },
        '/orgs/{orgId}': {
          parameters: [inPath('orgId')],
          get: { responses: { 200: returns(object({ id: INTEGER, name: TEXT }, ['id', 'name'])) } },
        },
        '/orgs/{orgId}/tasks': {
          parameters: [inPath('orgId')],
          get: {
            parameters: [inQuery('cursor'), inQuery('limit', INTEGER)],
            responses: {
              200: returns(object({ tasks: list(object({ id: INTEGER, title: TEXT }, ['id'])), nextCursor: TEXT })),
            },
          },
          post: { requestBody: returns(ref('Task')), responses: { 201: returns(ref('Task')) } },
        },
        '/orgs/{orgId}/tasks/{taskId}': {
          parameters: [inPath('orgId'), inPath('taskId')],
          get: { responses: { 200: returns(ref('Task')) } },
          patch: { requestBody: returns(ref('Task')), responses: { 200: returns(ref('Task')) } },
          delete: { responses: { 204: GONE } },
        },
        '/people/{handle}': {
          get: { parameters: [inPath('handle', TEXT)], responses: { 200: returns(ref('Person')) } },
        },
        '/settings': {
          get: { responses: { 200: returns(ref('Settings')) } },
          put: { responses: { 200: returns(ref('Settings')) } },
        },
      },
      { Task: TASK, Person: object({ handle: TEXT }, ['handle']), Settings: object({ theme: TEXT }) },
    ),
    info: { title: 'Small', version: '1' },
  }
  const described = defineService<AnyServiceTypes>({
    document: small,
    scenarios: { default: {} },
  } as ServiceDescription)

  beforeAll(() => loadContract(described.contract))

  const SETTINGS = { theme: 'dark', id: expect.any(String) }

  it('are read from lists below others, page by page, one by one, and alone', async () => {
    const requests: string[] = []
    const bodies: Record<string, unknown> = {
      '/orgs': [1, 2].map((id) => ({ id, name: `Org ${id}` })),
      '/orgs/1/tasks?limit=100': { tasks: [{ id: 1, title: 'One' }], nextCursor: 'b' },
      '/orgs/1/tasks?limit=100&cursor=b': { tasks: [{ id: 2, title: 'Two' }] },
      '/orgs/1/tasks/1': { id: 1, title: 'One', notes: 'Long.' },
      '/settings': { theme: 'dark' },
    }
    const fetch = async (address: string) => {
      const { pathname, search } = new URL(address)
      requests.push(pathname + search)
      const body = bodies[pathname + search]
      return body === undefined ? new Response('{}', { status: 404 }) : Response.json(body)
    }
    const options = { service: described, baseUrl: 'http://localhost', fetch, headers: [], timeoutMs: 1000 }
    const { fixture, notes } = await pullService({ ...options, maxBytes: 10_000 })
    expect(fixture).toEqual({
      orgs: bodies['/orgs'],
      tasks: [
        { id: 1, title: 'One', notes: 'Long.', orgId: '1' },
        { id: 2, title: 'Two', orgId: '1' },
      ],
      people: [],
      settings: [SETTINGS],
    })
    expect(notes).toEqual([
      'The people are missing: no operation lists them.',
      'Some tasks are missing: GET /orgs/2/tasks returned 404.',
    ])
    expect(requests).not.toContain('/people')
  })

  it('are what is said to be missing if nothing can be read', async () => {
    const document = toDocument(
      {
        '/people/{handle}': {
          get: { parameters: [inPath('handle', TEXT)], responses: { 200: returns(ref('Person')) } },
        },
      },
      { Person: object({ handle: TEXT }, ['handle']) },
    )
    const service = defineService<AnyServiceTypes>({ document, scenarios: { default: {} } } as ServiceDescription)
    await loadContract(service.contract)
    const fetch = async () => expect.fail('Nothing to send.')
    const options = { service, baseUrl: 'http://localhost', fetch, headers: [], timeoutMs: 1000, maxBytes: 1000 }
    await expect(pullService(options)).rejects.toThrow(
      'Nothing can be pulled. The people are missing: no operation lists them',
    )
  })

  it('are read from recorded traffic, with what they are below', () => {
    const entry = (method: string, target: string, body?: unknown, status = 200) => ({
      request: { method, url: `https://small.example/v1${target}` },
      response: { status, content: { text: JSON.stringify(body) } },
    })
    const entries = [
      entry('POST', '/orgs/7/tasks', { id: 1, title: 'New', notes: 'Long.' }, 201),
      entry('GET', '/orgs/7/tasks', { tasks: [{ id: 1, title: 'Listed' }] }),
      entry('PATCH', '/orgs/8/tasks/2', { id: 2, title: 'Changed' }),
      entry('GET', '/orgs/8/tasks/3', { id: 3, title: 'Deleted' }),
      entry('DELETE', '/orgs/8/tasks/3', undefined, 204),
      entry('GET', '/people/ada', { handle: 'ada' }),
      entry('GET', '/settings', { theme: 'light' }),
      entry('PUT', '/settings', { theme: 'dark' }),
    ]
    const { fixture, notes } = pullHar({ log: { entries } }, { service: described, maxBytes: 100_000 })
    expect(fixture).toEqual({
      orgs: [7, 8].map((id) => ({ id, name: `Org ${id}` })),
      tasks: [
        { id: 1, title: 'Listed', notes: 'Long.', orgId: '7' },
        { id: 2, title: 'Changed', orgId: '8' },
      ],
      people: [{ handle: 'ada' }],
      settings: [SETTINGS],
    })
    expect(notes).toEqual([
      'Used the responses of https://small.example/v1.',
      'There may be more orgs, tasks and people than were recorded.',
      'The names of 2 orgs are not known. They are "Org" and the id.',
    ])
  })
})
