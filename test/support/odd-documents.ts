import fc from 'fast-check'
import { createMock } from '../../src/engine/mock/create-mock.js'
import { MockError } from '../../src/http/errors.js'
import {
  collection,
  INTEGER,
  inQuery,
  list,
  object,
  PROBLEM,
  ref,
  returns,
  TEXT,
  TIME,
  takes,
} from './small-documents.js'

/* Documents with mistakes and odd names at random places. */

const ANY = { type: 'object', additionalProperties: { type: 'integer' } }

/** Has most of what a document can have, each once. */
export const odd = {
  openapi: '3.1.0',
  info: { title: 'Odd', version: '1' },
  servers: [{ url: '/v1/{region}', variables: { region: { default: 'eu' } } }],
  security: [{ key: [] }],
  tags: [{ name: 'books' }],
  paths: {
    ...collection('books', {
      record: ref('Book'),
      query: [
        { ...inQuery('author', list(TEXT)), style: 'form', explode: false },
        { ...inQuery('limit', { ...INTEGER, minimum: 1, maximum: 50, default: 10 }), required: false },
        { ...inQuery('filter', object({ title: TEXT })), style: 'deepObject', explode: true },
        { name: 'X-Trace', in: 'header', schema: TEXT, examples: { one: { value: 'a' } } },
        { name: 'session', in: 'cookie', schema: TEXT },
        { name: 'search', in: 'query', content: { 'application/json': { schema: object({ text: TEXT }) } } },
      ],
    }),
    '/authors/{authorId}/books': {
      get: { operationId: 'listBooksOf', responses: { 200: returns(object({ data: list(ref('Book')), next: TEXT })) } },
    },
    '/settings': {
      get: { operationId: 'getSettings', responses: { 200: returns(ref('Settings')), default: PROBLEM } },
      put: {
        operationId: 'putSettings',
        security: [{ token: [] }, { key: [] }],
        deprecated: true,
        'x-stability': 'beta',
        ...takes(ref('Settings')),
        responses: { 200: returns(ref('Settings')) },
      },
    },
    '/reports': {
      post: {
        operationId: 'makeReport',
        requestBody: {
          required: true,
          content: {
            'application/json': { schema: ANY, examples: { small: { summary: 'Small', value: { a: 1 } } } },
            'application/x-www-form-urlencoded': {
              schema: object({ ids: list(INTEGER), name: TEXT }),
              encoding: { ids: { style: 'form', explode: true } },
            },
            'multipart/form-data': {
              schema: object({ file: { ...TEXT, format: 'binary' }, data: ANY }),
              encoding: { data: { contentType: 'application/json' } },
            },
          },
        },
        responses: {
          202: {
            description: 'Accepted.',
            headers: { 'X-Count': { schema: INTEGER, example: 3 }, Link: { $ref: '#/components/headers/Link' } },
            content: {
              'application/json': { schema: ref('Report'), examples: { done: { value: { kind: 'sum', total: 1 } } } },
              'application/xml': { schema: ref('Report') },
            },
          },
          '4XX': { $ref: '#/components/responses/Problem' },
        },
      },
    },
  },
  components: {
    schemas: {
      Book: {
        type: 'object',
        required: ['id', 'title'],
        properties: {
          id: { ...INTEGER, format: 'int64', readOnly: true },
          title: { ...TEXT, minLength: 1, maxLength: 20, pattern: '^[a-zA-Z ]+$' },
          kind: { enum: ['novel', 'poem', null] },
          pages: { type: ['integer', 'null'], exclusiveMinimum: 0, maximum: 9999, multipleOf: 1 },
          tags: { ...list(TEXT), minItems: 0, maxItems: 3, uniqueItems: true },
          author: ref('Author'),
          createdAt: { ...TIME, readOnly: true },
          secret: { ...TEXT, writeOnly: true },
          pair: { type: 'array', prefixItems: [INTEGER, TEXT], items: false, contains: INTEGER, minContains: 0 },
          sequel: ref('Book'),
        },
        additionalProperties: false,
        example: { id: 7, title: 'Emma', kind: 'novel' },
      },
      Author: {
        allOf: [
          object({ name: TEXT }, ['name']),
          { properties: { born: { ...TEXT, format: 'date' } }, dependentRequired: { born: ['name'] } },
        ],
      },
      Report: {
        oneOf: [ref('Sum'), ref('Text')],
        discriminator: { propertyName: 'kind', mapping: { sum: '#/components/schemas/Sum', text: 'Text' } },
      },
      Sum: object({ kind: { const: 'sum' }, total: { type: 'number', minimum: 0, default: 1 } }, ['kind', 'total']),
      Text: object({ kind: { const: 'text' }, text: { anyOf: [TEXT, { type: 'null' }] } }, ['kind']),
      Settings: {
        ...object({ theme: { enum: ['light', 'dark'], default: 'light' } }),
        minProperties: 0,
        maxProperties: 5,
        patternProperties: { '^x_': { not: INTEGER } },
        propertyNames: { pattern: '^[a-z_]+$' },
        if: { required: ['theme'] },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
        then: { properties: { theme: TEXT } },
        dependentSchemas: { theme: { type: 'object' } },
      },
    },
    headers: { Link: { schema: TEXT, required: false } },
    responses: { Problem: PROBLEM },
    parameters: { Page: inQuery('page', INTEGER) },
    requestBodies: { Any: { content: { 'application/json': { schema: ANY } } } },
    securitySchemes: {
      key: { type: 'apiKey', in: 'query', name: 'key' },
      token: { type: 'http', scheme: 'bearer' },
    },
  },
}

