import { describe, expect, it } from 'vitest'
import type { OwnContext } from '../../src/engine/mock/own-handler.js'
import { createMock, createMocks, defineService, type ServiceDescription } from '../../src/index.js'
import { GONE, INTEGER, inPath, list, object, returns, TEXT, takes, toDocument } from '../support/small-documents.js'

/* What the handlers of a service are called with, and what becomes of what they return and store. */

const TASK = object({
  id: { ...INTEGER, readOnly: true },
  title: TEXT,
  status: { enum: ['todo', 'doing', 'done'] },
})
const TAG = object({ id: { ...INTEGER, readOnly: true }, name: TEXT })
const PROJECT = {
  // Any other property as well.
  allOf: [object({ id: { ...INTEGER, readOnly: true }, key: { ...TEXT, writeOnly: true }, name: TEXT }), {}],
  additionalProperties: true,
}
const PROBLEM = object({ code: TEXT, message: TEXT }, ['code', 'message'])
const ME = object({ name: TEXT })

const document = toDocument({
  '/tasks': {
    get: { operationId: 'listTasks', responses: { 200: returns(list(TASK)) } },
    post: { operationId: 'createTask', ...takes(TASK), responses: { 201: returns(TASK) } },
  },
  '/tasks/{taskId}': {
    parameters: [inPath('taskId')],
    get: { operationId: 'getTask', responses: { 200: returns(TASK), 404: GONE } },
    patch: { operationId: 'changeTask', ...takes(TASK), responses: { 200: returns(TASK), 404: GONE } },
    delete: { operationId: 'removeTask', responses: { 204: GONE, 404: GONE } },
  },
  '/tasks/{taskId}/tags': {
    parameters: [inPath('taskId')],
    get: { operationId: 'listTags', responses: { 200: returns(list(TAG)), 404: GONE } },
    post: { operationId: 'addTag', ...takes(TAG), responses: { 201: returns(TAG), 404: GONE } },
  },
  '/tasks/{taskId}/tags/{tagId}': {
    parameters: [inPath('taskId'), inPath('tagId')],
    put: { operationId: 'tagTask', responses: { 204: GONE, 404: GONE } },
    delete: { operationId: 'untagTask', responses: { 204: GONE, 404: GONE } },
  },
  '/orgs/{orgId}/projects': {
    parameters: [inPath('orgId')],
    get: { operationId: 'listProjects', responses: { 200: returns(list(PROJECT)) } },
    post: { operationId: 'addProject', ...takes(PROJECT), responses: { 201: returns(PROJECT) } },
  },
  '/orgs/{orgId}/projects/{projectId}': {
    parameters: [inPath('orgId'), inPath('projectId')],
    get: { operationId: 'getProject', responses: { 200: returns(PROJECT), 404: returns(PROBLEM) } },
  },
  '/hits': { get: { operationId: 'countHits', responses: { 200: returns(object({ hits: INTEGER }, ['hits'])) } } },
  '/me': {
    get: { operationId: 'getMe', responses: { 200: returns(ME), 404: GONE } },
    put: { operationId: 'changeMe', ...takes(ME), responses: { 200: returns(ME), 404: GONE } },
    delete: { operationId: 'removeMe', responses: { 204: GONE, 404: GONE } },
  },
})

const scenarios = { default: { tasks: [{ id: 1, title: 'Plan', status: 'todo' }] } }

type Operations = NonNullable<ServiceDescription['operations']>

async function start(operations: Operations, more: Partial<ServiceDescription> = {}) {
  const mock = createMock(defineService({ document, scenarios, operations, ...more }))
  await mock.ready
  return mock
}

const send = (method: string, body?: object) =>
  body === undefined
    ? { method }
    : { method, body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }

