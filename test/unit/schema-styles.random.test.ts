import fc from 'fast-check'
import { expect, it } from 'vitest'
import { resolveDocument } from '../../src/engine/contract/document.js'
import { createSampler } from '../../src/engine/data/sample.js'
import { defineService } from '../../src/engine/define-service.js'
import { createMock } from '../../src/engine/mock.js'
import { createRandom } from '../../src/lib/random.js'
import { isFullRun } from '../support/full-run.js'

/* However a document describes its records: what the mock makes, takes and sends conforms to it, and is remembered. */

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const text = { type: 'string', minLength: 1 }
const shape = (kind: string, size: string) => ({
  type: 'object',
  required: ['kind', size],
  properties: { kind: { type: 'string', enum: [kind] }, [size]: { type: 'number' } },
})

const COMPONENTS = {
  Circle: shape('Circle', 'radius'),
  Square: shape('Square', 'side'),
  Shape: { oneOf: [ref('Circle'), ref('Square')], discriminator: { propertyName: 'kind' } },
  Named: { type: 'object', required: ['label'], properties: { label: text } },
  Key: { type: 'object', properties: { cipher: { ...text, writeOnly: true }, hint: text } },
  Pair: { allOf: [ref('Named'), { type: 'object', properties: { other: ref('Named') } }] },
  Tree: {
    type: 'object',
    required: ['leaf'],
    properties: { leaf: text, children: { type: 'array', items: ref('Tree') }, next: ref('Tree') },
  },
}

const STYLES = {
  choice: ref('Shape'),
  choices: { type: 'array', items: ref('Shape'), minItems: 1 },
  either: { anyOf: [{ type: 'integer' }, { type: 'boolean' }] },
  pair: ref('Pair'),
  tree: ref('Tree'),
  maybe: { type: 'string', nullable: true },
  maybeNamed: { nullable: true, allOf: [ref('Named')] },
  maybeOne: { type: 'string', nullable: true, enum: ['one', 'two', null] },
  secret: { ...text, writeOnly: true },
  login: {
    type: 'object',
    required: ['name'],
    properties: { name: text, pin: { ...text, writeOnly: true }, keys: { type: 'array', items: ref('Key') } },
  },
  made: { type: 'integer', minimum: 3, readOnly: true },
  code: { type: 'string', pattern: '^[A-Z]{2}-\\d{3}$' },
  counts: { type: 'object', additionalProperties: { type: 'integer', maximum: 9 } },
  /** No value conforms: it is left out. */
  contradiction: { type: 'string', oneOf: [ref('Named'), ref('Tree')] },
  closed: { type: 'object', additionalProperties: false, properties: { open: { type: 'boolean' } } },
}

const names = fc.subarray(Object.keys(STYLES) as (keyof typeof STYLES)[], { minLength: 1 })
const record = fc.record({ names, required: names, isClosed: fc.boolean(), seed: fc.nat(1000) })

type Given = typeof record extends fc.Arbitrary<infer G> ? G : never

function toDocument({ names, required, isClosed }: Given) {
  const Item = {
    type: 'object',
    required: ['id', ...required.filter((name) => names.includes(name) && name !== 'contradiction')],
    properties: {
      id: { type: 'integer', readOnly: true },
      ...Object.fromEntries(names.map((name) => [name, STYLES[name]])),
    },
    ...(isClosed && { additionalProperties: false }),
  }
  const json = (schema: object) => ({ description: 'OK', content: { 'application/json': { schema } } })
  const itemId = { name: 'itemId', in: 'path', required: true, schema: { type: 'integer' } }
  const requestBody = { required: true, ...json(ref('Item')) }
  return {
    openapi: '3.0.3',
    info: { title: 'Any', version: '1' },
    components: { schemas: { ...COMPONENTS, Item } },
    paths: {
      '/items': {
        get: { responses: { 200: json({ type: 'array', items: ref('Item') }) } },
        post: { requestBody, responses: { 201: json(ref('Item')) } },
      },
      '/items/{itemId}': {
        parameters: [itemId],
        get: { responses: { 200: json(ref('Item')) } },
        put: { requestBody, responses: { 200: json(ref('Item')) } },
      },
    },
  }
}

type Json = Record<string, unknown>

/** What a response shows of a value that was sent. */
function shown(value: Json): Json {
  return JSON.parse(JSON.stringify(value, (name, inner) => (SECRETS.includes(name) ? undefined : inner)))
}

const SECRETS = ['secret', 'pin', 'cipher']

it('conforms to any style of schema, and is remembered', async () => {
  await fc.assert(
    fc.asyncProperty(record, async (given) => {
      const document = toDocument(given)
      const service = defineService({ document } as never)
      const { mock } = createMock(service, { seed: given.seed, validateResponses: true } as never)
      await mock.ready
      expect(service.impossibleFields()).toEqual([])
      const { schemas = {} } = resolveDocument(document).definition.components ?? {}
      const sampler = createSampler(createRandom(given.seed, 'requests'))
      const send = async (method: string, path: string, body?: unknown) => {
        const init = body !== undefined && {
          body: JSON.stringify(body),
          headers: { 'content-type': 'application/json' },
        }
        const response = await mock.fetch(path, { method, ...init })
        return { status: response.status, body: (await response.json()) as Json }
      }

      const started = await send('GET', '/items')
      expect(started).toMatchObject({ status: 200, body: { length: 10 } })
      for (const [method, path, status] of [
        ['POST', '/items', 201],
        ['PUT', '/items/1', 200],
      ] as const) {
        const body = sampler.sample(schemas.Item as never, { as: 'request', isVaried: true }) as Json
        const stored = await send(method, path, body)
        expect(stored.status, JSON.stringify([body, stored.body])).toBe(status)
        expect(stored.body).toMatchObject(shown(body))
        expect(stored.body).toEqual(shown(stored.body))
        expect(await send('GET', `/items/${stored.body.id}`)).toEqual({ status: 200, body: stored.body })
      }
      mock.check()
    }),
    { seed: 49, numRuns: isFullRun ? 200 : 15 },
  )
})
