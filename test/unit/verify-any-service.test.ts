import { expect, it } from 'vitest'
import { defineService } from '../../src/engine/define-service.js'
import { createMock } from '../../src/engine/mock.js'
import type { AnyServiceTypes } from '../../src/engine/service.js'
import type { Fetch } from '../../src/remote/send-request.js'
import { verifyService } from '../../src/remote/verify/verify.js'
import {
  collection,
  content,
  INTEGER,
  list,
  object,
  ref,
  returns,
  TEXT,
  toDocument,
} from '../support/small-documents.js'
import { differencesOf, operationsOf } from '../support/verify.js'

/* A library whose authors have UUIDs, and whose books are listed in an envelope. */

const UUID = { ...TEXT, format: 'uuid' }
const error = { description: 'Any error.', ...content(ref('Error')) }
const errors = Object.fromEntries([400, 404, 406, 409, 415, 422].map((status) => [status, error]))
const inEnvelope = { get: { responses: { 200: returns(object({ data: list(ref('Book')) })), ...errors } } }

const document = toDocument(
  {
    ...collection('authors', { record: ref('Author'), id: UUID, errors }),
    ...collection('books', { record: ref('Book'), errors, more: inEnvelope }),
  },
  {
    Author: object({ id: { ...UUID, readOnly: true }, name: TEXT, about: TEXT }, ['name']),
    Book: object(
      {
        id: { ...INTEGER, readOnly: true },
        title: TEXT,
        authorId: UUID,
        binding: { ...TEXT, enum: ['hard', 'soft'] },
      },
      ['title', 'authorId'],
    ),
    Error: object({ code: TEXT, message: TEXT, status: INTEGER }, ['code', 'message', 'status']),
  },
)

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
  expect(operationsOf(report).map(({ operation }) => operation)).toContain('PUT /books/{bookId}')
  expect(await (await mock.fetch('/authors')).json()).toStrictEqual([])
})

it('finds the differences of any service', async () => {
  const { report } = await verifyLibrary((response, { method, url }) =>
    method === 'POST' && url.endsWith('/books') && response.status === 201
      ? new Response(response.body, { status: 200, headers: response.headers })
      : response,
  )
  expect(differencesOf(report)).toStrictEqual(['POST /books status 201→200'])
})
