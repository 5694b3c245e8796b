import { describe, expect, it } from 'vitest'
import { createMock } from '../../src/engine/create-mock.js'
import { defineService } from '../../src/engine/define-service.js'

type Json = Record<string, unknown>

const json = (schema: object, status = 200) => ({
  [status]: { description: 'OK', content: { 'application/json': { schema } } },
})
const body = (schema: object) => ({ required: true, content: { 'application/json': { schema } } })
const text = { type: 'string' }

/** A mock of `/things`, with these schemas for a record and for the requests that create and replace one. */
async function mockOf({
  record,
  create = record,
  replace = create,
}: Record<'record', object> & Record<string, object>) {
  const document = {
    openapi: '3.1.0',
    info: { title: 'Things', version: '1' },
    paths: {
      '/things': { post: { requestBody: body(create), responses: json(record, 201) } },
      '/things/{thingId}': {
        parameters: [{ name: 'thingId', in: 'path', required: true, schema: text }],
        get: { responses: json(record) },
        put: { requestBody: body(replace), responses: json(record) },
      },
    },
  }
  const mock = createMock(defineService({ document, scenarios: { default: {} } }))
  await mock.ready
  async function send(method: string, path: string, value?: Json) {
    const headers = { 'content-type': 'application/json' }
    const response = await mock.fetch(path, { method, headers, ...(value && { body: JSON.stringify(value) }) })
    return { status: response.status, body: (await response.json()) as Json }
  }
  return { create: (value: Json) => send('POST', '/things', value), send }
}

const id = { type: 'string', readOnly: true }

describe('the records of any document', () => {
  const circle = {
    type: 'object',
    required: ['id', 'kind', 'radius'],
    properties: { id, kind: { const: 'circle' }, radius: { type: 'number' } },
  }
  const square = {
    type: 'object',
    required: ['id', 'kind', 'side', 'area'],
    properties: { id, kind: { const: 'square' }, side: { type: 'number' }, area: { type: 'number', readOnly: true } },
  }

  it.each([{ oneOf: [circle, square] }, { anyOf: [circle, square] }, { allOf: [{ oneOf: [circle, square] }] }])(
    'have the form of the choice that was sent: %j',
    async (record) => {
      const { create, send } = await mockOf({ record })
      for (const sent of [
        { kind: 'circle', radius: 2 },
        { kind: 'square', side: 3 },
      ]) {
        const created = await create(sent)
        expect(created.body).toMatchObject(sent)
        expect(Object.keys(created.body).sort()).toEqual(
          sent.kind === 'circle' ? ['id', 'kind', 'radius'] : ['area', 'id', 'kind', 'side'],
        )
        expect(await send('GET', `/things/${created.body.id}`)).toMatchObject({ body: created.body })
      }
    },
  )

  it('keep what a replacing request cannot have, and what they cannot lack', async () => {
    const writable = { name: text, note: text, owner: text }
    const record = { type: 'object', required: ['id', 'name', 'size'], properties: { id, ...writable, size: text } }
    const { create, send } = await mockOf({
      record,
      create: { type: 'object', properties: { ...writable, size: text } },
      replace: { type: 'object', properties: { name: text, note: text } },
    })
    const sent = { name: 'one', note: 'old', owner: 'Ada', size: 'L' }
    const { body } = await create(sent)
    const replaced = await send('PUT', `/things/${body.id}`, {})
    expect(replaced.body).toEqual({ id: body.id, name: 'one', owner: 'Ada', size: 'L' })
  })

  it('have objects where requests have ids, also inside others', async () => {
    const owner = { type: 'object', required: ['id', 'email'], properties: { id: text, email: text } }
    const record = {
      type: 'object',
      required: ['id', 'owner', 'team'],
      properties: { id, owner, team: { type: 'object', required: ['lead'], properties: { lead: owner } } },
    }
    const { create } = await mockOf({
      record,
      create: { type: 'object', properties: { owner: text, team: { type: 'object', properties: { lead: text } } } },
    })
    const { body } = await create({ owner: 'ada', team: { lead: 'ben' } })
    expect(body).toMatchObject({ owner: { id: 'ada' }, team: { lead: { id: 'ben' } } })
    expect(body).toMatchObject({ owner: { email: expect.any(String) }, team: { lead: { email: expect.any(String) } } })
  })
})