describe('a handler is called for every valid request', () => {
  const requests: [operation: string, method: string, path: string, body?: object][] = [
    ['getTask', 'GET', '/tasks/9'],
    ['changeTask', 'PATCH', '/tasks/9', { title: 'New' }],
    ['removeTask', 'DELETE', '/tasks/9'],
    ['listTags', 'GET', '/tasks/9/tags'],
    ['addTag', 'POST', '/tasks/9/tags', { name: 'red' }],
    ['tagTask', 'PUT', '/tasks/1/tags/1'],
    ['untagTask', 'DELETE', '/tasks/9/tags/1'],
    ['getMe', 'GET', '/me'],
    ['removeMe', 'DELETE', '/me'],
  ]

  it.each(requests)('%s, although the record or its parent is missing', async (operation, method, path, body) => {
    const seen: unknown[] = []
    const handler = ({ record }: OwnContext, standard: () => never) => {
      seen.push(record)
      return standard()
    }
    const mock = await start({ [operation]: handler })
    const plain = await start({})
    const [own, without] = await Promise.all([
      mock.fetch(path, send(method, body)),
      plain.fetch(path, send(method, body)),
    ])
    expect(seen).toEqual([undefined])
    expect([own.status, await own.text()]).toEqual([without.status, await without.text()])
  })

  it('and can respond on its own', async () => {
    const { fetch } = await start({
      tagTask: () => ({ status: 204 }),
      getMe: () => ({ status: 200, body: { name: 'Ada' } }),
    })
    expect((await fetch('/tasks/1/tags/1', { method: 'PUT' })).status).toBe(204)
    expect(await (await fetch('/me')).json()).toEqual({ name: 'Ada' })
  })

  it('with the record if there is one', async () => {
    const { fetch } = await start({ getTask: ({ record }) => ({ status: 200, body: { title: record?.title } }) })
    expect(await (await fetch('/tasks/1')).json()).toEqual({ title: 'Plan' })
  })

  it('but not for an invalid one', async () => {
    const { fetch } = await start({ getTask: () => ({ status: 200, body: {} }) })
    expect((await fetch('/tasks/x')).status).toBe(400)
  })
})

describe('what a handler returns is checked', () => {
  const cases: [what: string, operation: string, request: string, handler: unknown, message: string][] = [
    [
      'a body that violates the document',
      'countHits',
      'GET /hits',
      () => ({ status: 200, body: { hits: 'none' } }),
      'The handler of countHits returned 200 with a body that violates the OpenAPI document: /hits must be an integer',
    ],
    [
      'the same from a promise',
      'countHits',
      'GET /hits',
      async () => ({ status: 200, body: { hits: 'none' } }),
      'The handler of countHits returned 200 with a body that violates the OpenAPI document: /hits must be an integer',
    ],
    [
      'an invalid record',
      'changeTask',
      'PATCH /tasks/1',
      (_: OwnContext, standard: (change: object) => unknown) =>
        standard((task: object) => ({ ...task, status: 'doen' })),
      'The handler of changeTask returned 200 with a body that violates the OpenAPI document: /status must be',
    ],
    [
      'no body',
      'countHits',
      'GET /hits',
      () => ({ status: 200 }),
      'The handler of countHits returned 200 without a body, which the OpenAPI document declares.',
    ],
    [
      'a body with 204',
      'tagTask',
      'PUT /tasks/1/tags/1',
      () => ({ status: 204, body: {} }),
      'The handler of tagTask returned 204 with a body, which HTTP forbids. Return { status: 204 }.',
    ],
    [
      'a body that is not declared',
      'getMe',
      'GET /me',
      () => ({ status: 404, body: {} }),
      'The handler of getMe returned 404 with a body, which the OpenAPI document does not declare.',
    ],
    [
      'an undeclared status',
      'getMe',
      'GET /me',
      () => ({ status: 202 }),
      'The handler of getMe returned 202, which the OpenAPI document does not declare. Declared: 200, 404.',
    ],
    [
      'no response',
      'getMe',
      'GET /me',
      () => {},
      'The handler of getMe must return { status, body } or standard(). Received: undefined.',
    ],
    [
      'an unknown field',
      'getMe',
      'GET /me',
      () => ({ status: 200, boby: {} }),
      'The handler of getMe is invalid. Unknown field "boby". Did you mean "body"?',
    ],
    [
      'an invalid header',
      'tagTask',
      'PUT /tasks/1/tags/1',
      () => ({ status: 204, headers: { 'X-Count': 1 } }),
      'The handler of tagTask sets the header "X-Count" to 1, which is not a string.',
    ],
  ]

  it.each(cases)('%s is 500 and reported', async (_, operation, request, handler, message) => {
    const mock = await start({ [operation]: handler } as never)
    const [method = '', path = ''] = request.split(' ')
    await expect(mock.fetch(path, send(method, method === 'PATCH' ? {} : undefined))).rejects.toThrow(message)
    expect(mock.journal.entries()).toMatchObject([{ operation, status: 500 }])
    expect(JSON.stringify(mock.journal.entries()[0]?.response)).not.toContain('bug in the mock')
    expect(() => mock.check()).toThrow(message)
    expect(await (await mock.fetch('/tasks/1')).json()).toEqual({ id: 1, title: 'Plan', status: 'todo' })
  })

  it('an error without a body gets that of the document', async () => {
    const mock = await start({ getProject: () => ({ status: 404, headers: { 'X-Why': 'none' } }) })
    const response = await mock.fetch('/orgs/1/projects/1')
    expect([response.status, response.headers.get('x-why')]).toEqual([404, 'none'])
    expect(await response.json()).toEqual({ code: 'NOT_FOUND', message: 'The handler of getProject returned 404.' })
  })

  it('a record of the store is as clients see it', async () => {
    const { fetch } = await start({
      getProject: ({ store, path }) => ({ status: 200, body: store.projects?.get(String(path.projectId)) }),
      listProjects: ({ store }) => ({ status: 200, body: [...(store.projects?.select({}) ?? [])] }),
      addProject: ({ store }, standard) => {
        standard()
        const [first] = store.projects?.select({}) ?? []
        return { status: 201, body: { ...first, name: 'Copy', more: true } }
      },
    })
    const added = await fetch('/orgs/1/projects', send('POST', { name: 'Alpha', key: 'secret' }))
    const alpha = { id: 1, name: 'Alpha' }
    expect(await added.json()).toEqual({ ...alpha, name: 'Copy', more: true })
    expect(await (await fetch('/orgs/1/projects/1')).json()).toEqual(alpha)
    expect(await (await fetch('/orgs/1/projects')).json()).toEqual([alpha])
  })
})

