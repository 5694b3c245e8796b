import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createMock } from '../../src/engine/mock/create-mock.js'
import { defineService } from '../../src/engine/mock/define-service.js'
import {
  INTEGER,
  inPath,
  type Json,
  list,
  object as objectWith,
  returns,
  TEXT,
  TIME,
  takes,
  toDocument,
} from '../support/small-documents.js'

/* The records that a service without scenarios starts with: generated from its OpenAPI document. */

const uuid = { ...TEXT, format: 'uuid' }

/** Every property is required by default. */
const object = (properties: Json, required = Object.keys(properties)) => objectWith(properties, required)

/** A collection with records of this schema, and the path of one. */
function collection(path: string, record: Json, id: Json): Json {
  const parents = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => inPath(name, {}))
  return {
    [path]: {
      parameters: parents,
      get: { responses: { 200: returns(list(record)) } },
      post: { ...takes(record), responses: { 201: returns(record) } },
    },
    [`${path}/{id}`]: {
      parameters: [...parents, inPath('id', id)],
      get: { responses: { 200: returns(record), 404: { description: 'Unknown.' } } },
    },
  }
}

const author = object({
  id: INTEGER,
  name: TEXT,
  email: { ...TEXT, format: 'email' },
  createdAt: TIME,
  updatedAt: TIME,
})
const pages = { ...INTEGER, minimum: 10, maximum: 900 }
const book = object({ id: uuid, title: TEXT, authorId: INTEGER, pages })
const stars = { ...INTEGER, minimum: 1, maximum: 5 }
const review = object({ id: { ...TEXT, pattern: '^rev_[a-z0-9]{14}$' }, text: TEXT, stars })
const theme = { enum: ['dark', 'light'] }
const settings = { 200: returns(object({ id: INTEGER, theme })) }

const DOCUMENT = toDocument({
  ...collection('/authors', author, INTEGER),
  ...collection('/books', book, uuid),
  ...collection('/books/{bookId}/reviews', review, TEXT),
  '/settings': { get: { responses: settings }, put: { ...takes(object({ theme })), responses: settings } },
})

async function start(document: object = DOCUMENT, options: Json = {}) {
  const service = defineService({ document })
  const mock = createMock(service, options)
  await mock.ready
  const { nextIds: _, specHash: _hash, ...lists } = mock.exportState()
  return { service, mock, lists: lists as Record<string, Json[]> }
}

