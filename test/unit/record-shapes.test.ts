import { describe, expect, it } from 'vitest'
import { defineService } from '../../src/engine/mock/define-service.js'
import {
  collection,
  GONE,
  INTEGER,
  inPath,
  type Json,
  list,
  object,
  ref,
  returns,
  serve,
  serveService,
  TEXT,
  takes,
  toDocument,
} from '../support/small-documents.js'

/** A mock of `/things`, with these schemas for a record and for the requests that create and replace one. */
async function mockOf({
  record,
  create = record,
  replace = create,
  parameter = TEXT,
}: Readonly<Record<'record', Json> & Record<string, Json>>) {
  const items = { put: { ...takes(replace), responses: { 200: returns(record) } } }
  const { mock, send } = await serve(
    toDocument(collection('things', { record, sent: create, id: parameter, errors: {}, items })),
  )
  return { create: (value: Json) => send('POST /things', value), send, mock }
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
        expect(await send(`GET /things/${created.body.id}`)).toMatchObject({ body: created.body })
      }
    },
  )

  it.each(['oneOf', 'anyOf'])('have the defaults of the choice of %s that was sent, and no others', async (keyword) => {
    const shape = (kind: string, size: string, defaults: Json) =>
      object({ id, kind: { const: kind }, [size]: INTEGER, ...defaults }, ['id', 'kind', size])
    const none = { ...TEXT, default: 'none' }
    const circle = shape('circle', 'radius', { color: { ...TEXT, default: 'red' } })
    const square = shape('square', 'side', { fill: none, edge: none, grain: none })
    const { create, send } = await mockOf({ record: { [keyword]: [circle, square] } })
    const sent = { kind: 'circle', radius: 2 }
    const { body } = await create(sent)
    expect(body).toEqual({ id: body.id, ...sent, color: 'red' })
    for (const [next, defaults] of [
      [sent, { color: 'red' }],
      [
        { kind: 'square', side: 3 },
        { fill: 'none', edge: 'none', grain: 'none' },
      ],
    ]) {
      expect((await send(`PUT /things/${body.id}`, next)).body).toEqual({ id: body.id, ...next, ...defaults })
    }
  })

  it('are what their discriminator names, where several choices fit', async () => {
    const pet = object({ id, petType: TEXT, name: TEXT }, ['petType'])
    const schemas = {
      Pet: {
        oneOf: [ref('Cat'), ref('Dog'), ref('Lizard')],
        discriminator: { propertyName: 'petType', mapping: { dog: '#/components/schemas/Dog', other: 'Lizard' } },
      },
      Cat: pet,
      Dog: { ...pet, properties: { ...pet.properties, bark: INTEGER } },
      Lizard: { ...pet, required: ['petType', 'lovesRocks'], properties: { ...pet.properties, lovesRocks: {} } },
    }
    const document = toDocument(collection('pets', { record: ref('Pet'), id: TEXT }), schemas)
    const { mock, send } = await serveService(defineService({ document }))
    expect(mock.exportState()).toMatchObject({ pets: expect.arrayContaining([expect.anything()]) })
    for (const sent of [
      { petType: 'Cat', name: 'Tom' },
      { petType: 'dog', bark: 3 },
      { petType: 'other', lovesRocks: 'very' },
    ]) {
      const created = await send('POST /pets', sent)
      expect(created).toMatchObject({ status: 201, body: sent })
      expect(await send(`GET /pets/${created.body.id}`)).toMatchObject({ status: 200, body: created.body })
    }
    for (const sent of [
      { petType: 'dog', bark: 'loud' },
      { petType: 'other' },
      { petType: 'fish', name: 'Nemo' },
      { name: 'Tom' },
    ]) {
      expect((await send('POST /pets', sent)).status).toBe(400)
    }
    const [first] = (await send('GET /pets')).body as readonly Json[]
    expect((await send(`PUT /pets/${first?.id}`, { petType: 'dog', bark: 1 })).body).toMatchObject({
      petType: 'dog',
    })
  })

  it('keep what a replacing request cannot have, and what they cannot lack', async () => {
    const writable = { name: TEXT, note: TEXT, owner: TEXT }
    const record = object({ id, ...writable, size: TEXT }, ['id', 'name', 'size'])
    const { create, send } = await mockOf({
      record,
      create: object({ ...writable, size: TEXT }),
      replace: object({ name: TEXT, note: TEXT }),
    })
    const sent = { name: 'one', note: 'old', owner: 'Ada', size: 'L' }
    const { body } = await create(sent)
    const replaced = await send(`PUT /things/${body.id}`, {})
    expect(replaced.body).toEqual({ id: body.id, name: 'one', owner: 'Ada', size: 'L' })
  })

  it('have objects where requests have ids, also inside others', async () => {
    const owner = object({ id: TEXT, email: TEXT }, ['id', 'email'])
    const record = {
      type: 'object',
      required: ['id', 'owner', 'team'],
      properties: { id, owner, team: object({ lead: owner }, ['lead']) },
    }
    const { create } = await mockOf({
      record,
      create: { type: 'object', properties: { owner: TEXT, team: object({ lead: TEXT }) } },
    })
    const { body } = await create({ owner: 'ada', team: { lead: 'ben' } })
    expect(body).toMatchObject({ owner: { id: 'ada' }, team: { lead: { id: 'ben' } } })
    expect(body).toMatchObject({ owner: { email: expect.any(String) }, team: { lead: { email: expect.any(String) } } })
  })

  it('have the id that a request may contain, unless it is taken', async () => {
    const { create, send } = await mockOf({ record: object({ id: TEXT, name: TEXT }) })
    expect((await create({ id: 'mine', name: 'one' })).body).toEqual({ id: 'mine', name: 'one' })
    const other = await create({ id: 'mine', name: 'two' })
    expect(other.body).toEqual({ id: expect.not.stringMatching(/^mine$/), name: 'two' })
    expect(await send('GET /things/mine')).toMatchObject({ status: 200, body: { name: 'one' } })
  })

  it.each([
    ['a path that takes integers', {}, { type: 'integer' }, /^\d+$/],
    ['an address', { format: 'ipv4' }, TEXT, /^\d+\.\d+\.\d+\.\d+$/],
  ])('have ids that fit %s', async (_, own, parameter, expected) => {
    const record = object({ id: { ...id, ...own } }, ['id'])
    const { create, send } = await mockOf({ record, parameter })
    const { body } = await create({})
    expect(body.id).toMatch(expected)
    expect(await send(`GET /things/${body.id}`)).toMatchObject({ status: 200, body })
  })

  it('have what they require and do not describe', async () => {
    const record = object({ id, name: TEXT }, ['id', 'rank'])
    const { create } = await mockOf({ record, create: object({ name: TEXT }) })
    expect(Object.keys((await create({ name: 'one' })).body)).toContain('rank')
  })

  it('take a text where the record has a long number', async () => {
    const number = { type: 'integer', format: 'int64' }
    const { create, send } = await mockOf({
      record: object({ id, license: number }),
      create: object({ license: TEXT }),
    })
    const { body } = await create({ license: 'none' })
    expect(typeof body.license).toBe('number')
    expect(await send(`PUT /things/${body.id}`, { license: '12' })).toMatchObject({ body: { license: 12 } })
    expect((await send(`PUT /things/${body.id}`, { license: 'mit' })).status).toBe(200)
  })

  it('are found under a new name and under the old one', async () => {
    const record = object({ name: TEXT, size: TEXT }, ['name'])
    const { create, send, mock } = await mockOf({ record })
    await create({ name: 'ada', size: 'S' })
    await create({ name: 'ben' })
    expect((await send('PUT /things/ada', { name: 'ben' })).status).toBe(409)
    expect((await send('PUT /things/ada', { name: 'eve', size: 'M' })).body).toEqual({ name: 'eve', size: 'M' })
    const expectBoth = async () => {
      for (const name of ['ada', 'eve'])
        expect((await send(`GET /things/${name}`)).body).toEqual({ name: 'eve', size: 'M' })
      expect((await send('GET /things')).body).toEqual([{ name: 'ben' }, { name: 'eve', size: 'M' }])
      expect(mock.data.things?.all()).toEqual([{ name: 'ben' }, { name: 'eve', size: 'M' }])
    }
    await expectBoth()
    expect((await create({ name: 'eve' })).status).toBe(409)
    const state = mock.exportState()
    mock.reset()
    await mock.importState(state)
    await expectBoth()
    expect(mock.exportState()).toEqual(state)
  })
})

