import { describe, expect, it } from 'vitest'
import { createMock } from '../../src/engine/mock/create-mock.js'
import { defineService } from '../../src/engine/mock/define-service.js'
import {
  collection,
  INTEGER,
  type Json,
  list,
  object,
  serve,
  TEXT,
  TIME,
  toDocument,
} from '../support/small-documents.js'

/* What a new record has that its request did not. */

const ID = { type: 'integer', readOnly: true }
const NULL_TIME = { ...TIME, nullable: true }
const task = (properties: Json, required: readonly string[] = []) =>
  object({ id: ID, title: TEXT, ...properties }, ['id', 'title', ...required])
const SENT = object({ title: TEXT }, ['title'])
const tasks = (record: Json, sent = SENT) => toDocument(collection('tasks', { record, sent }))
const DIG = { title: 'Dig' }

describe('the defaults of a service', () => {
  async function create(properties: Json, defaults: Json) {
    const document = tasks(task(properties, Object.keys(properties)))
    const service = defineService({
      document,
      resources: { tasks: { path: '/tasks', defaults: defaults as never } },
      scenarios: { default: {} },
    })
    const body = JSON.stringify(DIG)
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body }
    const response = await createMock(service).fetch('/tasks', init)
    return response.json()
  }

  it.each<[string, Json, unknown, unknown]>([
    ['a required property', { state: { type: 'string', enum: ['open', 'closed'] } }, 'closed', 'closed'],
    ['a property that can be null', { closedAt: NULL_TIME }, null, null],
    ['one that depends on others', { label: TEXT }, ({ title }: Json) => `${title}!`, 'Dig!'],
  ])('are taken for %s', async (_, properties, value, expected) => {
    const [name = ''] = Object.keys(properties)
    expect(await create(properties, { [name]: value })).toEqual({ id: 1, ...DIG, [name]: expected })
  })

  it('keep what the schema makes if they are undefined', async () => {
    const { size } = (await create({ size: { ...INTEGER, enum: [3] } }, { size: () => undefined })) as Json
    expect(size).toBe(3)
  })
})

it('takes the defaults of the request, unless the record cannot have them', async () => {
  const sent = object({
    title: TEXT,
    state: { ...TEXT, default: 'open' },
    points: { allOf: [{ ...INTEGER, default: 0 }] },
    size: { ...TEXT, default: 'large' },
  })
  const { send } = await serve(tasks(task({ state: TEXT, points: INTEGER, size: INTEGER }), sent))
  expect((await send('POST /tasks', DIG)).body).toEqual({ id: 1, ...DIG, state: 'open', points: 0 })
  const given = { ...DIG, state: 'done', points: 3 }
  expect((await send('POST /tasks', given)).body).toEqual({ id: 2, ...given })
  expect((await send('PATCH /tasks/2', { points: 4 })).body).toEqual({ id: 2, ...given, points: 4 })
  expect((await send('PUT /tasks/2', { ...DIG, points: 5 })).body).toEqual({ id: 2, ...DIG, state: 'open', points: 5 })
})

it('keeps what the service has a default for when PUT leaves it out', async () => {
  const sent = object({ title: TEXT, state: { ...TEXT, default: 'open' } }, ['title'])
  const service = defineService({
    document: tasks(task({ state: TEXT }), sent),
    resources: { tasks: { path: '/tasks', defaults: { state: 'new' } } },
    scenarios: { default: { tasks: [{ id: 1, ...DIG, state: 'done' }] } },
  })
  const init = { method: 'PUT', headers: { 'content-type': 'application/json' }, body: JSON.stringify(DIG) }
  const response = await createMock(service).fetch('/tasks/1', init)
  expect(await response.json()).toEqual({ id: 1, ...DIG, state: 'done' })
})

