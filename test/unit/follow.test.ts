import { describe, expect, it } from 'vitest'
import { createMock } from '../../src/engine/mock/create-mock.js'
import {
  collection,
  ERRORS,
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

/* Records refer to each other: what one says of another is true, and stays true. */

const ID = { type: 'integer', readOnly: true }
const USER = object({ id: ID, name: TEXT, email: TEXT }, ['id', 'name'])
const COMMENT = object({ id: ID, text: TEXT, done: { type: 'boolean' } }, ['id', 'text'])
const PERSON = object({ id: INTEGER, name: TEXT, role: TEXT }, ['id'])
const POST = object(
  {
    id: ID,
    title: TEXT,
    author: PERSON,
    owner_id: INTEGER,
    reviewers: list(PERSON),
    commentCount: { ...INTEGER, readOnly: true },
    done_comments_count: { ...INTEGER, readOnly: true },
    likeCount: { ...INTEGER, readOnly: true },
  },
  ['id', 'title'],
)
const SENT_POST = object({ title: TEXT, author: INTEGER, reviewer_ids: list(INTEGER), owner_id: INTEGER }, ['title'])

const document = toDocument({
  ...collection('users', { record: USER, sent: object({ name: TEXT, email: TEXT }, ['name']) }),
  ...collection('posts', { record: POST, sent: SENT_POST }),
  ...collection('comments', {
    record: COMMENT,
    sent: object({ text: TEXT, done: { type: 'boolean' } }, ['text']),
    prefix: '/posts/{postId}',
    parents: [inPath('postId')],
  }),
})
const data = {
  users: [
    { id: 1, name: 'Ada' },
    { id: 2, name: 'Bob' },
  ],
  posts: [{ id: 1, title: 'Old' }],
}

/** A function that reads from a mock with generated data. */
async function serveGenerated(document: object) {
  const mock = createMock({ document })
  await mock.ready
  // biome-ignore lint/suspicious/noExplicitAny: whatever the document says
  return async (path: string): Promise<any> => (await mock.fetch(path)).json()
}

describe('what is embedded', () => {
  it('is a copy of the record that was sent as an id, and follows it', async () => {
    const { send, mock } = await serve(document, data)
    const { body } = await send('POST /posts', { title: 'New', author: 1, reviewer_ids: [1, 2] })
    expect(body).toMatchObject({
      author: { id: 1, name: 'Ada' },
      reviewers: [
        { id: 1, name: 'Ada' },
        { id: 2, name: 'Bob' },
      ],
    })
    await send('PATCH /users/1', { name: 'Ada L.' })
    const followed = {
      author: { id: 1, name: 'Ada L.' },
      reviewers: [
        { id: 1, name: 'Ada L.' },
        { id: 2, name: 'Bob' },
      ],
    }
    expect((await send(`GET /posts/${body.id}`)).body).toMatchObject(followed)
    expect((await send('GET /posts')).body[1]).toMatchObject(followed)
    expect((mock.data.posts as { find(id: number): unknown }).find(body.id)).toMatchObject(followed)
    await send('PATCH /users/2', { name: 'Bert' })
    expect((await send('GET /posts')).body[1].reviewers[1].name).toBe('Bert')
    mock.reset()
    expect((await send('GET /users/1')).body.name).toBe('Ada')
  })

  it('exists from the start', async () => {
    const read = await serveGenerated(document)
    const users = new Map<number, Json>((await read('/users')).map((user: { id: number }) => [user.id, user]))
    const posts = await read('/posts')
    expect(posts.length).toBeGreaterThan(0)
    for (const { author, reviewers = [], owner_id } of posts) {
      for (const { id, name } of [author ?? [], reviewers].flat())
        expect(name === undefined ? users.has(id) : users.get(id)?.name === name).toBe(true)
      if (owner_id !== undefined) expect(users.has(owner_id)).toBe(true)
    }
  })
})

describe('a count', () => {
  it('is that of what is stored', async () => {
    const { send, mock } = await serve(document, data)
    const counts = async () => {
      const { body } = await send('GET /posts/1')
      expect((await send('GET /posts')).body[0]).toEqual(body)
      return [body.commentCount, body.done_comments_count]
    }
    expect(await counts()).toEqual([0, 0])
    const before = mock.snapshot()
    await send('POST /posts/1/comments', { text: 'a' })
    await send('POST /posts/1/comments', { text: 'b', done: true })
    expect(await counts()).toEqual([2, 1])
    await send('PATCH /posts/1/comments/1', { done: true })
    expect(await counts()).toEqual([2, 2])
    await send('DELETE /posts/1/comments/2')
    expect(await counts()).toEqual([1, 1])
    mock.restore(before)
    expect(await counts()).toEqual([0, 0])
  })

  it('is true from the start', async () => {
    const read = await serveGenerated(document)
    const posts = await read('/posts')
    expect(posts.length).toBeGreaterThan(0)
    for (const { id, commentCount } of posts)
      expect(await read(`/posts/${id}/comments?limit=99`)).toHaveLength(commentCount)
  })
})

it('is a reference where an id or the record itself is allowed', async () => {
  const choice = { anyOf: [TEXT, { $ref: '#/components/schemas/Customer' }] }
  const Customer = object({ id: TEXT, email: TEXT }, ['id'])
  const charge = object({ id: TEXT, payer: choice }, ['id'])
  const paths = {
    ...collection('customers', {
      record: { $ref: '#/components/schemas/Customer' },
      sent: object({ email: TEXT }),
      id: TEXT,
    }),
    '/charges': {
      get: { responses: { 200: returns(list(charge)), ...ERRORS } },
      post: { ...takes(object({ payer: TEXT })), responses: { 201: returns(charge), ...ERRORS } },
    },
  }
  const read = await serveGenerated(toDocument(paths, { Customer }))
  const ids = (await read('/customers')).map(({ id }: { id: string }) => id)
  const payers = (await read('/charges')).flatMap(({ payer }: { payer?: unknown }) => payer ?? [])
  expect(payers.length).toBeGreaterThan(0)
  for (const payer of payers) expect(ids).toContain(payer)
})
