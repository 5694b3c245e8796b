import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isFullRun } from '../support/full-run.js'
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

/* Whatever a document calls records that hold others, and however it attaches them: both sides and all counts agree. */

const ID = { type: 'integer', readOnly: true }
const COUNT = { type: 'integer', readOnly: true }
const SENT = object({ name: TEXT }, ['name'])

const styles = fc.record({
  holder: fc.constantFrom('tasks', 'user-groups', 'playlists'),
  held: fc.constantFrom('tags', 'members', 'songs'),
  /** Where the holder has them. */
  kept: fc.constantFrom('objects', 'ids', 'back', 'beside'),
  way: fc.constantFrom('path', 'body', 'verb'),
  isCamelCase: fc.boolean(),
})

type Style = typeof styles extends fc.Arbitrary<infer S> ? S : never

const singular = (name: string) => name.split('-').at(-1)?.replace(/s$/, '') ?? ''

function documentOf({ holder, held, kept, way, isCamelCase }: Style) {
  const [one, other] = [singular(holder), singular(held)]
  const name = (...words: readonly string[]) =>
    isCamelCase
      ? words.map((word, index) => (index === 0 ? word : `${word[0]?.toUpperCase()}${word.slice(1)}`)).join('')
      : words.join('_')
  const items = object({ id: INTEGER, name: TEXT }, ['id'])
  const forms: Readonly<Record<string, Json>> = {
    objects: { [held]: list(items) },
    ids: { [name(other, 'ids')]: list(INTEGER) },
  }
  const count = (word: string) => ({ [name(word, 'count')]: COUNT })
  const holders = object({ id: ID, name: TEXT, ...forms[kept], ...count(other) }, ['id', 'name'])
  const back = kept === 'back' ? { [`${one}s`]: list(items) } : {}
  const others = object({ id: ID, name: TEXT, ...back, ...count(one) }, ['id', 'name'])
  const inner = `/${holder}/{id}/${held}`
  const outer = `/${held}/{id}/${holder}`
  const lists = (record: Json) => ({
    parameters: [inPath('id')],
    get: { responses: { 200: returns(list(record)), ...ERRORS } },
  })
  const done = { responses: { 204: GONE, ...ERRORS } }
  const naming = takes(object({ [name(other, 'id')]: INTEGER }, [name(other, 'id')]))
  const verbs = (verb: string) => [
    `/${holder}/{id}/${verb}-${other}`,
    { parameters: [inPath('id')], post: { ...naming, ...done } },
  ]
  const item = {
    [`${inner}/{${name(other, 'id')}}`]: {
      parameters: [inPath('id'), inPath(name(other, 'id'))],
      put: done,
      delete: done,
    },
  }
  const paths: Json = {
    ...collection(holder, { record: holders, sent: SENT }),
    ...collection(held, { record: others, sent: SENT }),
    [inner]: {
      ...lists(others),
      ...(way === 'body' && { post: { ...naming, ...done }, delete: { ...naming, ...done } }),
    },
    [outer]: lists(holders),
    ...(way === 'path' && item),
    ...(way === 'verb' && Object.fromEntries(['add', 'remove'].map(verbs))),
  }
  const request = (kind: 'attach' | 'detach', id: number, to: number): [string, Json?] => {
    const body = { [name(other, 'id')]: to }
    if (way === 'path') return [`${kind === 'attach' ? 'PUT' : 'DELETE'} /${holder}/${id}/${held}/${to}`]
    if (way === 'body') return [`${kind === 'attach' ? 'POST' : 'DELETE'} /${holder}/${id}/${held}`, body]
    return [`POST /${holder}/${id}/${kind === 'attach' ? 'add' : 'remove'}-${other}`, body]
  }
  return { document: toDocument(paths), request, counts: [name(other, 'count'), name(one, 'count')] as const }
}

const id = fc.integer({ min: 1, max: 3 })
const commands = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ kind: fc.constantFrom('attach' as const, 'detach' as const), id, to: id }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('remove' as const), id, side: fc.constantFrom(0, 1) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('rename' as const), id, side: fc.constantFrom(0, 1) }) },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constantFrom('snapshot' as const, 'restore' as const, 'reset' as const) }),
    },
  ),
  { minLength: 4, maxLength: 12 },
)

it('keeps both sides, their copies and their counts equal', { timeout: 300_000 }, async () => {
  const check = fc.asyncProperty(styles, commands, async (style, steps) => {
    const { document, request, counts } = documentOf(style)
    const sides = [style.holder, style.held] as const
    const start = [1, 2, 3].map((each) => ({ id: each, name: `n${each}` }))
    const { send, mock } = await serve(document, { [sides[0].replace('user-g', 'userG')]: start, [sides[1]]: start })
    const initial = () => ({
      pairs: new Set<string>(),
      names: sides.map(() => new Map(start.map((each) => [each.id, each.name]))),
    })
    const copy = ({ pairs, names }: ReturnType<typeof initial>) => ({
      pairs: new Set(pairs),
      names: names.map((each) => new Map(each)),
    })
    let model = initial()
    let saved = copy(model)
    let snapshot = mock.snapshot()
    for (const [index, step] of steps.entries()) {
      if (step.kind === 'attach' || step.kind === 'detach') {
        const [path, body] = request(step.kind, step.id, step.to)
        const { status } = await send(path, body)
        const exists = model.names[0]?.has(step.id) && model.names[1]?.has(step.to)
        if (exists && step.kind === 'attach') expect(status).toBe(204)
        if (!exists) expect(status).toBe(404)
        else if (step.kind === 'attach') model.pairs.add(`${step.id} ${step.to}`)
        else model.pairs.delete(`${step.id} ${step.to}`)
      } else if (step.kind === 'remove') {
        await send(`DELETE /${sides[step.side]}/${step.id}`)
        model.names[step.side]?.delete(step.id)
        for (const pair of model.pairs) if (pair.split(' ')[step.side] === String(step.id)) model.pairs.delete(pair)
      } else if (step.kind === 'rename') {
        await send(`PATCH /${sides[step.side]}/${step.id}`, { name: `new${index}` })
        if (model.names[step.side]?.has(step.id)) model.names[step.side]?.set(step.id, `new${index}`)
      } else if (step.kind === 'snapshot') {
        snapshot = mock.snapshot()
        saved = copy(model)
      } else if (step.kind === 'restore') {
        mock.restore(snapshot)
        model = copy(saved)
      } else {
        mock.reset()
        model = initial()
      }
      for (const [side, name] of sides.entries()) {
        const others = model.names[1 - side]
        for (const [own] of model.names[side] ?? []) {
          const ids = [...model.pairs].map((pair) => pair.split(' ').map(Number)).filter((pair) => pair[side] === own)
          const expected = ids.map((pair) => ({ id: pair[1 - side], name: others?.get(pair[1 - side] as number) }))
          const found = (await send(`GET /${name}/${own}/${sides[1 - side]}`)).body
          expect(found.map((each: Json) => ({ id: each.id, name: each.name }))).toEqual(
            expected.sort((a, b) => Number(a.id) - Number(b.id)),
          )
          const record = (await send(`GET /${name}/${own}`)).body
          expect(record[counts[side] as string]).toBe(ids.length)
          const copies = Object.values(record).find((value) => Array.isArray(value)) as Json[] | undefined
          for (const each of copies ?? [])
            expect(expected).toContainEqual(
              typeof each === 'object' ? { id: each.id, name: each.name } : expect.objectContaining({ id: each }),
            )
        }
      }
    }
  })
  await fc.assert(check, { seed: 2026, numRuns: isFullRun ? 150 : 12 })
})
