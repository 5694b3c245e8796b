import { expect, it, onTestFinished } from 'vitest'
import { type AnyService, defineService } from '../../src/index.js'
import { type Adapter, describeAdapters } from '../support/adapters.js'
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
  TEXT,
  takes,
  toDocument,
} from '../support/small-documents.js'

const CHANNEL = object({ id: { ...INTEGER, readOnly: true }, name: TEXT }, ['id', 'name'])
const LISTS = { get: { responses: { 200: returns(list(CHANNEL)), ...ERRORS } } }
const CREATES = {
  ...LISTS,
  post: { ...takes(object({ name: TEXT })), responses: { 201: returns(CHANNEL), ...ERRORS } },
}

const READS = {
  get: { responses: { 200: returns(CHANNEL), ...ERRORS } },
  delete: { responses: { 204: GONE, ...ERRORS } },
}

const FLAT = { '/channels/{id}': { parameters: [inPath('id')], ...READS } }
const below = (outer: string, operations: Json) => ({
  [`/${outer}/{outerId}/channels`]: { parameters: [inPath('outerId')], ...operations },
})
const itemsBelow = (outer: string) => ({
  [`/${outer}/{outerId}/channels/{id}`]: { parameters: [inPath('outerId'), inPath('id')], ...READS },
})
const PARENTS = { ...collection('guilds', { record: CHANNEL }), ...collection('users', { record: CHANNEL }) }

/** Records with one path for each of them, below several parents. */
const DOCUMENTS: Readonly<Record<string, Json>> = {
  'parents that nobody knows': { ...below('guilds', CREATES), ...below('users', CREATES), ...FLAT },
  'two lists': { ...PARENTS, ...below('guilds', CREATES), ...below('users', CREATES), ...FLAT },
  'a list with items of its own': {
    ...PARENTS,
    ...below('guilds', CREATES),
    ...below('users', CREATES),
    ...itemsBelow('users'),
    ...FLAT,
  },
  'two lists with items of their own': {
    ...PARENTS,
    ...below('guilds', CREATES),
    ...below('users', CREATES),
    ...itemsBelow('guilds'),
    ...itemsBelow('users'),
    ...FLAT,
  },
}

async function open(adapter: Adapter, paths: Json, data?: Json) {
  const service = defineService<AnyService>({
    document: toDocument(paths),
    ...(data && { scenarios: { default: data } }),
  } as never)
  const running = await adapter.openService(service)
  onTestFinished(() => running.close())
  const send = async (method: string, path: string, body?: object) => {
    const headers = { 'content-type': 'application/json' }
    const response = await running.fetch(path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    const text = await response.text()
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
  }
  return { ...running, send }
}

const SAME = [{ id: 1, name: 'One' }]

describeAdapters('A deleted record', (adapter) => {
  it.each(Object.keys(DOCUMENTS))('is not followed by another one with its id: %s', async (name) => {
    const paths = DOCUMENTS[name] as Json
    const knowsParents = '/guilds' in paths
    const { send, mock } = await open(adapter, paths, knowsParents ? { guilds: SAME, users: SAME } : {})
    const made = []
    for (const path of ['/guilds/1/channels', '/users/1/channels']) {
      for (const name of ['One', 'Two']) made.push((await send('POST', path, { name })).body.id)
    }
    expect(made).toEqual([1, 2, 3, 4])
    const expectLists = async () => {
      const lists = [await send('GET', '/guilds/1/channels'), await send('GET', '/users/1/channels')]
      expect(lists.map(({ body }) => body.map(({ id }: { id: number }) => id))).toEqual([
        [1, 2],
        [3, 4],
      ])
    }
    await expectLists()
    // Where nobody knows the parents, each has all starting records.
    if (knowsParents) {
      await mock.importState(mock.exportState())
      await expectLists()
    }
    for (const id of made) {
      expect((await send('DELETE', `/channels/${id}`)).status).toBe(204)
      expect((await send('GET', `/channels/${id}`)).status).toBe(404)
      expect((await send('DELETE', `/channels/${id}`)).status).toBe(404)
    }
    expect((await send('GET', '/users/1/channels')).body).toEqual([])
  })

  it('is in no list below others', async () => {
    const { send } = await open(adapter, { ...PARENTS, ...below('guilds', LISTS), ...below('users', LISTS), ...FLAT })
    const [channel] = (await send('GET', '/users/1/channels')).body
    expect((await send('GET', `/channels/${channel.id}`)).body).toEqual(channel)
    expect((await send('DELETE', `/channels/${channel.id}`)).status).toBe(204)
    expect((await send('GET', '/users/1/channels')).body).not.toContainEqual(channel)
    expect((await send('GET', `/channels/${channel.id}`)).status).toBe(404)
  })
})
