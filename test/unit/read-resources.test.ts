import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { nameOperations, operationNameOf } from '../../src/document/resources/names.js'
import { readResources } from '../../src/document/resources/read-resources.js'
import type { Resource } from '../../src/document/resources/resource.js'

// --- Little documents ---

type Schema = Readonly<Record<string, unknown>>

const TEXT = { type: 'string' }
const INTEGER = { type: 'integer' }
const INT64 = { type: 'integer', format: 'int64' }

const object = (properties: Schema, required: readonly string[] = []) => ({ type: 'object', required, properties })
const list = (items: Schema) => ({ type: 'array', items })
const json = (schema: Schema) => ({ content: { 'application/json': { schema } } })
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

const answers = (schema: Schema, more: Schema = {}) => ({ responses: { 200: json(schema) }, ...more })
const takes = (schema: Schema, result: Schema = schema) => ({
  requestBody: json(schema),
  responses: { 201: json(result) },
})
const removes = { responses: { 204: { description: 'Gone.' } } }
const inPath = (name: string, schema: Schema) => [{ name, in: 'path', required: true, schema }]
const inQuery = (...names: readonly string[]) => names.map((name) => ({ name, in: 'query', schema: INTEGER }))

const toDocument = (paths: Schema, schemas: Schema = {}, openapi = '3.0.3') => ({
  openapi,
  paths,
  components: { schemas },
})

const read = (paths: Schema, schemas?: Schema, openapi?: string) => readResources(toDocument(paths, schemas, openapi))

function readOne(paths: Schema, schemas?: Schema, openapi?: string): Resource {
  const [resource, ...others] = read(paths, schemas, openapi)
  expect(others.map(({ name }) => name)).toEqual([])
  if (!resource) throw new Error('The document has no resource.')
  return resource
}

/** A collection with its usual operations. */
const crud = (record: Schema, { path = '/books', parameter = 'bookId', sent = record, id = TEXT as Schema } = {}) => ({
  [path]: { get: answers(list(record)), post: takes(sent, record) },
  [`${path}/{${parameter}}`]: {
    parameters: inPath(parameter, id),
    get: answers(record),
    put: takes(sent, record),
    delete: removes,
  },
})

const rolesOf = ({ operations }: Resource) =>
  Object.fromEntries(Object.entries(operations).map(([role, { operationId }]) => [role, operationId]))

const namesOf = (resources: readonly Resource[]) => resources.map(({ name }) => name)

// --- Tests ---

describe('the Pet Store', () => {
  const document = parse(readFileSync('spec/openapi.yaml', 'utf8')) as { paths: Record<string, object> }
  const resources = readResources(document)
  const find = (name: string) => {
    const found = resources.find((resource) => resource.name === name)
    if (!found) throw new Error(`No resource ${name}.`)
    return found
  }

  it('has four resources', () => {
    expect(resources.map(({ name, noun, path, itemPath }) => [name, noun, path, itemPath])).toEqual([
      ['pets', 'pet', '/pets', '/pets/{petId}'],
      ['categories', 'category', '/categories', '/categories/{categoryId}'],
      ['orders', 'order', '/store/orders', '/store/orders/{orderId}'],
      ['inventory', 'inventory', '/store/inventory', '/store/inventory/{petId}'],
    ])
  })

  it('has a role for every operation', () => {
    expect(resources.map(rolesOf)).toEqual([
      { list: 'listPets', create: 'createPet', read: 'getPet', replace: 'updatePet', remove: 'deletePet' },
      {
        list: 'listCategories',
        create: 'createCategory',
        read: 'getCategory',
        replace: 'updateCategory',
        remove: 'deleteCategory',
      },
      { list: 'listOrders', create: 'createOrder', read: 'getOrder', merge: 'updateOrder', remove: 'deleteOrder' },
      { list: 'listInventory', read: 'getInventory', replace: 'updateInventory' },
    ])
    const named = resources.flatMap((resource) => Object.values(rolesOf(resource)))
    expect(named.sort()).toEqual([...nameOperations(document.paths as never).values()].sort())
  })

  it('says where its records and ids are', () => {
    expect(find('pets').record.pointer).toBe('#/components/schemas/Pet')
    expect(find('pets').id).toEqual({
      parameter: 'petId',
      property: ['id'],
      kind: { type: 'int64' },
      isChosen: false,
      isAccepted: false,
      canChange: false,
    })
    expect(find('inventory').id).toMatchObject({ parameter: 'petId', property: ['petId'], isChosen: false })
    expect(find('orders').writable).toEqual(['petId', 'quantity', 'shipDate', 'complete'])
    expect(find('inventory').writable).toEqual(['quantity'])
  })

  it('says what refers to what', () => {
    expect(resources.map(({ references }) => references)).toEqual([
      { categoryId: 'categories' },
      {},
      { petId: 'pets' },
      { petId: 'pets' },
    ])
  })

  it('says how its lists select, sort and cut', () => {
    expect(find('pets').list).toEqual({
      filters: [
        { parameter: 'status', property: 'status' },
        { parameter: 'categoryId', property: 'categoryId' },
        { parameter: 'name', property: 'name' },
      ],
      paging: { style: 'offset', position: 'offset', size: 'limit' },
      sort: 'sort',
    })
  })

  it('says what its operations take and return', () => {
    expect(find('pets').operations.create).toMatchObject({
      status: 201,
      request: { mediaType: 'application/json', envelope: [], schema: { pointer: '#/components/schemas/NewPet' } },
      response: { mediaType: 'application/json', envelope: [], schema: { pointer: '#/components/schemas/Pet' } },
    })
    expect(find('pets').operations.remove).toMatchObject({ operationId: 'deletePet', status: 204 })
    expect(find('pets').operations.list?.headers).toContain('X-Total-Count')
  })
})

