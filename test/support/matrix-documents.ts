import { parseYaml } from '../../src/lib/yaml.js'
import { blocksOf, readPages } from './docs-blocks.js'
import {
  collection,
  content,
  GONE,
  INTEGER,
  inPath,
  inQuery,
  type Json,
  list,
  object,
  PROBLEM,
  ref,
  returns,
  TEXT,
  TIME,
  takes,
  toDocument,
} from './small-documents.js'
import { styles } from './styles-document.js'

/* Documents that differ from each other in every trait that a feature may have been tried without. */

const NO_ERRORS = {}
const FLAG = { type: 'boolean' }
const enveloped = (schema: Json) => object({ data: schema }, ['data'])

/** Messages below channels, which no operation lists or creates. */
const belowUnknown = toDocument(
  collection('messages', {
    record: ref('Message'),
    prefix: '/channels/{channelId}',
    parents: [inPath('channelId', TEXT)],
  }),
  { Message: object({ id: { ...INTEGER, readOnly: true }, text: TEXT }, ['id', 'text']) },
)

/** Three levels, of which records have the id of none or one; lists and requests in envelopes; a list without items' paths. */
const below = toDocument(
  {
    '/orgs': { get: { responses: { 200: returns(enveloped(list(ref('Org')))), 404: PROBLEM } } },
    '/orgs/{orgId}': {
      parameters: [inPath('orgId')],
      get: { responses: { 200: returns(enveloped(ref('Org'))), 404: PROBLEM } },
    },
    ...collection('projects', {
      record: ref('Project'),
      prefix: '/orgs/{orgId}',
      parents: [inPath('orgId')],
      query: [inQuery('limit', { ...INTEGER, minimum: 1, maximum: 5 }), inQuery('offset')],
    }),
    ...collection('tasks', {
      record: ref('Task'),
      prefix: '/orgs/{orgId}/projects/{projectId}',
      parents: [inPath('orgId'), inPath('projectId')],
    }),
    '/orgs/{orgId}/notes': {
      parameters: [inPath('orgId')],
      get: { responses: { 200: returns(list(ref('Note'))) } },
      post: { ...takes(ref('Note')), responses: { 201: returns(ref('Note')) } },
    },
  },
  {
    Org: object({ id: { ...INTEGER, readOnly: true }, name: TEXT }, ['id', 'name']),
    Project: object({ id: { ...INTEGER, readOnly: true }, name: TEXT, orgId: INTEGER }, ['id', 'name']),
    Task: object({ id: { ...INTEGER, readOnly: true }, title: TEXT, done: FLAG }, ['id', 'title']),
    Note: object({ text: TEXT }, ['text']),
  },
)

const TICKET_ID = { ...TEXT, pattern: '^tic_[a-z0-9]{6}$' }
const tickets = enveloped(list(ref('Ticket')))
const ticketPage = { ...tickets, properties: { ...tickets.properties, next_page_token: { ...TEXT, nullable: true } } }

/** Lists that only a cursor turns the pages of, ids with a pattern, a required header, and no schema of an error. */
const cursors = toDocument(
  {
    ...collection('tickets', {
      record: ref('Ticket'),
      id: TICKET_ID,
      errors: { 404: { description: 'Unknown.' } },
      more: {
        get: {
          parameters: [inQuery('page_token'), inQuery('page_size', { ...INTEGER, minimum: 1, maximum: 4 })],
          responses: { 200: returns(ticketPage) },
        },
        post: {
          parameters: [{ name: 'Idempotency-Key', in: 'header', required: true, schema: { ...TEXT, format: 'uuid' } }],
          ...takes(object({ subject: { ...TEXT, minLength: 3 } }, ['subject'])),
          responses: { 201: returns(ref('Ticket')) },
        },
      },
    }),
  },
  {
    Ticket: object({ id: { ...TICKET_ID, readOnly: true }, subject: { ...TEXT, minLength: 3 }, openedAt: TIME }, [
      'id',
      'subject',
    ]),
  },
)

/** OpenAPI 3.1: types in lists, constants, examples in lists, references beside other keywords, and webhooks. */
const version31 = {
  ...toDocument(
    {
      ...collection('shipments', { record: ref('Shipment'), id: { ...TEXT, format: 'uuid' } }),
      '/me': { get: { responses: { 200: returns(ref('Person')), 401: PROBLEM } } },
    },
    {
      Shipment: {
        type: 'object',
        required: ['id', 'kind', 'receiver'],
        properties: {
          id: { ...TEXT, format: 'uuid', readOnly: true },
          kind: { const: 'shipment' },
          weight: { type: ['number', 'null'], exclusiveMinimum: 0 },
          receiver: { ...ref('Person'), description: 'Who gets it.' },
          labels: { type: 'array', items: { type: ['string', 'integer'] }, examples: [['fragile']] },
        },
      },
      Person: object({ name: TEXT, email: { ...TEXT, format: 'email' } }, ['name']),
    },
  ),
  openapi: '3.1.0',
  webhooks: { sent: { post: { ...takes(ref('Shipment')), responses: { 204: GONE } } } },
}

