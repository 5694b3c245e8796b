import { describe, expect, it } from 'vitest'
import { createContract } from '../../src/document/contract/contract.js'
import { loadContract } from '../../src/engine/mock/load-contract.js'
import { ApiError } from '../../src/http/errors.js'
import { parsePath, parseQuery } from '../../src/http/target.js'

const STRINGS = { type: 'array', items: { type: 'string' } }
const NUMBERS = { type: 'array', items: { type: 'integer' } }
const COLOR = { type: 'object', properties: { R: { type: 'integer' }, name: { type: 'string' } } }

interface Sent {
  readonly path?: string
  readonly query?: string
  readonly headers?: Record<string, string>
}

/** What an operation with these parameters reads from a request, or the message of the error. */
async function read(
  parameters: object[],
  { path = '/', query = '', headers = {} }: Sent,
  route = '/',
): Promise<unknown> {
  const get = { operationId: 'get', parameters, responses: { 200: { description: '' } } }
  const contract = createContract({ openapi: '3.0.3', paths: { [route]: { get } } })
  await loadContract(contract)
  const operation = contract.matchOperation({ method: 'GET', path, query })
  if (operation === undefined) return 'no operation'
  try {
    const values = parseQuery(query)
    return contract.readParameters(operation, parsePath(path), { text: query, values }, true, headers)
  } catch (error) {
    return error instanceof ApiError ? error.violations.join('; ') : error
  }
}

const inQuery = (schema: object, more: object = {}) => ({ name: 'x', in: 'query', schema, ...more })