describe('roles', () => {
  const book = object({ id: TEXT, title: TEXT })

  it.each<[string, Schema, Record<string, string>]>([
    [
      'a collection',
      crud(book),
      {
        list: 'GET /books',
        create: 'POST /books',
        read: 'GET /books/{bookId}',
        replace: 'PUT /books/{bookId}',
        remove: 'DELETE /books/{bookId}',
      },
    ],
    [
      'a trailing slash',
      { '/books/': { get: answers(list(book)) }, '/books/{id}/': { get: answers(book) } },
      { list: 'GET /books/', read: 'GET /books/{id}/' },
    ],
    [
      '.json at the end',
      { '/books.json': { get: answers(list(book)) }, '/books/{id}.json': { get: answers(book) } },
      { list: 'GET /books.json', read: 'GET /books/{id}.json' },
    ],
    [
      'PUT and PATCH',
      { '/books/{id}': { get: answers(book), put: takes(book), patch: takes(book) } },
      { read: 'GET /books/{id}', replace: 'PUT /books/{id}', merge: 'PATCH /books/{id}' },
    ],
    [
      'POST on an item',
      { '/books/{id}': { get: answers(book), post: takes(book) } },
      { read: 'GET /books/{id}', merge: 'POST /books/{id}' },
    ],
    [
      'POST on an item beside PATCH',
      { '/books/{id}': { get: answers(book), patch: takes(book), post: takes(book) } },
      { read: 'GET /books/{id}', merge: 'PATCH /books/{id}' },
    ],
    [
      'a list without items',
      { '/books': { get: answers(list(book)), post: takes(book) } },
      { list: 'GET /books', create: 'POST /books' },
    ],
    ['a list that is only read', { '/books': { get: answers(list(book)) } }, { list: 'GET /books' }],
    [
      'a single record',
      { '/settings': { get: answers(object({ theme: TEXT })), put: takes(object({ theme: TEXT })), delete: removes } },
      { read: 'GET /settings', replace: 'PUT /settings', remove: 'DELETE /settings' },
    ],
    [
      'a list on the path of an item',
      { '/books': { get: answers(list(book)) }, '/books/{id}': { get: answers(list(book)), delete: removes } },
      { list: 'GET /books', remove: 'DELETE /books/{id}' },
    ],
    [
      'a bulk request',
      { '/books': { get: answers(list(book)), post: takes(list(book)) }, '/books/{id}': { get: answers(book) } },
      { list: 'GET /books', read: 'GET /books/{id}' },
    ],
    [
      'items of items',
      {
        '/things/{type}': { get: answers(list(book)), post: takes(book) },
        '/things/{type}/{id}': { get: answers(book) },
      },
      { list: 'GET /things/{type}', create: 'POST /things/{type}', read: 'GET /things/{type}/{id}' },
    ],
    [
      'an action',
      { ...crud(book), '/books/{id}/publish': { post: takes(book) }, '/books:export': { get: answers(list(book)) } },
      {
        list: 'GET /books',
        create: 'POST /books',
        read: 'GET /books/{bookId}',
        replace: 'PUT /books/{bookId}',
        remove: 'DELETE /books/{bookId}',
      },
    ],
  ])('%s', (_, paths, roles) => {
    expect(rolesOf(readOne(paths))).toEqual(roles)
  })

  it.each<[string, Schema]>([
    ['a command', { '/login': { post: takes(object({ user: TEXT })) } }],
    ['a report', { '/health': { get: answers(object({ status: TEXT })) } }],
    ['a list without ids', { '/days': { get: answers(list(object({ temperature: INTEGER }))) } }],
    ['a list of texts', { '/tags': { get: answers(list(TEXT)) } }],
    ['a file', { '/files/{id}': { get: { responses: { 200: { content: { 'text/csv': { schema: TEXT } } } } } } }],
    ['a path without records', { '/members/{id}': { put: removes, delete: removes } }],
    ['nothing', {}],
  ])('%s has none', (_, paths) => {
    expect(read(paths)).toEqual([])
  })

  it.each<[string, Schema, number, number | undefined]>([
    ['201 before 200', { 200: {}, 201: {} }, 200, 201],
    ['the only one', { 201: {} }, 201, 201],
    ['2XX', { '2XX': {} }, 200, undefined],
    ['default', { default: {} }, 200, undefined],
  ])('status of a replacement: %s', (_, responses, status, createdStatus) => {
    const { operations } = readOne({ '/books/{id}': { get: answers(book), put: { ...takes(book), responses } } })
    expect(operations.replace?.status).toBe(status)
    expect(operations.replace?.created?.status).toBe(createdStatus)
  })
})

