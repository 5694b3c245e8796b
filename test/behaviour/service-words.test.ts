import { expect, it, onTestFinished, vi } from 'vitest'
import { type AnyService, createMock, defineService, type ServiceDescription } from '../../src/index.js'
import { type Adapter, describeAdapters } from '../support/adapters.js'
import { INTEGER, inPath, list, object, returns, TEXT, takes, toDocument } from '../support/small-documents.js'
import { document } from '../support/tracker-document.js'

/** A mock of the tracker, with what a service file says about it. */
async function open(adapter: Adapter, words: Partial<ServiceDescription>, data: object = {}) {
  const service = defineService<AnyService>({ document, scenarios: { default: data as never }, ...words })
  const running = await adapter.openService(service)
  onTestFinished(() => running.close())
  async function send(request: string, body?: object, headers: Readonly<Record<string, string>> = {}) {
    const [method = '', path = ''] = request.split(' ')
    const init = { method, headers: { 'content-type': 'application/json', ...headers } }
    const response = await running.fetch(path, body ? { ...init, body: JSON.stringify(body) } : init)
    const text = await response.text()
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
  }
  return { ...running, send }
}

const PROJECTS = { projects: [{ id: 1, name: 'Home' }] }
const task = (id: number, more: object = {}) => ({
  ...{ id, title: `Task ${id}`, status: 'todo', authorId: 1, projectId: 1 },
  ...more,
})

