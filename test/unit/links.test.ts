import { describe, expect, it } from 'vitest'
import { createMock } from '../../src/engine/mock/create-mock.js'
import {
  collection,
  ERRORS,
  GONE,
  INTEGER,
  inPath,
  type Json,
  list,
  object,
  returns,
  serve,
  TEXT,
  takes,
  toDocument,
} from '../support/small-documents.js'

/* Records of one collection that hold records of another: tasks and tags. */

const ID = { type: 'integer', readOnly: true }
const TAG = object({ id: ID, name: TEXT }, ['id', 'name'])
const ofTask = (tags: Json = {}) => object({ id: ID, title: TEXT, ...tags }, ['id', 'title'])

const HELD = {
  'in a property with records': ofTask({
    tags: { ...list(object({ id: INTEGER, name: TEXT }, ['id'])), readOnly: true },
  }),
  'in a property with ids': ofTask({ tag_ids: { ...list(INTEGER), readOnly: true } }),
  'beside the record': ofTask(),
}

const listed = (path: string, parameter: string, record: Json) => ({
  [path]: { parameters: [inPath(parameter)], get: { responses: { 200: returns(list(record)), ...ERRORS } } },
})

/** Paths that attach tags to tasks, and detach them. */
const WAYS: Readonly<
  Record<string, { readonly paths: Json; attach(tag: number): [string, Json?]; detach(tag: number): [string, Json?] }>
> = {
  'a path with both ids': {
    paths: {
      '/tasks/{taskId}/tags/{tagId}': {
        parameters: [inPath('taskId'), inPath('tagId')],
        put: { responses: { 204: GONE, ...ERRORS } },
        delete: { responses: { 204: GONE, ...ERRORS } },
      },
    },
    attach: (tag) => [`PUT /tasks/1/tags/${tag}`],
    detach: (tag) => [`DELETE /tasks/1/tags/${tag}`],
  },
  'an id in the body of the list': {
    paths: {
      '/tasks/{taskId}/tags': {
        parameters: [inPath('taskId')],
        get: { responses: { 200: returns(list(TAG)), ...ERRORS } },
        post: { ...takes(object({ tag_id: INTEGER }, ['tag_id'])), responses: { 201: returns(TAG), ...ERRORS } },
      },
      '/tasks/{taskId}/tags/{tagId}': {
        parameters: [inPath('taskId'), inPath('tagId')],
        delete: { responses: { 204: GONE, ...ERRORS } },
      },
    },
    attach: (tag_id) => ['POST /tasks/1/tags', { tag_id }],
    detach: (tag) => [`DELETE /tasks/1/tags/${tag}`],
  },
  verbs: {
    paths: Object.fromEntries(
      ['add', 'remove'].map((verb) => [
        `/tasks/{taskId}/${verb}Tag`,
        {
          parameters: [inPath('taskId')],
          post: {
            ...takes(object({ data: object({ tag: INTEGER }, ['tag']) })),
            responses: { 200: returns(object({})), ...ERRORS },
          },
        },
      ]),
    ),
    attach: (tag) => ['POST /tasks/1/addTag', { data: { tag } }],
    detach: (tag) => ['POST /tasks/1/removeTag', { data: { tag } }],
  },
}

describe.each(Object.entries(HELD))('records that are held %s', (_, record) => {
  const documentOf = (paths: Json) =>
    toDocument({
      ...collection('tasks', { record, sent: object({ title: TEXT }, ['title']) }),
      ...collection('tags', { record: TAG, sent: object({ name: TEXT }, ['name']) }),
      ...listed('/tasks/{taskId}/tags', 'taskId', TAG),
      ...listed('/tags/{tagId}/tasks', 'tagId', record),
      ...paths,
    })
  const data = {
    tasks: [
      { id: 1, title: 'Dig' },
      { id: 2, title: 'Paint' },
    ],
    tags: [
      { id: 7, name: 'red' },
      { id: 8, name: 'blue' },
    ],
  }

  it.each(Object.entries(WAYS))(
    'are attached and detached by %s, and listed from both sides',
    async (__, { paths, attach, detach }) => {
      const { send, mock } = await serve(documentOf(paths), data)
      const ids = async (path: string) => (await send(`GET ${path}`)).body.map(({ id }: { id: number }) => id)
      const held = async () => [await ids('/tasks/1/tags'), await ids('/tags/7/tasks'), await ids('/tasks/2/tags')]
      const status = async ([request, body]: [string, Json?]) => (await send(request, body)).status
      expect(await held()).toEqual([[], [], []])
      expect(await status(attach(7))).toBeLessThan(300)
      expect(await status(attach(7))).toBeLessThan(300)
      expect(await held()).toEqual([[7], [1], []])
      const before = mock.snapshot()
      expect(await status(attach(99))).toBe(404)
      await status(attach(8))
      expect(await ids('/tasks/1/tags')).toEqual([7, 8])
      expect(await status(detach(7))).toBeLessThan(300)
      expect(await held()).toEqual([[8], [], []])
      mock.restore(before)
      expect(await held()).toEqual([[7], [1], []])
      const copy = createMock({ document: documentOf(paths) })
      await copy.ready
      copy.importState(mock.exportState())
      expect(await (await copy.fetch('/tags/7/tasks')).json()).toHaveLength(1)
      expect(await status(['DELETE /tags/7'])).toBe(204)
      expect(await ids('/tasks/1/tags')).toEqual([])
      expect((await send('GET /tasks')).body).toHaveLength(2)
      expect((await send('GET /tasks/99/tags')).status).toBe(404)
    },
  )

  it('are there from the start, the same ones from both sides', async () => {
    const mock = createMock({ document: documentOf(WAYS['a path with both ids']?.paths ?? {}) })
    await mock.ready
    const get = async (path: string) => (await (await mock.fetch(path)).json()) as { id: number }[]
    const pairs = async (outer: string, inner: string) => {
      const all = await get(outer)
      const found = await Promise.all(
        all.map(async ({ id }) => (await get(`${outer}/${id}/${inner}`)).map((each) => [id, each.id])),
      )
      return found.flat()
    }
    const tagsOfTasks = await pairs('/tasks', 'tags')
    const tasksOfTags = (await pairs('/tags', 'tasks')).map(([tag, task]) => [task, tag])
    expect(tasksOfTags.map(String).sort()).toEqual(tagsOfTasks.map(String).sort())
    expect(tagsOfTasks.length).toBeGreaterThan(0)
  })
})

it('attaches many at once, each once', async () => {
  const { send } = await serve(
    toDocument({
      ...collection('tasks', { record: HELD['in a property with ids'], sent: object({ title: TEXT }, ['title']) }),
      ...collection('tags', { record: TAG, sent: object({ name: TEXT }, ['name']) }),
      '/tasks/{taskId}/tags': {
        parameters: [inPath('taskId')],
        get: { responses: { 200: returns(list(TAG)), ...ERRORS } },
        post: {
          ...takes(object({ tag_ids: list(INTEGER) }, ['tag_ids'])),
          responses: { 200: returns(list(TAG)), ...ERRORS },
        },
      },
    }),
    { tasks: [{ id: 1, title: 'Dig', tag_ids: [7] }], tags: [5, 7].map((id) => ({ id, name: `tag ${id}` })) },
  )
  expect((await send('POST /tasks/1/tags', { tag_ids: [5, 5, 7] })).body.map(({ id }: { id: number }) => id)).toEqual([
    5, 7,
  ])
  expect((await send('GET /tasks/1')).body.tag_ids).toEqual([7, 5])
})