describe('ids', () => {
  it.each<[string, string, Schema, readonly string[] | undefined]>([
    ['the name of the parameter', 'isbn', { id: TEXT, isbn: TEXT }, ['isbn']],
    ['another spelling of it', 'book_id', { bookId: TEXT, id: TEXT }, ['bookId']],
    ['id', 'bookId', { name: TEXT, id: TEXT }, ['id']],
    ['the end of the parameter', 'book_gid', { gid: TEXT, name: TEXT }, ['gid']],
    ['the last word of the parameter', 'book_uid', { id: TEXT, uid: TEXT }, ['uid']],
    ['a name rather than an id', 'book_name', { id: TEXT, name: TEXT }, ['name']],
    ['the noun with id', 'id', { bookId: TEXT, title: TEXT }, ['bookId']],
    ['in metadata', 'name', { metadata: object({ name: TEXT }), spec: object({}) }, ['metadata', 'name']],
    ['not that of something else', 'id', { owner: object({ id: TEXT }), title: TEXT }, undefined],
    ['in an object', 'user_id', { user: object({ id: TEXT }), reason: TEXT }, ['user', 'id']],
    ['a usual name', 'book', { slug: TEXT, title: TEXT }, ['slug']],
    ['not an object', 'bookId', { id: object({ value: TEXT }), title: TEXT }, undefined],
  ])('property: %s', (_, parameter, properties, property) => {
    expect(readOne(crud(object(properties), { parameter })).id.property).toEqual(property)
  })

  it('property: no name where the path takes a number', () => {
    const { id } = readOne(crud(object({ name: TEXT, uri: TEXT }), { parameter: 'channel_id', id: INTEGER }))
    expect(id).toMatchObject({ parameter: 'channel_id', kind: { type: 'integer' } })
    expect(id).not.toHaveProperty('property')
  })

  it.each<[string, Schema, object]>([
    ['int64', INT64, { type: 'int64' }],
    ['int64, as the contract marks it', { int64: true }, { type: 'int64' }],
    ['integer', { type: 'integer', minimum: 1 }, { type: 'integer', minimum: 1 }],
    ['int64 that is positive', { ...INT64, minimum: 1 }, { type: 'int64' }],
    [
      'int64 in a range',
      { ...INT64, exclusiveMinimum: 999, exclusiveMaximum: 2000, multipleOf: 10 },
      { type: 'int64', minimum: 1000, maximum: 1999, multipleOf: 10 },
    ],
    ['integer or null in 3.1', { type: ['integer', 'null'] }, { type: 'integer' }],
    ['uuid', { type: 'string', format: 'uuid' }, { type: 'uuid' }],
    ['uuid by example', { type: 'string', example: '123e4567-e89b-12d3-a456-426614174000' }, { type: 'uuid' }],
    ['digits', { type: 'string', pattern: '^(0|[1-9][0-9]*)$' }, { type: 'digits' }],
    ['digits by example', { type: 'string', example: '12345' }, { type: 'digits' }],
    ['some digits', { type: 'string', pattern: '^\\d{6}$' }, { type: 'text', pattern: '^\\d{6}$' }],
    ['prefix', { type: 'string', pattern: '^cus_\\w+$' }, { type: 'text', prefix: 'cus_', pattern: '^cus_\\w+$' }],
    ['prefix by example', { type: 'string', example: 'cus_1a2B' }, { type: 'text', prefix: 'cus_' }],
    ['text', { type: 'string', maxLength: 8 }, { type: 'text', maxLength: 8 }],
    ['a pattern that is no regular expression', { type: 'string', pattern: '(' }, { type: 'text', pattern: '(' }],
  ])('kind: %s', (_, id, kind) => {
    const sent = object({ title: TEXT })
    expect(readOne(crud(object({ id, title: TEXT }), { sent })).id.kind).toEqual(kind)
  })

  it('takes the kind of the parameter if the record has no id', () => {
    expect(readOne(crud(object({ title: TEXT }), { id: INT64 })).id).toEqual({
      parameter: 'bookId',
      kind: { type: 'int64' },
      isChosen: false,
      isAccepted: false,
      canChange: false,
    })
  })

  it.each<[string, string, Schema, boolean]>([
    ['required', 'bookId', object({ id: TEXT }, ['id']), true],
    ['optional', 'bookId', object({ id: TEXT }), false],
    ['read-only', 'bookId', object({ id: { ...TEXT, readOnly: true } }, ['id']), false],
    ['a name', 'username', object({ username: TEXT }), true],
    ['nested', 'name', object({ metadata: object({ name: TEXT }, ['name']) }, ['metadata']), true],
    ['not sent', 'bookId', object({ title: TEXT }), false],
  ])('chosen by the client: %s', (_, parameter, sent, isChosen) => {
    const record = parameter === 'bookId' ? object({ id: TEXT, title: TEXT }) : sent
    expect(readOne(crud(record, { parameter, sent })).id.isChosen).toBe(isChosen)
  })
})