describeAdapters('The words of a service file', (adapter) => {
  it('id: another property is the id', async () => {
    const words = { resources: { tags: { id: 'slug' } } }
    const { send } = await open(adapter, words, { tags: [{ id: 1, name: 'Red', slug: 'red' }] })
    expect(await send('GET /tags/red')).toMatchObject({ status: 200, body: { name: 'Red' } })
    expect(await send('GET /tags/1')).toMatchObject({ status: 404 })
  })

  it('at: several paths are one collection', async () => {
    const title = object({ id: INTEGER, title: TEXT }, ['id'])
    const paths = toDocument({
      '/backlog': {
        get: { responses: { 200: returns(list(title)) } },
        post: { ...takes(object({ title: TEXT })), responses: { 201: returns(title) } },
      },
      '/tasks/{taskId}': { parameters: [inPath('taskId')], get: { responses: { 200: returns(title) } } },
    })
    const guess = await open(adapter, { document: paths })
    await guess.send('POST /backlog', { title: 'Sweep' })
    expect((await guess.send('GET /tasks/99')).status).toBe(200)
    const words = { resources: { tasks: { at: ['/backlog', '/tasks/{taskId}'] } } }
    const { send } = await open(adapter, { document: paths, ...words })
    const { body } = await send('POST /backlog', { title: 'Sweep' })
    expect(await send(`GET /tasks/${body.id}`)).toMatchObject({ status: 200, body: { title: 'Sweep' } })
    expect(await send('GET /tasks/99')).toMatchObject({ status: 404 })
    expect((await send('GET /backlog')).body).toEqual([body])
  })

  it('parent: the property that repeats the id of a parent', async () => {
    const words = { resources: { tasks: { at: '/tasks/{taskId}', parent: { projectId: 'projectNumber' } } } }
    const { send } = await open(adapter, words, { projects: [{ id: 7, name: 'Home' }] })
    expect(await send('POST /projects/7/tasks', { title: 'Sweep' })).toMatchObject({ body: { projectNumber: 7 } })
  })

  it('references: what a client cannot send is chosen', async () => {
    const words = { resources: { tasks: { references: { authorId: 'users' } } } }
    const { send } = await open(adapter, words, { ...PROJECTS, users: [{ id: 5, email: 'ada@example.com' }] })
    expect(await send('POST /projects/1/tasks', { title: 'Sweep' })).toMatchObject({ body: { authorId: 5 } })
    expect(await send('DELETE /users/5')).toMatchObject({ status: 409 })
  })

  it('hidden: stored and never sent', async () => {
    const words = { resources: { users: { hidden: ['password'] } } }
    const { send, mock } = await open(adapter, words, { users: [{ id: 1, email: 'ada@example.com', password: 'x' }] })
    const { body } = await send('POST /users', { email: 'bob@example.com', password: 'y' })
    expect(body).toEqual({ id: 2, email: 'bob@example.com' })
    await send('PATCH /users/1', { email: 'ada@example.com', password: 'z' })
    expect((await send('GET /users')).body).toEqual([{ id: 1, email: 'ada@example.com' }, body])
    mock.data.users?.create({ email: 'eve@example.com', password: 'q' })
    const { users } = mock.exportState() as never as { users: { password: string }[] }
    expect(users.map(({ password }) => password)).toEqual(['z', 'y', 'q'])
  })

  it('unique: a value that another record has is a conflict', async () => {
    const words = { resources: { users: { unique: ['email'] } } }
    const { send, mock } = await open(adapter, words, { users: [{ id: 1, email: 'ada@example.com' }] })
    const conflict = {
      status: 409,
      body: { detail: '/email must be unique, but user 1 has "ada@example.com" already.' },
    }
    expect(await send('POST /users', { email: 'ada@example.com', password: 'x' })).toMatchObject(conflict)
    expect(await send('POST /users', { email: 'bob@example.com', password: 'x' })).toMatchObject({ status: 201 })
    expect(await send('PATCH /users/2', { email: 'ada@example.com', password: 'x' })).toMatchObject(conflict)
    expect(await send('PATCH /users/1', { email: 'ada@example.com', password: 'x' })).toMatchObject({ status: 200 })
    expect(() => mock.data.users?.create({ email: 'ada@example.com' })).toThrow('/email must be unique')
  })

  it('counts: how many records of another resource belong to one', async () => {
    const words = { resources: { tasks: { counts: { commentCount: 'comments' } } } }
    const comments = [1, 2].map((id) => ({ id, taskId: 1, text: `Comment ${id}` }))
    const { send, mock } = await open(adapter, words, { ...PROJECTS, tasks: [task(1), task(2)], comments })
    const counts = async () => {
      const { body } = await send('GET /projects/1/tasks')
      return body.map(({ commentCount }: { commentCount: number }) => commentCount)
    }
    expect(await counts()).toEqual([2, 0])
    await send('POST /tasks/2/comments', { id: 3, taskId: 2, text: 'Third' })
    await send('DELETE /tasks/1/comments/1')
    expect(await counts()).toEqual([1, 1])
    const snapshot = mock.snapshot()
    mock.data.comments?.update(2, { taskId: 1 })
    await send('DELETE /tasks/2/comments/3')
    expect(await counts()).toEqual([1, 0])
    mock.data.comments?.update(2, { taskId: 2 })
    expect(await counts()).toEqual([0, 1])
    mock.restore(snapshot)
    expect(await counts()).toEqual([1, 1])
    expect((await send('POST /projects/1/tasks', { title: 'New' })).body).toMatchObject({ commentCount: 0 })
    mock.reset()
    expect(await counts()).toEqual([2, 0])
  })

  it('newest: lists start with what was created last', async () => {
    const words = { resources: { comments: { newest: 'first' as const } } }
    const comments = [1, 2].map((id) => ({ id, taskId: 1, text: `Comment ${id}` }))
    const { send } = await open(adapter, words, { ...PROJECTS, tasks: [task(1)], comments })
    await send('POST /tasks/1/comments', { text: 'Third' })
    expect((await send('GET /tasks/1/comments')).body.map(({ id }: { id: number }) => id)).toEqual([3, 2, 1])
  })

  it('false: no collection', async () => {
    const { send, mock } = await open(adapter, { resources: { tags: false } })
    expect(mock.data).not.toHaveProperty('tags')
    expect(await send('GET /tags/7')).toMatchObject({ status: 200 })
  })

  it('states: every change of a state is guarded', async () => {
    const states = { tasks: { todo: ['in_progress'], in_progress: ['done', 'todo'] } }
    const { send, mock } = await open(
      adapter,
      { states },
      { ...PROJECTS, tasks: [task(1), task(2, { status: 'done' })] },
    )
    const conflict = await send('PATCH /tasks/1', { status: 'done' })
    expect(conflict).toMatchObject({
      status: 409,
      body: { detail: '/status cannot change from todo to done. Allowed: in_progress.' },
    })
    expect(await send('PATCH /tasks/1', { status: 'in_progress' })).toMatchObject({ status: 200 })
    expect(await send('PATCH /tasks/1', { title: 'Sweep' })).toMatchObject({ body: { status: 'in_progress' } })
    expect(await send('PATCH /tasks/2', { status: 'todo' })).toMatchObject({ status: 409 })
    mock.data.tasks?.update(2, { status: 'todo' })
    expect((await send('GET /tasks/2')).body).toMatchObject({ status: 'todo' })
  })

  it('actions: what an operation sets, and from where', async () => {
    const actions = {
      completeTask: { set: { status: 'done', completedAt: 'now' }, from: { status: ['todo', 'in_progress'] } },
      shelveTask: { set: { status: 'archived' } },
    }
    const { send } = await open(adapter, { actions }, { ...PROJECTS, tasks: [task(1), task(2)] })
    const { body } = await send('POST /tasks/1/complete')
    expect(body).toMatchObject({ id: 1, status: 'done', completedAt: expect.stringMatching(/^\d{4}-/) })
    expect(await send('POST /tasks/1/complete')).toMatchObject({ status: 409 })
    await send('POST /tasks/2/shelve')
    expect((await send('GET /tasks/2')).body).toMatchObject({ status: 'archived' })
  })

  it('actions: one that is false keeps no state', async () => {
    const { send } = await open(adapter, { actions: { completeTask: false } }, { ...PROJECTS, tasks: [task(1)] })
    expect((await send('POST /tasks/1/complete')).status).toBe(200)
    expect((await send('GET /tasks/1')).body).toMatchObject({ status: 'todo' })
  })

  it('actions: an operation that would do something else changes the record instead', async () => {
    const actions = { removeTask: { set: { status: 'archived' } } }
    const { send } = await open(adapter, { actions }, { ...PROJECTS, tasks: [task(1)] })
    expect((await send('DELETE /tasks/1')).status).toBe(204)
    expect((await send('GET /tasks/1')).body).toMatchObject({ status: 'archived' })
  })

  it('authenticate: its user is that of every handler, and owns what it creates', async () => {
    const users = [1, 2].map((id) => ({ id, email: `${id}@example.com`, password: `secret${id}` }))
    const words: Partial<ServiceDescription> = {
      authenticate: ({ token }, { store }) =>
        [...(store.users?.select({}) ?? [])].find(({ password }) => password === token),
      resources: { users: { hidden: ['password'] }, tasks: { references: { authorId: 'user' } } },
      operations: {
        getTask: ({ user, record }, standard) => {
          if (user?.id !== String(record?.authorId)) return { status: 404 }
          return standard()
        },
      },
    }
    const { send } = await open(adapter, words, { ...PROJECTS, users })
    const as = (number: number) => ({ authorization: `Bearer secret${number}` })
    expect((await send('GET /projects')).status).toBe(401)
    expect((await send('GET /projects', undefined, as(3))).status).toBe(401)
    const { status, body } = await send('POST /projects/1/tasks', { title: 'Sweep' }, as(2))
    expect({ status, body }).toMatchObject({ status: 201, body: { authorId: 2 } })
    expect((await send(`GET /tasks/${body.id}`, undefined, as(2))).status).toBe(200)
    expect((await send(`GET /tasks/${body.id}`, undefined, as(1))).status).toBe(404)
    expect((await send('GET /me', undefined, as(2))).body).toMatchObject({ id: 2 })
    expect((await send('POST /login', { email: 'a@example.com', password: 'x' })).status).not.toBe(401)
  })

  it('a whole service: sign-in, ownership, tags, states, an archive, unique emails and counts', async () => {
    const words: Partial<ServiceDescription> = {
      authenticate: ({ token }, { store }) =>
        [...(store.users?.select({}) ?? [])].find(({ password }) => password === token),
      resources: {
        users: { hidden: ['password'], unique: ['email'] },
        tasks: {
          at: ['/projects/{projectId}/tasks', '/tasks/{taskId}'],
          parent: { projectId: 'projectNumber' },
          references: { authorId: 'user' },
          counts: { commentCount: 'comments' },
          links: { tags: 'tags' },
          newest: 'first',
        },
        search: false,
      },
      actions: {
        completeTask: { set: { status: 'done', completedAt: 'now' }, from: { status: ['todo', 'in_progress'] } },
        shelveTask: { set: { status: 'archived' } },
      },
      states: { tasks: { todo: ['in_progress', 'done'], in_progress: ['done'], done: ['archived'] } },
    }
    const users = [{ id: 1, email: 'ada@example.com', password: 'ada' }]
    const { send } = await open(adapter, words, { ...PROJECTS, users, tags: [{ id: 1, name: 'Red' }] })
    const as = { authorization: 'Bearer ada' }
    const { body } = await send('POST /projects/1/tasks', { title: 'Sweep', status: 'todo' }, as)
    expect(body).toMatchObject({ authorId: 1, projectNumber: 1, commentCount: 0 })
    await send(`PUT /tasks/${body.id}/tags/1`, undefined, as)
    await send(`POST /tasks/${body.id}/comments`, { id: 1, text: 'Done?' }, as)
    expect((await send(`POST /tasks/${body.id}/shelve`, undefined, as)).status).toBe(409)
    expect((await send(`POST /tasks/${body.id}/complete`, undefined, as)).body).toMatchObject({
      status: 'done',
      commentCount: 1,
      tags: [{ id: 1, name: 'Red' }],
    })
    expect((await send('GET /projects/1/tasks', undefined, as)).body).toHaveLength(1)
    expect((await send('POST /users', { email: 'ada@example.com', password: 'x' }, as)).status).toBe(409)
    expect((await send('GET /me', undefined, as)).body).toEqual({ id: 1, email: 'ada@example.com' })
  })

  it('states: actions are guarded, too', async () => {
    const words = {
      actions: { completeTask: { set: { status: 'done' } } },
      states: { tasks: { in_progress: ['done'] } },
    }
    const tasks = [task(1), task(2, { status: 'in_progress' })]
    const { send } = await open(adapter, words, { ...PROJECTS, tasks })
    expect(await send('POST /tasks/1/complete')).toMatchObject({ status: 409 })
    expect(await send('POST /tasks/2/complete')).toMatchObject({ status: 200, body: { status: 'done' } })
  })
})

