import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isFullRun } from '../support/full-run.js'
import {
  GONE,
  INTEGER,
  inPath,
  inQuery,
  type Json,
  list,
  object,
  ref,
  returns,
  serve,
  TIME,
  takes,
  toDocument,
} from '../support/small-documents.js'

/* Whatever resource a document describes: create, read, list, replace, merge and remove hold together. */

const ID_SCHEMAS = {
  int64: { type: 'integer', format: 'int64' },
  integer: { type: 'integer', minimum: 1 },
  number: { type: 'number', minimum: 1 },
  uuid: { type: 'string', format: 'uuid' },
  prefixed: { type: 'string', pattern: '^itm_[a-z0-9]{14}$' },
  text: { type: 'string' },
} as const

/** Those that are no number. */
const UNKNOWN_IDS: Readonly<Record<string, string>> = {
  uuid: '00000000-0000-4000-8000-000000000000',
  prefixed: 'itm_zzzzzzzzzzzzzz',
}

const PROPERTIES = {
  title: { type: 'string', minLength: 1, maxLength: 20 },
  count: { type: 'integer', minimum: 0, maximum: 100 },
  isOpen: { type: 'boolean' },
  note: { type: 'string', nullable: true },
  tags: { type: 'array', items: { type: 'string' }, maxItems: 3 },
  size: { type: 'object', properties: { width: { type: 'number' }, depth: { type: 'number' } }, required: ['width'] },
  large: { type: 'integer', format: 'int64' },
} as const

const VALUES: { readonly [P in keyof typeof PROPERTIES]: fc.Arbitrary<unknown> } = {
  title: fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme-ascii' }),
  count: fc.integer({ min: 0, max: 100 }),
  isOpen: fc.boolean(),
  note: fc.option(fc.string({ maxLength: 5 })),
  tags: fc.array(fc.string({ maxLength: 5 }), { maxLength: 3 }),
  size: fc.record({ width: fc.integer(), depth: fc.integer() }, { requiredKeys: ['width'] }),
  large: fc.maxSafeInteger(),
}

type Property = keyof typeof PROPERTIES

const shape = fc.record({
  idKind: fc.constantFrom(...(Object.keys(ID_SCHEMAS) as (keyof typeof ID_SCHEMAS)[])),
  properties: fc.subarray(Object.keys(PROPERTIES) as Property[], { minLength: 1 }),
  requiredCount: fc.nat(2),
  madeByServer: fc.boolean(),
  envelope: fc.constantFrom(undefined, 'data', 'item'),
  listEnvelope: fc.constantFrom(undefined, 'items', 'data'),
  createStatus: fc.constantFrom(200, 201),
  removeStatus: fc.constantFrom(200, 204),
  update: fc.constantFrom('put', 'patch', 'both'),
  isCapitalized: fc.boolean(),
})

type Shape = typeof shape extends fc.Arbitrary<infer S> ? S : never

/** Requests may spell the properties of records otherwise: `IsOpen`. */
const spell = (given: Shape, name: string) => (given.isCapitalized ? `${name[0]?.toUpperCase()}${name.slice(1)}` : name)
const spellAll = (given: Shape, properties: object) =>
  Object.fromEntries(Object.entries(properties).map(([name, value]) => [spell(given, name), value]))

function documentOf(given: Shape): object {
  const own = Object.fromEntries(given.properties.map((name) => [name, PROPERTIES[name]]))
  const made = given.madeByServer
    ? { createdAt: { ...TIME, readOnly: true }, version: { ...INTEGER, readOnly: true } }
    : {}
  const required = given.properties.slice(0, given.requiredCount)
  const id = ID_SCHEMAS[given.idKind]
  const Item = object({ id: { ...id, readOnly: true }, ...own, ...made }, ['id', ...required, ...Object.keys(made)])
  const sent = spellAll(given, own)
  const NewItem = object(
    sent,
    required.map((name) => spell(given, name)),
  )
  const enclosed = (schema: Json, envelope: string | undefined, more: Json = {}) =>
    envelope === undefined ? schema : object({ [envelope]: schema, ...more }, [envelope])
  const all = enclosed(list(ref('Item')), given.listEnvelope, { total: INTEGER })
  const one = enclosed(ref('Item'), given.envelope)
  const errors = { default: returns({ type: 'object' }) }
  const updates = given.update === 'both' ? ['put', 'patch'] : [given.update]
  const update = (method: string) => ({
    ...takes(ref(method === 'put' ? 'NewItem' : 'Change')),
    responses: { 200: returns(one), ...errors },
  })
  const removed = given.removeStatus === 204 ? GONE : returns({ type: 'object' })
  const paths = {
    '/items': {
      get: {
        parameters: [inQuery('limit', INTEGER), inQuery('offset', INTEGER)],
        responses: { 200: returns(all), ...errors },
      },
      post: { ...takes(ref('NewItem')), responses: { [given.createStatus]: returns(one), ...errors } },
    },
    '/items/{itemId}': {
      parameters: [inPath('itemId', id)],
      get: { responses: { 200: returns(one), ...errors } },
      ...Object.fromEntries(updates.map((method) => [method, update(method)])),
      delete: { responses: { [given.removeStatus]: removed, ...errors } },
    },
  }
  return toDocument(paths, { Item, NewItem, Change: object(sent) })
}

