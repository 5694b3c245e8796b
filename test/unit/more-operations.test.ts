import { describe, expect, it } from 'vitest'
import { findParentParameters } from '../../src/document/operations/path-records.js'
import type { Resource } from '../../src/document/resources/resource.js'
import { defineService } from '../../src/engine/mock/define-service.js'
import {
  collection,
  content,
  ERRORS,
  INTEGER,
  inPath,
  inQuery,
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

/* Operations that make, change or find records away from the paths of their collections. */

const NONE = { 204: { description: 'Done.' } }
const found = (name: string) => ({
  200: returns(object({ total: { type: 'integer' }, [name]: list(ref('Task')) }, ['total', name])),
})

const { send } = await serve(
  toDocument(
    {
      ...collection('tasks', { record: ref('Task'), sent: ref('NewTask'), id: TEXT }),
      ...collection('notes', { record: ref('Note'), id: TEXT }),
      ...collection('labels', {
        record: ref('Label'),
        id: INTEGER,
        more: {
          put: { ...takes(list(object({ name: TEXT }, ['name']))), responses: { 200: returns(list(ref('Label'))) } },
        },
      }),
      '/exports/{exportId}': {
        parameters: [inPath('exportId', TEXT)],
        get: { responses: { 200: returns(ref('Export')), ...ERRORS } },
      },
      '/tasks/{taskId}/exports': {
        parameters: [inPath('taskId', TEXT)],
        post: {
          ...takes(object({ format: TEXT })),
          responses: { 201: returns(object({ export: ref('Export'), token: TEXT }, ['export', 'token'])), ...ERRORS },
        },
      },
      '/tasks/{taskId}/duplicate': {
        parameters: [inPath('taskId', TEXT)],
        post: { responses: { 200: returns(ref('Task')), ...ERRORS } },
      },
      '/tasks/batch': {
        post: { ...takes(list(ref('NewTask'))), responses: { 200: returns(list(ref('Task'))) } },
        delete: {
          ...takes(object({ ids: list(TEXT) })),
          responses: { 200: returns(object({ deleted_count: { type: 'integer' }, not_found: list(TEXT) })) },
        },
      },
      '/notes/batch': {
        post: { ...takes(list(ref('Note'))), responses: { 200: returns(list(ref('Note'))), ...ERRORS } },
      },
      '/tasks:batchGet': {
        get: { parameters: [inQuery('ids', list(TEXT))], responses: { 200: returns(list(ref('Task'))), ...ERRORS } },
      },
      '/tasks/bulk/update': {
        post: {
          ...takes(object({ tasks: list(ref('Task')) })),
          responses: { 200: returns(object({ tasks: list(ref('Task')) })) },
        },
      },
      '/tasks/bulk/close': { post: { ...takes(object({ task_ids: list(TEXT) })), responses: NONE } },
      '/notes': {
        ...(collection('notes', { record: ref('Note'), id: TEXT })['/notes'] as object),
        put: { ...takes(ref('Note')), responses: { 200: returns(ref('Note')), ...ERRORS } },
      },
      '/search': {
        get: {
          parameters: [inQuery('q')],
          responses: { 200: returns(object({ tasks: list(ref('Task')), notes: list(ref('Note')) })) },
        },
      },
      '/tasks/search': {
        post: {
          requestBody: content(object({ query: { type: 'object' }, title: TEXT })),
          responses: found('tasks'),
        },
      },
      '/tasks/{taskId}/preview': {
        parameters: [inPath('taskId', TEXT)],
        get: {
          parameters: [inQuery('size')],
          responses: { 200: returns(object({ size: TEXT, taskId: TEXT }, ['size', 'taskId'])) },
        },
      },
    },
    {
      Task: object({ id: TEXT, title: TEXT, state: { enum: ['open', 'closed'], type: 'string' } }, [
        'id',
        'title',
        'state',
      ]),
      NewTask: object({ title: TEXT, state: TEXT }, ['title']),
      Note: object({ id: TEXT, text: TEXT }, ['id', 'text']),
      Label: object({ id: INTEGER, name: TEXT }, ['id', 'name']),
      Export: object({ id: TEXT, taskId: TEXT, format: TEXT }, ['id', 'format']),
    },
  ),
)

const createTask = async (title: string) => (await send('POST /tasks', { title })).body as { id: string }
const readTask = async (id: string) => await send(`GET /tasks/${id}`)

describe('what a POST creates', () => {
  it('can be read where an operation reads such a thing, also if it stands beside other fields', async () => {
    const { id } = await createTask('A')
    const { status, body } = await send(`POST /tasks/${id}/exports`, { format: 'csv' })
    expect([status, body.export]).toMatchObject([201, { format: 'csv', taskId: id }])
    expect((await send(`GET /exports/${body.export.id}`)).body).toEqual(body.export)
    expect((await send('POST /tasks/none/exports', { format: 'csv' })).status).toBe(404)
  })

  it('may be a copy of a record', async () => {
    const { id } = await createTask('Original')
    const { body } = await send(`POST /tasks/${id}/duplicate`)
    expect(body).toMatchObject({ title: 'Original' })
    expect(body.id).not.toBe(id)
    expect((await readTask(body.id)).body).toEqual(body)
  })
})

describe('many at once', () => {
  it('creates, reads, changes and removes each, in order', async () => {
    const made = await send('POST /tasks/batch', [{ title: 'One' }, { title: 'Two' }])
    expect(made.body).toMatchObject([{ title: 'One' }, { title: 'Two' }])
    const [one, two] = made.body.map(({ id }: { id: string }) => id)
    expect((await send(`GET /tasks:batchGet?ids=${two}&ids=${one}`)).body).toEqual([made.body[1], made.body[0]])
    const changes = { tasks: [{ id: one, title: 'Uno', state: 'open' }] }
    expect((await send('POST /tasks/bulk/update', changes)).body.tasks).toEqual([{ ...made.body[0], title: 'Uno' }])
    expect((await send('POST /tasks/bulk/close', { task_ids: [one, two] })).status).toBe(204)
    expect((await readTask(two)).body.state).toBe('closed')
    const removed = await send('DELETE /tasks/batch', { ids: [one, 'none'] })
    expect(removed.body).toEqual({ deleted_count: 1, not_found: ['none'] })
    expect((await readTask(one)).status).toBe(404)
    expect((await readTask(two)).status).toBe(200)
  })

  it('keeps the ids that clients may choose, as one creation does', async () => {
    const { body } = await send('POST /notes/batch', [{ id: 'my-1', text: 'a' }])
    expect(body).toEqual([{ id: 'my-1', text: 'a' }])
    const taken = ['my-2', 'my-1'].map((id) => ({ id, text: 'b' }))
    expect((await send('POST /notes/batch', taken)).status).toBe(409)
    expect((await send('GET /notes/my-2')).status).toBe(404)
  })

  it('changes nothing if the response cannot say what is missing', async () => {
    expect((await send('GET /tasks:batchGet?ids=none')).status).toBe(404)
  })

  it('replaces all with a list that is put to the path of the collection', async () => {
    const { body } = await send('PUT /labels', [{ name: 'a' }, { name: 'b' }])
    expect(body).toMatchObject([{ name: 'a' }, { name: 'b' }])
    expect((await send('GET /labels')).body).toEqual(body)
  })

  it('replaces none that a record refers to, as a single DELETE removes none', async () => {
    const LABEL = object({ id: INTEGER, name: TEXT }, ['id', 'name'])
    const put = {
      ...takes(list(object({ name: TEXT }, ['name']))),
      responses: { 200: returns(list(LABEL)), ...ERRORS },
    }
    const document = toDocument({
      ...collection('labels', { record: LABEL, more: { put } }),
      ...collection('uses', { record: object({ id: INTEGER, labelId: INTEGER }, ['id', 'labelId']) }),
    })
    const scenarios = { default: { labels: [{ id: 1, name: 'a' }], uses: [{ id: 1, labelId: 1 }] } }
    const resources = { uses: { references: { labelId: 'labels' } } }
    const { send } = await serveService(defineService({ document, resources, scenarios } as never))
    expect((await send('DELETE /labels/1')).status).toBe(409)
    expect((await send('PUT /labels', [{ name: 'b' }])).status).toBe(409)
    expect((await send('GET /labels')).body).toEqual([{ id: 1, name: 'a' }])
  })

  it('needs a parameter for each parent, whatever it is called', () => {
    const resource = { parents: [{ parameter: 'constructor', resource: 'shops' }] } as unknown as Resource
    expect(findParentParameters(resource, [], ['labels'], { resources: [] })).toBe(undefined)
  })

  it('changes one record whose id is in the body', async () => {
    const { id } = (await send('POST /notes', { id: 'x', text: 'a' })).body
    expect((await send('PUT /notes', { id, text: 'b' })).body).toEqual({ id, text: 'b' })
    expect((await send(`GET /notes/${id}`)).body.text).toBe('b')
    expect((await send('PUT /notes', { id: 'none', text: 'b' })).status).toBe(404)
  })
})

describe('a search', () => {
  it('finds records of each kind by their texts', async () => {
    const { id } = await createTask('Feed the platypus')
    const note = (await send('POST /notes', { id: 'n', text: 'Platypus food' })).body
    const { body } = await send('GET /search?q=platypus')
    expect(body).toMatchObject({ tasks: [{ id }], notes: [{ id: note.id }] })
    expect((await send('GET /search?q=wombat')).body).toEqual({ tasks: [], notes: [] })
  })

  it('takes values and conditions', async () => {
    const { id } = await createTask('Wash the wombat')
    expect((await send('POST /tasks/search', { title: 'Wash the wombat' })).body).toMatchObject({
      total: 1,
      tasks: [{ id }],
    })
    const contains = { field: 'title', operator: '~', value: 'WOMBAT' }
    expect((await send('POST /tasks/search', { query: contains })).body.tasks).toMatchObject([{ id }])
    const both = { operator: 'AND', value: [contains, { field: 'state', operator: '=', value: 'closed' }] }
    expect((await send('POST /tasks/search', { query: both })).body).toMatchObject({ total: 0, tasks: [] })
    expect((await send('POST /tasks/search', { query: { ...both, operator: 'OR' } })).body.tasks).toContainEqual(
      (await readTask(id)).body,
    )
  })
})

describe('the conditions of a search', async () => {
  const task = object({
    id: INTEGER,
    title: TEXT,
    due: TEXT,
    size: { type: 'integer', format: 'int64' },
    tags: list(TEXT),
  })
  const page = object({ limit: INTEGER, offset: INTEGER, query: {} })
  const responses = { 200: returns(list(task), { headers: { Link: { schema: TEXT } } }), ...ERRORS }
  const paths = { ...collection('tasks', { record: task }), '/tasks/search': { post: { ...takes(page), responses } } }
  const { mock } = await serve(toDocument(paths), {
    tasks: [
      { id: 1, title: 'Task 1', due: '2030-01-01T00:00:00Z', size: 9007199254740992n, tags: ['a', 'b'] },
      { id: 2, title: 'Project 1', due: '2030-01-02T00:00:00Z', size: 9, tags: [] },
    ],
  })
  const search = (body: string) =>
    mock.fetch('/tasks/search', { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const condition = (field: string, operator: string, value: string) =>
    `{ "query": { "field": "${field}", "operator": "${operator}", "value": ${value} } }`

  it.each([
    ['texts that end with a number', 'title', '=', '"Task 1"', [1]],
    ['the opposite', 'title', '!=', '"Task 1"', [2]],
    ['the same time, written otherwise', 'due', '=', '"2030-01-01T01:00:00+01:00"', [1]],
    ['the opposite of that', 'due', '!=', '"2030-01-01T01:00:00+01:00"', [2]],
    ['the same number, written otherwise', 'size', '!=', '"9.0"', [1]],
    ['an item of a list', 'tags', '=', '"a"', [1]],
    ['no item of a list', 'tags', '!=', '"a"', [2]],
    ['no item with a text', 'tags', 'notLike', '"a"', [2]],
    ['none in a list', 'tags', 'notIn', '"a"', [2]],
    ['a large integer', 'size', '=', '9007199254740992', [1]],
    ['another one, which would be rounded to the same', 'size', '=', '9007199254740993', []],
  ])('are met by %s', async (_, field, operator, value, expected) => {
    const response = await search(condition(field, operator, value))
    expect(response.status).toBe(200)
    expect((await response.json()).map(({ id }: { id: number }) => id)).toEqual(expected)
  })

  it('are not repeated in links, which have the parameters of the document', async () => {
    const response = await search('{ "limit": 1, "query": [{ "field": "size", "operator": ">", "value": 1 }] }')
    expect(response.headers.get('link')).toContain('</tasks/search?limit=1&offset=1>; rel="next"')
  })

  it('are at most 500', async () => {
    const send = (count: number) => search(JSON.stringify({ query: Array(count).fill({ field: 'id', value: 1 }) }))
    expect((await send(500)).status).toBe(200)
    expect((await send(501)).status).toBe(400)
  })
})

describe('an operation that means nothing known', () => {
  it('repeats what was sent, and is 404 below an unknown record', async () => {
    const { id } = await createTask('Look')
    expect((await send(`GET /tasks/${id}/preview?size=small`)).body).toEqual({ size: 'small', taskId: id })
    expect((await send('GET /tasks/none/preview?size=small')).status).toBe(404)
  })
})