describe('a query parameter', () => {
  it.each<[string, object, string, unknown]>([
    ['a string', { type: 'string' }, 'x=1', '1'],
    ['without a type', {}, 'x=1', '1'],
    ['an integer', { type: 'integer' }, 'x=-12', -12],
    ['a number', { type: 'number' }, 'x=1.5e3', 1500],
    ['a boolean', { type: 'boolean' }, 'x=true', true],
    ['an int64', { type: 'integer', format: 'int64' }, 'x=9223372036854775807', 9223372036854775807n],
    ['null', { type: 'integer', nullable: true }, 'x=', null],
    ['a string that may be null', { type: 'string', nullable: true }, 'x=null', 'null'],
    ['an integer by reference', { allOf: [{ type: 'integer' }] }, 'x=1', 1],
    ['one of several types', { oneOf: [{ type: 'integer' }, { type: 'boolean' }] }, 'x=false', false],
    ['a number in an enum', { enum: [1, 2] }, 'x=2', 2],
    ['a list', NUMBERS, 'x=1&x=2', [1, 2]],
    ['a list of one', STRINGS, 'x=a', ['a']],
    ['a list with brackets', NUMBERS, 'x[]=1&x[]=2', [1, 2]],
    ['a list with indexes', NUMBERS, 'x[0]=1&x[1]=2', [1, 2]],
    ['an object', COLOR, 'R=1&name=red', { R: 1, name: 'red' }],
  ])('is read in the default style: %s', async (_, schema, query, value) => {
    expect(await read([inQuery(schema)], { query })).toEqual({ path: {}, query: { x: value } })
  })

  it.each<[string, object, unknown]>([
    ['is read as its type', { type: 'integer', default: '100' }, 100],
    ['is a list', { type: 'array', items: { type: 'string' }, default: 'a' }, ['a']],
    ['is none of its type', { type: 'integer', default: 'many' }, undefined],
    ['is a null that is not allowed', { type: 'string', default: null }, undefined],
    ['is not listed', { type: 'string', enum: ['a'], default: 'b' }, undefined],
    ['is out of range', { type: 'integer', maximum: 50, default: 100 }, undefined],
    ['is right', { type: 'string', enum: ['a'], default: 'a' }, 'a'],
  ])('with a default is not refused where it is not sent: one that %s', async (_, schema, value) => {
    const query = value === undefined ? {} : { x: value }
    expect(await read([inQuery(schema)], {})).toEqual({ path: {}, query })
  })

  it.each<[string, object, object, string, unknown]>([
    ['form, not exploded', NUMBERS, { explode: false }, 'x=1,2', [1, 2]],
    ['form, not exploded', COLOR, { explode: false }, 'x=R,1,name,red', { R: 1, name: 'red' }],
    ['spaceDelimited', STRINGS, { style: 'spaceDelimited' }, 'x=a%20b+c', ['a', 'b', 'c']],
    ['pipeDelimited', NUMBERS, { style: 'pipeDelimited' }, 'x=1|2', [1, 2]],
    ['pipeDelimited, exploded', NUMBERS, { style: 'pipeDelimited', explode: true }, 'x=1&x=2', [1, 2]],
    ['deepObject', COLOR, { style: 'deepObject' }, 'x[R]=1&x[name]=red', { R: 1, name: 'red' }],
    [
      'deepObject, nested',
      { type: 'object', properties: { a: { type: 'object', properties: { b: NUMBERS } } } },
      { style: 'deepObject' },
      'x[a][b][]=1&x[a][b][]=2',
      { a: { b: [1, 2] } },
    ],
    ['JSON', {}, { schema: undefined, content: { 'application/json': { schema: COLOR } } }, 'x={"R":1}', { R: 1 }],
    ['a default', { type: 'integer', default: 5 }, {}, '', 5],
  ])('is read in its style: %s', async (_, schema, more, query, value) => {
    expect(await read([inQuery(schema, more)], { query })).toEqual({ path: {}, query: { x: value } })
  })

  it('may have brackets in its name', async () => {
    expect(await read([inQuery(STRINGS, { name: 'y[]' })], { query: 'y[]=a' })).toMatchObject({
      query: { 'y[]': ['a'] },
    })
  })

  it('is left out if it is empty and may be', async () => {
    const parameter = inQuery({ type: 'integer' }, { allowEmptyValue: true })
    expect(await read([parameter], { query: 'x=' })).toEqual({ path: {}, query: {} })
  })

  it.each<[string, object, string, string]>([
    [
      'missing',
      { type: 'integer' },
      '',
      'query parameter x is missing: it must be an integer from -9007199254740991 to 9007199254740991 in plain decimal digits',
    ],
    [
      'not an integer',
      { type: 'integer' },
      'x=1.5',
      'query parameter x must be an integer from -9007199254740991 to 9007199254740991 in plain decimal digits, but is "1.5"',
    ],
    ['not a number', { type: 'number' }, 'x=0x10', 'query parameter x must be a number, but is "0x10"'],
    ['not a boolean', { type: 'boolean' }, 'x=yes', 'query parameter x must be true or false, but is "yes"'],
    ['given twice', { type: 'string' }, 'x=1&x=2', 'query parameter x must be given once, but is given 2 times'],
    ['undeclared', { type: 'string' }, 'x=1&y=2', 'query parameter y is unknown. Available: x.'],
    [
      'in an object',
      { type: 'object', properties: { R: { type: 'integer' } } },
      'R=red',
      'query parameter x must be an integer from -9007199254740991 to 9007199254740991 in plain decimal digits, but is "red"',
    ],
  ])('is rejected if it is %s', async (_, schema, query, message) => {
    expect(await read([inQuery(schema, { required: true })], { query })).toBe(message)
  })

  it('may be an object of all names that are not declared', async () => {
    const free = inQuery({ type: 'object', additionalProperties: { type: 'integer' } })
    const page = { name: 'page', in: 'query', schema: { type: 'integer' } }
    expect(await read([free, page], { query: 'a=1&page=2' })).toMatchObject({ query: { x: { a: 1 }, page: 2 } })
  })
})

