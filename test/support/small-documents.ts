import { type AnyService, defineService } from '../../src/engine/mock/define-service.js'
import { createMock } from '../../src/engine/mock/mock.js'
import type { ServiceDefinition } from '../../src/engine/service.js'

/* Small documents in the styles of real ones. */

export type Json = Readonly<Record<string, unknown>>

export const TEXT = { type: 'string' }
export const INTEGER = { type: 'integer' }
export const TIME = { type: 'string', format: 'date-time' }

export const object = (properties: Json, required: readonly string[] = []) => ({ type: 'object', required, properties })
export const list = (items: Json) => ({ type: 'array', items })
export const content = (schema: Json, mediaType = 'application/json') => ({ content: { [mediaType]: { schema } } })
export const returns = (schema: Json, more: Json = {}) => ({ description: 'OK', ...content(schema), ...more })
export const takes = (schema: Json, mediaType?: string) => ({
  requestBody: { required: true, ...content(schema, mediaType) },
})
export const inPath = (name: string, schema: Json = INTEGER) => ({ name, in: 'path', required: true, schema })
export const inQuery = (name: string, schema: Json = TEXT) => ({ name, in: 'query', schema })
export const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

export const PROBLEM = {
  description: 'A problem.',
  ...content(object({ title: TEXT, status: INTEGER, detail: TEXT }, ['title', 'status']), 'application/problem+json'),
}
export const GONE = { description: 'Gone.' }

/** Every status of an error. */
export const ERRORS = Object.fromEntries([400, 404, 409, 412, 422].map((status) => [status, PROBLEM]))

export const toDocument = (paths: Json, schemas: Json = {}) => ({
  openapi: '3.0.3',
  info: { title: 'Small', version: '1' },
  paths,
  components: { schemas },
})

interface Style {
  readonly record?: Json
  readonly sent?: Json
  readonly id?: Json
  readonly prefix?: string
  readonly parents?: readonly Json[]
  /** The parameters of the list operation. */
  readonly query?: readonly Json[]
  readonly errors?: Json
  /** Instead of the operations on the collection, and on an item. */
  readonly more?: Json
  readonly items?: Json
}

/** The operations of a collection and its items. */
export function collection(name: string, style: Style = {}): Json {
  const { record = ref('Record'), id = INTEGER, prefix = '', parents = [], query = [], errors = ERRORS } = style
  const { sent = record, more, items } = style
  const itemId = `${name.replace(/s$/, '')}Id`
  return {
    [`${prefix}/${name}`]: {
      parameters: parents,
      get: { parameters: query, responses: { 200: returns(list(record)), ...errors } },
      post: { ...takes(sent), responses: { 201: returns(record), ...errors } },
      ...more,
    },
    [`${prefix}/${name}/{${itemId}}`]: {
      parameters: [...parents, inPath(itemId, id)],
      get: { responses: { 200: returns(record), ...errors } },
      put: { ...takes(sent), responses: { 200: returns(record), ...errors } },
      patch: { ...takes({ ...sent, required: [] }), responses: { 200: returns(record), ...errors } },
      delete: { responses: { 204: GONE, ...errors } },
      ...items,
    },
  }
}

export interface Reply {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: whatever the document says
  readonly body: any
  readonly headers: Headers
}

/** A mock of a document with this data, and a function that sends requests to it. */
export const serve = (document: object, data: Json = {}) =>
  serveService(defineService({ document, scenarios: { default: data } } as never))

/** The same for a service. Responses that do not conform become 500. */
export async function serveService(service: ServiceDefinition<AnyService>, options: Json = {}) {
  const { mock } = createMock(service, { validateResponses: true, ...options } as never)
  await mock.ready
  async function send(request: string, body?: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Reply> {
    const [method = '', path = ''] = request.split(' ')
    const type = body === undefined ? {} : { 'content-type': 'application/json' }
    const init = { method, headers: { ...type, ...headers }, ...(body !== undefined && { body: JSON.stringify(body) }) }
    const response = await mock.fetch(path, init)
    const text = await response.text()
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text), headers: response.headers }
  }
  return { mock, send }
}
