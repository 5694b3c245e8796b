import { describe, expect, it } from 'vitest'
import { createMemoryModels, memoryOf } from '../../src/engine/operations/memory.js'
import type { AnyCollections } from '../../src/engine/resources/additions.js'
import { buildBaseStore, createStore } from '../../src/engine/store/store.js'
import { runNow } from '../../src/lib/steps.js'
import {
  collection,
  ERRORS,
  GONE,
  inPath,
  object,
  ref,
  returns,
  serve,
  TEXT,
  takes,
  toDocument,
} from '../support/small-documents.js'

/* What operations remember beside records: idempotency keys, and what is set and cleared. */

const header = (name: string, description = '') => ({ name, in: 'header', description, schema: TEXT })
const notes = collection('notes', { record: ref('Note'), sent: object({ text: TEXT }, ['text']), id: TEXT })
const errors = (...statuses: number[]) => Object.fromEntries(statuses.map((status) => [status, { description: 'No.' }]))

const { mock, send } = await serve(
  toDocument(
    {
      ...notes,
      '/orders': {
        post: {
          parameters: [
            header('X-Request-Ref', 'An idempotency key.'),
            header('X-Trace', 'Idempotent requests may share one.'),
          ],
          ...takes(object({ text: TEXT, idempotency_key: TEXT })),
          responses: { 201: returns(object({ id: TEXT, text: TEXT }, ['id'])), ...errors(400, 409) },
        },
        get: { responses: { 200: returns({ type: 'array', items: object({ id: TEXT, text: TEXT }, ['id']) }) } },
      },
      '/notes/{noteId}/star': {
        parameters: [inPath('noteId', TEXT)],
        get: { responses: { 204: GONE, 404: GONE } },
        put: { responses: { 204: GONE, ...ERRORS } },
        delete: { responses: { 204: GONE, ...ERRORS } },
      },
    },
    { Note: object({ id: TEXT, text: TEXT }, ['id', 'text']) },
  ),
)

const idempotent = (key: string) => ({ 'Idempotency-Key': key })

describe('an idempotency key', () => {
  it('gets the first response again, and an error with another body', async () => {
    const first = await send('POST /notes', { text: 'a' }, idempotent('1'))
    expect(first.status).toBe(201)
    const again = await send('POST /notes', { text: 'a' }, idempotent('1'))
    expect([again.status, again.body, again.headers.get('location')]).toEqual([
      201,
      first.body,
      first.headers.get('location'),
    ])
    expect((await send('GET /notes')).body.filter(({ text }: { text: string }) => text === 'a')).toHaveLength(1)
    expect((await send('POST /notes', { text: 'b' }, idempotent('1'))).status).toBe(422)
    expect((await send('POST /notes', { text: 'a' }, idempotent('2'))).body.id).not.toBe(first.body.id)
  })

  it('may be in a header or a property that the document describes so', async () => {
    const [first, again] = [
      await send('POST /orders', { text: 'a' }, { 'x-request-ref': 'r' }),
      await send('POST /orders', { text: 'a' }, { 'x-request-ref': 'r' }),
    ]
    expect(again?.body).toEqual(first?.body)
    expect((await send('POST /orders', { text: 'b' }, { 'x-request-ref': 'r' })).status).toBe(409)
    const keyed = { text: 'c', idempotency_key: 'k' }
    expect((await send('POST /orders', keyed)).body).toEqual((await send('POST /orders', keyed)).body)
  })

  it('is in no other header', async () => {
    const trace = { 'x-trace': 't' }
    const first = await send('POST /orders', { text: 'a' }, trace)
    expect((await send('POST /orders', { text: 'a' }, trace)).body.id).not.toBe(first.body.id)
  })

  it('does not keep a large response', async () => {
    const text = 'a'.repeat(70_000)
    const first = await send('POST /notes', { text }, idempotent('large'))
    expect((await send('POST /notes', { text }, idempotent('large'))).body.id).not.toBe(first.body.id)
  })

  it('does not count for requests that failed', async () => {
    expect((await send('POST /notes', {}, idempotent('3'))).status).toBe(400)
    expect((await send('POST /notes', { text: 'a' }, idempotent('3'))).status).toBe(201)
  })

  it('is forgotten by a reset, unknown in a sandbox, and restored with the data', async () => {
    const { id } = (await send('POST /notes', { text: 'a' }, idempotent('4'))).body
    const inSandbox = { ...idempotent('4'), 'X-Petstore-Sandbox': 'other' }
    mock.sandboxes.open('other')
    expect((await send('POST /notes', { text: 'b' }, inSandbox)).status).toBe(201)
    mock.snapshots.take('before')
    mock.reset()
    expect((await send('POST /notes', { text: 'c' }, idempotent('4'))).status).toBe(201)
    mock.snapshots.restore('before')
    expect((await send('POST /notes', { text: 'a' }, idempotent('4'))).body.id).toBe(id)
  })
})

it('says what each operation was understood as', async () => {
  await send('PUT /notes/none/star')
  expect(mock.journal.entries().at(-1)).toMatchObject({ operation: 'PUT /notes/{noteId}/star', meaning: 'mark' })
  const { operations } = mock.coverage()
  expect(Object.fromEntries(operations.map(({ operation, meaning }) => [operation, meaning]))).toMatchObject({
    'GET /notes': 'list',
    'POST /notes': 'create',
    'DELETE /notes/{noteId}/star': 'mark',
  })
})

describe('what is set and cleared', () => {
  it('is remembered', async () => {
    const { id } = (await send('POST /notes', { text: 'a' })).body
    const statuses = []
    for (const method of ['GET', 'PUT', 'PUT', 'GET', 'DELETE', 'GET']) {
      statuses.push((await send(`${method} /notes/${id}/star`)).status)
    }
    expect(statuses).toEqual([404, 204, 204, 204, 204, 404])
    expect((await send('PUT /notes/none/star')).status).toBe(404)
  })

  it('is not forgotten for many idempotency keys', () => {
    const base = runNow(buildBaseStore(createMemoryModels(), { '/memory': [], '/keys': [] }))
    const store = createStore(base).collections as unknown as AnyCollections
    memoryOf(store).remember('star', true, 0)
    for (let number = 1; number <= 1001; number++) memoryOf(store, '/keys').remember(`${number}`, {}, number)
    expect(memoryOf(store).recall('star')).toBe(true)
    expect(memoryOf(store, '/keys').recall('1')).toBe(undefined)
  })
})