describe('the records that a document starts with', () => {
  it('are some of every kind, fewer for each parent, and one where there is always one', async () => {
    const { lists } = await start()
    expect(Object.fromEntries(Object.entries(lists).map(([name, { length }]) => [name, length]))).toEqual({
      authors: 10,
      books: 10,
      reviews: 25,
      settings: 1,
    })
  })

  it('conform to their schemas, and have different ids', async () => {
    const { service, mock } = await start()
    for (const { name, record } of service.resources) {
      const records = mock.data[name]?.all() ?? []
      expect(records.flatMap((each) => service.contract.findSchemaViolations(record.pointer, each))).toEqual([])
      expect(new Set(records.map(({ id }) => id)).size).toBe(records.length)
    }
    expect(service.impossibleFields()).toEqual([])
  })

  it.each([
    ['propertyNames', { propertyNames: { pattern: '^[a-z]+$' } }],
    ['dependentRequired', { dependentRequired: { 'x-y': ['missing'] } }],
    ['patternProperties', { patternProperties: { '^x-': { type: 'integer' } } }],
    ['dependentSchemas', { dependentSchemas: { 'x-y': false } }],
  ])('conform to %s, which only Ajv checks', async (_, keyword) => {
    const thing = { ...object({ id: INTEGER, 'x-y': TEXT }, ['id']), ...keyword }
    const { service, lists } = await start({ ...DOCUMENT, paths: collection('/things', thing, INTEGER) })
    expect(lists.things).toHaveLength(10)
    expect(service.impossibleFields()).toEqual([])
    const [{ record } = { record: { pointer: '' } }] = service.resources
    for (const each of lists.things ?? []) {
      expect(service.contract.findSchemaViolations(record.pointer, each)).toEqual([])
    }
  })

  it('refer to records that exist, and belong to parents that exist', async () => {
    const { mock, lists } = await start()
    const authors = lists.authors?.map(({ id }) => id)
    expect(lists.books?.filter(({ authorId }) => !authors?.includes(authorId))).toEqual([])
    const counts = await Promise.all(
      (lists.books ?? []).map(async ({ id }) => {
        const reviews = (await (await mock.fetch(`/books/${id}/reviews`)).json()) as unknown[]
        return reviews.length
      }),
    )
    expect(counts.sort()).toEqual([2, 2, 2, 2, 2, 3, 3, 3, 3, 3])
  })

  it('have ids of their own where they show none, and the parameter of their parent is called id', async () => {
    const note = object({ text: TEXT })
    const parameters = [inPath('id', INTEGER)]
    const paths = {
      ...collection('/books', object({ id: INTEGER }), INTEGER),
      '/books/{id}/notes': {
        parameters,
        get: { responses: { 200: returns(list(note)) } },
        post: { ...takes(note), responses: { 201: returns(note) } },
      },
    }
    const { mock, lists } = await start({ ...DOCUMENT, paths })
    expect(new Set(lists.notes?.map(({ id }) => id)).size).toBe(25)
    expect(await (await mock.fetch('/books/1/notes')).json()).toHaveLength(3)
  })

  it('have no other ids than those that their path lists', async () => {
    const kind = object({ key: TEXT })
    const path = inPath('key', { type: 'string', enum: ['novel', 'poem'] })
    const paths = {
      '/kinds': { get: { responses: { 200: returns(list(kind)) } } },
      '/kinds/{key}': { parameters: [path], get: { responses: { 200: returns(kind) } } },
    }
    const { lists } = await start({ ...DOCUMENT, paths })
    expect(lists.kinds?.map(({ key }) => key)).toEqual(['novel', 'poem'])
  })

  it('have times before now, in sequence', async () => {
    const { lists } = await start()
    for (const { createdAt, updatedAt } of lists.authors ?? []) {
      expect(Date.parse(String(createdAt))).toBeLessThanOrEqual(Date.parse(String(updatedAt)))
      expect(Date.parse(String(updatedAt))).toBeLessThan(Date.UTC(2026, 0, 1))
    }
  })

  it('look like what they are called', async () => {
    const { lists } = await start()
    expect(lists.authors?.[0]).toMatchInlineSnapshot(`
      {
        "createdAt": "2025-07-24T13:04:22Z",
        "email": "leone.christiansen@example.com",
        "id": 1,
        "name": "Samuel Beckett",
        "updatedAt": "2025-11-12T21:13:02Z",
      }
    `)
    expect(lists.books?.[0]).toMatchInlineSnapshot(`
      {
        "authorId": 8,
        "id": "01941f2a-f94d-7e0e-8d3d-bca111f31d19",
        "pages": 635,
        "title": "Les Miserables",
      }
    `)
    expect(new Set(lists.books?.map(({ title }) => title)).size).toBeGreaterThan(7)
  })

  it('are the same for the same seed, and others for another', async () => {
    const [first, same, other] = await Promise.all([start(), start(), start(DOCUMENT, { seed: 2 })])
    expect(same.lists).toEqual(first.lists)
    expect(other.lists).not.toEqual(first.lists)
  })

  it('are of the kinds that have an id, and only those', async () => {
    const kinds = ['a', 'b', 'c'].map((kind) => object({ kind: { enum: [kind] }, name: TEXT }))
    const hook = { oneOf: [...kinds, object({ kind: { enum: ['d'] }, token: TEXT })] }
    const path = { parameters: [inPath('token', TEXT)] }
    const paths = { '/hooks/{token}': { ...path, get: { responses: { 200: returns(hook) } } } }
    const { service, lists } = await start({ ...DOCUMENT, paths })
    expect(service.impossibleFields()).toEqual([])
    expect(new Set(lists.hooks?.map(({ kind }) => kind))).toEqual(new Set(['d']))
  })

  it('leave no record where a schema is impossible, and name it', async () => {
    const thing = object({ id: INTEGER, code: { type: 'string', minLength: 5, maxLength: 2 } })
    const document = { ...DOCUMENT, paths: { ...collection('/things', thing, INTEGER), ...DOCUMENT.paths } }
    const { service, lists } = await start(document)
    expect(lists.things).toEqual([])
    expect(lists.books).toHaveLength(10)
    expect(service.impossibleFields()).toMatchObject([{ resource: 'things', pointer: '/code' }])
  })

  it('have the ids that the document gives as examples in paths, where schemas allow it and clients choose none', async () => {
    const size = object({ slug: { type: 'string', pattern: '^[a-z-]+$' }, name: TEXT })
    const parameter = (name: string, schema: object, given: object) => [
      { name, in: 'path', required: true, schema, ...given },
    ]
    const ok = { responses: { 200: returns(size) } }
    const { lists } = await start({
      ...DOCUMENT,
      paths: {
        '/authors': { get: { responses: { 200: returns(list(author)) } } },
        '/authors/{id}': {
          parameters: parameter('id', { type: 'integer', example: 36804636 }, { example: 3 }),
          get: { responses: { 200: returns(author) } },
        },
        '/sizes': { get: { responses: { 200: returns(list(size)) } } },
        '/sizes/{slug}': {
          parameters: parameter('slug', TEXT, { examples: { a: { value: 'Basic 1' }, b: { value: 'basic-xxs' } } }),
          get: ok,
        },
      },
    })
    expect(lists.authors?.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 36804636])
    const slugs = lists.sizes?.map(({ slug }) => slug)
    expect(slugs).toHaveLength(10)
    expect(slugs).toContain('basic-xxs')
    expect(slugs).not.toContain('Basic 1')
    const { lists: chosen } = await start({
      ...DOCUMENT,
      paths: {
        '/sizes': { post: { ...takes(size), responses: { 201: returns(size) } } },
        '/sizes/{slug}': { parameters: parameter('slug', TEXT, { example: 'basic-xxs' }), get: ok },
      },
    })
    expect(chosen.sizes?.map(({ slug }) => slug)).not.toContain('basic-xxs')
  })

  it('are none in the scenario empty', async () => {
    const { lists } = await start(DOCUMENT, { scenario: 'empty' })
    expect(lists).toEqual({ authors: [], books: [], reviews: [], settings: [] })
  })

  it('are as many as the option sizes says, at the start, at a reset and over HTTP', async () => {
    const count = (lists: object) => Object.values(lists).flatMap((list) => (Array.isArray(list) ? [list.length] : []))
    const { mock, lists } = await start(DOCUMENT, { sizes: { authors: 3, reviews: 7, all: 0 } })
    // Reviews need books.
    expect(count(lists)).toEqual([3, 10, 7, 0])
    await mock.reset({ sizes: { books: 4 } })
    expect(count(mock.exportState())).toEqual([10, 4, 10, 1])
    const init = { method: 'POST', headers: { 'content-type': 'application/json' } }
    const body = JSON.stringify({ sizes: { books: 2, all: 0 } })
    expect((await mock.fetch('/__admin/reset', { ...init, body })).status).toBe(204)
    expect(count(mock.exportState())).toEqual([0, 2, 0, 0])
    const wrong = await mock.fetch('/__admin/reset', { ...init, body: '{"sizes":{"books":-1}}' })
    expect(wrong.status).toBe(400)
  })

  it.each([
    ['an unknown resource', { sizes: { boks: 1 } }, 'Unknown resource "boks". Did you mean "books"?'],
    ['a negative number', { sizes: { books: -1 } }, 'whole numbers'],
    ['a parent that is missing', { sizes: { books: 0, reviews: 5 } }, 'every review needs a book'],
    ['a scenario that is not generated', { sizes: { books: 1 }, scenario: 'empty' }, 'fixed size'],
    ['the name of a resource', { books: 1 }, 'Unknown option "books"'],
  ])('reject %s', async (_, options, message) => {
    await expect(start(DOCUMENT, options)).rejects.toThrow(message)
  })

  it('survive export and import, with the parents that only paths have', async () => {
    const { mock, lists } = await start()
    const { mock: other } = await start(DOCUMENT, { scenario: 'empty' })
    await other.importState(JSON.parse(JSON.stringify(mock.exportState())))
    const { nextIds: _, specHash: _hash, ...imported } = other.exportState()
    expect(imported).toEqual(lists)
  })
})

