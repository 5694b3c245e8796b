import { expect, it, onTestFinished } from 'vitest'
import { type AnyService, createMock, defineService, type MockOptions } from '../../src/index.js'
import { type Adapter, describeAdapters } from '../support/adapters.js'
import {
  collection,
  INTEGER,
  inPath,
  list,
  object,
  returns,
  TEXT,
  takes,
  toDocument,
} from '../support/small-documents.js'

const MADE = { ...INTEGER, readOnly: true }
const PERSON = object({ id: MADE, name: TEXT }, ['id', 'name'])
const PLACE = { parameters: [inPath('personId')] }

/** A note has the id of its task in its path only, and so has a task that of a person, if it has one. */
const service = defineService<AnyService>({
  document: toDocument(
    {
      ...collection('people', { record: PERSON }),
      ...collection('tasks'),
      ...collection('notes', { prefix: '/tasks/{taskId}', parents: [inPath('taskId')] }),
      '/people/{personId}/tasks': {
        ...PLACE,
        get: { responses: { 200: returns(list({ $ref: '#/components/schemas/Record' })) } },
        post: {
          ...takes({ $ref: '#/components/schemas/Record' }),
          responses: { 201: returns({ $ref: '#/components/schemas/Record' }) },
        },
      },
    },
    { Record: object({ id: MADE, title: TEXT }, ['id', 'title']) },
  ),
  resources: {
    people: {
      defaults: { password: 'secret', tags: [], device: { trusted: false } },
      filters: { password: hasPassword },
    },
  },
  scenarios: { default: { people: [{ id: 1, name: 'Ada', password: 'lovelace' }] } },
})

function hasPassword({ password }: Readonly<Record<string, unknown>>, wanted: string): boolean {
  return password === wanted
}

const HEADERS = { 'content-type': 'application/json' }

async function open(adapter: Adapter) {
  const running = await adapter.openService(service)
  onTestFinished(() => running.close())
  const send = async (method: string, path: string, body?: object) => {
    const response = await running.fetch(path, {
      method,
      headers: HEADERS,
      ...(body && { body: JSON.stringify(body) }),
    })
    return response.status === 204 ? undefined : response.json()
  }
  await send('POST', '/tasks', { title: 'Alone' })
  await send('POST', '/people/1/tasks', { title: 'Plan' })
  await send('POST', '/tasks/2/notes', { title: 'Soon' })
  running.mock.data.people?.create({ name: 'Eve', password: 'apple', tags: ['new'] })
  return { ...running, send }
}

const NOTES = [{ id: 1, title: 'Soon' }]
const TASKS = [{ id: 2, title: 'Plan' }]

async function start(options: MockOptions) {
  const mock = createMock(service, options)
  await mock.ready
  return mock
}

describeAdapters('The state of a service', (adapter) => {
  it('has the ids that only a path has, and what is stored beside a record', async () => {
    const { send, mock } = await open(adapter)
    const state = await send('GET', '/__admin/state')
    expect(state).toEqual(JSON.parse(JSON.stringify(mock.exportState())))
    const device = { trusted: false }
    expect(state).toMatchObject({
      people: [
        { id: 1, name: 'Ada', password: 'lovelace', tags: [], device },
        { id: 2, name: 'Eve', password: 'apple', tags: ['new'], device },
      ],
      tasks: [
        { id: 1, title: 'Alone' },
        { id: 2, title: 'Plan', personId: '1' },
      ],
      notes: [{ id: 1, title: 'Soon', taskId: '2' }],
    })
    expect(state.tasks[0]).toEqual({ id: 1, title: 'Alone' })
    expect(await send('GET', '/people/1')).toEqual({ id: 1, name: 'Ada' })
  })

  it('is the same after it was exported and imported, started with, or restored', async () => {
    const { send, fetch, mock } = await open(adapter)
    const text = await (await fetch('/__admin/state')).text()
    mock.snapshots.take('before')
    mock.reset()
    expect(await send('GET', '/tasks')).toEqual([])
    const expectSame = async () => {
      expect(await send('GET', '/tasks/2/notes')).toEqual(NOTES)
      expect(await send('GET', '/people/1/tasks')).toEqual(TASKS)
      expect(await (await fetch('/__admin/state')).text()).toBe(text)
    }
    expect((await fetch('/__admin/state', { method: 'PUT', headers: HEADERS, body: text })).status).toBe(204)
    await expectSame()
    mock.reset()
    mock.snapshots.restore('before')
    await expectSame()
    const started = await start({ fixtures: text })
    expect(JSON.stringify(started.exportState())).toBe(text)
    expect(await (await started.fetch('/tasks/2/notes')).json()).toEqual(NOTES)
  })
})

it.each([
  [{ notes: [{ id: 1, title: 'Lost' }] }, '/notes/0/taskId is missing: it must be the id of a task'],
  [{ people: [{ id: 1, name: 'Ada', pasword: 'x' }] }, '/people/0/pasword is unknown'],
])('rejects the fixture %j', async (fixtures, message) => {
  await expect(start({ fixtures })).rejects.toThrow(message)
})

it('gives each new record a default of its own', async () => {
  const { data, exportState } = await start({})
  data.people?.createMany(2, { name: 'Ada' })
  const [, one, other] = exportState().people as { tags: object; device: object }[]
  expect([one?.tags === other?.tags, one?.device === other?.device]).toEqual([false, false])
})
