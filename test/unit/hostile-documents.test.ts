import { describe, expect, it } from 'vitest'
import { compileSerializer } from '../../src/engine/contract/serialize.js'
import { createMock } from '../../src/engine/create-mock.js'
import { applyJsonPatch } from '../../src/engine/data/json-patch.js'
import { defineService } from '../../src/engine/define-service.js'
import { requiredIn } from '../../src/engine/resources/schema-facts.js'

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

const responses = { 200: { description: 'OK', content: { 'application/json': { schema: { type: 'object' } } } } }

describe('a document', () => {
  it.each([{ security: null }, { servers: {} }, { servers: [null] }])('is served with %j', async (odd) => {
    const document = {
      openapi: '3.1.0',
      info: { title: 'Odd', version: '1' },
      paths: { '/odd': { get: { responses } } },
    }
    const mock = createMock(defineService({ document: { ...document, ...odd } }))
    await mock.ready
    expect((await mock.fetch('/odd')).status).toBe(200)
  })

  it('cannot change how the schemas of others are read by the names of its keywords', async () => {
    const mockOf = async (schema: object) => {
      const requestBody = { content: { 'application/json': { schema } } }
      const paths = { '/odd': { post: { requestBody, responses } } }
      const mock = createMock(
        defineService({ document: { openapi: '3.1.0', info: { title: 'Odd', version: '1' }, paths } }),
      )
      await mock.ready
      const headers = { 'content-type': 'application/json' }
      return (await mock.fetch('/odd', { method: 'POST', headers, body: '"text"' })).status
    }
    await mockOf({ type: 'object', __defineGetter__: 'type' })
    expect(await mockOf({ type: 'object' })).toBe(400)
  })
})
