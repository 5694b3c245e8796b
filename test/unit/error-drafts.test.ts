import { describe, expect, it } from 'vitest'
import { compileValidators } from '../../scripts/validators.js'
import { type Contract, type ContractOptions, createContract } from '../../src/document/contract/contract.js'
import { loadContract } from '../../src/engine/mock/load-contract.js'
import { createArrangePipeline } from '../../src/engine/pipeline/pipeline.js'
import { apiError } from '../../src/http/errors.js'
import { NO_LIMITS } from '../../src/http/limits.js'

const PROBLEM = { type: 'object', required: ['title'], properties: { title: { type: 'string' } } }
const problem = { description: '', content: { 'application/problem+json': { schema: PROBLEM } } }

function documentOf(errors: object): object {
  const parameters = [{ name: 'size', in: 'query', schema: { type: 'integer' } }]
  const get = { operationId: 'listToys', parameters, responses: { 200: { description: '' }, ...errors } }
  return { openapi: '3.0.3', info: { title: '', version: '' }, paths: { '/toys': { get } } }
}

async function contractOf(errors: object, options?: ContractOptions): Promise<Contract> {
  const contract = createContract(documentOf(errors), undefined, options)
  await loadContract(contract)
  return contract
}

/** The response to an invalid request, or to another path. */
function respond(contract: Contract, path = '/toys') {
  const handle = createArrangePipeline({
    service: { contract, handlers: {}, toContext: (valid) => valid, parseBody: () => undefined },
    options: { ...NO_LIMITS, security: 'ignore', requireSandbox: false, strict: false, validateResponses: true },
  })
  const { response } = handle({ method: 'GET', path, query: 'size=big', base: '', headers: {} }, 0)
  return { status: response.status, type: response.headers['Content-Type'], body: JSON.parse(response.body ?? 'null') }
}

describe('an error of a service', () => {
  it('has code, message and status, if the validators are precompiled', () => {
    const document = documentOf({ default: { description: '' } })
    const { body } = respond(createContract(document, compileValidators(document)))
    expect(body).toEqual({ code: 'INVALID_REQUEST', message: expect.stringContaining('size'), status: 400 })
  })

  it('has the shape that the service chose, with the media type that the document declares', async () => {
    const error: ContractOptions['error'] = ({ code, operation, schema }) => ({ title: code, operation, schema })
    const contract = await contractOf({ 400: problem }, { error })
    const body = { title: 'INVALID_REQUEST', operation: 'listToys', schema: PROBLEM }
    expect(respond(contract)).toEqual({ status: 400, type: 'application/problem+json', body })
    const unknown = { status: 404, type: 'application/json', body: { title: 'ROUTE_NOT_FOUND' } }
    expect(respond(contract, '/robots')).toEqual(unknown)
  })

  it('has the shape that the service chose, if its validators are precompiled', () => {
    const document = documentOf({ default: problem })
    const contract = createContract(document, compileValidators(document), { error: ({ code }) => ({ title: code }) })
    expect(respond(contract)).toMatchObject({ status: 400, body: { title: 'INVALID_REQUEST' } })
  })

  it('has no body if the service sends none', async () => {
    const contract = await contractOf({}, { error: () => undefined })
    expect(respond(contract)).toEqual({ status: 400, type: undefined, body: null })
  })

  it.each([
    [400, { 400: {}, 422: {} }, 400],
    [400, { '4XX': {}, 422: {} }, 400],
    [400, { default: {}, 422: {} }, 400],
    [400, { 422: {} }, 422],
    [422, { 400: {} }, 400],
    [415, { 422: {} }, 422],
    [410, { 404: {} }, 404],
    [401, { 400: {} }, 401],
    [500, { 400: {} }, 500],
  ])('with status %s has a near one if the document declares %j', async (status, errors, expected) => {
    const contract = await contractOf(errors)
    const error = { ...apiError('INVALID_REQUEST', 'x'), status }
    expect(contract.toDeclaredError(error, contract.operationById('listToys')).status).toBe(expected)
  })
})
