import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isFullRun } from '../support/full-run.js'
import {
  collection,
  GONE,
  inPath,
  inQuery,
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

/* Whatever a document calls its actions, and however they respond: no response contradicts an earlier one. */

const VERBS = ['complete', 'cancel', 'archive', 'unarchive', 'pin', 'publish', 'reopen', 'frobnicate', 'mark-as-read']

const STATES = { type: 'string', enum: ['open', 'completed', 'cancelled', 'published'] }
const OPTIONAL = {
  status: STATES,
  archived: { type: 'boolean' },
  isPinned: { type: 'boolean' },
  read_at: { ...TIME, nullable: true },
  completedAt: TIME,
  note: TEXT,
}

type Optional = keyof typeof OPTIONAL

const shape = fc.record({
  verbs: fc.uniqueArray(fc.constantFrom(...VERBS), { minLength: 1 }),
  properties: fc.uniqueArray(fc.constantFrom(...(Object.keys(OPTIONAL) as Optional[]))),
  /** Whether the response of an action is the record, the record in an envelope, or nothing. */
  response: fc.constantFrom('record', 'envelope', 'none'),
  custom: fc.boolean(),
})

type Shape = typeof shape extends fc.Arbitrary<infer S> ? S : never

function toService({ verbs, properties, response, custom }: Shape): Json {
  const success = {
    record: { 200: returns(ref('Task')) },
    envelope: { 200: returns(object({ data: ref('Task') }, ['data'])) },
    none: { 204: GONE },
  }[response]
  const actions = verbs.map((verb) => [
    `/tasks/{taskId}${custom ? ':' : '/'}${verb}`,
    { parameters: [inPath('taskId', TEXT)], post: { responses: success } },
  ])
  const own = Object.fromEntries(properties.map((name) => [name, OPTIONAL[name]]))
  const tasks = list(ref('Task'))
  return toDocument(
    {
      ...collection('tasks', { record: ref('Task'), sent: object({ title: TEXT }, ['title']), id: TEXT }),
      ...Object.fromEntries(actions),
      '/tasks/batch': {
        post: { ...takes(list(object({ title: TEXT }, ['title']))), responses: { 200: returns(tasks) } },
      },
      '/tasks/batch-delete': { post: { ...takes(object({ ids: list(TEXT) })), responses: { 204: GONE } } },
      '/tasks/search': { get: { parameters: [inQuery('q')], responses: { 200: returns(tasks) } } },
      '/tasks/{taskId}/duplicate': {
        parameters: [inPath('taskId', TEXT)],
        post: { responses: { 201: returns(ref('Task')) } },
      },
    },
    { Task: object({ id: TEXT, title: TEXT, ...own }, ['id', 'title']) },
  )
}

const step = fc.record({
  does: fc.constantFrom('create', 'act', 'act', 'act', 'copy', 'remove', 'make', 'removeMany', 'search', 'list'),
  which: fc.nat(50),
  title: fc.constantFrom('quokka', 'wombat', 'numbat'),
})

type Task = { readonly id: string; readonly title: string }

it('no response contradicts an earlier one', async () => {
  await fc.assert(
    fc.asyncProperty(shape, fc.array(step, { minLength: 5, maxLength: 25 }), async (given, steps) => {
      const { send } = await serve(toService(given))
      /** What a client knows: each record as it was last seen, and what was removed. */
      const known = new Map<string, Task>()
      const removed = new Set<string>()
      const see = (task: Task, expected: object = task) => {
        expect(removed).not.toContain(task.id)
        expect(task).toMatchObject(expected)
        known.set(task.id, task)
      }
      const makes = (task: Task, title: string) => {
        expect([...known.keys(), ...removed]).not.toContain(task.id)
        see(task, { title })
      }

      async function take({ does, which, title }: (typeof steps)[number]) {
        const tasks = [...known.values()]
        const task = tasks[which % Math.max(tasks.length, 1)]
        if (does === 'create') makes((await send('POST /tasks', { title })).body, title)
        else if (does === 'make') {
          const { body } = await send('POST /tasks/batch', [{ title }, { title: 'dingo' }])
          makes(body[0], title)
          makes(body[1], 'dingo')
        } else if (does === 'search') {
          const { body } = await send(`GET /tasks/search?q=${title}`)
          expect(body.map(({ id }: Task) => id).sort()).toEqual(
            tasks.flatMap((each) => (each.title === title ? [each.id] : [])).sort(),
          )
        } else if (does === 'list') {
          for (const each of (await send('GET /tasks')).body) see(each, known.get(each.id) ?? { id: 'no other record' })
        } else if (task === undefined) return
        else if (does === 'copy') makes((await send(`POST /tasks/${task.id}/duplicate`)).body, task.title)
        else if (does === 'act') await act(task, given.verbs[which % given.verbs.length] as string)
        else {
          if (does === 'remove') await send(`DELETE /tasks/${task.id}`)
          else await send('POST /tasks/batch-delete', { ids: [task.id] })
          known.delete(task.id)
          removed.add(task.id)
          expect((await send(`GET /tasks/${task.id}`)).status).toBe(404)
          const verb = `${given.custom ? ':' : '/'}${given.verbs[0]}`
          expect((await send(`POST /tasks/${task.id}${verb}`)).status).toBe(404)
        }
      }

      async function act({ id, title }: Task, verb: string) {
        const { status, body } = await send(`POST /tasks/${id}${given.custom ? ':' : '/'}${verb}`)
        expect(status).toBeLessThan(300)
        const shown = given.response === 'envelope' ? body.data : body
        const { body: read } = await send(`GET /tasks/${id}`)
        if (given.response !== 'none') expect(shown).toEqual(read)
        see(read, { id, title })
      }

      for (const each of steps) await take(each)
      for (const [id, task] of known) expect((await send(`GET /tasks/${id}`)).body).toEqual(task)
    }),
    { numRuns: isFullRun ? 200 : 15 },
  )
})
