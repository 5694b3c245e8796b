import { describe, expect, it } from 'vitest'
import { resolveDocument } from '../../src/document/schema/resolved-document.js'
import type { Schema } from '../../src/document/schema/schema.js'

type Named = Record<string, Schema>

/** The prepared schemas of a document that has these. */
function schemasOf(schemas: object, openapi = '3.0.3', rest: object = {}): Named {
  const document = { openapi, info: { title: '', version: '' }, paths: {}, components: { schemas }, ...rest }
  return resolveDocument(document).definition.components?.schemas as Named
}

const refer = (name: string) => ({ $ref: `#/components/schemas/${name}` })

describe('references', () => {
  it('to the same schema give the same object', () => {
    const { A, B } = schemasOf({ A: { properties: { x: refer('B'), y: refer('B') } }, B: { type: 'string' } })
    expect(A?.properties?.x).toBe(B)
    expect(A?.properties?.y).toBe(B)
  })

  it('of a schema to itself give a cycle', () => {
    const { Tree } = schemasOf({ Tree: { properties: { children: { type: 'array', items: refer('Tree') } } } })
    expect(Tree?.properties?.children?.items).toBe(Tree)
  })

  it('can form a chain that is longer than the stack', () => {
    const count = 20_000
    const chain = Array.from({ length: count }, (_, i) => [
      `S${i}`,
      i + 1 < count ? { properties: { next: refer(`S${i + 1}`) } } : { type: 'string' },
    ])
    const schemas = schemasOf(Object.fromEntries(chain))
    expect(schemas.S0?.properties?.next).toBe(schemas.S1)
    expect(schemas[`S${count - 2}`]?.properties?.next).toEqual({ type: 'string' })
  })

  it('may lead to references', () => {
    const { A, C } = schemasOf({ A: { items: refer('B') }, B: refer('C'), C: { type: 'string' } })
    expect(A?.items).toBe(C)
  })

  it.each(['#/components/schemas/Robot', 'other.yaml#/Toy', '#/components/schemas/A'])(
    'to %s, which is not there, are rejected',
    ($ref) => {
      expect(() => schemasOf({ A: { $ref } })).toThrow(`The OpenAPI document has no ${$ref}, which it refers to.`)
    },
  )

  it.each([
    ['#/paths/~1toys~1{id}/get/x-schema', { type: 'string' }],
    ['#/paths/~1toys~1%7Bid%7D/get/x-schema', { type: 'string' }],
  ])('may be escaped: %s', ($ref, target) => {
    const paths = { '/toys/{id}': { get: { 'x-schema': { type: 'string' } } } }
    expect(schemasOf({ A: { items: { $ref } } }, '3.0.3', { paths }).A?.items).toEqual(target)
  })

  it('ignore what stands beside them in OpenAPI 3.0, and combine with it in 3.1', () => {
    const schemas = { A: { items: { ...refer('B'), maxLength: 3 } }, B: { type: 'string' } }
    expect(schemasOf(schemas).A?.items).toEqual({ type: 'string' })
    expect(schemasOf(schemas, '3.1.0').A?.items).toEqual({ allOf: [{ type: 'string' }], maxLength: 3 })
  })

  it('are followed for path items', () => {
    const get = { operationId: 'listToys', responses: {} }
    const paths = { '/toys': { $ref: '#/components/pathItems/Toys' } }
    const document = { openapi: '3.1.0', info: {}, paths, components: { pathItems: { Toys: { get } } } }
    expect(resolveDocument(document).definition.paths?.['/toys']).toEqual({ get })
  })

  it('are listed with the objects that they lead to', () => {
    const { referenced } = resolveDocument({
      components: { schemas: { A: { items: refer('B') }, B: { type: 'null' } } },
    })
    expect([...referenced]).toEqual([[{ type: 'null' }, '#/components/schemas/B']])
  })
})

it('values stay as they are, even if they look like references or schemas', () => {
  const values = {
    example: { $ref: '#/x', nullable: true, a: null },
    default: { $ref: '#/x' },
    enum: [{ $ref: '#/x' }],
  }
  expect(schemasOf({ A: values }).A).toEqual(values)
  const examples = { one: { value: { $ref: '#/x', list: [null] } } }
  const paths = { '/': { get: { responses: { 200: { content: { 'application/json': { examples } } } } } } }
  expect(resolveDocument({ paths }).definition.paths).toEqual(paths)
})

it('properties may have the names of keywords', () => {
  const properties = { example: refer('B'), default: refer('B'), $ref: { type: 'string' }, properties: refer('B') }
  const { A, B } = schemasOf({ A: { properties }, B: { type: 'string' } })
  expect(A?.properties).toEqual({ example: B, default: B, $ref: { type: 'string' }, properties: B })
})

describe('a schema', () => {
  it.each<[string, object, object]>([
    ['nullable', { type: 'string', nullable: true }, { type: ['string', 'null'] }],
    ['not nullable', { type: 'string', nullable: false }, { type: 'string' }],
    ['nullable without a type', { nullable: true }, {}],
    ['a nullable enum', { enum: ['a'], nullable: true }, { enum: ['a', null] }],
    [
      'a nullable composition',
      { allOf: [{ type: 'object' }], nullable: true, readOnly: true },
      { readOnly: true, anyOf: [{ allOf: [{ type: 'object' }], readOnly: true }, { type: 'null' }] },
    ],
    ['an int64', { type: 'integer', format: 'int64', minimum: 1 }, { minimum: 1, int64: true }],
    [
      'a nullable int64',
      { type: 'integer', format: 'int64', nullable: true },
      { anyOf: [{ int64: true }, { type: 'null' }] },
    ],
    [
      'a nullable int64 of 3.1',
      { type: ['integer', 'null'], format: 'int64' },
      { anyOf: [{ int64: true }, { type: 'null' }] },
    ],
    ['a list of one type', { type: ['string'] }, { type: 'string' }],
    ['an exclusive minimum', { minimum: 1, exclusiveMinimum: true }, { exclusiveMinimum: 1 }],
    ['an inclusive minimum', { minimum: 1, exclusiveMinimum: false }, { minimum: 1 }],
    ['an exclusive maximum', { maximum: 9, exclusiveMaximum: true, minimum: 1 }, { minimum: 1, exclusiveMaximum: 9 }],
    [
      'exclusive bounds of 3.1',
      { exclusiveMinimum: 1, exclusiveMaximum: 9 },
      { exclusiveMinimum: 1, exclusiveMaximum: 9 },
    ],
  ])('becomes JSON Schema: %s', (_, schema, expected) => {
    expect(schemasOf({ A: schema }).A).toEqual(expected)
  })
})
