import { expect, it } from 'vitest'
import { defineService } from '../../src/engine/define-service.js'
import { createMock } from '../../src/engine/mock.js'
import type { AnyServiceTypes } from '../../src/engine/service.js'
import type { Fetch } from '../../src/remote/send-request.js'
import { verifyService } from '../../src/remote/verify/verify.js'
import { differencesOf, operationsOf } from '../support/verify.js'

/* A library whose authors have UUIDs, and whose books are listed in an envelope. */

const json = (schema: object) => ({ content: { 'application/json': { schema } } })
const error = { description: 'Any error.', ...json({ $ref: '#/components/schemas/Error' }) }
const errors = Object.fromEntries([400, 404, 406, 409, 415, 422].map((status) => [status, error]))

function crud(noun: string, list: object, id: object) {
  const record = { $ref: `#/components/schemas/${noun}` }
  const named = { name: `${noun.toLowerCase()}Id`, in: 'path', required: true, schema: id }
  const sent = { requestBody: { required: true, ...json(record) } }
  const path = `/${noun.toLowerCase()}s`
  return {
    [path]: {
      get: { operationId: `list${noun}s`, responses: { 200: { description: 'All.', ...json(list) }, ...errors } },
      post: {
        operationId: `add${noun}`,
        ...sent,
        responses: { 201: { description: 'It.', ...json(record) }, ...errors },
      },
    },
    [`${path}/{${named.name}}`]: {
      parameters: [named],
      get: { operationId: `get${noun}`, responses: { 200: { description: 'It.', ...json(record) }, ...errors } },
      put: {
        operationId: `set${noun}`,
        ...sent,
        responses: { 200: { description: 'It.', ...json(record) }, ...errors },
      },
      delete: { operationId: `remove${noun}`, responses: { 204: { description: 'Gone.' }, ...errors } },
    },
  }
}

const uuid = { type: 'string', format: 'uuid' }
const integer = { type: 'integer' }
const text = { type: 'string' }
const object = (required: string[], properties: object) => ({ type: 'object', required, properties })

const document = {
  openapi: '3.0.3',
  info: { title: 'Library', version: '1.0.0' },
  components: {
    schemas: {
      Author: object(['name'], { id: { ...uuid, readOnly: true }, name: text, about: text }),
      Book: object(['title', 'authorId'], {
        id: { ...integer, readOnly: true },
        title: text,
        authorId: uuid,
        binding: { type: 'string', enum: ['hard', 'soft'] },
      }),
      Error: object(['code', 'message', 'status'], { code: text, message: text, status: integer }),
    },
  },
  paths: {
    ...crud('Author', { type: 'array', items: { $ref: '#/components/schemas/Author' } }, uuid),
    ...crud('Book', object([], { data: { type: 'array', items: { $ref: '#/components/schemas/Book' } } }), integer),
  },
}

const library = defineService<AnyServiceTypes>({
  document,
  resources: { books: { path: '/books', references: { authorId: 'authors' } } },
  scenarios: { default: {} },
})

async function verifyLibrary(alter: (response: Response, request: Request) => Response = (response) => response) {
  const { mock } = createMock(library, {})
  await mock.ready
  const fetch: Fetch = async (url, { signal, ...init }) => alter(await mock.fetch(url, init), new Request(url, init))
  const { contract, resources, errorCodes } = library
  const verified = { description: 'a library', document, contract, resources, errorCodes, checks: [] }
  const options = { baseUrl: 'http://localhost', headers: [], timeoutMs: 60_000, allowWrites: true, fetch }
  return { mock, report: await verifyService(verified, options) }
}

it('checks any service, and deletes what it created there', async () => {
  const { mock, report } = await verifyLibrary()
  expect(
    operationsOf(report).flatMap(({ operation, differences }) => differences.map((each) => ({ operation, ...each }))),
  ).toStrictEqual([])
  expect(report).toMatchObject({ failed: 0, skipped: 0, leftBehind: [], changed: [] })
  expect(operationsOf(report).map(({ operation }) => operation)).toContain('setBook')
  expect(await (await mock.fetch('/authors')).json()).toStrictEqual([])
})

it('finds the differences of any service', async () => {
  const { report } = await verifyLibrary((response, { method, url }) =>
    method === 'POST' && url.endsWith('/books') && response.status === 201
      ? new Response(response.body, { status: 200, headers: response.headers })
      : response,
  )
  expect(differencesOf(report)).toStrictEqual(['addBook status 201→200'])
})