describe('envelopes', () => {
  const book = object({ id: TEXT, title: TEXT })

  it.each<[string, Schema, readonly string[]]>([
    ['none', book, []],
    ['data', object({ data: book }), ['data']],
    ['the noun', object({ book, requestId: TEXT }), ['book']],
    ['two', object({ code: INTEGER, data: object({ book }) }), ['data', 'book']],
    ['any, if there is nothing else', object({ volume: book }), ['volume']],
    ['inherited', { allOf: [object({ ok: TEXT }), object({ result: book })] }, ['result']],
  ])('response: %s', (_, body, envelope) => {
    const { operations, record } = readOne({ '/books/{id}': { get: answers(body), delete: removes } })
    expect(operations.read?.response?.envelope).toEqual(envelope)
    expect(record.schema).toEqual(book)
  })

  it.each<[string, Schema, readonly string[]]>([
    ['none', object({ title: TEXT }), []],
    ['data', object({ data: object({ title: TEXT }) }), ['data']],
    ['the noun', object({ book: object({ title: TEXT }), notify: TEXT }), ['book']],
  ])('request: %s', (_, sent, envelope) => {
    const { operations, writable } = readOne(crud(book, { sent }))
    expect(operations.create?.request?.envelope).toEqual(envelope)
    expect(writable).toEqual(['title'])
  })

  it.each<[string, Schema, readonly string[] | undefined]>([
    ['bare', list(book), []],
    ['data', object({ data: list(book), has_more: TEXT }), ['data']],
    ['the name of the collection', object({ books: list(book), authors: list(object({ name: TEXT })) }), ['books']],
    ['similar to the record', object({ found: list(book), shelves: list(object({ room: TEXT })) }), ['found']],
    ['nested', object({ data: object({ items: list(book) }) }), ['data', 'items']],
    ['embedded', object({ _embedded: object({ books: list(book) }), _links: object({}) }), ['_embedded', 'books']],
    ['no list', object({ total: INTEGER }), undefined],
  ])('list: %s', (_, body, envelope) => {
    const { operations } = readOne({ '/books': { get: answers(body) }, '/books/{id}': { get: answers(book) } })
    expect(operations.list?.response?.envelope).toEqual(envelope)
  })

  it.each<[string, readonly string[], string | undefined]>([
    [
      'JSON first',
      ['text/xml', 'multipart/form-data', 'application/json; charset=utf-8'],
      'application/json; charset=utf-8',
    ],
    ['then other JSON', ['multipart/form-data', 'application/merge-patch+json'], 'application/merge-patch+json'],
    ['then forms', ['multipart/form-data', 'application/x-www-form-urlencoded'], 'application/x-www-form-urlencoded'],
    ['then multipart', ['text/xml', 'multipart/form-data'], 'multipart/form-data'],
    ['any type as JSON', ['*/*'], 'application/json'],
    ['nothing else', ['text/xml'], undefined],
  ])('media type: %s', (_, types, mediaType) => {
    const content = Object.fromEntries(types.map((type) => [type, { schema: book }]))
    const post = { requestBody: { content }, responses: { 201: json(book) } }
    const { operations } = readOne({ '/books': { post }, '/books/{id}': { get: answers(book) } })
    expect(operations.create?.request?.mediaType).toBe(mediaType)
  })
})

