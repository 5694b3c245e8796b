import { OpenAPIRouter } from 'openapi-backend'
import { describe, expect, it } from 'vitest'
import { compileValidators } from '../../scripts/validators.js'
import { type Contract, createContract } from '../../src/document/contract/contract.js'
import { copyDocument } from '../../src/document/schema/resolved-document.js'
import { CompiledRouter } from '../../src/document/validate/openapi-backend.js'
import { document as adminDocument } from '../../src/generated/engine/admin/admin-document.js'
import { document as openapiDocument } from '../../src/generated/petstore/openapi-document.js'
import { parsePath } from '../../src/http/target.js'

const TOY = { type: 'object', required: ['name'], properties: { name: { type: 'string' }, size: { type: 'integer' } } }
const json = (schema: object) => ({ description: '', content: { 'application/json': { schema } } })
const path = (name: string) => ({ name, in: 'path', required: true, schema: { type: 'string' } })

/** A document with these paths; every operation returns 200 with a toy by default. */
function documentOf(paths: Record<string, Record<string, object>>): object {
  const operations = Object.entries(paths).map(([route, methods]) => {
    const parameters = Array.from(route.matchAll(/\{([^{}]+)\}/g), ([, name = '']) => path(name))
    const completed = Object.entries(methods).map(([method, operation]) => [
      method,
      Array.isArray(operation) ? operation : { parameters, responses: { 200: json(TOY) }, ...operation },
    ])
    return [route, Object.fromEntries(completed)]
  })
  return {
    openapi: '3.0.3',
    info: { title: 'Toys', version: '1' },
    paths: Object.fromEntries(operations),
    components: { schemas: { Toy: TOY } },
  }
}

function contractOf(paths: Record<string, Record<string, object>>): Contract {
  const document = documentOf(paths)
  return createContract(document, compileValidators(document))
}

const TOYS = contractOf({
  '/': { get: { operationId: 'home' } },
  '/toys': { get: { operationId: 'listToys' }, post: { operationId: 'createToy', requestBody: json(TOY) } },
  '/toys/{toyId}': { get: { operationId: 'getToy' }, delete: { operationId: 'deleteToy', responses: { 204: {} } } },
  '/toys/newest': { get: { operationId: 'newestToy' } },
  '/toys/{toyId}/parts/{partId}': { put: { operationId: 'putPart' } },
})

const operationAt = (contract: Contract, path: string, method = 'GET') =>
  contract.matchOperation({ method, path, query: '' })

/** The values of its path parameters. */
function valuesAt(contract: Contract, path: string, method = 'GET'): object | undefined {
  const operation = operationAt(contract, path, method)
  return operation && contract.readParameters(operation, parsePath(path), { text: '', values: new Map() }, false).path
}

describe('a path', () => {
  it.each([
    ['/', 'home', {}],
    ['/toys', 'listToys', {}],
    ['/t%6Fys', 'listToys', {}],
    ['/toys/7', 'getToy', { toyId: '7' }],
    ['/toys/a%2Fb', 'getToy', { toyId: 'a/b' }],
    ['/toys/a%3Fb', 'getToy', { toyId: 'a?b' }],
    ['/toys/{toyId}', 'getToy', { toyId: '{toyId}' }],
    ['/toys/__proto__', 'getToy', { toyId: '__proto__' }],
    ['/toys/Newest', 'getToy', { toyId: 'Newest' }],
    ['/toys/newest', 'newestToy', {}],
  ])('%j matches %s', (path, id, values) => {
    expect(operationAt(TOYS, path)?.id).toBe(id)
    expect(valuesAt(TOYS, path)).toEqual(values)
  })

  it.each([
    '',
    'toys',
    '/toys/',
    '//toys',
    '/Toys',
    '/toys%2F7',
    '/toys/7/parts',
    '/toys//parts/9',
    '/toys/7/parts/9/more',
    '/__proto__',
  ])('%j matches nothing', (path) => {
    expect(operationAt(TOYS, path)).toBeUndefined()
    expect(TOYS.findRoute(parsePath(path))).toBeUndefined()
  })

  it('that starts like a literal path still matches a parameter if the literal path does not match', () => {
    const contract = contractOf({
      '/toys/newest/label': { get: { operationId: 'getLabel' } },
      '/toys/{toyId}/parts': { get: { operationId: 'listParts' } },
    })
    expect(operationAt(contract, '/toys/newest/label')?.id).toBe('getLabel')
    expect(operationAt(contract, '/toys/newest/parts')?.id).toBe('listParts')
    expect(valuesAt(contract, '/toys/newest/parts')).toEqual({ toyId: 'newest' })
  })
})

