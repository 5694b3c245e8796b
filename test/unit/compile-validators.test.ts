import { beforeAll, describe, expect, it } from 'vitest'
import { type Contract, createContract } from '../../src/document/contract/contract.js'
import { loadContract } from '../../src/engine/mock/load-contract.js'
import { document as petstoreDocument } from '../../src/generated/petstore/openapi-document.js'
import { validators } from '../../src/generated/petstore/openapi-validators.js'
import { parseJson } from '../../src/lib/json.js'

const refer = (name: string) => ({ $ref: `#/components/schemas/${name}` })

/** The violations of a value by a schema, which may refer to the others. */
async function check(schema: object, value: unknown, schemas: object = {}, openapi = '3.0.3'): Promise<string[]> {
  const contract = createContract({ openapi, paths: {}, components: { schemas: { Checked: schema, ...schemas } } })
  await loadContract(contract)
  return contract.findSchemaViolations('Checked', value)
}

describe('a contract without validators', () => {
  it('is ready when it is loaded', async () => {
    const contract = createContract({ paths: {}, components: { schemas: { A: { type: 'string' } } } })
    expect(contract.isReady).toBe(false)
    expect(() => contract.findSchemaViolations('A', 1)).toThrow('not loaded yet')
    await Promise.all([loadContract(contract), loadContract(contract)])
    expect(contract.isReady).toBe(true)
    expect(contract.findSchemaViolations('A', 1)).toEqual([' must be a string, but is the number 1'])
  })

  it('finds schemas by name or by pointer', async () => {
    const schema = { type: 'object', properties: { name: { type: 'string' } } }
    const content = { 'application/json': { schema } }
    const paths = { '/toys': { post: { requestBody: { content } } } }
    const contract = createContract({ openapi: '3.0.3', paths, components: { schemas: { 'a/b': schema } } })
    await loadContract(contract)
    const names = [
      'a/b',
      '#/components/schemas/a~1b',
      '#/paths/~1toys/post/requestBody/content/application~1json/schema',
    ]
    for (const name of names) {
      expect(contract.fieldsOf(name)).toEqual(['name'])
      expect(contract.violationsOf(name, { name: 1 })).toMatchObject([{ pointer: '/name', problem: 'invalid' }])
    }
    expect(() => contract.fieldsOf('c')).toThrow('The OpenAPI document has no schema c.')
  })

  it('with validators is ready at once', () => {
    const contract = createContract(petstoreDocument, validators)
    expect(contract.isReady).toBe(true)
    expect(contract.fieldsOf('#/components/schemas/Category')).toContain('name')
    expect(contract.violationsOf('#/components/schemas/Category', {})).toContainEqual(
      expect.objectContaining({ pointer: '/name', problem: 'missing' }),
    )
  })
})