describe('references in the document', () => {
  const schemas = {
    Alias: ref('Person'),
    Person: object({ id: TEXT, name: TEXT, friends: list(ref('Person')), home: { ...ref('Home'), readOnly: true } }),
    Home: object({ city: TEXT, owner: ref('Alias') }),
  }

  it('are followed, in circles as well', () => {
    const { record } = readOne(crud(ref('Alias'), { path: '/people' }), schemas)
    const { friends, home } = record.schema.properties ?? {}
    expect(record.pointer).toBe('#/components/schemas/Person')
    expect(friends?.items).toBe(record.schema)
    expect(home?.allOf?.[0]?.properties?.owner).toBe(record.schema)
  })

  it('are followed to parameters, responses, requests and path items', () => {
    const document = {
      ...toDocument({
        '/books': { $ref: '#/components/pathItems/Books' },
        '/books/{id}': { get: answers(ref('Person')) },
      }),
      components: {
        schemas,
        pathItems: {
          Books: {
            get: {
              parameters: [{ $ref: '#/components/parameters/a~1b%20c' }],
              responses: { 200: { $ref: '#/components/responses/People' } },
            },
          },
        },
        parameters: {
          'a/b c': { $ref: '#/components/parameters/Name' },
          Name: { name: 'name', in: 'query', schema: TEXT },
        },
        responses: { People: json(list(ref('Person'))) },
      },
    }
    expect(readResources(document)[0]?.list?.filters).toEqual([{ parameter: 'name', property: 'name' }])
  })

  it.each(['#/components/schemas/Missing', '#/components/schemas/Loop', 'other.json#/Book'])(
    'must lead somewhere: %s',
    ($ref) => {
      const record = object({ id: TEXT, other: { $ref } })
      expect(() => readOne(crud(record), { ...schemas, Loop: ref('Loop') })).toThrow(
        `The OpenAPI document has no ${$ref}`,
      )
    },
  )

  it('reads schemas that are no objects, or invalid', () => {
    const record = object({
      id: TEXT,
      any: true,
      none: null,
      title: { ...TEXT, required: true },
      odd: { type: 3, allOf: 'x' },
    })
    expect(readOne(crud(record), {}, '3.1.0').writable).toEqual(['any', 'none', 'title', 'odd'])
  })

  it('give the pointer of a schema without a name', () => {
    const { record } = readOne({ '/books/{id}': { get: answers(object({ data: object({ id: TEXT }) })) } })
    expect(record.pointer).toBe(
      '#/paths/~1books~1{id}/get/responses/200/content/application~1json/schema/properties/data',
    )
  })
})

