const bookSchema = {
  type: 'object',
  required: ['title'],
  properties: {
    id: { type: 'integer', format: 'int64' },
    title: { type: 'string', minLength: 1 },
    borrower: { type: 'string' },
  },
}

const json = (schema: object) => ({ content: { 'application/json': { schema } } })
const book = { $ref: '#/components/schemas/Book' }
const bookId = { name: 'bookId', in: 'path', required: true, schema: { type: 'integer', format: 'int64' } }
const error = { description: 'Any error.', ...json({ $ref: '#/components/schemas/Error' }) }

/** The OpenAPI document of a tiny lending library. */
export const document = {
  openapi: '3.0.3',
  info: { title: 'Library', version: '1.0.0' },
  components: {
    schemas: {
      Book: bookSchema,
      Error: {
        type: 'object',
        required: ['code', 'message', 'status'],
        additionalProperties: false,
        properties: { code: { type: 'string' }, message: { type: 'string' }, status: { type: 'integer' } },
      },
    },
  },
  paths: {
    '/books': {
      get: {
        operationId: 'listBooks',
        parameters: [{ name: 'borrower', in: 'query', schema: { type: 'string', minLength: 1 } }],
        responses: { 200: { description: 'Books.', ...json({ type: 'array', items: book }) }, default: error },
      },
      post: {
        operationId: 'addBook',
        'x-stability': 'experimental',
        requestBody: { required: true, ...json(book) },
        responses: { 201: { description: 'The new book.', ...json(book) }, default: error },
      },
    },
    '/books/{bookId}': {
      get: {
        operationId: 'getBook',
        parameters: [bookId],
        responses: { 200: { description: 'The book.', ...json(book) }, default: error },
      },
      delete: {
        operationId: 'removeBook',
        parameters: [bookId],
        responses: { 204: { description: 'Removed.' }, default: error },
      },
    },
  },
}