describe('a value', () => {
  const TREE = {
    Tree: {
      type: 'object',
      required: ['name'],
      properties: { name: { type: 'string' }, children: { type: 'array', items: refer('Tree') } },
    },
  }

  it.each<[string, object, unknown, string[]]>([
    [
      'is checked in a recursive schema',
      refer('Tree'),
      { name: 'a', children: [{ name: 'b' }, { name: 1 }] },
      ['/children/1/name must be a string, but is the number 1'],
    ],
    [
      'is missing in a recursive schema',
      refer('Tree'),
      { name: 'a', children: [{}] },
      ['/children/0/name is missing: it must be a string'],
    ],
    [
      'has an expected type behind a reference',
      { properties: { tree: refer('Tree') }, required: ['tree'] },
      {},
      ['/tree is missing: it must be an object'],
    ],
    [
      'may be null',
      { type: 'object', nullable: true, properties: { tree: { allOf: [refer('Tree')], nullable: true } } },
      { tree: null },
      [],
    ],
    [
      'is checked if it may be null but is not',
      { allOf: [refer('Tree')], nullable: true },
      {},
      ['/name is missing: it must be a string'],
    ],
    [
      'has a type that may be null',
      { type: 'string', nullable: true },
      1,
      [' must be a string or null, but is the number 1'],
    ],
    [
      'must be one of the choices',
      { oneOf: [refer('Tree'), { type: 'string' }] },
      1,
      [' must be an object or a string, but is the number 1'],
    ],
    [
      'must be any of the choices',
      { anyOf: [{ type: 'boolean' }, { type: 'string' }] },
      1,
      [' must be a boolean or a string, but is the number 1'],
    ],
    [
      'is like no choice of several objects',
      { oneOf: [refer('Tree'), { type: 'object', required: ['id'] }] },
      {},
      [
        ' must be an object of one of 2 kinds, but is an object that fits none: choice 1 requires name; choice 2 requires id',
      ],
    ],
    ['is an int64', { type: 'integer', format: 'int64' }, parseJson('9223372036854775807'), []],
    [
      'is too large for an int64',
      { type: 'integer', format: 'int64' },
      parseJson('9223372036854775808'),
      [' must be a 64-bit integer, but is the number 9223372036854775808'],
    ],
    [
      'is too large for an int32',
      { type: 'integer', format: 'int32' },
      2147483648,
      [' must be an integer from -2147483648 to 2147483647, but is the number 2147483648'],
    ],
    [
      'is at an exclusive bound',
      { type: 'integer', minimum: 0, exclusiveMinimum: true },
      0,
      [' must be an integer from 1 to 9007199254740991, but is the number 0'],
    ],
    [
      'is a date that does not exist',
      { type: 'string', format: 'date' },
      '2026-02-30',
      [' must be a date such as 2026-03-31, but is the string "2026-02-30"'],
    ],
    [
      'is no date-time',
      { type: 'string', format: 'date-time' },
      '2026-02-03',
      [' must be an RFC 3339 date-time such as 2026-03-31T09:30:00Z, but is the string "2026-02-03"'],
    ],
    ['is no UUID', { type: 'string', format: 'uuid' }, '7', [' must be a UUID, but is the string "7"']],
    ['has a format that nobody knows', { type: 'string', format: 'colour' }, 'red', []],
    [
      'does not match a pattern',
      { type: 'string', pattern: '^[a-z]+$' },
      '7',
      [' must be a string that matches ^[a-z]+$, but is the string "7"'],
    ],
    [
      'has a pattern that is not valid with the flag u',
      { type: 'string', pattern: '^[\\w-.]+$' },
      'a!',
      [' must be a string that matches ^[\\w-.]+$, but is the string "a!"'],
    ],
    ['has a pattern of another language', { type: 'string', pattern: '(?i)^a$' }, 'b', []],
    [
      'has a schema with mistakes',
      { type: 'text', required: true, minimum: '1', enum: [], properties: { a: null, b: { type: 'string' } } },
      { b: 1 },
      ['/b must be a string, but is the number 1'],
    ],
    ['is a file', { type: 'string', format: 'binary' }, { name: 'a.png', size: 1, type: 'image/png' }, []],
    [
      'has no write-only property, because it is sent',
      { required: ['id', 'password'], properties: { id: { readOnly: true }, password: { writeOnly: true } } },
      {},
      ['/id is missing: it must be any value'],
    ],
  ])('%s', async (_, schema, value, violations) => {
    expect(await check(schema, value, TREE)).toEqual(violations)
  })

  it.each<[string, object, unknown, string[]]>([
    [
      'has one of several types',
      { type: ['string', 'integer'] },
      true,
      [' must be a string or an integer from -9007199254740991 to 9007199254740991, but is true'],
    ],
    ['has a constant', { const: 'a' }, 'b', [' must be "a", but is the string "b"']],
    [
      'has properties that a reference evaluates',
      { allOf: [refer('Named')], unevaluatedProperties: false },
      { name: 'a' },
      [],
    ],
    [
      'has properties that nothing evaluates',
      { allOf: [refer('Named')], unevaluatedProperties: false },
      { name: 'a', age: 1 },
      ['/age is unknown. Available: name.'],
    ],
    [
      'is a tuple',
      { prefixItems: [{ type: 'string' }, { type: 'integer' }] },
      ['a', 'b'],
      ['/1 must be an integer from -9007199254740991 to 9007199254740991, but is the string "b"'],
    ],
  ])('of OpenAPI 3.1 %s', async (_, schema, value, violations) => {
    expect(await check(schema, value, { Named: { properties: { name: { type: 'string' } } } }, '3.1.0')).toEqual(
      violations,
    )
  })
})

describe('validators that are compiled at run time', () => {
  let atRunTime: Contract
  const precompiled = createContract(petstoreDocument, validators)

  beforeAll(async () => {
    atRunTime = createContract(petstoreDocument)
    await loadContract(atRunTime)
  })

  it.each(Object.keys(validators.schemas))('say the same as those compiled at build time: %s', (name) => {
    const fields = precompiled.fieldsOf(name)
    const values = [null, 1, 1.5, '', 'x', true, [], [1], {}, parseJson('9223372036854775808')]
    const objects = values.map((value) => Object.fromEntries(fields.map((field) => [field, value])))
    for (const value of [...values, ...objects, { unknown: 1 }]) {
      expect(atRunTime.findSchemaViolations(name, value)).toEqual(precompiled.findSchemaViolations(name, value))
    }
  })
})