type Fields = Readonly<Record<string, unknown>>

const step = fc.record({
  kind: fc.constantFrom(
    'create',
    'create',
    'replace',
    'merge',
    'remove',
    'read',
    'list',
    'snapshot',
    'restore',
    'reset',
  ),
  pick: fc.nat(),
  values: fc.record(VALUES),
  omitted: fc.subarray(Object.keys(PROPERTIES) as Property[]),
})

it('holds together for any document', async () => {
  await fc.assert(
    fc.asyncProperty(shape, fc.array(step, { maxLength: 25 }), async (given, steps) => {
      const { mock, send } = await serve(documentOf(given))
      const model = new Map<string, Fields>()
      let saved: { readonly snapshot: never; readonly records: [string, Fields][] } | undefined
      const required = new Set<string>(given.properties.slice(0, given.requiredCount))
      const bodyOf = ({ values, omitted }: (typeof steps)[number]) =>
        Object.fromEntries(
          given.properties
            .filter((name) => required.has(name) || !omitted.includes(name))
            .map((name) => [name, values[name]]),
        )
      const open = (body: Fields) => (given.envelope === undefined ? body : body[given.envelope]) as Fields
      const keyOf = (index: number) => [...model.keys()][index % Math.max(model.size, 1)]
      const pathOf = (key: string) => `/items/${encodeURIComponent(key)}`
      const listed = async () => {
        const { body } = await send('GET /items?limit=100')
        const records: Fields[] = given.listEnvelope === undefined ? body : body[given.listEnvelope]
        return new Map(records.map((record) => [String(record.id), record]))
      }
      /** What a client has set, without what the mock has made. */
      const ownOf = (record: Fields) =>
        Object.fromEntries(given.properties.flatMap((name) => (name in record ? [[name, record[name]]] : [])))

      for (const each of steps) {
        const key = keyOf(each.pick)
        if (each.kind === 'create') {
          const created = await send('POST /items', spellAll(given, bodyOf(each)))
          expect(created.status).toBe(given.createStatus)
          const record = open(created.body)
          expect(ownOf(record)).toEqual(bodyOf(each))
          expect(model.has(String(record.id))).toBe(false)
          model.set(String(record.id), record)
        } else if (each.kind === 'list') {
          expect(await listed()).toEqual(model)
        } else if (each.kind === 'snapshot') {
          saved = { snapshot: mock.snapshot() as never, records: [...model] }
        } else if (each.kind === 'restore' && saved) {
          mock.restore(saved.snapshot)
          model.clear()
          for (const [id, record] of saved.records) model.set(id, record)
        } else if (each.kind === 'reset') {
          mock.reset()
          model.clear()
        } else if (key !== undefined && each.kind === 'read') {
          expect(open((await send(`GET ${pathOf(key)}`)).body)).toEqual(model.get(key))
        } else if (key !== undefined && each.kind === 'remove') {
          expect((await send(`DELETE ${pathOf(key)}`)).status).toBe(given.removeStatus)
          expect((await send(`GET ${pathOf(key)}`)).status).toBe(404)
          model.delete(key)
        } else if (key !== undefined && (each.kind === 'replace' || each.kind === 'merge')) {
          const method = each.kind === 'replace' ? 'put' : 'patch'
          if (given.update !== 'both' && given.update !== method) continue
          const body = bodyOf(each)
          const changed = await send(`${method.toUpperCase()} ${pathOf(key)}`, spellAll(given, body))
          expect(changed.status).toBe(200)
          const before = model.get(key) as Fields
          const made = Object.entries(before).filter(([name]) => !given.properties.includes(name as Property))
          // The only update, which requires nothing.
          const isPartial = given.update === 'put' && required.size === 0
          const expected =
            each.kind === 'merge' || isPartial ? { ...before, ...body } : { ...Object.fromEntries(made), ...body }
          expect(open(changed.body)).toEqual(expected)
          model.set(key, expected)
        }
      }
      expect(await listed()).toEqual(model)
      expect((await send(`GET ${pathOf(UNKNOWN_IDS[given.idKind] ?? '987654')}`)).status).toBe(404)
    }),
    { seed: 45, numRuns: isFullRun ? 500 : 60 },
  )
}, 120_000)
