import { describe, expect, it } from 'vitest'
import { defineService } from '../../src/engine/mock/define-service.js'
import {
  content,
  INTEGER,
  type Json,
  object,
  returns,
  serve,
  serveService,
  TEXT,
  takes,
  toDocument,
} from '../support/small-documents.js'

/* Requests whose schema is a choice of several, and messages about them. */

const BAD = { description: '', ...content(object({ message: TEXT }, ['message'])) }
const CAT = { title: 'Cat', ...object({ kind: { ...TEXT, enum: ['cat'] }, lives: INTEGER }, ['kind', 'lives']) }
const DOG = { title: 'Dog', ...object({ kind: { ...TEXT, enum: ['dog'] }, tail: INTEGER }, ['kind']) }
const documentOf = (value: Json) => {
  const sent = object({ value }, ['value'])
  return toDocument({ '/things': { post: { ...takes(sent), responses: { 200: returns(TEXT), 400: BAD } } } })
}

async function send(schema: Json, value: unknown) {
  const { send: post } = await serve(documentOf(schema))
  const { status, body } = await post('POST /things', { value })
  return status === 400 ? body.message : status
}

describe('a choice in a request', () => {
  it.each<[string, Json, unknown]>([
    ['two numbers', { oneOf: [INTEGER, { type: 'number' }] }, 1],
    ['objects that allow each other', { oneOf: [object({ a: TEXT }), object({ b: TEXT })] }, { a: 'x' }],
    ['with anyOf beside it', { oneOf: [INTEGER, { type: 'number' }], anyOf: [INTEGER, TEXT] }, 1],
    ['inside another', { oneOf: [{ oneOf: [CAT, object({})] }, object({})] }, { kind: 'cat', lives: 9 }],
  ])('is right if it fits several: %s', async (_, schema, value) => {
    expect(await send(schema, value)).toBe(200)
  })

  it.each<[string, Json, unknown, string]>([
    ['a plain value', { oneOf: [INTEGER, { type: 'boolean' }] }, 'x', '/value must be an integer'],
    [
      'an object',
      { oneOf: [CAT, DOG] },
      { kind: 'dog', lives: 9, tail: 'long' },
      'but is an object that fits none: choice 1 (Cat) requires kind to be one of cat',
    ],
    [
      'an object that lacks something',
      { anyOf: [CAT, { ...DOG, title: undefined }] },
      { lives: 9 },
      'but is an object that fits none: choice 1 (Cat) requires kind; choice 2 requires kind',
    ],
    [
      'an object with too much',
      { oneOf: [object({ a: TEXT }, ['a']), { ...object({ b: TEXT }), additionalProperties: false }] },
      { b: 'x', c: 1 },
      'choice 1 requires a; choice 2 has no c',
    ],
  ])('is wrong if it fits none, and the message says why: %s', async (_, schema, value, message) => {
    expect(await send(schema, value)).toContain(message)
  })
})

it('must be exactly one in a response, and the message says which fit', async () => {
  const shape = { oneOf: [INTEGER, { type: 'number', title: 'Any' }] }
  const document = toDocument({ '/things': { get: { operationId: 'get', responses: { 200: returns(shape) } } } })
  const service = defineService({ document, operations: { get: () => ({ status: 200, body: 1 }) } } as never)
  const { send: get, mock } = await serveService(service)
  const message = 'but is the number 1, which fits 2 choices where it must fit one: choice 1 and choice 2 (Any)'
  await expect(get('GET /things').then(() => mock.check())).rejects.toThrow(message)
})
