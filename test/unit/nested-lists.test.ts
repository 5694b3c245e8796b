import { describe, expect, it } from 'vitest'
import type { DataCollection } from '../../src/engine/data/data.js'
import { createMock } from '../../src/engine/mock/create-mock.js'
import { defineService } from '../../src/engine/mock/define-service.js'
import { summarizeService } from '../../src/engine/mock/summary.js'
import {
  collection,
  ERRORS,
  GONE,
  INTEGER,
  inPath,
  inQuery,
  type Json,
  list,
  object,
  returns,
  serve,
  serveService,
  TEXT,
  takes,
  toDocument,
} from '../support/small-documents.js'

/* Collections below a parent whose items have a path of their own: /projects/{projectId}/tasks and /tasks/{taskId}. */

const ID = { type: 'integer', readOnly: true }
const PROJECT = object({ id: ID, name: TEXT }, ['id', 'name'])
const sentTask = { title: TEXT, assigneeId: INTEGER }
const TASK = object({ id: ID, ...sentTask }, ['id', 'title'])
const TASK_OF_PROJECT = object({ id: ID, projectId: { ...INTEGER, readOnly: true }, ...sentTask }, [
  'id',
  'title',
  'projectId',
])

const SENT = object(sentTask, ['title'])

/** `parent` and `own` are the names of the parameters. */
function tasks(record: Json, { parent = 'projectId', own = 'taskId', more = {} as Json } = {}) {
  return toDocument({
    ...collection('projects', { record: PROJECT }),
    ...collection('users', { record: PROJECT }),
    [`/projects/{${parent}}/tasks`]: {
      parameters: [inPath(parent)],
      get: {
        operationId: 'listTasks',
        parameters: [inQuery('assigneeId', INTEGER)],
        responses: { 200: returns(list(record)), ...ERRORS },
      },
      post: { operationId: 'createTask', ...takes(SENT), responses: { 201: returns(record), ...ERRORS } },
    },
    [`/tasks/{${own}}`]: {
      parameters: [inPath(own)],
      get: { operationId: 'getTask', responses: { 200: returns(record), ...ERRORS } },
      put: { operationId: 'replaceTask', ...takes(SENT), responses: { 200: returns(record), ...ERRORS } },
      delete: { operationId: 'deleteTask', responses: { 204: GONE, ...ERRORS } },
    },
    ...more,
  })
}

type Data = Record<string, DataCollection<{ id: number }, Json> | undefined>

const projects = [
  { id: 1, name: 'Garden' },
  { id: 2, name: 'House' },
]

describe.each([
  ['has the id of its parent', TASK_OF_PROJECT, { own: 'taskId' }],
  ['has not', TASK, { own: 'taskId' }],
  ['has not, and all parameters are called id', TASK, { parent: 'id', own: 'id' }],
])('a record that %s', (_, record, names) => {
  const own = (projectId: number) => (record === TASK ? {} : { projectId })

  it('is created and listed below its parent, and read, replaced and deleted without it', async () => {
    const { send } = await serve(tasks(record, names), { projects })
    const created = await send('POST /projects/2/tasks', { title: 'Paint' })
    const paint = { id: 1, title: 'Paint', ...own(2) }
    expect(created).toMatchObject({ status: 201, body: paint })
    expect(created.headers.get('location')).toBe('/tasks/1')
    expect((await send('GET /tasks/1')).body).toEqual(paint)
    expect((await send('GET /projects/2/tasks')).body).toEqual([paint])
    expect((await send('GET /projects/1/tasks')).body).toEqual([])
    expect((await send('PUT /tasks/1', { title: 'Paint it' })).body).toEqual({ ...paint, title: 'Paint it' })
    expect((await send('GET /projects/2/tasks')).body).toEqual([{ ...paint, title: 'Paint it' }])
    expect((await send('DELETE /tasks/1')).status).toBe(204)
    expect((await send('GET /tasks/1')).status).toBe(404)
    expect((await send('GET /tasks/9')).status).toBe(404)
    expect((await send('POST /projects/9/tasks', { title: 'Paint' })).status).toBe(404)
  })

  it('is deleted with its parent', async () => {
    const { send } = await serve(tasks(record, names), { projects })
    await send('POST /projects/1/tasks', { title: 'Dig' })
    await send('POST /projects/2/tasks', { title: 'Paint' })
    expect((await send('DELETE /projects/1')).status).toBe(204)
    expect((await send('GET /tasks/1')).status).toBe(404)
    expect((await send('GET /tasks/2')).status).toBe(200)
  })

  it('can be the parent of others', async () => {
    const parameter = names.own
    const prefix = `/tasks/{${parameter}}`
    const notes = collection('notes', { record: PROJECT, prefix, parents: [inPath(parameter)] })
    const { send } = await serve(tasks(record, { ...names, more: notes }), { projects })
    await send('POST /projects/2/tasks', { title: 'Paint' })
    expect((await send('POST /tasks/1/notes', { id: 1, name: 'Blue' })).status).toBe(201)
    expect((await send('POST /tasks/2/notes', { id: 1, name: 'Blue' })).status).toBe(404)
    await send('DELETE /projects/2')
    expect((await send('GET /tasks/1/notes')).status).toBe(404)
  })
})

