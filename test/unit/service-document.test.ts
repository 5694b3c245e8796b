import { describe, expect, it } from 'vitest'
import { withoutExamples } from '../../src/document/schema/without-examples.js'
import { describeOperation } from '../../src/mcp/service-document.js'

describe('withoutExamples', () => {
  it('leaves out the keywords, wherever they are', () => {
    const schema = { type: 'array', examples: [[]], items: { type: 'string', example: 'a', allOf: [{ example: 'b' }] } }
    expect(withoutExamples(schema)).toEqual({ type: 'array', items: { type: 'string', allOf: [{}] } })
  })

  it('keeps properties of these names, and values', () => {
    const schema = {
      properties: { example: { type: 'string', example: 'a' }, properties: { default: { example: 1 } } },
      enum: [{ example: 1 }],
    }
    expect(withoutExamples(schema)).toEqual({
      properties: { example: { type: 'string' }, properties: { default: { example: 1 } } },
      enum: [{ example: 1 }],
    })
  })
})

it('a schema that is too large does not hide those after it', () => {
  const content = (name: string) => ({ 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } })
  const document = {
    paths: {
      '/books': {
        post: {
          requestBody: { content: content('Large') },
          responses: { 201: { description: 'Created', content: content('Book') } },
        },
      },
    },
    components: { schemas: { Large: { description: 'x'.repeat(50_000) }, Book: { type: 'object' } } },
  }
  expect(describeOperation(document, { operation: 'createBook', method: 'POST', path: '/books' })).toMatchObject({
    schemas: { '#/components/schemas/Book': { type: 'object' } },
    leftOut: ['#/components/schemas/Large'],
  })
})

it('a path given by reference, parameters that the operation overrides, and inline schemas are described', () => {
  const example = (type: string) => ({ type, example: 'a' })
  const item = {
    parameters: [
      { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
      { name: 'limit', in: 'query', schema: { type: 'string' } },
    ],
    post: {
      parameters: [{ name: 'limit', in: 'query', schema: example('integer') }],
      requestBody: { content: { 'application/json': { schema: example('object') } } },
      responses: { 200: { content: { 'text/plain': { schema: { description: 'x'.repeat(50_000) } } } } },
    },
  }
  const document = { paths: { '/books/{id}': { $ref: '#/x-files/books.yaml' } }, 'x-files': { 'books.yaml': item } }
  expect(describeOperation(document, { operation: 'sell', method: 'POST', path: '/books/{id}' })).toEqual({
    operation: 'sell',
    request: 'POST /books/{id}',
    parameters: [
      { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
      { name: 'limit', in: 'query', schema: { type: 'integer' } },
    ],
    requestBody: { content: { 'application/json': { type: 'object' } } },
    responses: { 200: { content: { 'text/plain': undefined } } },
    schemas: {},
    leftOut: ['response 200 text/plain'],
  })
})