const SCHEMAS: readonly object[] = [
  TEXT,
  { type: 'string', minLength: 3, maxLength: 9 },
  { type: 'string', pattern: '^[A-Z]{2}-\\d+$' },
  { type: 'string', enum: ['a', 'b'] },
  { type: ['string', 'null'], format: 'uri' },
  { type: 'integer', minimum: -5, maximum: 5, multipleOf: 5 },
  { type: 'number', exclusiveMinimum: 0 },
  { type: 'boolean' },
  { type: 'array', items: TEXT, minItems: 2, uniqueItems: true },
  { oneOf: [object({ kind: { const: 'x' } }), object({ kind: { const: 'y' }, more: INTEGER })] },
  object({ city: TEXT, since: TIME }),
]
const NAMES = ['name', 'title', 'createdAt', 'status', 'tags', 'address', 'price', 'ownerId', 'parentId', 'x-y']

it('conform whatever the schema is', async () => {
  const properties = fc.dictionary(fc.constantFrom(...NAMES), fc.constantFrom(...SCHEMAS), { noNullPrototype: true })
  const idSchema = fc.constantFrom(INTEGER, uuid, TEXT, { type: 'string', pattern: '^[0-9]+$' })
  await fc.assert(
    fc.asyncProperty(properties, properties, idSchema, fc.nat(1000), async (own, inner, id, seed) => {
      const paths = {
        ...collection('/owners', object({ id, ...own }), id),
        ...collection('/owners/{ownerId}/items', object({ id, ...inner }, ['id']), id),
      }
      const { service, mock, lists } = await start({ ...DOCUMENT, paths }, { seed })
      expect(service.impossibleFields()).toEqual([])
      expect(lists.items).toHaveLength(25)
      for (const { name, record } of service.resources) {
        const records = mock.data[name]?.all() ?? []
        expect(records.flatMap((each) => service.contract.findSchemaViolations(record.pointer, each))).toEqual([])
      }
    }),
    { seed: 47, numRuns: 25 },
  )
})