describe('records whose ids nobody could know', () => {
  const team = inPath('teamId', TEXT)
  const member = object({ id, name: TEXT }, ['id'])
  const document = toDocument({
    '/teams/{teamId}': {
      parameters: [team],
      get: { responses: { 200: returns(object({ id: TEXT })) } },
      delete: { responses: { 204: GONE } },
    },
    '/teams/{teamId}/members': { parameters: [team], get: { responses: { 200: returns(list(member)) } } },
    '/teams/{teamId}/members/{memberId}': {
      parameters: [team, inPath('memberId', TEXT)],
      get: { responses: { 200: returns(member) } },
      patch: { ...takes(object({ name: TEXT })), responses: { 200: returns(member) } },
    },
  })
  const serveTeams = () => serve(document, { members: [{ id: 'm1', name: 'Ada' }] })

  it('exist until they are deleted', async () => {
    const { send } = await serveTeams()
    const status = async (method: string) => (await send(`${method} /teams/any`)).status
    expect([await status('GET'), await status('DELETE'), await status('GET')]).toEqual([200, 204, 404])
  })

  it('all have the starting records below them, until these are changed, and each of them by its id', async () => {
    const { send } = await serveTeams()
    const names = async (team: string) =>
      (await send(`GET /teams/${team}/members`)).body.map(({ name }: { name: string }) => name)
    expect([await names('a'), await names('b')]).toEqual([['Ada'], ['Ada']])
    await send('PATCH /teams/a/members/m1', { name: 'Eve' })
    expect([await names('a'), await names('b')]).toEqual([['Eve'], []])
    expect((await send('GET /teams/b/members/m1')).body).toEqual({ id: 'm1', name: 'Eve' })
  })
})
