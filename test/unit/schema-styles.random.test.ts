import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createSampler } from '../../src/document/sample/sample.js'
import { resolveDocument } from '../../src/document/schema/resolved-document.js'
import { defineService } from '../../src/engine/mock/define-service.js'
import { createRandom } from '../../src/lib/random.js'
import { isFullRun } from '../support/full-run.js'
import { collection, list, object, ref, serveService, toDocument } from '../support/small-documents.js'

/* However a document describes its records: what the mock makes, takes and sends conforms to it, and is remembered. */

const text = { type: 'string', minLength: 1 }
const shape = (kind: string, size: string) =>
  object({ kind: { type: 'string', enum: [kind] }, [size]: { type: 'number' } }, ['kind', size])

const COMPONENTS = {
  Circle: shape('Circle', 'radius'),
  Square: shape('Square', 'side'),
  Shape: { oneOf: [ref('Circle'), ref('Square')], discriminator: { propertyName: 'kind' } },
  Named: object({ label: text }, ['label']),
  Key: object({ cipher: { ...text, writeOnly: true }, hint: text }),
  Pair: { allOf: [ref('Named'), object({ other: ref('Named') })] },
  Tree: object({ leaf: text, children: list(ref('Tree')), next: ref('Tree') }, ['leaf']),
}

const STYLES = {
  choice: ref('Shape'),
  choices: { ...list(ref('Shape')), minItems: 1 },
  either: { anyOf: [{ type: 'integer' }, { type: 'boolean' }] },
  pair: ref('Pair'),
  tree: ref('Tree'),
  maybe: { type: 'string', nullable: true },
  maybeNamed: { nullable: true, allOf: [ref('Named')] },
  maybeOne: { type: 'string', nullable: true, enum: ['one', 'two', null] },
  secret: { ...text, writeOnly: true },
  login: object({ name: text, pin: { ...text, writeOnly: true }, keys: list(ref('Key')) }, ['name']),
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

function documentOf({ names, required, isClosed }: Given) {
  const needed = required.filter((name) => names.includes(name) && name !== 'contradiction')
  const properties = Object.fromEntries(names.map((name) => [name, STYLES[name]]))
  const Item = {
    ...object({ id: { type: 'integer', readOnly: true }, ...properties }, ['id', ...needed]),
    ...(isClosed && { additionalProperties: false }),
  }
  return toDocument(collection('items', { record: ref('Item') }), { ...COMPONENTS, Item })
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
      const document = documentOf(given)
      const service = defineService({ document } as never)
      const { mock, send } = await serveService(service, { seed: given.seed })
      expect(service.impossibleFields()).toEqual([])
      const { schemas = {} } = resolveDocument(document).definition.components ?? {}
      const sampler = createSampler(createRandom(given.seed, 'requests'))

      const started = await send('GET /items')
      expect(started).toMatchObject({ status: 200, body: { length: 10 } })
      for (const [request, status] of [
        ['POST /items', 201],
        ['PUT /items/1', 200],
      ] as const) {
        const body = sampler.sample(schemas.Item as never, { as: 'request', isVaried: true }) as Json
        const stored = await send(request, body)
        expect(stored.status, JSON.stringify([body, stored.body])).toBe(status)
        expect(stored.body).toMatchObject(shown(body))
        expect(stored.body).toEqual(shown(stored.body))
        expect(await send(`GET /items/${stored.body.id}`)).toMatchObject({ status: 200, body: stored.body })
      }
      mock.check()
    }),
    { seed: 49, numRuns: isFullRun ? 200 : 15 },
  )
})