it.each(['/tasks', '/projects/{projectId}/tasks'])(
  'is one resource, to which a service adds rules: %s',
  async (path) => {
    const document = tasks(TASK_OF_PROJECT)
    const resources = { tasks: { path, references: { assigneeId: 'users' } } }
    const service = defineService({ document, resources, scenarios: { default: { projects, users: projects } } })
    const { resources: summaries } = summarizeService(service as never)
    expect(summaries.filter(({ name }) => name.toLowerCase().includes('task'))).toMatchObject([
      {
        name: 'tasks',
        operations: {
          list: 'listTasks',
          create: 'createTask',
          read: 'getTask',
          replace: 'replaceTask',
          remove: 'deleteTask',
        },
      },
    ])
    const mock = createMock(service)
    const post = (task: object) =>
      mock.fetch('/projects/1/tasks', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(task),
      })
    expect((await post({ title: 'Dig', assigneeId: 9 })).status).toBe(422)
    expect((await post({ title: 'Dig', assigneeId: 2 })).status).toBe(201)
    const listed = await mock.fetch('/projects/1/tasks?assigneeId=2')
    expect(await listed.json()).toEqual([{ id: 1, projectId: 1, title: 'Dig', assigneeId: 2 }])
  },
)

it('is created by the data API with the id of its parent, whether the record has it or not', async () => {
  for (const record of [TASK, TASK_OF_PROJECT]) {
    const { mock, send } = await serve(tasks(record), { projects })
    const data = mock.data as unknown as Data
    const made = data.tasks?.create({ projectId: 2, title: 'Paint' })
    expect((await send('GET /projects/2/tasks')).body).toMatchObject([{ id: made?.id, title: 'Paint' }])
    expect((await send('GET /projects/1/tasks')).body).toEqual([])
    expect(data.tasks?.update(made?.id ?? 0, { title: 'Dig' })).toMatchObject({ title: 'Dig' })
    data.tasks?.create()
    expect(data.tasks?.all()).toHaveLength(2)
    data.tasks?.delete(made?.id ?? 0)
    expect((await send('GET /projects/2/tasks')).body).not.toContainEqual(expect.objectContaining({ id: made?.id }))
  }
})

it('is created by the data API below two parents that belong together', async () => {
  const prefix = '/users/{userId}/projects'
  const nested = collection('projects', { record: PROJECT, prefix: '/users/{userId}', parents: [inPath('userId')] })
  const notes = collection('notes', {
    record: PROJECT,
    prefix: `${prefix}/{projectId}`,
    parents: [inPath('userId'), inPath('projectId')],
  })
  const document = toDocument({ ...collection('users', { record: PROJECT }), ...nested, ...notes })
  const { mock, send } = await serve(document, { users: projects })
  const data = mock.data as unknown as Data
  const project = data.projects?.create({ userId: 2, name: 'Garden' })
  data.notes?.create({ projectId: project?.id, name: 'Green' })
  expect((await send(`GET /users/2/projects/${project?.id}/notes`)).body).toMatchObject([{ name: 'Green' }])
  data.notes?.update(1, { name: 'Blue' })
  expect(data.notes?.find(1)).toMatchObject({ name: 'Blue' })
  data.notes?.delete(1)
  expect(data.notes?.all()).toEqual([])
})

it('starts with records of existing parents', async () => {
  const mock = createMock(defineService({ document: tasks(TASK_OF_PROJECT) }))
  await mock.ready
  const state = mock.exportState() as unknown as Record<string, { id: number; projectId: number }[]>
  const ids = state.projects?.map(({ id }) => id)
  expect(state.tasks?.length).toBeGreaterThan(10)
  for (const { id, projectId } of state.tasks ?? []) {
    expect(ids).toContain(projectId)
    const listed = (await (await mock.fetch(`/projects/${projectId}/tasks`)).json()) as object[]
    expect(listed).toContainEqual(expect.objectContaining({ id }))
  }
})