it('sets only the times of the beginning', async () => {
  const properties = {
    createdAt: TIME,
    updated_at: INTEGER,
    createdOn: { ...TEXT, format: 'date' },
    createdBy: { ...TEXT, enum: ['Ada'] },
    closedAt: NULL_TIME,
    completed_at: TIME,
    deleted: NULL_TIME,
    startedAt: { ...TIME, nullable: true },
    closedBy: { ...TEXT, enum: ['Ada'] },
    finishedAt: TIME,
  }
  const { send, mock } = await serve(tasks(task(properties, ['createdBy', 'closedBy', 'finishedAt', 'closedAt'])))
  mock.clock.freeze()
  mock.clock.set('2031-05-06T07:08:09Z')
  const now = '2031-05-06T07:08:09.000Z'
  expect((await send('POST /tasks', DIG)).body).toEqual({
    id: 1,
    ...DIG,
    createdAt: now,
    updated_at: Date.parse(now) / 1000,
    createdOn: '2031-05-06',
    createdBy: 'Ada',
    closedAt: null,
    deleted: null,
    startedAt: null,
    closedBy: 'Ada',
    // It must have one.
    finishedAt: now,
  })
})

const BOOLEAN = { type: 'boolean' }
const STATES = ['archived', 'waiting', 'done']

it.each<[string, Json, unknown]>([
  ['status', { ...TEXT, enum: STATES }, 'waiting'],
  ['status', { ...TEXT, enum: STATES, default: 'done' }, 'done'],
  ['state', { ...TEXT, enum: ['done', 'closed'], example: 'closed' }, 'done'],
  ['kind', { ...TEXT, enum: ['done', 'open'], example: 'open' }, 'open'],
  ['comment_count', { ...INTEGER, example: 12 }, 0],
  ['total_points', INTEGER, 0],
  ['seat_count', { ...INTEGER, minimum: 2 }, 2],
  ['followers', INTEGER, 0],
  ['total_amount', { ...INTEGER, enum: [7] }, 7],
  ['tags', list(TEXT), []],
  ['tags', { ...list(TEXT), example: ['a', 'b'] }, []],
  ['tags', { ...list(TEXT), example: ['a', 'b', 'c'], minItems: 2 }, ['a', 'b']],
  ['tags', { ...list(TEXT), default: ['a'] }, ['a']],
  ['locked', { ...BOOLEAN, example: true }, false],
  ['is_active', BOOLEAN, true],
  ['can_be_locked', { ...BOOLEAN, example: true }, true],
  ['stats', object({ views: INTEGER, likes: list(TEXT) }, ['views', 'likes']), { views: 0, likes: [] }],
])('begins with the %s of %j', async (name, schema, expected) => {
  const whole = { id: 9, title: 'Rest', locked: true, followers: 3, is_active: false }
  for (const example of [{}, { example: whole }]) {
    const record = { ...task({ [name]: { readOnly: true, ...schema } }, [name]), ...example }
    const { send } = await serve(tasks(record))
    expect((await send('POST /tasks', DIG)).body).toEqual({ id: 1, ...DIG, [name]: expected })
  }
})

it.each<[string, Json, string]>([
  ['slug', TEXT, 'cafe-at-eight'],
  ['key', { ...TEXT, pattern: '^[A-Z]{2,5}$' }, 'CAE'],
])('calls a record by its name in its %s', async (name, schema, expected) => {
  const sent = object({ title: TEXT, [name]: schema }, ['title'])
  const { send } = await serve(tasks(task({ [name]: schema }), sent))
  expect((await send('POST /tasks', { title: 'Café at Eight' })).body[name]).toBe(expected)
  expect((await send('POST /tasks', { title: 'Dig', [name]: 'OWN' })).body[name]).toBe('OWN')
})

it('makes a slug the id, and another one for the second record of that name', async () => {
  const record = object({ slug: { ...TEXT, readOnly: true }, title: TEXT }, ['slug', 'title'])
  const paths = collection('tasks', { record, sent: SENT, id: TEXT })
  const renamed = Object.fromEntries(
    Object.entries(paths).map(([path, item]) => [
      path.replace('{taskId}', '{slug}'),
      JSON.parse(JSON.stringify(item).replaceAll('taskId', 'slug')),
    ]),
  )
  const { send } = await serve(toDocument(renamed))
  expect((await send('POST /tasks', { title: 'Dig it!' })).body.slug).toBe('dig-it')
  expect((await send('POST /tasks', { title: 'Dig it' })).body.slug).toBe('dig-it-2')
  expect((await send('GET /tasks/dig-it-2')).body.title).toBe('Dig it')
})

