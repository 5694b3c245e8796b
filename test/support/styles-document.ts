import {
  collection,
  GONE,
  INTEGER,
  inPath,
  inQuery,
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

/* One document with the styles of real ones, rewritten small: envelopes, cursors, prefixes, parents, singletons, problem details. */

const CUSTOMER_ID = { type: 'string', pattern: '^cus_[a-zA-Z0-9]{8,}$' }

const schemas = {
  Customer: object(
    {
      id: { ...CUSTOMER_ID, readOnly: true },
      email: { ...TEXT, format: 'email' },
      created: { ...INTEGER, readOnly: true },
    },
    ['id', 'email', 'created'],
  ),
  NewCustomer: object({ email: { ...TEXT, format: 'email' } }, ['email']),
  Card: object({ id: { ...TEXT, format: 'uuid', readOnly: true }, brand: { enum: ['visa', 'amex'] } }, ['id', 'brand']),
  Article: object({ slug: { ...TEXT, readOnly: true }, title: TEXT, updatedAt: { ...TIME, readOnly: true } }, [
    'slug',
    'title',
    'updatedAt',
  ]),
  NewArticle: object({ title: TEXT }, ['title']),
  Node: object({ kind: TEXT, metadata: object({ name: { ...TEXT, pattern: '^[a-z]{1,20}$' }, uid: TEXT }, ['name']) }, [
    'metadata',
  ]),
  Task: object(
    {
      id: INTEGER,
      name: TEXT,
      state: { enum: ['open', 'closed'] },
      dueOn: { ...TEXT, format: 'date', nullable: true },
    },
    ['id', 'name'],
  ),
  Settings: object({ theme: { enum: ['light', 'dark'] }, pageSize: { type: 'integer', minimum: 1, maximum: 100 } }, [
    'theme',
  ]),
}

const enveloped = (name: string, schema: object) => object({ [name]: schema }, [name])
const errors = { 404: PROBLEM, default: PROBLEM }
const slug = inPath('slug', TEXT)

/** Lists in an object with cursors, ids with a prefix, and records below a parent. */
const customers = {
  '/v1/customers': {
    get: {
      parameters: [inQuery('limit', INTEGER), inQuery('starting_after'), inQuery('email')],
      responses: {
        200: returns(object({ data: list(ref('Customer')), has_more: { type: 'boolean' } }, ['data', 'has_more'])),
        ...errors,
      },
    },
    post: { ...takes(ref('NewCustomer')), responses: { 200: returns(ref('Customer')), ...errors } },
  },
  '/v1/customers/{customer}': {
    parameters: [inPath('customer', CUSTOMER_ID)],
    get: { responses: { 200: returns(ref('Customer')), ...errors } },
    post: {
      ...takes(object({ email: { ...TEXT, format: 'email' } })),
      responses: { 200: returns(ref('Customer')), ...errors },
    },
    delete: { responses: { 200: returns(object({ id: TEXT, deleted: { type: 'boolean' } }, ['id'])), ...errors } },
  },
  ...collection('cards', {
    record: ref('Card'),
    id: { ...TEXT, format: 'uuid' },
    prefix: '/v1/customers/{customer}',
    parents: [inPath('customer', CUSTOMER_ID)],
    query: [inQuery('page', INTEGER), inQuery('per_page', INTEGER)],
    errors,
  }),
}

/** Envelopes around one record and around requests, and ids that are made from a title. */
const articles = {
  '/articles': {
    get: {
      responses: {
        200: returns(object({ articles: list(ref('Article')), articlesCount: INTEGER }, ['articles', 'articlesCount'])),
        ...errors,
      },
    },
    post: {
      ...takes(enveloped('article', ref('NewArticle'))),
      responses: { 201: returns(enveloped('article', ref('Article'))), ...errors },
    },
  },
  '/articles/{slug}': {
    parameters: [slug],
    get: { responses: { 200: returns(enveloped('article', ref('Article'))), ...errors } },
    put: {
      ...takes(enveloped('article', ref('NewArticle'))),
      responses: { 200: returns(enveloped('article', ref('Article'))), ...errors },
    },
    delete: { responses: { 204: GONE, ...errors } },
  },
}

/** Trailing slashes, ids inside an object, single records, actions, and a 204 with a body, which cannot be. */
const others = {
  ...collection('nodes', { record: ref('Node'), id: { ...TEXT, pattern: '^[a-z]{1,20}$' }, errors }),
  '/tasks/': {
    get: {
      parameters: [
        inQuery('offset', INTEGER),
        inQuery('limit', INTEGER),
        inQuery('state', { enum: ['open', 'closed', 'all'], default: 'open' }),
        inQuery('sort'),
      ],
      responses: {
        200: returns(
          object({ count: INTEGER, next: { ...TEXT, nullable: true }, results: list(ref('Task')) }, [
            'count',
            'results',
          ]),
        ),
        ...errors,
      },
    },
    post: { ...takes(ref('Task')), responses: { 201: returns(ref('Task')), ...errors } },
  },
  '/tasks/{id}/': {
    parameters: [inPath('id')],
    get: { responses: { 200: returns(ref('Task')), ...errors } },
    patch: {
      ...takes({ ...schemas.Task, required: [] }, 'application/merge-patch+json'),
      responses: { 200: returns(ref('Task')), ...errors },
    },
    delete: {
      responses: {
        204: GONE,
        ...errors,
      },
    },
  },
  '/tasks/{id}/complete': {
    post: { parameters: [inPath('id')], responses: { 204: returns(object({}, ['id'])), ...errors } },
  },
  '/settings': {
    get: { responses: { 200: returns(ref('Settings')), ...errors } },
    put: { ...takes(ref('Settings')), responses: { 200: returns(ref('Settings')), ...errors } },
  },
}

export const styles = toDocument({ ...customers, ...articles, ...others }, schemas)
