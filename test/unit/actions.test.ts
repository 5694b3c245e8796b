import { describe, expect, it } from 'vitest'
import { readStateChange } from '../../src/document/operations/verbs.js'
import type { Schema } from '../../src/document/schema/schema.js'
import {
  collection,
  ERRORS,
  inPath,
  type Json,
  list,
  object,
  ref,
  returns,
  serve,
  TEXT,
  TIME,
  takes,
  toDocument,
} from '../support/small-documents.js'

const BOOLEAN = { type: 'boolean' }
const changeIn = (verb: string, noun: string, record: object) => readStateChange(verb, noun, record as Schema)
const oneOf = (...values: string[]) => ({ type: 'string', enum: values })

describe('the state that a verb names', () => {
  const record = object({
    status: oneOf('open', 'IN_PROGRESS', 'Cancelled', 'done'),
    paymentStatus: oneOf('unpaid', 'paid'),
    isArchived: BOOLEAN,
    pinned: BOOLEAN,
    unread: BOOLEAN,
    default: BOOLEAN,
    locked_at: { ...TIME, nullable: true },
    completedAt: TIME,
    paid_at: TIME,
    lastRunAt: TIME,
    archiveReason: TEXT,
    cancelOn: oneOf('cancelled'),
  })
  it.each<[verb: string, change: Json]>([
    ['cancel', { status: 'Cancelled' }],
    ['complete', { status: 'done', completedAt: 'now' }],
    ['finish', { status: 'done', completedAt: 'now' }],
    ['start', { status: 'IN_PROGRESS' }],
    ['reopen', { status: 'open', completedAt: null }],
    ['pay', { paymentStatus: 'paid', paid_at: 'now' }],
    ['archive', { isArchived: true }],
    ['archive-task', { isArchived: true }],
    ['restore', { isArchived: false }],
    ['unarchive', { isArchived: false }],
    ['pin', { pinned: true }],
    ['unpin', { pinned: false }],
    ['mark_as_read', { unread: false }],
    ['markAsUnread', { unread: true }],
    ['set-default', { default: true }],
    ['lock', { locked_at: 'now' }],
    ['unlock', { locked_at: null }],
    ['run', { lastRunAt: 'now' }],
    ['cancelSubscription', {}],
    ['archiveReason', {}],
    ['comments', {}],
    ['unite', {}],
  ])('%s', (verb, change) => {
    expect(changeIn(verb, 'task', record)).toEqual(change)
  })

  it.each<[values: string[], verb: string, value: string | undefined]>([
    [['ORDER_STATUS_NEW', 'ORDER_STATUS_CANCELED'], 'cancel', 'ORDER_STATUS_CANCELED'],
    [['active', 'suspended'], 'unsuspend', 'active'],
    [['on', 'archived'], 'unarchive', 'on'],
    [['on', 'off', 'archived'], 'unarchive', undefined],
    [['pending', 'denied'], 'reject', 'denied'],
    [['pending', 'rejected', 'denied'], 'reject', 'rejected'],
    [['active', 'inactive'], 'deactivate', 'inactive'],
    [['active', 'canceling'], 'cancel', undefined],
    [['draft', 'published'], 'publish', 'published'],
    [['draft', 'published'], 'unpublish', 'draft'],
    [['stopped', 'running'], 'start', 'running'],
    [['Stopped', 'Running'], 'stop', 'Stopped'],
    [['ready', 'shipped'], 'ship', 'shipped'],
  ])('%j after %s', (values, verb, value) => {
    expect(changeIn(verb, 'thing', object({ state: oneOf(...values) }))).toEqual(
      value === undefined ? {} : { state: value },
    )
  })
})

const TASK = object(
  {
    id: TEXT,
    title: TEXT,
    status: oneOf('open', 'completed'),
    archived: BOOLEAN,
    completedAt: { ...TIME, nullable: true },
    updatedAt: TIME,
  },
  ['id', 'title', 'status'],
)