describe('a handler that fails changes nothing', () => {
  const other = defineService({ document, scenarios })
  const failures: [what: string, end: () => unknown][] = [
    [
      'throws',
      () => {
        throw new Error('failed')
      },
    ],
    ['rejects', () => Promise.reject(new Error('failed'))],
    ['rejects later', () => new Promise((_, reject) => setTimeout(reject, 1, new Error('failed')))],
    ['returns what the document does not declare', () => ({ status: 418 })],
    ['later returns what the document does not declare', async () => ({ status: 418 })],
  ]

  it.each(failures)('if it %s', async (_, end) => {
    const service = defineService({
      document,
      scenarios,
      operations: {
        changeTask({ store, services }, standard) {
          standard((task) => ({ ...task, title: 'Changed' }))
          store.tasks?.insert({ title: 'New' })
          services.other?.data.tasks?.create({ title: 'Other' })
          services.other?.data.tasks?.update(1, { title: 'Changed' })
          return end() as never
        },
      },
    })
    const mocks = createMocks({ one: service, other })
    await Promise.all([mocks.one.ready, mocks.other.ready])
    const before = [mocks.one.exportState(), mocks.other.exportState()]
    await mocks.one.fetch('/tasks/1', send('PATCH', {})).catch(() => {})
    expect(mocks.one.journal.entries()).toMatchObject([{ status: 500 }])
    expect([mocks.one.exportState(), mocks.other.exportState()]).toEqual(before)
    expect(mocks.other.reproduction().steps.at(-1)).toMatchObject({
      control: { method: 'PUT', path: '/__admin/state' },
    })
  })

  it('also after it has waited, and apart from requests', async () => {
    const service = defineService({
      document,
      scenarios,
      errors: { FAILED: 404 },
      operations: {
        async changeTask({ store, services, fail, record }, standard) {
          await services.other?.fetch('/tasks', send('POST', { title: 'Requested' }))
          standard((task) => ({ ...task, title: 'Changed' }))
          store.tasks?.remove(record?.id ?? '')
          services.other?.data.tasks?.create({ title: 'Other' })
          throw fail('FAILED', 'It failed.')
        },
      },
    })
    const mocks = createMocks({ one: service, other })
    await Promise.all([mocks.one.ready, mocks.other.ready])
    const before = mocks.one.exportState()
    const failing = mocks.one.fetch('/tasks/1', send('PATCH', {}))
    const meanwhile = await mocks.one.fetch('/tasks', send('POST', { title: 'Meanwhile' }))
    const { id } = await meanwhile.json()
    expect((await failing).status).toBe(404)
    expect(mocks.one.data.tasks?.all()).toEqual([...(before.tasks as object[]), mocks.one.data.tasks?.find(id)])
    expect(mocks.other.data.tasks?.all().map(({ title }) => title)).toEqual(['Plan', 'Requested'])
  })
})
