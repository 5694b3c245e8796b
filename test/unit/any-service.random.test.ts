import fc from 'fast-check'
import { expect, it } from 'vitest'
import { defineService } from '../../src/engine/define-service.js'
import { createMock } from '../../src/engine/mock.js'
import { isFullRun } from '../support/full-run.js'

/* Whatever resource a document describes: create, read, list, replace, merge and remove hold together. */

const ID_SCHEMAS = {
  int64: { type: 'integer', format: 'int64' },
  integer: { type: 'integer', minimum: 1 },
  number: { type: 'number', minimum: 1 },
  uuid: { type: 'string', format: 'uuid' },
  prefixed: { type: 'string', pattern: '^itm_[a-z0-9]{14}$' },
  text: { type: 'string' },
} as const

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

function toDocument(given: Shape): object {
  const own = Object.fromEntries(given.properties.map((name) => [name, PROPERTIES[name]]))
  const made = given.madeByServer
    ? {
        createdAt: { type: 'string', format: 'date-time', readOnly: true },
        version: { type: 'integer', readOnly: true },
      }
    : {}
  const required = given.properties.slice(0, given.requiredCount)
  const Item = {
    type: 'object',
    required: ['id', ...required, ...Object.keys(made)],
    properties: { id: { ...ID_SCHEMAS[given.idKind], readOnly: true }, ...own, ...made },
  }
  const sent = spellAll(given, own)
  const NewItem = { type: 'object', required: required.map((name) => spell(given, name)), properties: sent }
  const Change = { type: 'object', properties: sent }
  const json = (schema: object) => ({ content: { 'application/json': { schema } } })
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
  const enclosed = (schema: object, envelope: string | undefined, more: object = {}) =>
    envelope === undefined
      ? schema
      : { type: 'object', required: [envelope], properties: { [envelope]: schema, ...more } }
  const list = enclosed({ type: 'array', items: ref('Item') }, given.listEnvelope, { total: { type: 'integer' } })
  const one = enclosed(ref('Item'), given.envelope)
  const response = (schema: object) => ({ description: 'A response.', ...json(schema) })
  const errors = { default: { description: 'An error.', ...json({ type: 'object' }) } }
  const updates = given.update === 'both' ? ['put', 'patch'] : [given.update]
  return {
    openapi: '3.0.3',
    info: { title: 'Any', version: '1' },
    components: { schemas: { Item, NewItem, Change } },
    paths: {
      '/items': {
        get: {
          parameters: [
            { name: 'limit', in: 'query', schema: { type: 'integer' } },
            { name: 'offset', in: 'query', schema: { type: 'integer' } },
          ],
          responses: { 200: response(list), ...errors },
        },
        post: {
          requestBody: { required: true, ...json(ref('NewItem')) },
          responses: { [given.createStatus]: response(one), ...errors },
        },
      },
      '/items/{itemId}': {
        parameters: [{ name: 'itemId', in: 'path', required: true, schema: ID_SCHEMAS[given.idKind] }],
        get: { responses: { 200: response(one), ...errors } },
        ...Object.fromEntries(
          updates.map((method) => [
            method,
            {
              requestBody: { required: true, ...json(ref(method === 'put' ? 'NewItem' : 'Change')) },
              responses: { 200: response(one), ...errors },
            },
          ]),
        ),
        delete: {
          responses: {
            [given.removeStatus]: given.removeStatus === 204 ? { description: 'Gone.' } : response({ type: 'object' }),
            ...errors,
          },
        },
      },
    },
  }
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

const NO_DATA = { default: {} }

it('holds together for any document', async () => {
  await fc.assert(
    fc.asyncProperty(shape, fc.array(step, { maxLength: 25 }), async (given, steps) => {
      const service = defineService({ document: toDocument(given), scenarios: NO_DATA } as never)
      const { mock } = createMock(service, { validateResponses: true } as never)
      await mock.ready
      const model = new Map<string, Fields>()
      let saved: { readonly snapshot: never; readonly records: [string, Fields][] } | undefined
      const required = new Set<string>(given.properties.slice(0, given.requiredCount))
      const bodyOf = ({ values, omitted }: (typeof steps)[number]) =>
        Object.fromEntries(
          given.properties
            .filter((name) => required.has(name) || !omitted.includes(name))
            .map((name) => [name, values[name]]),
        )
      const send = async (method: string, path: string, body?: object) => {
        const init = body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
        const response = await mock.fetch(path, { method, ...init })
        const text = await response.text()
        return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
      }
      const open = (body: Fields) => (given.envelope === undefined ? body : body[given.envelope]) as Fields
      const keyOf = (index: number) => [...model.keys()][index % Math.max(model.size, 1)]
      const pathOf = (key: string) => `/items/${encodeURIComponent(key)}`
      const list = async () => {
        const { body } = await send('GET', '/items?limit=100')
        const records: Fields[] = given.listEnvelope === undefined ? body : body[given.listEnvelope]
        return new Map(records.map((record) => [String(record.id), record]))
      }
      /** What a client has set, without what the mock has made. */
      const ownOf = (record: Fields) =>
        Object.fromEntries(given.properties.flatMap((name) => (name in record ? [[name, record[name]]] : [])))

      for (const each of steps) {
        const key = keyOf(each.pick)
        if (each.kind === 'create') {
          const created = await send('POST', '/items', spellAll(given, bodyOf(each)))
          expect(created.status).toBe(given.createStatus)
          const record = open(created.body)
          expect(ownOf(record)).toEqual(bodyOf(each))
          expect(model.has(String(record.id))).toBe(false)
          model.set(String(record.id), record)
        } else if (each.kind === 'list') {
          expect(await list()).toEqual(model)
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
          expect(open((await send('GET', pathOf(key))).body)).toEqual(model.get(key))
        } else if (key !== undefined && each.kind === 'remove') {
          expect((await send('DELETE', pathOf(key))).status).toBe(given.removeStatus)
          expect((await send('GET', pathOf(key))).status).toBe(404)
          model.delete(key)
        } else if (key !== undefined && (each.kind === 'replace' || each.kind === 'merge')) {
          const method = each.kind === 'replace' ? 'put' : 'patch'
          if (given.update !== 'both' && given.update !== method) continue
          const body = bodyOf(each)
          const changed = await send(method.toUpperCase(), pathOf(key), spellAll(given, body))
          expect(changed.status).toBe(200)
          const before = model.get(key) as Fields
          const made = Object.entries(before).filter(([name]) => !given.properties.includes(name as Property))
          const expected = each.kind === 'merge' ? { ...before, ...body } : { ...Object.fromEntries(made), ...body }
          expect(open(changed.body)).toEqual(expected)
          model.set(key, expected)
        }
      }
      expect(await list()).toEqual(model)
      expect(
        (
          await send(
            'GET',
            pathOf(
              given.idKind === 'uuid'
                ? '00000000-0000-4000-8000-000000000000'
                : given.idKind === 'prefixed'
                  ? 'itm_zzzzzzzzzzzzzz'
                  : '987654',
            ),
          )
        ).status,
      ).toBe(404)
    }),
    { seed: 45, numRuns: isFullRun ? 500 : 60 },
  )
}, 120_000)