describe('what a client can set', () => {
  it.each<[string, Schema, readonly string[]]>([
    ['what it sends', object({ title: TEXT }), ['title']],
    ['not what is read-only', object({ title: TEXT, pages: { ...INTEGER, readOnly: true } }), ['title']],
    ['not the id', object({ id: TEXT, title: TEXT }), ['title']],
    ['nor what a record does not have', object({ title: TEXT, notify: TEXT }), ['title']],
    ['any choice', { oneOf: [object({ title: TEXT }), object({ pages: INTEGER })] }, ['title', 'pages']],
  ])('%s', (_, sent, writable) => {
    expect(readOne(crud(object({ id: TEXT, title: TEXT, pages: INTEGER }), { sent })).writable).toEqual(writable)
  })
})

describe('lists', () => {
  it.each<[string, readonly string[], object]>([
    ['pages', ['page', 'per_page'], { paging: { style: 'page', position: 'page', size: 'per_page', firstPage: 1 } }],
    ['brackets', ['page[number]', 'page[size]'], { paging: { position: 'page[number]', size: 'page[size]' } }],
    ['offsets', ['skip', 'limit'], { paging: { style: 'offset', position: 'skip', size: 'limit' } }],
    [
      'cursors',
      ['starting_after', 'limit'],
      { paging: { style: 'cursor', position: 'starting_after', size: 'limit' } },
    ],
    ['sorting', ['sort_by'], { sort: 'sort_by' }],
    [
      'filters',
      ['author_id', 'title', 'unknown'],
      {
        filters: [
          { parameter: 'author_id', property: 'authorId' },
          { parameter: 'title', property: 'title' },
        ],
      },
    ],
  ])('%s', (_, names, parameters) => {
    const record = object({ id: TEXT, title: TEXT, authorId: TEXT })
    const get = answers(list(record), { parameters: inQuery(...names) })
    expect(readOne({ '/books': { get } }).list).toMatchObject(parameters)
  })

  it.each<[Schema, object]>([
    [
      { type: 'integer', minimum: 0 },
      { style: 'page', firstPage: 0 },
    ],
    [
      { type: 'integer', default: 1 },
      { style: 'page', firstPage: 1 },
    ],
    [{ type: 'string' }, { style: 'cursor' }],
  ])('page of %o', (schema, paging) => {
    const parameters = [{ name: 'page', in: 'query', schema }, ...inQuery('limit')]
    expect(
      readOne({ '/books': { get: answers(list(object({ id: TEXT })), { parameters }) } }).list?.paging,
    ).toMatchObject(paging)
  })
})

describe('relations', () => {
  const author = object({ id: INT64, name: TEXT })
  const authors = crud(author, { path: '/authors', parameter: 'authorId' })

  it.each<[string, Schema, Record<string, string>]>([
    ['authorId', INT64, { authorId: 'authors' }],
    ['author_id', INT64, { author_id: 'authors' }],
    ['author', INT64, { author: 'authors' }],
    ['author', TEXT, {}],
    ['authorId', TEXT, {}],
    ['author', author, {}],
    ['readerId', INT64, {}],
  ])('property %s of type %o', (name, schema, references) => {
    const books = read({ ...authors, ...crud(object({ id: TEXT, [name]: schema })) })[1]
    expect(books?.references).toEqual(references)
  })

  it('does not take the id of a record for a reference to a namesake', () => {
    const nested = crud(object({ bookId: TEXT }), { path: '/shelves/{shelf}/books' })
    expect(read({ ...crud(object({ bookId: TEXT })), ...nested }).map(({ references }) => references)).toEqual([{}, {}])
  })

  it('finds the parents of a nested collection', () => {
    const book = object({ id: TEXT, authorId: INT64 })
    const nested = crud(book, { path: '/shops/{shop}/authors/{author_id}/books' })
    const books = read({ ...crud(author, { path: '/shops/{shop}/authors', parameter: 'id' }), ...nested })[1]
    expect(books?.parents).toEqual([
      { parameter: 'shop' },
      { parameter: 'author_id', resource: 'authors', property: 'authorId' },
    ])
  })
})

