import { describe, expect, it } from 'vitest'
import {
  collection,
  INTEGER,
  inQuery,
  type Json,
  list,
  object,
  serve,
  TEXT,
  TIME,
  toDocument,
} from '../support/small-documents.js'

/* What query parameters select, and where pages end. */

const STATE = { type: 'string', enum: ['open', 'closed'] }
const TASK = object(
  {
    id: INTEGER,
    title: TEXT,
    status: STATE,
    kind: TEXT,
    assigneeId: INTEGER,
    author: object({ id: INTEGER, username: TEXT }, ['id']),
    labels: list(object({ id: INTEGER, name: TEXT }, ['id'])),
    flags: list(TEXT),
    created_at: TIME,
  },
  ['id'],
)
const tasks = [
  {
    id: 1,
    status: 'open',
    kind: 'a',
    assigneeId: 5,
    author: { id: 7, username: 'ada' },
    labels: [{ id: 1, name: 'red' }],
  },
  { id: 2, status: 'closed', kind: 'b', assigneeId: 6, author: { id: 8, username: 'bob' }, flags: ['new', 'big'] },
  {
    id: 3,
    status: 'open',
    kind: 'c',
    assigneeId: 6,
    author: { id: 7, username: 'ada' },
    labels: [{ id: 2, name: 'blue' }],
  },
].map((task) => ({ created_at: `2026-01-0${task.id}T00:00:00Z`, ...task }))

const listOf = async (query: readonly Json[], more: Json = {}) => {
  const style = { record: TASK, query }
  const paths = collection('tasks', style) as Record<string, { get: Json }>
  Object.assign(paths['/tasks']?.get ?? {}, more)
  const { send } = await serve(toDocument(paths), { tasks })
  return async (search = '') => (await send(`GET /tasks${search}`)).body.map(({ id }: { id: number }) => id)
}

describe('a list', () => {
  it.each([
    ['statuses', 'open', [1, 3]],
    ['state', 'closed', [2]],
    ['states', 'open,closed', [1, 2, 3]],
    ['assignee_id', '6', [2, 3]],
    ['assignee-ids', '5,6', [1, 2, 3]],
    ['ids', '1,3', [1, 3]],
    ['author', 'ada', [1, 3]],
    ['author', '8', [2]],
    ['author.username', 'bob', [2]],
    ['author_username', 'ada', [1, 3]],
    ['filter[author_id]', '7', [1, 3]],
    ['labels', 'red,blue', [1, 3]],
    ['label', 'red', [1]],
    ['label_name', 'blue', [3]],
    ['flag', 'big', [2]],
    ['kinds', 'a,c', [1, 3]],
    ['kinds', 'none', []],
  ])('is filtered by %s=%s', async (parameter, value, expected) => {
    const ids = await listOf([inQuery(parameter)])
    expect(await ids(`?${encodeURIComponent(parameter)}=${value}`)).toEqual(expected)
  })

  it.each([
    ['status', { ...TEXT, default: 'open' }, [1, 3]],
    ['status', { ...TEXT, default: 'active' }, [1, 2, 3]],
    ['status', { ...TEXT, enum: ['mine', 'yours'], default: 'mine' }, [1, 2, 3]],
    ['kind', { ...TEXT, default: 'recent' }, [1, 2, 3]],
  ])('has only what the default of %s selects, if records can have it: %j', async (parameter, schema, expected) => {
    expect(await (await listOf([inQuery(parameter, schema)]))()).toEqual(expected)
  })

  it.each([
    ['Returns all tasks, newest first.', [], [3, 2, 1]],
    ['The most recent tasks appear first.', [], [3, 2, 1]],
    ['In reverse chronological order.', [], [3, 2, 1]],
    ['The first task is not the newest.', [], [1, 2, 3]],
    ['', [inQuery('max_id', INTEGER)], [3, 2, 1]],
  ])('starts with the newest where the document says so: %s', async (description, query, expected) => {
    expect(await (await listOf(query, { description }))()).toEqual(expected)
  })

  it('goes back with before, without a parameter for the other direction', async () => {
    const ids = await listOf([inQuery('before', INTEGER), inQuery('limit', INTEGER)])
    expect(await ids('?limit=2')).toEqual([3, 2])
    expect(await ids('?limit=2&before=2')).toEqual([1])
    expect(await ids('?limit=2&before=1')).toEqual([])
  })
})

it.each(['iterator', 'after', 'page[after]', 'next_page_token', 'scroll_param', 'pageToken', 'start_key'])(
  'pages with %s end',
  async (parameter) => {
    const body = object({ data: list(TASK), iterator: TEXT, next_page_token: TEXT, done: { type: 'boolean' } }, [
      'data',
    ])
    const paths = collection('tasks', { record: TASK }) as Record<string, { get: Json }>
    const get = {
      parameters: [inQuery(parameter), inQuery('limit', INTEGER)],
      responses: { 200: { description: 'OK', content: { 'application/json': { schema: body } } } },
    }
    Object.assign(paths['/tasks'] ?? {}, { get })
    const { send } = await serve(toDocument(paths), { tasks })
    const seen: number[] = []
    let query = ''
    for (let page = 0; page < 9; page++) {
      const { body } = await send(`GET /tasks?limit=2${query}`)
      seen.push(...body.data.map(({ id }: { id: number }) => id))
      const next =
        parameter === 'after' || parameter === 'page[after]' ? body.iterator : (body.iterator ?? body.next_page_token)
      expect(body.done).toBe(!next)
      if (!next) break
      query = `&${encodeURIComponent(parameter)}=${next}`
    }
    expect(seen).toEqual([1, 2, 3])
  },
)