const ODD_VALUES: readonly unknown[] = [
  ...[null, null, null, null, 5, -1, 1.5, '', 'text', '5', true, false, [], {}, [null], [5], ['text'], [{}], [[]]],
  ...[{ key: [] }, { key: null }, { type: 'object' }, { $ref: '#/components/schemas/Book' }, { $ref: 5 }, ''],
  ...['#/components/schemas/Book', 'object', 'constructor', 1e9, { 'x-a': 1 }, { constructor: {} }],
]

const ODD_NAMES = [
  ...[
    'constructor',
    'toString',
    'hasOwnProperty',
    'valueOf',
    '__defineGetter__',
    'length',
    '0',
    '',
    'x-internal',
    '$ref',
  ],
  ...['then', 'toJSON', 'a/b', 'a~b', 'a b', '{a}', 'id', 'type', 'properties', 'ä', '__proto__'],
]

/** One mistake, at a place that its number chooses. */
const mistake = fc.record({
  place: fc.nat(100_000),
  key: fc.nat(1000),
  act: fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...ODD_VALUES).map((value) => ({ value })) },
    { weight: 2, arbitrary: fc.constantFrom(...ODD_NAMES).map((name) => ({ name })) },
    { weight: 1, arbitrary: fc.constantFrom(...ODD_NAMES).map((added) => ({ added })) },
    { weight: 1, arbitrary: fc.constant({ isGone: true as const }) },
  ),
})

type Mistake = typeof mistake extends fc.Arbitrary<infer M> ? M : never
// biome-ignore lint/suspicious/noExplicitAny: whatever the mistakes have made of it
type Odd = any

function placesIn(value: Odd): Odd[] {
  if (typeof value !== 'object' || value === null) return []
  return [value, ...Object.values(value).flatMap(placesIn)]
}

function setOwn(holder: Odd, name: string, value: unknown): void {
  Object.defineProperty(holder, name, { value, writable: true, enumerable: true, configurable: true })
}

function damage(document: object, { place, key, act }: Mistake): void {
  const places = placesIn(document)
  const holder = places[place % places.length]
  const names = Object.keys(holder)
  const name = names[key % names.length]
  if ('added' in act) {
    if (!Array.isArray(holder)) setOwn(holder, act.added, structuredClone(holder[name ?? ''] ?? null))
  } else if (name === undefined) return
  else if ('value' in act) holder[name] = structuredClone(act.value)
  else {
    const value = holder[name]
    if (Array.isArray(holder)) holder.splice(Number(name), 1)
    else delete holder[name]
    if ('name' in act && !Array.isArray(holder)) setOwn(holder, act.name, value)
  }
}

export const oddDocument = fc.array(mistake, { minLength: 1, maxLength: 4 }).map((mistakes) => {
  const document = structuredClone(odd)
  for (const each of mistakes) damage(document, each)
  return document
})

const BODIES: readonly object[] = [
  { title: 'Emma', author: { name: 'Jane' }, tags: ['a'], pair: [1, 'a'], secret: 'x' },
  { theme: 'dark', constructor: 'x' },
  { ids: [1], name: 'a' },
  { title: 5, theme: 'none', toString: 1 },
  [],
]

const QUERIES = ['', '?limit=2&author=a,b&filter[title]=x&key=a', '?limit=x&constructor=a&toString=b&search=%7B%7D']

/**
 * What is wrong with how a mock treats a document: nothing, if it is refused with reasons, or if each operation responds without
 * failing.
 */
export async function findFailures(document: object): Promise<readonly string[]> {
  let mock: ReturnType<typeof createMock>
  try {
    mock = createMock({ document, security: 'require' } as never)
    await mock.ready
  } catch (error) {
    return error instanceof MockError ? [] : [`start: ${(error as Error).stack}`]
  }
  const headers = { authorization: 'Bearer abc', cookie: 'session=a', 'x-trace': 'a' }
  const failures: string[] = []
  const ask = async (method: string, path: string, more: RequestInit = {}) => {
    const response = await mock.fetch(path, { method, ...more, headers: { ...headers, ...more.headers } })
    const text = await response.text()
    if (response.status >= 500) failures.push(`${method} ${path}: ${response.status} ${text}`)
    return text
  }
  for (const { method, path } of mock.coverage().operations) {
    const target = path.replaceAll(/\{[^}]*\}/g, '1').replaceAll(/[^\w/.-]/g, encodeURIComponent)
    if (!target.startsWith('/')) continue
    for (const query of method === 'GET' ? QUERIES : ['?key=a']) {
      const takesBody = method === 'POST' || method === 'PUT' || method === 'PATCH'
      if (!takesBody) await ask(method, target + query)
      for (const body of takesBody ? BODIES : []) {
        const type = { 'content-type': 'application/json' }
        await ask(method, target + query, { body: JSON.stringify(body), headers: type })
      }
      if (takesBody)
        await ask(method, target + query, { body: new URLSearchParams('ids=1&ids=2&name=a&constructor=b') })
    }
  }
  return failures
}