it('is one collection without an operation that reads one', async () => {
  const document = tasks(TASK) as { paths: Record<string, Record<string, unknown>> }
  const { get: _, ...item } = document.paths['/tasks/{taskId}'] ?? {}
  document.paths['/tasks/{taskId}'] = item
  const { send } = await serve(document, { projects })
  await send('POST /projects/1/tasks', { title: 'Dig' })
  expect((await send('PUT /tasks/1', { title: 'Dig deeper' })).status).toBe(200)
  expect((await send('GET /projects/1/tasks')).body).toEqual([{ id: 1, title: 'Dig deeper' }])
  expect((await send('DELETE /tasks/1')).status).toBe(204)
  expect((await send('DELETE /tasks/1')).status).toBe(404)
})

it('can be created below a second kind of parent, with the same rules', async () => {
  const more = {
    '/users/{userId}/tasks': {
      parameters: [inPath('userId')],
      get: { responses: { 200: returns(list(TASK)), ...ERRORS } },
      post: { ...takes(SENT), responses: { 201: returns(TASK), ...ERRORS } },
    },
  }
  const resources = { tasks: { path: '/tasks', references: { assigneeId: 'users' } } }
  const scenarios = { default: { projects, users: projects } }
  const mock = createMock(defineService({ document: tasks(TASK, { more }), resources, scenarios }))
  const post = (task: object) =>
    mock.fetch('/users/1/tasks', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(task),
    })
  expect((await post({ title: 'Dig', assigneeId: 9 })).status).toBe(422)
  expect((await post({ title: 'Dig', assigneeId: 2 })).status).toBe(201)
  expect(await (await mock.fetch('/tasks/1')).json()).toEqual({ id: 1, title: 'Dig', assigneeId: 2 })
  expect(await (await mock.fetch('/users/1/tasks')).json()).toHaveLength(1)
  expect(await (await mock.fetch('/users/2/tasks')).json()).toEqual([])
})

it('has every id where nobody could know those of its parents, until it is deleted', async () => {
  const notes = collection('notes', { record: PROJECT, prefix: '/tasks/{taskId}', parents: [inPath('taskId')] })
  const document = tasks(TASK, { more: notes }) as { paths: Record<string, unknown> }
  delete document.paths['/projects']
  const { send } = await serve(document, { projects: [] })
  const status = async (request: string, body?: Json) => (await send(request, body)).status
  const { body: created } = await send('POST /projects/7/tasks', { title: 'Dig' })
  expect((await send(`GET /tasks/${created.id}`)).body).toEqual(created)
  expect(await status('POST /tasks/99/notes', { name: 'Blue' })).toBe(201)
  expect([await status('GET /tasks/99'), await status('DELETE /tasks/99')]).toEqual([200, 204])
  expect(await status('GET /tasks/99')).toBe(404)
})

it('is not one collection with records of another kind', async () => {
  const document = tasks(TASK) as { paths: Record<string, Record<string, unknown>> }
  const other = object({ id: ID, size: INTEGER, weight: INTEGER })
  document.paths['/tasks/{taskId}'] = { parameters: [inPath('taskId')], get: { responses: { 200: returns(other) } } }
  const { send } = await serve(document, { projects })
  await send('POST /projects/1/tasks', { title: 'Dig' })
  expect((await send('GET /tasks/1')).body).not.toHaveProperty('title')
})

it('is listed below records that are listed below it', async () => {
  const listed = (path: string, parameter: string) => ({
    [path]: { parameters: [inPath(parameter)], get: { responses: { 200: returns(list(PROJECT)), ...ERRORS } } },
  })
  const document = toDocument({
    ...collection('tasks', { record: PROJECT }),
    ...collection('tags', { record: PROJECT }),
    ...listed('/tasks/{taskId}/tags', 'taskId'),
    ...listed('/tags/{tagId}/tasks', 'tagId'),
  })
  const mock = createMock({ document })
  await mock.ready
  expect((await mock.fetch('/tags/1/tasks')).status).toBe(200)
})

it('leaves the ids of records unknown if it shows a part of some only', async () => {
  const read = { get: { responses: { 200: returns(object({ id: TEXT, name: TEXT, owner: TEXT }, ['id', 'name'])) } } }
  const mine = { get: { responses: { 200: returns(list(object({ id: TEXT, name: TEXT }, ['id', 'name']))) } } }
  const document = toDocument({
    '/guilds/{id}': { parameters: [inPath('id', TEXT)], ...read },
    '/me/guilds': mine,
    '/me/guilds/{id}': { parameters: [inPath('id', TEXT)], delete: { responses: { 204: GONE } } },
    '/guilds/{id}/wake': { parameters: [inPath('id', TEXT)], post: { responses: { 204: GONE, ...ERRORS } } },
  })
  const { send } = await serveService(defineService({ document }))
  expect((await send('GET /guilds/of-a-client')).body).toMatchObject({ id: 'of-a-client' })
  expect((await send('POST /guilds/of-another/wake')).status).toBe(204)
})