it('takes no list for the parents if its ids are of another kind', () => {
  const pack = object({ id: { type: 'integer' }, type: { type: 'string', enum: ['npm', 'maven'] }, name: TEXT })
  const all = { '/packages': { get: answers(list(ref('Pack'))) } }
  const nested = crud(ref('Pack'), { path: '/packages/{type}', parameter: 'name' })
  const packs = read({ ...all, ...nested }, { Pack: pack }).find(({ path }) => path === '/packages/{type}')
  expect(packs?.parents).toEqual([{ parameter: 'type', property: 'type' }])
})

describe('records that two paths lead to', () => {
  const book = object({ id: TEXT, title: TEXT, shelf: TEXT })
  const items = { '/books/{bookId}': { get: answers(ref('Book')) } }
  const lists = { get: answers(list(ref('Book'))) }
  const all = { '/books': lists, ...items }
  const creates = { ...lists, post: takes(ref('Book')) }

  it.each<[string, Schema, string | undefined]>([
    ['made on a nested path', { ...all, '/rooms/{room}/books': creates }, 'books'],
    ['listed by a property', { ...all, '/shelves/{shelf}/books': lists }, 'books'],
    ['listed below others', { ...all, '/rooms/{room}/books': lists }, 'books'],
    ['listed by nothing we know', { '/books': lists, '/rooms/{room}/books': lists }, undefined],
    ['found in another way', { ...items, '/books/findByTitle': lists }, 'books'],
    ['two complete collections', { ...crud(ref('Book')), ...crud(ref('Book'), { path: '/old/books' }) }, undefined],
  ])('%s', (_, paths, storedIn) => {
    expect(read(paths, { Book: book })[1]?.storedIn).toBe(storedIn)
  })

  it.each(['/rooms/{room}/books', '/shelves/{shelf}/books'])('are one collection if only %s lists them', (path) => {
    const books = readOne({ ...items, [path]: creates }, { Book: book })
    expect(books).toMatchObject({ name: 'books', path, itemPath: '/books/{bookId}', itemParameters: [] })
    expect(Object.keys(books.operations)).toEqual(['list', 'create', 'read'])
  })
})

describe('names', () => {
  it.each<[string, string, string]>([
    ['/store/blog-posts', 'blogPosts', 'blog post'],
    ['/custom_fields', 'customFields', 'custom field'],
    ['/Accounts.json', 'accounts', 'account'],
    ['/addresses', 'addresses', 'address'],
    ['/databases', 'databases', 'database'],
    ['/statuses', 'statuses', 'status'],
    ['/people', 'people', 'person'],
    ['/sizes', 'sizes', 'size'],
    ['/apis', 'apis', 'api'],
    ['/news', 'news', 'news'],
    ['/1-clicks', '_1Clicks', '1 click'],
  ])('%s', (path, name, noun) => {
    expect(readOne({ [path]: { get: answers(list(object({ id: TEXT }))) } })).toMatchObject({ name, noun })
  })

  it('are unique; the shortest path keeps the short one', () => {
    const paths = [
      '/v1/owners/{id}/books',
      '/books',
      '/v2/owners/{id}/books',
      '/owners/{id}/books',
      '/{a}/books',
      '/{a}/{b}/books',
    ]
    const get = answers(list(object({ id: TEXT })))
    expect(namesOf(read(Object.fromEntries(paths.map((path) => [path, { get }]))))).toEqual([
      'v1OwnersBooks',
      'books',
      'v2OwnersBooks',
      'ownersBooks',
      'books2',
      'books3',
    ])
  })

  it('of operations are their ids, or method and path', () => {
    expect(operationNameOf('get', '/books/{id}', { operationId: 'getBook' })).toBe('getBook')
    expect(operationNameOf('get', '/books/{id}', {})).toBe('GET /books/{id}')
    const operation = { operationId: 'same' }
    expect([...nameOperations({ '/a': { get: operation }, '/b': { get: operation } })]).toEqual([
      ['GET /a', 'same'],
      ['GET /b', 'GET /b'],
    ])
  })
})
