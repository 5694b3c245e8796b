import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { pageFacts } from '../../src/engine/crud/paging.js'
import { createMock } from '../../src/engine/mock/create-mock.js'
import { defineService } from '../../src/engine/mock/define-service.js'
import {
  collection,
  INTEGER,
  inQuery,
  type Json,
  list,
  object,
  returns,
  serve,
  TEXT,
  TIME,
  toDocument,
} from '../support/small-documents.js'

/* Filters, sorting, pages, totals and links of lists, in the styles of real documents. */

const BOOK = object({
  id: { type: 'integer', readOnly: true },
  title: TEXT,
  price: { type: 'number' },
  created_at: TIME,
  tags: list(TEXT),
  archived: { type: 'boolean' },
  author: object({ id: INTEGER, name: TEXT }),
})

const BOOKS = [
  {
    id: 1,
    title: 'Emma',
    price: 5,
    created_at: '2030-01-01T00:00:00Z',
    tags: ['old'],
    author: { id: 1, name: 'Jane' },
  },
  { id: 2, title: 'Dune', price: 9, created_at: '2030-03-01T00:00:00Z', tags: ['new', 'big'], archived: true },
  { id: 3, title: 'Emil', price: 7, created_at: '2030-02-01T00:00:00Z', author: { id: 2, name: 'Erich' } },
  { id: 4, title: 'Ulysses', price: 3, created_at: '2030-04-01T00:00:00Z' },
  { id: 5, title: 'Walden', created_at: '2030-05-01T00:00:00Z' },
]

const serveBooks = (query: readonly Json[], body: Json = list(BOOK), headers: Json = {}) => {
  const more = {
    get: { parameters: query, responses: { 200: returns(body, { headers }), 400: { description: 'Bad.' } } },
  }
  return serve(toDocument(collection('books', { record: BOOK, more })), { books: BOOKS })
}

const ids = (records: readonly { readonly id: number }[]) => records.map(({ id }) => id).join('')

describe('selecting and sorting', () => {
  // Where a time of this zone would be five hours earlier.
  beforeAll(() => vi.stubEnv('TZ', 'Asia/Karachi'))
  afterAll(() => vi.unstubAllEnvs())

  const numbers = (...names: readonly string[]) => names.map((name) => inQuery(name, { type: 'number' }))
  const direction = { type: 'string', enum: ['asc', 'desc'] }

  it.each<[string, readonly Json[], string, string]>([
    ['a property', [inQuery('title')], 'title=Emma', '1'],
    ['in brackets', [inQuery('filter[title]')], 'filter[title]=Emma', '1'],
    ['several values', [inQuery('title', list(TEXT))], 'title=Emma&title=Dune', '12'],
    ['an item of a list', [inQuery('tags')], 'tags=big', '2'],
    ['what is not set as false', [inQuery('archived', { type: 'boolean' })], 'archived=false', '1345'],
    ['every value', [inQuery('title', { type: 'string', enum: ['Emma', 'all'] })], 'title=all', '12345'],
    ['a default', [inQuery('title', { type: 'string', enum: ['Emma', 'Dune'], default: 'Emma' })], '', '1'],
    ['a default that no record need have', [inQuery('title', { type: 'string', default: 'Emma' })], '', '12345'],
    ['a default that is none', [inQuery('title', { type: 'string', default: 'none' })], '', '12345'],
    ['the id of an object', [inQuery('author_id', INTEGER)], 'author_id=2', '3'],
    ['an object', [inQuery('author', INTEGER)], 'author=1', '1'],
    ['a text', [inQuery('q')], 'q=EM', '13'],
    ['a text in a list', [inQuery('search')], 'search=big', '2'],
    ['a minimum and a maximum', numbers('min_price', 'max_price'), 'min_price=5&max_price=7', '13'],
    ['operators', numbers('price[gt]', 'price[lte]'), 'price[gt]=5&price[lte]=9', '23'],
    [
      'times',
      [inQuery('created_after', TIME), inQuery('created_before', TIME)],
      'created_after=2030-01-01T00:00:00Z&created_before=2030-03-01T00:00:00Z',
      '3',
    ],
    ['a time without an offset, which is in UTC', [inQuery('created_since')], 'created_since=2030-05-01T00:00:00', '5'],
    ['a year', [inQuery('created_since')], 'created_since=2031', ''],
    ['a minus sign', [inQuery('sort')], 'sort=-title', '54132'],
    ['a direction after a colon', [inQuery('sort')], 'sort=title:desc', '54132'],
    ['a direction after a comma', [inQuery('sort')], 'sort=title,desc', '54132'],
    ['a direction after a space', [inQuery('orderBy')], 'orderBy=title%20desc', '54132'],
    ['a direction in the name', [inQuery('sort')], 'sort=title_desc', '54132'],
    ['a direction of its own', [inQuery('sort_by'), inQuery('order', direction)], 'sort_by=price&order=desc', '23145'],
    ['sort as a direction', [inQuery('order_by'), inQuery('sort', direction)], 'order_by=title&sort=asc', '23145'],
    ['only a direction', [inQuery('direction', direction)], 'direction=desc', '54321'],
    ['a name in another spelling', [inQuery('sort')], 'sort=-createdAt', '54231'],
    ['a name without its end', [inQuery('sort')], 'sort=created', '13245'],
    ['the first of several', [inQuery('ordering')], 'ordering=-price,title', '23145'],
    ['an unknown property', [inQuery('sort')], 'sort=relevance', '12345'],
  ])('%s', async (_, query, sent, expected) => {
    const { send } = await serveBooks(query)
    const { status, body } = await send(`GET /books?${sent}`)
    expect([status, ids(body)]).toEqual([200, expected])
  })
})