it.each<[Partial<ServiceDescription>, string]>([
  [
    { resources: { tasks: { uniqe: ['title'] } as never } },
    'Unknown field of the resource tasks "uniqe". Did you mean "unique"?',
  ],
  [{ resources: { users: { unique: ['emial'] } } }, 'Unknown unique property of users "emial". Did you mean "email"?'],
  [
    { resources: { users: { hidden: ['pasword'] } } },
    'Unknown hidden property of users "pasword". Did you mean "password"?',
  ],
  [{ resources: { tags: { id: 'slgu' } } }, 'Unknown property of tags for its id "slgu". Did you mean "slug"?'],
  [{ resources: { tasks: { parent: { projectId: 'projectNumbr' } } } }, 'Did you mean "projectNumber"?'],
  [{ resources: { tasks: { parent: { projectID: 'projectNumber' } } } }, 'Did you mean "projectId"?'],
  [{ resources: { tsaks: false } }, 'Unknown collection "tsaks". Did you mean "tasks"?'],
  [{ states: { tasks: { todo: ['dnoe'] } } }, 'Unknown state of tasks "dnoe". Did you mean "done"?'],
  [{ actions: { compleatTask: {} } }, 'Unknown operation "compleatTask". Did you mean "completeTask"?'],
  [
    { actions: { completeTask: { sets: {} } as never } },
    'Unknown word of the action completeTask "sets". Did you mean "set"?',
  ],
  [
    { actions: { completeTask: { set: { state: 'done' } } } },
    'Unknown property of tasks "state". Did you mean "status"?',
  ],
  [
    { actions: { completeTask: { from: { status: ['tood'] } } } },
    'Unknown status of tasks "tood". Did you mean "todo"?',
  ],
  [{ actions: { search: { set: {} } } }, 'search cannot be one of its actions, because its path names no record.'],
  [{ resources: { tasks: { counts: { commentCuont: 'comments' } } } }, 'Did you mean "commentCount"?'],
  [{ resources: { tasks: { counts: { commentCount: 'coments' } } } }, 'Did you mean "comments"?'],
  [
    { resources: { tasks: { counts: { commentCount: 'users' } } } },
    'tasks cannot count users: no property or path of users',
  ],
  [{ states: { comments: { todo: ['done'] } } }, 'no property of comments has the states that it names.'],
])('rejects at the start %j', async (words, message) => {
  const opened = async () => {
    await createMock(defineService({ document, scenarios: { default: {} }, ...words } as never)).ready
  }
  await expect(opened()).rejects.toThrow(message)
})

it.each<[() => unknown, string]>([
  [
    () => {
      throw new Error('no database')
    },
    'authenticate of the service failed: Error: no database',
  ],
  [() => Promise.resolve(), 'authenticate of the service must return a user with an id, or undefined'],
])('names authenticate when it is wrong: %s', async (authenticate, message) => {
  const mock = createMock(defineService({ document, scenarios: { default: {} }, authenticate: authenticate as never }))
  await mock.ready
  await expect(mock.fetch('/projects', { headers: { authorization: 'Bearer x' } })).rejects.toThrow(message)
})

it('names a handler that never ends', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const operations = { search: () => new Promise<never>(() => {}) }
  const mock = createMock(defineService({ document, scenarios: { default: {} }, operations }))
  await mock.ready
  const response = expect(mock.fetch('/search')).rejects.toThrow(
    'The handler of search in the service failed: it has not finished',
  )
  await vi.advanceTimersByTimeAsync(31_000)
  await response
})