describe('a job', () => {
  const job = (states: readonly string[], more: Json = {}) =>
    task({ status: { ...TEXT, enum: states, readOnly: true }, completed_at: NULL_TIME, progress: INTEGER, ...more }, [
      'status',
    ])

  it.each<[readonly string[], readonly string[]]>([
    [
      ['failed', 'queued', 'running', 'finished'],
      ['queued', 'running', 'finished'],
    ],
    [
      ['in-progress', 'completed', 'errored'],
      ['in-progress', 'in-progress', 'completed'],
    ],
    // An order.
    [
      ['pending', 'processing', 'completed', 'cancelled'],
      ['pending', 'pending', 'pending'],
    ],
  ])('of the states %j goes on by the clock', async (states, expected) => {
    const { send, mock } = await serve(tasks(job(states)))
    mock.clock.freeze()
    await send('POST /tasks', DIG)
    const seen = []
    for (const after of [999, 2000, 2000]) {
      mock.clock.advance(after)
      const { body } = await send('GET /tasks/1')
      expect((await send('GET /tasks')).body).toEqual([body])
      expect((await send('GET /tasks/1')).body).toEqual(body)
      seen.push(body.status)
      const isDone = body.status === expected[2] && expected[2] !== expected[1]
      expect(body.progress).toBe(isDone ? 100 : body.progress)
      expect(body.completed_at === null).toBe(!isDone)
    }
    expect(seen).toEqual(expected)
  })

  it('stays as a client has set it', async () => {
    const states = ['queued', 'running', 'finished', 'failed']
    const { send, mock } = await serve(tasks(job(states), task({ status: { ...TEXT, enum: states } })))
    mock.clock.freeze()
    await send('POST /tasks', { ...DIG, status: 'running' })
    mock.clock.advance(10_000)
    expect((await send('GET /tasks/1')).body.status).toBe('running')
  })
})

describe('formats', () => {
  it.each([
    ['email', 'ada@example.com', ['nope', 'a b@c']],
    ['uuid', '0f0e0d0c-0b0a-4908-8706-050403020100', ['nope', '0f0e']],
    ['uri', 'https://example.com/?a=b', ['nope', 'https://example.com/a b']],
    ['ipv4', '192.0.2.1', ['nope', '192.0.2.256']],
    ['date', '2031-05-06', ['nope', '2031-02-30']],
    ['date-time', '2031-05-06T07:08:09Z', ['nope', '2031-05-06']],
  ])('%s is checked', async (format, right, wrong) => {
    const record = task({ value: { ...TEXT, format }, values: list({ ...TEXT, format }) })
    const { send } = await serve(tasks(record, record))
    expect((await send('POST /tasks', { ...DIG, value: right })).body.value).toBe(right)
    for (const value of wrong) {
      expect((await send('POST /tasks', { ...DIG, value })).status).toBe(400)
      expect((await send('POST /tasks', { ...DIG, values: [value] })).status).toBe(400)
      expect((await send('PATCH /tasks/1', { value })).status).toBe(400)
    }
  })

  it.each(['hostname', 'ipv6', 'byte', 'duration', 'time', 'uri-reference', 'json-pointer', 'int64', 'phone'])(
    '%s is not: what was sent stays',
    async (format) => {
      const record = task({ value: { ...TEXT, format }, values: list({ ...TEXT, format }) })
      const { send } = await serve(tasks(record, record))
      const sent = { ...DIG, value: 'no <such> thing', values: ['no <such> thing'] }
      const stored = { id: 1, ...sent }
      expect((await send('POST /tasks', sent)).body).toEqual(stored)
      expect((await send('PUT /tasks/1', { id: 1, ...sent, title: 'Rest' })).body).toEqual({ ...stored, title: 'Rest' })
      expect((await send('PATCH /tasks/1', { title: 'Dig' })).body).toEqual(stored)
    },
  )
})