it('selects new records without a parameter, and starting records have its values', async () => {
  const state = inQuery('state', { type: 'string', enum: ['open', 'closed', 'all'], default: 'open' })
  const issue = object({ id: INTEGER, title: TEXT, state: TEXT }, ['id', 'title', 'state'])
  const document = toDocument(collection('issues', { record: issue, sent: object({ title: TEXT }), query: [state] }))
  const { send } = await serve(document)
  await send('POST /issues', { title: 'Slow' })
  expect((await send('GET /issues')).body).toEqual([{ id: 1, title: 'Slow', state: 'open' }])
  const started = createMock(defineService({ document }))
  await started.ready
  const issues = (await (await started.fetch('/issues?state=all')).json()) as readonly { readonly state: string }[]
  expect(new Set(issues.map((each) => each.state))).toEqual(new Set(['open', 'closed']))
})

describe('pages', () => {
  const size = inQuery('limit', { type: 'integer', minimum: 1, maximum: 3 })

  it('have a size within its bounds', async () => {
    const { send } = await serveBooks([size, inQuery('offset', INTEGER)])
    expect(ids((await send('GET /books')).body)).toBe('123')
    expect(ids((await send('GET /books?limit=2&offset=3')).body)).toBe('45')
    expect((await send('GET /books?limit=4')).status).toBe(400)
  })

  it('are the whole list if only a size can be chosen', async () => {
    const { send } = await serveBooks([inQuery('limit', INTEGER)])
    expect([ids((await send('GET /books')).body), ids((await send('GET /books?limit=2')).body)]).toEqual([
      '12345',
      '12',
    ])
  })

  const page = [inQuery('page', INTEGER), inQuery('per_page', INTEGER)]
  const offset = [inQuery('offset', INTEGER), inQuery('limit', INTEGER)]
  const cursor = [inQuery('cursor'), inQuery('limit', INTEGER)]
  const nullable = { type: 'string', nullable: true }
  const URI = { type: 'string', format: 'uri', nullable: true }
  const flag = { type: 'boolean' }
  const data = list(BOOK)
  const numbers = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, INTEGER]))
  const strict = (properties: Json) => object(properties, Object.keys(properties))

  it.each<[string, readonly Json[], Json, string, Json]>([
    [
      'totals',
      page,
      strict({ data, ...numbers('total', 'page', 'per_page', 'total_pages') }),
      'page=2&per_page=2',
      { total: 5, page: 2, per_page: 2, total_pages: 3 },
    ],
    [
      'meta',
      page,
      strict({ data, meta: strict(numbers('total', 'current_page', 'last_page', 'from', 'to')) }),
      'page=2&per_page=2',
      { meta: { total: 5, current_page: 2, last_page: 3, from: 3, to: 4 } },
    ],
    [
      'a page object, from zero',
      [inQuery('page', { type: 'integer', minimum: 0 }), inQuery('size', INTEGER)],
      strict({
        content: data,
        page: strict(numbers('size', 'number', 'totalElements', 'totalPages')),
        last: flag,
        first: flag,
        empty: flag,
        numberOfElements: INTEGER,
      }),
      'page=2&size=2',
      {
        page: { size: 2, number: 2, totalElements: 5, totalPages: 3 },
        last: true,
        first: false,
        empty: false,
        numberOfElements: 1,
      },
    ],
    [
      'count, next and previous',
      offset,
      strict({ count: INTEGER, next: URI, previous: URI, results: data }),
      'offset=3&limit=2',
      { count: 5, next: null, previous: 'http://localhost/books?limit=2&offset=1' },
    ],
    [
      'the next address',
      offset,
      strict({ next: URI, results: data }),
      'limit=2',
      { next: 'http://localhost/books?limit=2&offset=2' },
    ],
    [
      'links',
      page,
      strict({ data, links: object({ self: TEXT, next: TEXT, prev: TEXT, first: TEXT, last: TEXT }) }),
      'page=3&per_page=2',
      {
        links: {
          self: '/books?per_page=2&page=3',
          prev: '/books?per_page=2&page=2',
          first: '/books?per_page=2&page=1',
          last: '/books?per_page=2&page=3',
        },
      },
    ],
    [
      'links as objects',
      page,
      strict({
        _links: object({ next: object({ href: TEXT }), prev: object({ href: TEXT }) }),
        _embedded: strict({ books: data }),
      }),
      'per_page=2',
      { _links: { next: { href: '/books?per_page=2&page=2' } } },
    ],
    [
      'a cursor',
      cursor,
      strict({ data, has_more: flag, next_cursor: nullable }),
      'limit=2',
      { has_more: true, next_cursor: '2' },
    ],
    [
      'no cursor on the last page',
      cursor,
      strict({ data, has_more: flag, next_cursor: nullable }),
      'limit=2&cursor=4',
      { has_more: false, next_cursor: null },
    ],
    [
      'an empty cursor where one is required',
      cursor,
      strict({ data, next_cursor: TEXT }),
      'limit=2&cursor=4',
      { next_cursor: '' },
    ],
    [
      'no token on the last page',
      [inQuery('pageToken'), inQuery('pageSize', INTEGER)],
      object({ books: data, nextPageToken: TEXT }, ['books']),
      'pageToken=4',
      {},
    ],
    [
      'cursors in an object',
      cursor,
      strict({ data, paging: object({ cursors: object({ after: TEXT, before: TEXT }) }) }),
      'limit=2&cursor=2',
      { paging: { cursors: { after: '4', before: '0' } } },
    ],
    [
      'a next page',
      offset,
      strict({
        data,
        next_page: {
          ...strict({ offset: INTEGER, path: TEXT, uri: { type: 'string', format: 'uri' } }),
          nullable: true,
        },
      }),
      'limit=2',
      { next_page: { offset: 2, path: '/books?limit=2&offset=2', uri: 'http://localhost/books?limit=2&offset=2' } },
    ],
    [
      'no next page',
      offset,
      strict({ data, next_page: { ...strict({ offset: INTEGER, path: TEXT }), nullable: true } }),
      'limit=9',
      { next_page: null },
    ],
    [
      'null or nothing on the last page, whatever the example has',
      cursor,
      {
        ...strict({
          data,
          list_metadata: strict({ after: { ...nullable, example: 'x' }, before: { ...nullable, example: 'x' } }),
        }),
        properties: {
          data,
          next: { ...TEXT, example: 'https://books.example/2' },
          '@odata.nextLink': { ...TEXT, example: 'https://books.example/2' },
          next_page: {},
          list_metadata: strict({ after: { ...nullable, example: 'x' }, before: { ...nullable, example: 'x' } }),
          links: { type: 'array', items: object({ rel: TEXT, href: TEXT }), example: [{ rel: 'next', href: 'x' }] },
        },
        required: ['data', 'next_page', 'list_metadata', 'links'],
        example: { data: [], next: 'https://books.example/2' },
      },
      'limit=9',
      {
        next_page: null,
        list_metadata: { after: null, before: null },
        links: ['first', 'last', 'self'].map((rel) => ({ rel, href: '/books?limit=9&cursor=0' })),
      },
    ],
    [
      'past the end where a next page is required',
      offset,
      strict({
        data,
        next: { type: 'string', format: 'uri', example: 'https://books.example/2' },
        next_offset: { ...INTEGER, example: 2 },
        pagination: { ...strict({ next: strict({ href: TEXT }) }), example: { next: { href: 'x' } } },
      }),
      'limit=9',
      { next: 'http://localhost/books?limit=9&offset=5', next_offset: 5, pagination: { next: { href: '' } } },
    ],
    [
      'a number of the next page',
      page,
      strict({ data, next: { type: 'integer', nullable: true } }),
      'per_page=2',
      { next: 2 },
    ],
  ])('in the body: %s', async (_, query, schema, sent, expected) => {
    const { send } = await serveBooks(query, schema)
    const { status, body } = await send(`GET /books?${sent}`)
    const { data: _data, content: _content, results: _results, books: _books, _embedded, ...others } = body
    expect([status, others]).toEqual([200, expected])
  })

  it.each<[string, readonly Json[], readonly string[]]>([
    ['a page number', page, ['per_page=100', 'page=3&per_page=2', 'page=9&per_page=2']],
    ['an offset', offset, ['limit=100', 'offset=4&limit=2', 'offset=9&limit=2']],
    ['a cursor', cursor, ['limit=100', 'cursor=4&limit=2']],
    ['an id', [inQuery('starting_after'), inQuery('limit', INTEGER)], ['limit=100', 'starting_after=5']],
  ])('lead past the end where the last one needs a next address: %s', async (_, query, last) => {
    const { send } = await serveBooks(query, strict({ data, next: { type: 'string', format: 'uri' } }))
    for (const sent of last) {
      const { body } = await send(`GET /books?${sent}`)
      const { pathname, search } = new URL(body.next)
      expect((await send(`GET ${pathname}${search}`)).body.data, body.next).toEqual([])
    }
  })

  it('follow cursors that are ids, in both directions', async () => {
    const { send } = await serveBooks(
      [inQuery('starting_after'), inQuery('ending_before'), inQuery('limit', INTEGER), inQuery('sort')],
      strict({ data, has_more: flag }),
    )
    expect((await send('GET /books?limit=2&starting_after=2')).body).toMatchObject({
      data: [{ id: 3 }, { id: 4 }],
      has_more: true,
    })
    expect((await send('GET /books?limit=2&ending_before=4')).body).toMatchObject({ data: [{ id: 2 }, { id: 3 }] })
    expect((await send('GET /books?limit=2&sort=-id&starting_after=4')).body).toMatchObject({
      data: [{ id: 3 }, { id: 2 }],
    })
    expect((await send('GET /books?starting_after=5')).body).toEqual({ data: [], has_more: false })
    expect((await send('GET /books?starting_after=77')).status).toBe(400)
  })

  it('have totals and positions in headers', async () => {
    const header = { schema: INTEGER }
    const headers = {
      'X-Total': header,
      'X-Total-Pages': header,
      'X-Next-Page': header,
      'X-Prev-Page': header,
      'X-RateLimit-Limit': header,
      'Content-Length': header,
      Link: { schema: TEXT },
    }
    const { send } = await serveBooks([...page, inQuery('expand')], list(BOOK), headers)
    const first = (await send('GET /books?per_page=2&expand=author')).headers
    const named = Object.keys(headers).map((name) => first.get(name))
    expect(named).toEqual([
      '5',
      '3',
      '2',
      null,
      '5000',
      expect.any(String),
      expect.stringContaining('</books?expand=author&per_page=2&page=2>; rel="next"'),
    ])
  })
})

it('leaves out an empty list that must not be empty', async () => {
  const body = object({ data: { ...list(BOOK), minItems: 1 }, meta: object({ total: INTEGER }) })
  const { send } = await serveBooks([inQuery('title')], body)
  expect((await send('GET /books?title=none')).body).not.toHaveProperty('data')
  expect((await send('GET /books?title=Emma')).body.data).toHaveLength(1)
})

it('lists what differs from a record in its own form', async () => {
  const summary = object({ id: INTEGER, title: TEXT, kind: { type: 'string', enum: ['book'] } }, [
    'id',
    'title',
    'kind',
  ])
  const { send } = await serveBooks([], list(summary))
  expect((await send('GET /books')).body[0]).toEqual({ id: 1, title: 'Emma', kind: 'book' })
})

it('has pages of a possible size even where there are no records', () => {
  const page = { offset: 0, size: 0, count: 0, total: 0, firstPage: 1, style: 'page' } as const
  expect(pageFacts({ ...page, toUrl: () => '', toQuery: () => '', origin: undefined })).toMatchObject({
    pagelen: 1,
    count: 0,
    pages: 0,
  })
})