describe('a path parameter', () => {
  it.each<[string, object, object, string, unknown]>([
    ['simple', { type: 'integer' }, {}, '5', 5],
    ['simple', NUMBERS, {}, '3,4,5', [3, 4, 5]],
    ['simple', COLOR, {}, 'R,100,name,red', { R: 100, name: 'red' }],
    ['simple, exploded', COLOR, { explode: true }, 'R=100,name=red', { R: 100, name: 'red' }],
    ['label', { type: 'integer' }, { style: 'label' }, '.5', 5],
    ['label', NUMBERS, { style: 'label' }, '.3,4', [3, 4]],
    ['label, exploded', NUMBERS, { style: 'label', explode: true }, '.3.4', [3, 4]],
    ['label, exploded', COLOR, { style: 'label', explode: true }, '.R=100.name=red', { R: 100, name: 'red' }],
    ['matrix', { type: 'integer' }, { style: 'matrix' }, ';x=5', 5],
    ['matrix', NUMBERS, { style: 'matrix' }, ';x=3,4', [3, 4]],
    ['matrix, exploded', NUMBERS, { style: 'matrix', explode: true }, ';x=3;x=4', [3, 4]],
    ['matrix', COLOR, { style: 'matrix' }, ';x=R,100,name,red', { R: 100, name: 'red' }],
    ['matrix, exploded', COLOR, { style: 'matrix', explode: true }, ';R=100;name=red', { R: 100, name: 'red' }],
    [
      'JSON',
      {},
      { schema: undefined, content: { 'application/json': { schema: COLOR } } },
      '%7B%22R%22:1%7D',
      { R: 1 },
    ],
  ])('is read in its style: %s', async (_, schema, more, text, value) => {
    const parameter = { name: 'x', in: 'path', required: true, schema, ...more }
    expect(await read([parameter], { path: `/toys/${text}` }, '/toys/{x}')).toEqual({ path: { x: value }, query: {} })
  })
})

describe('a header or cookie', () => {
  it.each<[string, object, string, unknown]>([
    ['an integer', { schema: { type: 'integer' } }, '5', 5],
    ['a list', { schema: NUMBERS }, '3,4', [3, 4]],
    ['an object', { schema: COLOR }, 'R,1,name,red', { R: 1, name: 'red' }],
    ['an exploded object', { schema: COLOR, explode: true }, 'R=1,name=red', { R: 1, name: 'red' }],
    ['JSON', { content: { 'application/json': { schema: COLOR } } }, '{"R":1}', { R: 1 }],
  ])('is read from its header: %s', async (_, parameter, text, value) => {
    const headers = { 'x-toy': text }
    const expected = { path: {}, query: {}, header: { 'x-toy': value } }
    expect(await read([{ name: 'X-Toy', in: 'header', ...parameter }], { headers })).toEqual(expected)
  })

  it('is read from the cookies', async () => {
    const parameters = [
      { name: 'a', in: 'cookie', schema: { type: 'integer' } },
      { name: 'b', in: 'cookie', schema: STRINGS, explode: false },
    ]
    const headers = { cookie: 'a=1; b=x,y%20z; other=1' }
    expect(await read(parameters, { headers })).toEqual({ path: {}, query: {}, cookie: { a: 1, b: ['x', 'y z'] } })
  })

  it('is missing if it is required and not sent', async () => {
    const parameters = [
      { name: 'X-Toy', in: 'header', required: true, schema: { type: 'string' } },
      { name: 'session', in: 'cookie', required: true, schema: { type: 'string' } },
    ]
    expect(await read(parameters, {})).toBe(
      'header parameter x-toy is missing: it must be a string; cookie parameter session is missing: it must be a string',
    )
  })

  it('has its default if it is not sent', async () => {
    const parameter = { name: 'Version', in: 'header', schema: { type: 'integer', default: 2 } }
    expect(await read([parameter], {})).toMatchObject({ header: { version: 2 } })
  })

  it.each(['Accept', 'Content-Type', 'Authorization'])('is ignored if it is %s', async (name) => {
    const parameter = { name, in: 'header', required: true, schema: { type: 'integer' } }
    expect(await read([parameter], {})).toEqual({ path: {}, query: {} })
  })
})