describe('a method', () => {
  it('is allowed if the document declares it, with HEAD for GET and OPTIONS always', () => {
    expect(TOYS.findRoute(['toys'])?.allow).toBe('GET, HEAD, POST, OPTIONS')
    expect(TOYS.findRoute(['toys', '7'])?.allow).toBe('GET, HEAD, DELETE, OPTIONS')
    expect(TOYS.findRoute(['toys', '7', 'parts', '9'])?.allow).toBe('PUT, OPTIONS')
  })

  it('HEAD matches the operation of GET', () => {
    expect(operationAt(TOYS, '/toys/7', 'HEAD')?.id).toBe('getToy')
    expect(operationAt(TOYS, '/toys/7/parts/9', 'HEAD')).toBeUndefined()
  })

  it.each(['PATCH', 'get', 'OPTIONS', 'TRACE', 'constructor', '__proto__', ''])(
    '%j matches no operation if it is not declared',
    (method) => {
      expect(operationAt(TOYS, '/toys', method)).toBeUndefined()
    },
  )
})

it.each([openapiDocument, adminDocument])(
  'a document has the operations that openapi-backend finds in it',
  (source) => {
    const definition = copyDocument(source)
    const theirs = new OpenAPIRouter({ definition }).getOperations()
    expect(theirs.length).toBeGreaterThan(2)
    expect(new CompiledRouter(definition).getOperations()).toEqual(theirs)
  },
)

describe('a segment with parameters inside', () => {
  const contract = contractOf({
    '/toys/{toyId}': { get: { operationId: 'getToy' } },
    '/toys/{toyId}.json': { get: { operationId: 'getToyAsJson' } },
    '/toys/{toyId}:repair': { post: { operationId: 'repairToy' } },
    '/toys/{from}..{to}': { get: { operationId: 'compareToys' } },
    '/toys/newest.json': { get: { operationId: 'newestToy' } },
  })

  it.each([
    ['/toys/7', 'GET', 'getToy', { toyId: '7' }],
    ['/toys/7.json', 'GET', 'getToyAsJson', { toyId: '7' }],
    ['/toys/7.xml', 'GET', 'getToy', { toyId: '7.xml' }],
    ['/toys/.json', 'GET', 'getToy', { toyId: '.json' }],
    ['/toys/newest.json', 'GET', 'newestToy', {}],
    ['/toys/a%2Fb:repair', 'POST', 'repairToy', { toyId: 'a/b' }],
    ['/toys/a..b', 'GET', 'compareToys', { from: 'a', to: 'b' }],
    ['/toys/a.b..c', 'GET', 'compareToys', { from: 'a.b', to: 'c' }],
  ])('%s matches %s %s', (path, method, id, values) => {
    expect(operationAt(contract, path, method)?.id).toBe(id)
    expect(valuesAt(contract, path, method)).toEqual(values)
  })
})

