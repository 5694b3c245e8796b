import { describe, expect, it } from 'vitest'
import { compileSerializer } from '../../src/document/contract/serialize.js'
import { fitValue } from '../../src/document/sample/fit-value.js'
import { createSampler } from '../../src/document/sample/sample.js'
import { hasFlag, requiredIn } from '../../src/document/schema/facts.js'
import type { Schema } from '../../src/document/schema/schema.js'
import { describeSchema } from '../../src/document/validate/describe-schema.js'
import { applyJsonPatch } from '../../src/engine/crud/make-values.js'
import { createMock } from '../../src/engine/mock/create-mock.js'
import { MockError } from '../../src/http/errors.js'
import { createRandom } from '../../src/lib/random.js'
import {
  collection,
  INTEGER,
  inPath,
  inQuery,
  type Json,
  list,
  object,
  ref,
  returns,
  serve,
  TEXT,
  takes,
  toDocument,
} from '../support/small-documents.js'
import { thrownBy } from '../support/thrown-by.js'

// Each of these took all memory, or longer than anyone waits, or damaged other mocks.

describe('work that a document or a request could multiply', () => {
  it('a patch that copies its own copies is impossible', () => {
    const operations = Array.from({ length: 40 }, (_, index) => ({ op: 'copy', from: '', path: `/x${index}` }))
    expect(applyJsonPatch({ name: 'Ada' }, operations).problem?.message).toContain('copies more than a patch may copy')
  })

  it('a schema whose many properties are all of its own kind', () => {
    const schema = { type: 'object', properties: {} as Record<string, object> }
    for (let index = 0; index < 300; index += 1) schema.properties[`p${index}`] = schema
    expect(compileSerializer(schema)({ p0: { p1: {} } })).toBe('{"p0":{"p1":{}}}')
  })

  it('a schema that has each of its parts twice', () => {
    let schema: object = { required: ['id'] }
    for (let level = 0; level < 40; level += 1) schema = { allOf: [schema, schema] }
    expect([...requiredIn(schema)]).toEqual(['id'])
  })
})

describe('a pattern that makes RegExp try more ways than anyone waits for', () => {
  const SLOW = '^(a+)+$'
  const long = `${'a'.repeat(2000)}!`
  const text = { type: 'string', pattern: SLOW }
  const note = { ...object({ id: TEXT, code: text, byName: { type: 'object', patternProperties: { [SLOW]: TEXT } } }) }
  const names = { type: 'object', propertyNames: { pattern: SLOW } }
  const query = [inQuery('code', text), { name: 'X-Code', in: 'header', schema: text }]
  const record = object({ ...note.properties, names })

  it('blocks neither the start nor a request', async () => {
    const { send } = await serve(toDocument(collection('notes', { record, id: { ...text, maxLength: 40 }, query })))
    expect((await send('POST /notes', { code: 'aaa', byName: { aa: 'x' }, names: { aa: 1 } })).status).toBe(201)
    expect((await send('POST /notes', { code: long })).status).toBe(400)
    expect((await send('POST /notes', { byName: { [long]: 1 } })).status).toBe(201)
    expect((await send('POST /notes', { names: { [long]: 1 } })).status).toBe(400)
    expect((await send(`GET /notes?code=${long}`)).status).toBe(400)
    expect((await send('GET /notes', undefined, { 'X-Code': long })).status).toBe(400)
    expect((await send(`GET /notes/${long}`)).status).toBe(400)
  })

  it('is an error of its own when it takes too long for all of a body', async () => {
    const paths = {
      '/texts': {
        post: { ...takes(list({ type: 'string', pattern: '(a|b)*c$' })), responses: { 201: returns(TEXT) } },
      },
    }
    const { send } = await serve(toDocument(paths))
    expect((await send('POST /texts', ['abc'])).status).toBe(201)
    const reply = await send('POST /texts', Array(50).fill('ab'.repeat(5000)))
    expect(reply).toMatchObject({ status: 422, body: { detail: expect.stringContaining('takes too long') } })
  })
})

describe('choices that refer to themselves', () => {
  const branch = (name: string) => object({ next: ref('Node'), [name]: TEXT }, [name])
  const schemas = { Node: { oneOf: [branch('a'), branch('b')] } }
  let value: object = {}
  for (let depth = 0; depth < 40; depth += 1) value = { next: value, a: '', b: '' }

  it('do not make a request take longer for each level', async () => {
    const paths = { '/nodes': { post: { ...takes(ref('Node')), responses: { 201: returns(ref('Node')) } } } }
    const { send } = await serve(toDocument(paths, schemas))
    expect((await send('POST /nodes', { next: { b: '' }, a: '' })).status).toBe(201)
    expect((await send('POST /nodes', value)).status).toBe(422)
  })
})

const NOTE = object({ id: INTEGER, title: TEXT }, ['id'])

