import { OpenAPIBackend, OpenAPIRouter, OpenAPIValidator, type ParsedRequest } from 'openapi-backend'
import { describe, expect, it, vi } from 'vitest'
import { compileValidators } from '../../scripts/validators.js'
import { createContract } from '../../src/document/contract/contract.js'
import { resolveDocument } from '../../src/document/schema/resolved-document.js'
import { CompiledRouter, PrecompiledValidator } from '../../src/document/validate/openapi-backend.js'
import { createArrangePipeline } from '../../src/engine/pipeline/pipeline.js'
import { NO_LIMITS } from '../../src/http/limits.js'

const TOY = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } }
const json = { 'application/json': { schema: TOY } }
const toyId = { name: 'toyId', in: 'path', required: true, schema: { type: 'string' } }
const color = { name: 'color', in: 'query', schema: { type: 'string', enum: ['red', 'blue'] } }

const DOCUMENT = {
  openapi: '3.0.3',
  info: { title: 'Toys', version: '1' },
  paths: {
    '/toys': {
      get: { operationId: 'listToys', parameters: [color], responses: { 200: { description: '' } } },
      post: {
        operationId: 'createToy',
        requestBody: { required: true, content: json },
        responses: { 201: { description: '', content: json } },
      },
    },
    '/toys/{toyId}': {
      get: { operationId: 'getToy', parameters: [toyId], responses: { 200: { description: '', content: json } } },
    },
  },
}

const VALIDATORS = compileValidators(DOCUMENT)
const router = new CompiledRouter(resolveDocument(DOCUMENT).definition)
const validator = new PrecompiledValidator(router, VALIDATORS.operations)
const request = (method: string, path: string, body?: object) => ({ method, path, headers: {}, body })

it('are the router and the validator of the library', () => {
  expect(router).toBeInstanceOf(OpenAPIRouter)
  expect(validator).toBeInstanceOf(OpenAPIValidator)
})

describe('OpenAPIBackend with our router and validator', () => {
  class Backend extends OpenAPIBackend {
    override async init(): Promise<this> {
      await super.init()
      return Object.assign(this, { router, validator })
    }
  }

  const backend = new Backend({ definition: DOCUMENT as never, quick: true, strict: true })
  const reply = (name: string) => (context: { request: ParsedRequest }) => ({ name, params: context.request.params })
  backend.register('getToy', reply('getToy'))
  backend.register({ listToys: reply('listToys'), createToy: reply('createToy') })
  backend.register({
    notFound: () => 'not found',
    methodNotAllowed: () => 'method not allowed',
    validationFail: ({ validation }) => validation.errors?.map(({ instancePath }) => instancePath),
  })
  const respond = (method: string, path: string, body?: object) => backend.handleRequest(request(method, path, body))

  it('calls the handler that is registered for the operation', async () => {
    expect(await respond('GET', '/toys/7')).toEqual({ name: 'getToy', params: { toyId: '7' } })
    expect(await respond('GET', '/toys?color=red')).toEqual({ name: 'listToys', params: {} })
    expect(await respond('POST', '/toys', { name: 'Bear' })).toEqual({ name: 'createToy', params: {} })
  })

  it('tells an unknown path from a method that is not allowed', async () => {
    expect(await respond('GET', '/robots')).toBe('not found')
    expect(await respond('DELETE', '/toys')).toBe('method not allowed')
  })

  it('validates with the precompiled validators', async () => {
    expect(await respond('GET', '/toys?color=green')).toEqual(['/query/color'])
    expect(await respond('POST', '/toys', { name: 5 })).toEqual(['/requestBody/name'])
    expect(validator.getRequestValidatorsForOperation('createToy')).toBe(VALIDATORS.operations.createToy?.request)
    expect(backend.validateResponse({ name: 'Bear' }, 'getToy', 200).valid).toBe(true)
    expect(backend.validateResponse({}, 'getToy', 200).errors).toEqual([expect.objectContaining({ instancePath: '' })])
  })
})

it('a request to the mock is matched by the router, and the handler with the operationId is called', () => {
  const matchOperation = vi.spyOn(CompiledRouter.prototype, 'matchOperation')
  const handle = createArrangePipeline({
    service: {
      contract: createContract(DOCUMENT, VALIDATORS),
      handlers: { getToy: ({ path }: { path: object }) => ({ status: 200, body: { name: JSON.stringify(path) } }) },
      toContext: (valid) => valid,
      parseBody: () => undefined,
    },
    options: { ...NO_LIMITS, security: 'ignore', requireSandbox: false, strict: false, validateResponses: true },
  })
  const { response, trace } = handle({ method: 'GET', path: '/toys/a%2Fb', query: '', base: '', headers: {} }, 0)
  expect(trace).toEqual({ operation: 'getToy' })
  expect(response).toMatchObject({ status: 200, body: JSON.stringify({ name: '{"toyId":"a/b"}' }) })
  expect(matchOperation).toHaveReturnedWith(expect.objectContaining({ operationId: 'getToy' }))
  matchOperation.mockRestore()
})