describe('an operation', () => {
  it('without an operationId is named by its method and path', () => {
    const contract = contractOf({ '/toys/{toyId}': { get: {} } })
    expect(operationAt(contract, '/toys/7')?.id).toBe('GET /toys/{toyId}')
    expect(contract.operationById('GET /toys/{toyId}')?.id).toBe('GET /toys/{toyId}')
  })

  it('with the operationId of another is named by its method and path', () => {
    const contract = contractOf({ '/a': { get: { operationId: 'same' } }, '/b': { get: { operationId: 'same' } } })
    expect(['/a', '/b'].map((path) => operationAt(contract, path)?.id)).toEqual(['same', 'GET /b'])
  })

  it('has path parameters that the document does not declare, as strings', () => {
    const contract = contractOf({ '/toys/{toyId}': { get: { operationId: 'getToy', parameters: [] } } })
    expect(valuesAt(contract, '/toys/7')).toEqual({ toyId: '7' })
  })

  it('has the parameters of its path, unless it declares one with the same name and place', () => {
    const shared = { ...path('toyId'), schema: { type: 'integer' } }
    const item = { get: { operationId: 'getToy', parameters: [] }, delete: { operationId: 'deleteToy' } }
    const contract = contractOf({ '/toys/{toyId}': { ...item, parameters: [shared] as never } })
    expect(valuesAt(contract, '/toys/7')).toEqual({ toyId: 7 })
    expect(valuesAt(contract, '/toys/7', 'DELETE')).toEqual({ toyId: '7' })
  })

  it('has its own path if another path differs only in the names of parameters', () => {
    const contract = contractOf({
      '/toys/{toyId}': { get: { operationId: 'getToy' } },
      '/toys/{name}': { delete: { operationId: 'deleteToy' } },
    })
    expect(valuesAt(contract, '/toys/7')).toEqual({ toyId: '7' })
    expect(valuesAt(contract, '/toys/7', 'DELETE')).toEqual({ name: '7' })
    expect(contract.findRoute(['toys', '7'])?.allow).toBe('GET, HEAD, DELETE, OPTIONS')
  })
})

describe('a document is rejected', () => {
  it('if it has a broken reference', () => {
    const missing = json({ $ref: '#/components/schemas/Robot' })
    expect(() => contractOf({ '/': { get: { operationId: 'home', responses: { 200: missing } } } })).toThrow(
      '#/components/schemas/Robot',
    )
  })
})

describe('a response', () => {
  const contract = contractOf({
    '/toys': {
      get: { operationId: 'getToy', responses: { 200: json({ $ref: '#/components/schemas/Toy' }), 204: {} } },
      post: { operationId: 'createToy', responses: { 201: json(TOY), default: json({ required: ['code'] }) } },
    },
  })
  const check = (method: string, status: number, body?: string) => {
    const operation = operationAt(contract, '/toys', method)
    return operation && contract.findResponseViolation(operation, status, body)
  }

  it('with an undeclared status is a violation', () => {
    expect(check('GET', 404, '{"name":"Bear"}')).toMatch(/getToy .*404/)
  })

  it('is checked against the schema of its status, or else of the default', () => {
    expect(check('POST', 201, '{"name":"Bear"}')).toBeUndefined()
    expect(check('POST', 201, '{"code":"X"}')).toContain('/name is missing')
    expect(check('POST', 500, '{"code":"X"}')).toBeUndefined()
    expect(check('POST', 500, '{"name":"Bear"}')).toContain('/code is missing')
  })

  it.each<[string, object, number, string | undefined]>([
    ['of its range', { '2XX': json(TOY) }, 202, '/name is missing'],
    ['of its range in lower case', { '4xx': json(TOY) }, 404, '/name is missing'],
    ['of its status before its range', { 404: {}, '4XX': json(TOY) }, 404, undefined],
    ['of the default before nothing else for a success', { default: json(TOY) }, 200, '/name is missing'],
    ['of no default for a success if there is another', { 201: {}, default: json(TOY) }, 200, 'does not declare'],
  ])('is checked against the schema %s', (_, responses, status, violation) => {
    const ranged = contractOf({ '/': { get: { operationId: 'home', responses } } })
    const operation = operationAt(ranged, '/')
    const found = operation && ranged.findResponseViolation(operation, status, '{}')
    if (violation === undefined) expect(found).toBeUndefined()
    else expect(found).toContain(violation)
  })
})
