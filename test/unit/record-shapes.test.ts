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
  parameter = text,
}: Record<'record', object> & Record<string, object>) {
  const document = {
    openapi: '3.1.0',
    info: { title: 'Things', version: '1' },
    paths: {
      '/things': { post: { requestBody: body(create), responses: json(record, 201) } },
      '/things/{thingId}': {
        parameters: [{ name: 'thingId', in: 'path', required: true, schema: parameter }],
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
  return { create: (value: Json) => send('POST', '/things', value), send, exportState: mock.exportState }
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

  it('are what their discriminator names, where several choices fit', async () => {
    const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
    const pet = { type: 'object', required: ['petType'], properties: { id, petType: text, name: text } }
    const document = {
      openapi: '3.0.3',
      info: { title: 'Pets', version: '1' },
      paths: {
        '/pets': {
          get: { responses: json({ type: 'array', items: ref('Pet') }) },
          post: { requestBody: body(ref('Pet')), responses: { ...json(ref('Pet'), 201), 400: { description: 'No.' } } },
        },
        '/pets/{petId}': {
          parameters: [{ name: 'petId', in: 'path', required: true, schema: text }],
          get: { responses: json(ref('Pet')) },
          put: { requestBody: body(ref('Pet')), responses: json(ref('Pet')) },
        },
      },
      components: {
        schemas: {
          Pet: {
            oneOf: [ref('Cat'), ref('Dog'), ref('Lizard')],
            discriminator: { propertyName: 'petType', mapping: { dog: '#/components/schemas/Dog', other: 'Lizard' } },
          },
          Cat: pet,
          Dog: { ...pet, properties: { ...pet.properties, bark: { type: 'integer' } } },
          Lizard: { ...pet, required: ['petType', 'lovesRocks'], properties: { ...pet.properties, lovesRocks: {} } },
        },
      },
    }
    const mock = createMock(defineService({ document }), { validateResponses: true })
    await mock.ready
    const send = async (method: string, path: string, value?: Json) => {
      const headers = { 'content-type': 'application/json' }
      const response = await mock.fetch(path, { method, headers, ...(value && { body: JSON.stringify(value) }) })
      return { status: response.status, body: (await response.json().catch(() => undefined)) as Json }
    }
    expect(mock.exportState()).toMatchObject({ pets: expect.arrayContaining([expect.anything()]) })
    for (const sent of [
      { petType: 'Cat', name: 'Tom' },
      { petType: 'dog', bark: 3 },
      { petType: 'other', lovesRocks: 'very' },
    ]) {
      const created = await send('POST', '/pets', sent)
      expect(created).toMatchObject({ status: 201, body: sent })
      expect(await send('GET', `/pets/${created.body.id}`)).toMatchObject({ status: 200, body: created.body })
    }
    for (const sent of [
      { petType: 'dog', bark: 'loud' },
      { petType: 'other' },
      { petType: 'fish', name: 'Nemo' },
      { name: 'Tom' },
    ]) {
      expect((await send('POST', '/pets', sent)).status).toBe(400)
    }
    const [first] = (await send('GET', '/pets')).body as unknown as readonly Json[]
    expect((await send('PUT', `/pets/${first?.id}`, { petType: 'dog', bark: 1 })).body).toMatchObject({
      petType: 'dog',
    })
  })

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

  it('have the id that a request may contain, unless it is taken', async () => {
    const { create, send } = await mockOf({ record: { type: 'object', properties: { id: text, name: text } } })
    expect((await create({ id: 'mine', name: 'one' })).body).toEqual({ id: 'mine', name: 'one' })
    const other = await create({ id: 'mine', name: 'two' })
    expect(other.body).toEqual({ id: expect.not.stringMatching(/^mine$/), name: 'two' })
    expect(await send('GET', '/things/mine')).toMatchObject({ status: 200, body: { name: 'one' } })
  })

  it.each([
    ['a path that takes integers', {}, { type: 'integer' }, /^\d+$/],
    ['an address', { format: 'ipv4' }, text, /^\d+\.\d+\.\d+\.\d+$/],
  ])('have ids that fit %s', async (_, own, parameter, expected) => {
    const record = { type: 'object', required: ['id'], properties: { id: { ...id, ...own } } }
    const { create, send } = await mockOf({ record, parameter })
    const { body } = await create({})
    expect(body.id).toMatch(expected)
    expect(await send('GET', `/things/${body.id}`)).toMatchObject({ status: 200, body })
  })

  it('have what they require and do not describe', async () => {
    const record = { type: 'object', required: ['id', 'rank'], properties: { id, name: text } }
    const { create } = await mockOf({ record, create: { type: 'object', properties: { name: text } } })
    expect(Object.keys((await create({ name: 'one' })).body)).toContain('rank')
  })

  it('take a text where the record has a long number', async () => {
    const number = { type: 'integer', format: 'int64' }
    const { create, send } = await mockOf({
      record: { type: 'object', properties: { id, license: number } },
      create: { type: 'object', properties: { license: text } },
    })
    const { body } = await create({ license: 'none' })
    expect(typeof body.license).toBe('number')
    expect(await send('PUT', `/things/${body.id}`, { license: '12' })).toMatchObject({ body: { license: 12 } })
    expect((await send('PUT', `/things/${body.id}`, { license: 'mit' })).status).toBe(200)
  })

  it('are found under a new name and under the old one', async () => {
    const record = { type: 'object', required: ['name'], properties: { name: text, size: text } }
    const { create, send, exportState } = await mockOf({ record })
    await create({ name: 'ada', size: 'S' })
    await create({ name: 'ben' })
    expect((await send('PUT', '/things/ada', { name: 'ben' })).status).toBe(409)
    expect((await send('PUT', '/things/ada', { name: 'eve', size: 'M' })).body).toEqual({ name: 'eve', size: 'M' })
    for (const name of ['ada', 'eve'])
      expect((await send('GET', `/things/${name}`)).body).toEqual({ name: 'eve', size: 'M' })
    expect((await create({ name: 'eve' })).status).toBe(409)
    const { things } = exportState() as { things?: readonly Json[] }
    expect(things).toEqual([{ name: 'ben' }, { name: 'eve', size: 'M' }])
  })
})

describe('records whose ids nobody could know', () => {
  const parameters = ['teamId', 'memberId'].map((name) => ({ name, in: 'path', required: true, schema: text }))
  const member = { type: 'object', required: ['id'], properties: { id, name: text } }
  const paths = {
    '/teams/{teamId}': {
      parameters: [parameters[0]],
      get: { responses: json({ type: 'object', properties: { id: text } }) },
      delete: { responses: { 204: { description: 'Deleted.' } } },
    },
    '/teams/{teamId}/members': {
      parameters: [parameters[0]],
      get: { responses: json({ type: 'array', items: member }) },
    },
    '/teams/{teamId}/members/{memberId}': {
      parameters,
      get: { responses: json(member) },
      patch: { requestBody: body({ type: 'object', properties: { name: text } }), responses: json(member) },
    },
  }

  async function mockOfTeams() {
    const document = { openapi: '3.1.0', info: { title: 'Teams', version: '1' }, paths }
    const service = defineService({ document, scenarios: { default: { members: [{ id: 'm1', name: 'Ada' }] } } })
    const mock = createMock(service)
    await mock.ready
    return mock
  }

  it('exist until they are deleted', async () => {
    const mock = await mockOfTeams()
    const status = async (method: string) => (await mock.fetch('/teams/any', { method })).status
    expect([await status('GET'), await status('DELETE'), await status('GET')]).toEqual([200, 204, 404])
  })

  it('all have the starting records below them, until these are changed, and each of them by its id', async () => {
    const mock = await mockOfTeams()
    const names = async (team: string) => {
      const list = (await (await mock.fetch(`/teams/${team}/members`)).json()) as Json[]
      return list.map(({ name }) => name)
    }
    expect([await names('a'), await names('b')]).toEqual([['Ada'], ['Ada']])
    const headers = { 'content-type': 'application/json' }
    await mock.fetch('/teams/a/members/m1', { method: 'PATCH', headers, body: '{"name":"Eve"}' })
    expect([await names('a'), await names('b')]).toEqual([['Eve'], []])
    expect(await (await mock.fetch('/teams/b/members/m1')).json()).toEqual({ id: 'm1', name: 'Eve' })
  })
})