/** Schemas that contain all of them. */
function cyclicSchemas(keyword: 'allOf' | 'oneOf', count: number): Schema[] {
  const schemas: Record<string, unknown>[] = Array.from({ length: count }, () => ({}))
  for (const schema of schemas) schema[keyword] = schemas
  return schemas
}

describe('a request with a very odd value', () => {
  it('for several parameters in one segment of the path', async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f']
    const path = `/codes/${names.map((name) => `{${name}}`).join('-')}.json`
    const parameters = names.map((name) => inPath(name, TEXT))
    const { send } = await serve(toDocument({ [path]: { get: { parameters, responses: { 200: returns(TEXT) } } } }))
    expect((await send('GET /codes/a-b-c-d-e-f-g.json')).status).toBe(200)
    expect((await send(`GET /codes/${'-'.repeat(8000)}`)).status).toBe(404)
  })

  it('for sorting', async () => {
    const { send } = await serve(toDocument(collection('notes', { record: NOTE, query: [inQuery('sort')] })))
    expect((await send(`GET /notes?sort=${'.'.repeat(8000)}`)).status).toBe(200)
  })

  it('for an id that no address can have', async () => {
    const headers = { Location: { schema: TEXT } }
    const ofList = { 'X-Next-Cursor': { schema: TEXT } }
    const record = object({ id: TEXT, title: TEXT }, ['id'])
    const post = { ...takes(record), responses: { 201: { ...returns(record), headers } } }
    const query = [inQuery('starting_after'), inQuery('limit', INTEGER)]
    const get = { parameters: query, responses: { 200: { ...returns(list(record)), headers: ofList } } }
    const paths = collection('notes', { record, id: TEXT, query, more: { get, post } })
    const { send } = await serve(toDocument(paths), { notes: [{ id: 'z', title: 'Last' }] })
    const half = 'a\ud800'
    const created = await send('POST /notes', { id: half, title: 'First' })
    expect(created).toMatchObject({ status: 201, body: { id: half } })
    expect((await send('GET /notes?limit=1')).body).toStrictEqual([{ id: half, title: 'First' }])
    // Clients reject such a header.
    const long = await send('POST /notes', { id: 'x'.repeat(20_000), title: 'Long' })
    expect(long).toMatchObject({ status: 201 })
    expect(long.headers.get('location')).toBeNull()
  })

  it('for an object in a form or in the query', async () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`
    const tree = { type: 'object', properties: { tree: ref('Tree') } }
    const schemas = { Tree: { type: ['array', 'object'], items: ref('Tree') } }
    const content = { 'multipart/form-data': { schema: tree }, 'application/x-www-form-urlencoded': { schema: tree } }
    const post = {
      parameters: [inQuery('tree', ref('Tree'))],
      requestBody: { content },
      responses: { 200: returns(TEXT) },
    }
    const { mock } = await serve(toDocument({ '/trees': { post } }, schemas))
    const send = async (body: FormData | URLSearchParams, query = '') =>
      (await mock.fetch(`/trees${query}`, { method: 'POST', body })).status
    const form = (text: string) => {
      const data = new FormData()
      data.set('tree', new Blob([text], { type: 'application/json' }))
      return data
    }
    expect(await send(form('[[]]'))).toBe(200)
    expect(await send(new URLSearchParams({ tree: deep }))).toBe(400)
    expect(await send(new URLSearchParams(), `?tree=${deep.slice(46_000, 54_000)}`)).toBe(400)
    const many = new URLSearchParams(Array.from({ length: 20_000 }, (_, index) => [`n${index}`, '']))
    expect(await send(many)).toBe(400)
  })

  it('for a choice that contains itself', () => {
    const schema = { oneOf: [] as object[] }
    for (const name of ['a', 'b', 'c'])
      schema.oneOf.push(object({ [name]: schema, next: schema, last: schema }, [name]))
    let value: object = {}
    for (let depth = 0; depth < 6; depth += 1) value = { a: value, b: value, c: value, next: value, last: value }
    expect(fitValue(value, schema, createSampler(createRandom(1, 'fit')))).toBeTypeOf('object')
  })
})

describe('a document', () => {
  const responses = { 200: returns({ type: 'object' }) }

  it.each([{ security: null }, { servers: {} }, { servers: [null] }])('is served with %j', async (odd) => {
    const { send } = await serve({ ...toDocument({ '/odd': { get: { responses } } }), ...odd })
    expect((await send('GET /odd')).status).toBe(200)
  })

  it('cannot change how the schemas of others are read by the names of its keywords', async () => {
    const statusOf = async (schema: Json) => {
      const { send } = await serve(toDocument({ '/odd': { post: { ...takes(schema), responses } } }))
      return (await send('POST /odd', 'text')).status
    }
    await statusOf({ type: 'object', __defineGetter__: 'type' })
    expect(await statusOf({ type: 'object' })).toBe(400)
  })
})

describe('references that multiply', () => {
  it('in parts of a record do not multiply its work', async () => {
    const levels = Array.from({ length: 30 }, (_, index) => [
      `L${index + 1}`,
      { allOf: Array.from({ length: 10 }, () => ref(`L${index}`)) },
    ])
    const schemas = { L0: NOTE, ...Object.fromEntries(levels) }
    const { send } = await serve(toDocument(collection('notes', { record: ref('L30') }), schemas), {
      notes: [{ id: 1, title: 'First' }],
    })
    expect((await send('GET /notes')).body).toStrictEqual([{ id: 1, title: 'First' }])
    expect((await send('POST /notes', { id: 2, title: 'Second' })).status).toBe(422)
  })

  it('are refused in one line when each leads to the next', () => {
    const links = Array.from({ length: 20_000 }, (_, index) => [`Link${index}`, ref(`Link${index + 1}`)])
    const document = toDocument(collection('notes', { record: ref('Link0') }), {
      ...Object.fromEntries(links),
      Link20000: NOTE,
    })
    expect(thrownBy(MockError, () => createMock({ document }))).toMatchObject({
      problems: [expect.stringContaining('leads to more than 100 references')],
    })
  })
})

it('an error does not list thousands of values', async () => {
  const values = Array.from({ length: 20_000 }, (_, index) => `v${index}`)
  const record = object({ id: INTEGER, kind: { type: 'string', enum: values } }, ['id'])
  const { send } = await serve(toDocument(collection('notes', { record })))
  expect((await send('POST /notes', { id: 1, kind: 'x' })).body.detail).toMatch(/v48, v49 and 19950 more, but is/)
})

/** Schemas of which each is a part of the one before, by `link`. */
const chain = (length: number, link: (next: Json) => Json, last: Json) => ({
  ...Object.fromEntries(Array.from({ length }, (_, index) => [`Chain${index}`, link(ref(`Chain${index + 1}`))])),
  [`Chain${length}`]: last,
})

describe('schemas that lead to thousands of others', () => {
  const note = { ...NOTE, required: ['id', 'title'] }
  it.each<[what: string, schemas: Json]>([
    ['as properties', chain(8000, (next) => object({ id: INTEGER, title: TEXT, next }), note)],
    ['as parts twice', chain(40, (next) => ({ allOf: [next, next] }), note)],
    ['and back', { Chain0: { allOf: [NOTE, ref('Chain1')] }, Chain1: { allOf: [ref('Chain0')] } }],
  ])('%s are served', async (_what, schemas) => {
    const { send } = await serve(toDocument(collection('notes', { record: ref('Chain0') }), schemas), {
      notes: [{ id: 1, title: 'First' }],
    })
    expect((await send('GET /notes')).status).toBe(200)
    expect((await send('POST /notes', { id: 2, title: 'Second' })).status).toBeLessThan(500)
  })

  it.each(['allOf', 'oneOf', 'anyOf'])('as parts of %s are refused in one line', (keyword) => {
    const schemas = chain(8000, (next) => ({ [keyword]: [next] }), NOTE)
    const document = toDocument(collection('notes', { record: ref('Chain0') }), schemas)
    expect(thrownBy(MockError, () => createMock({ document }))).toMatchObject({
      problems: [expect.stringContaining('more than 100 levels deep')],
    })
  })
})

describe('choices with many choices, of which each contains all others', () => {
  const choices = Array.from({ length: 20 }, (_, index) => ref(`Choice${index}`))
  const schemas = Object.fromEntries(choices.map((_, index) => [`Choice${index}`, { oneOf: choices }]))

  it('are described in few words', async () => {
    const record = object({ id: INTEGER, odd: { type: 'array', items: { oneOf: choices } } })
    const { send } = await serve(toDocument(collection('notes', { record }), schemas), { notes: [] })
    expect((await send('POST /notes', { odd: 'text' })).status).toBeLessThan(500)
    expect(describeSchema({ oneOf: cyclicSchemas('oneOf', 20) }).length).toBeLessThan(1000)
  })

  it('and hidden properties among them are found', () => {
    const [first = {}] = cyclicSchemas('allOf', 20)
    expect(hasFlag(first, 'readOnly')).toBe(false)
    expect(hasFlag({ allOf: [first, { readOnly: true }] }, 'readOnly')).toBe(true)
  })
})

describe('a schema that requires more than anyone has', () => {
  const many = 1_000_000_000
  it.each<Json>([
    { minItems: many, type: 'array', items: TEXT },
    { minProperties: many, type: 'object' },
    { minLength: many },
  ])('%j', async (odd) => {
    const record = object({ id: INTEGER, odd }, ['id', 'odd'])
    const mock = createMock({ document: toDocument(collection('notes', { record })) })
    await mock.ready
    expect((await mock.fetch('/notes')).status).toBe(200)
  })

  it('of the length of an id', async () => {
    const record = object({ id: { type: 'string', minLength: many }, title: TEXT }, ['id'])
    const mock = createMock({
      document: toDocument(collection('notes', { record, id: TEXT, sent: object({ title: TEXT }) })),
    })
    await mock.ready
    expect((await mock.fetch('/notes')).status).toBe(200)
  })
})