const action = (verb: string, operations: Json) => ({
  [`/tasks/{taskId}/${verb}`]: { parameters: [inPath('taskId', TEXT)], ...operations },
})

const { send } = await serve(
  toDocument(
    {
      ...collection('tasks', { record: ref('Task'), sent: object({ title: TEXT, status: TEXT }, ['title']), id: TEXT }),
      ...action('complete', { post: { responses: { 200: returns(object({ task: ref('Task') })), ...ERRORS } } }),
      ...action('archive', {
        put: { responses: { 204: { description: '' } } },
        delete: { responses: { 204: { description: '' } } },
      }),
      ...action('rename', { post: { ...takes(object({ title: TEXT })), responses: { 200: returns(ref('Task')) } } }),
      ...action('comment', {
        post: {
          ...takes(object({ title: TEXT, text: TEXT })),
          responses: { 200: returns(object({ commentId: TEXT, text: TEXT, taskId: TEXT }, ['commentId'])) },
        },
      }),
      ...action('addPeople', {
        post: { ...takes(object({ title: TEXT, people: list(TEXT) })), responses: { 200: returns(ref('Task')) } },
      }),
      '/tasks/{taskId}:reopen': {
        parameters: [inPath('taskId', TEXT)],
        post: { responses: { 200: returns(ref('Task')) } },
      },
    },
    { Task: TASK },
  ),
)

describe('an action', () => {
  it('sets the state that its verb names, and returns the record', async () => {
    const { id } = (await send('POST /tasks', { title: 'Write', status: 'open' })).body
    const completed = await send(`POST /tasks/${id}/complete`)
    expect(completed).toMatchObject({ status: 200, body: { task: { id, title: 'Write', status: 'completed' } } })
    expect(completed.body.task.completedAt).toMatch(/^\d{4}-/)
    expect((await send(`GET /tasks/${id}`)).body).toEqual(completed.body.task)
    const reopened = await send(`POST /tasks/${id}:reopen`)
    expect(reopened.body).toMatchObject({ id, status: 'open', completedAt: null })
    expect((await send(`GET /tasks/${id}`)).body).toEqual(reopened.body)
  })

  it('is taken back by DELETE on its path', async () => {
    const { id } = (await send('POST /tasks', { title: 'Write' })).body
    expect((await send(`PUT /tasks/${id}/archive`)).status).toBe(204)
    expect((await send(`GET /tasks/${id}`)).body.archived).toBe(true)
    expect((await send(`DELETE /tasks/${id}/archive`)).status).toBe(204)
    expect((await send(`GET /tasks/${id}`)).body.archived).toBe(false)
  })

  it('stores what its request shares with the record', async () => {
    const { id } = (await send('POST /tasks', { title: 'Write' })).body
    expect((await send(`POST /tasks/${id}/rename`, { title: 'Read' })).body).toMatchObject({ id, title: 'Read' })
    expect((await send(`GET /tasks/${id}`)).body.title).toBe('Read')
  })

  it('that does something else repeats what was sent, and changes nothing', async () => {
    const { id } = (await send('POST /tasks', { title: 'Write' })).body
    const before = (await send(`GET /tasks/${id}`)).body
    const { body } = await send(`POST /tasks/${id}/comment`, { title: 'No title of a task', text: 'Nice' })
    expect(body).toMatchObject({ text: 'Nice', taskId: id })
    expect((await send(`POST /tasks/${id}/addPeople`, { title: 'Of people', people: ['Ann'] })).body).toEqual(before)
    expect((await send(`GET /tasks/${id}`)).body).toEqual(before)
  })

  it.each(['complete', 'rename', 'comment'])('is 404 for an unknown record: %s', async (verb) => {
    expect((await send(`POST /tasks/none/${verb}`, { title: 'x', text: 'x' })).status).toBe(404)
  })
})