/** As converters of Swagger 2 write: no collection path, `PUT` without an id, two media types, a server with a path, a key. */
const converted = {
  ...toDocument(
    {
      '/user': {
        put: { ...takes(ref('User')), responses: { 200: returns(ref('User')), 405: { description: 'Invalid.' } } },
        post: { ...takes(ref('User')), responses: { 200: returns(ref('User')), 405: { description: 'Invalid.' } } },
      },
      '/user/findByRole': {
        get: {
          parameters: [inQuery('role', { enum: ['admin', 'guest'] })],
          responses: { 200: returns(list(ref('User'))) },
        },
      },
      '/user/{userId}': {
        parameters: [inPath('userId', { ...INTEGER, format: 'int64' })],
        get: { responses: { 200: returns(ref('User')), 404: { description: 'Unknown.' } } },
        post: {
          ...takes(object({ name: TEXT }), 'application/x-www-form-urlencoded'),
          responses: { 405: { description: 'Invalid.' } },
        },
        delete: {
          parameters: [{ name: 'api_key', in: 'header', schema: TEXT }],
          responses: { 400: { description: 'Invalid.' } },
        },
      },
      '/store/inventory': {
        get: { responses: { 200: returns({ type: 'object', additionalProperties: { ...INTEGER, format: 'int32' } }) } },
      },
    },
    {
      User: {
        ...object({ id: { ...INTEGER, format: 'int64' }, name: TEXT, role: { enum: ['admin', 'guest'] } }, ['name']),
        xml: { name: 'User' },
      },
    },
  ),
  servers: [{ url: 'https://example.com/api/v3' }],
  components: {
    schemas: {
      User: object({ id: { ...INTEGER, format: 'int64' }, name: TEXT, role: { enum: ['admin', 'guest'] } }, ['name']),
    },
    securitySchemes: { api_key: { type: 'apiKey', name: 'api_key', in: 'header' } },
  },
}

/** Actions, references, records that can only be read or made, and one record; nothing says what an error is. */
const actions = toDocument(
  {
    ...collection('orders', { record: ref('Order'), errors: NO_ERRORS }),
    '/orders/{orderId}/cancel': {
      post: { parameters: [inPath('orderId')], responses: { 200: returns(ref('Order')) } },
    },
    '/orders/{orderId}/notify': {
      post: {
        parameters: [inPath('orderId'), { name: 'X-Channel', in: 'header', required: true, schema: TEXT }],
        ...takes(object({ text: TEXT }, ['text'])),
        responses: { 202: { description: 'Sent later.' } },
      },
    },
    '/customers/{handle}': {
      get: { parameters: [inPath('handle', TEXT)], responses: { 200: returns(ref('Customer')) } },
    },
    '/reports': {
      post: { ...takes(object({ from: TIME }, ['from'])), responses: { 202: returns(object({ id: TEXT })) } },
    },
    '/limits': {
      get: { responses: { 200: returns(object({ orders: INTEGER }, ['orders'])) } },
      patch: {
        ...takes(object({ orders: INTEGER })),
        responses: { 200: returns(object({ orders: INTEGER }, ['orders'])) },
      },
    },
    '/labels': {
      get: { responses: { 200: { description: 'A file.', ...content(TEXT, 'text/csv') } } },
    },
  },
  {
    Order: object(
      {
        id: { ...INTEGER, readOnly: true },
        customer: TEXT,
        status: { enum: ['open', 'cancelled'], readOnly: true },
        total: { type: 'number' },
      },
      ['id', 'status'],
    ),
    Customer: object({ handle: TEXT, name: TEXT }, ['handle', 'name']),
  },
)

/** By their names. */
export const ownDocuments: Readonly<Record<string, object>> = {
  styles,
  'nested lists': below,
  'below what nobody lists': belowUnknown,
  'cursors and patterns': cursors,
  'OpenAPI 3.1': version31,
  'converted from Swagger': converted,
  'actions, no errors': actions,
}

/** The documents that the pages of docs/ show as files. */
export function documentsOfDocs(): Readonly<Record<string, object>> {
  const blocks = readPages()
    .flatMap(blocksOf)
    .filter(({ note, code }) => note?.name === 'file' && /^openapi:/m.test(code))
  return Object.fromEntries(
    blocks.map(({ page, note, code }) => [`${note?.value} of ${page}`, parseYaml(code) as object]),
  )
}
