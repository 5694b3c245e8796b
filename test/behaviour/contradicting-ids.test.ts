import { expect, it, onTestFinished } from 'vitest'
import { type AnyService, defineService } from '../../src/index.js'
import { describeAdapters } from '../support/adapters.js'
import {
  collection,
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

/** What the property of an id allows, and what the parameter of a path with it does. */
const CONTRADICTIONS: [name: string, property: Json, parameter: Json, both?: RegExp][] = [
  ['two patterns', { ...TEXT, pattern: '^[a-z]{8}$' }, { ...TEXT, pattern: '^[A-Z0-9]{8}$' }],
  ['UUIDs and digits', { ...TEXT, format: 'uuid' }, { ...TEXT, pattern: '^[0-9]+$' }],
  ['integers and letters', INTEGER, { ...TEXT, pattern: '^[A-Z]{3}$' }],
  ['letters and integers', { ...TEXT, pattern: '^[A-Z]{3}$' }, INTEGER],
  ['lookaheads', TEXT, { ...TEXT, pattern: '^(?!.*[a-z])\\w{6}$' }],
  ['UUIDs and few characters', { ...TEXT, format: 'uuid' }, { ...TEXT, maxLength: 10 }],
  ['integers in a range', INTEGER, { ...INTEGER, minimum: 1000 }, /^1000$/],
  ['integers in two ranges', { ...INTEGER, maximum: 20 }, { ...INTEGER, minimum: 10 }, /^10$/],
  ['two lengths', { ...TEXT, minLength: 5 }, { ...TEXT, maxLength: 6 }, /^.{5,6}$/],
  ['a narrower pattern', { ...TEXT, pattern: '^\\w{6}$' }, { ...TEXT, pattern: '^[A-Z]{6}$' }, /^[A-Z]{6}$/],
]

describeAdapters('The id of a record', (adapter) => {
  it.each<(typeof CONTRADICTIONS)[number]>(CONTRADICTIONS)(
    'is taken where the document contradicts itself: %s',
    async (_, own, parameter, both) => {
      const record = object({ id: { ...own, readOnly: true }, name: TEXT }, ['id', 'name'])
      const sent = object({ name: TEXT }, ['name'])
      const done = { post: { operationId: 'finishThing', responses: { 204: GONE } } }
      const document = toDocument({
        ...collection('things', { record, sent, id: parameter }),
        '/things/{id}/done': { parameters: [inPath('id', parameter)], ...done },
        '/things/{id}/notes': {
          parameters: [inPath('id', parameter)],
          get: { responses: { 200: returns(list(sent)) } },
          post: { ...takes(sent), responses: { 201: returns(sent) } },
        },
      })
      const running = await adapter.openService(defineService<AnyService>({ document }))
      onTestFinished(() => running.close())
      const send = (method: string, path: string, body?: object) => {
        const headers = { 'content-type': 'application/json' }
        return running.fetch(path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
      }
      const { id } = await (await send('POST', '/things', { name: 'New' })).json()
      const [first] = await (await send('GET', '/things')).json()
      if (both) expect(String(first.id)).toMatch(both)
      for (const known of [id, first.id]) {
        const path = `/things/${known}`
        expect(await (await send('GET', path)).json()).toMatchObject({ id: known })
        expect((await send('PUT', path, { name: 'Other' })).status).toBe(200)
        expect((await send('PATCH', path, { name: 'Third' })).status).toBe(200)
        expect((await send('POST', `${path}/done`)).status).toBe(204)
        expect((await send('POST', `${path}/notes`, { name: 'Soon' })).status).toBe(201)
        expect((await send('DELETE', path)).status).toBe(204)
      }
      expect((await send('GET', `/things/${'+'.repeat(40)}`)).status).toBe(400)
    },
  )
})
