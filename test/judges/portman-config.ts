import type { Operation } from './document.js'

/** In Portman's notation: `POST::/pets`. */
type Name = string
type Overwrites = Readonly<Record<string, readonly unknown[]>>

interface Variation {
  readonly of: Name
  readonly status: number
  readonly title: string
  readonly code: string
  readonly overwrites?: Overwrites
  readonly fuzzing?: unknown
}

const ENABLED = { enabled: true }
const UNKNOWN_ID = 999999999
/** Ids in the default data: an available pet, a sold one, a complete order, a category with pets. */
const [PET, SOLD_PET, COMPLETE_ORDER, CATEGORY] = [1, 3, 1, 1]

/** The configuration of Portman: the order of the requests, their ids, and the requests that must be rejected. */
export function createPortmanConfig(operations: readonly Operation[]): unknown {
  const checks = ['contentType', 'jsonBody', 'schemaValidation', 'headersPresent']
  return {
    version: 1,
    globals: { orderOfOperations: ORDER },
    assignVariables: Object.entries(CREATED).map(([of, name]) => ({
      openApiOperation: of,
      collectionVariables: [{ responseBodyProp: 'id', name }],
    })),
    overwrites: [
      { openApiOperation: '*::/categories/{categoryId}', ...path('categoryId', '{{newCategory}}') },
      { openApiOperation: '*::/pets/{petId}', ...path('petId', '{{newPet}}') },
      { openApiOperation: '*::/store/orders/{orderId}', ...path('orderId', '{{newOrder}}') },
      { openApiOperation: 'PUT::/store/inventory/{petId}', ...path('petId', PET) },
      // Otherwise the order would be complete, and could not be deleted.
      {
        openApiOperation: 'PATCH::/store/orders/{orderId}',
        overwriteRequestBody: [
          { key: 'complete', remove: true },
          { key: 'shipDate', value: '2026-02-10T08:00:00Z', overwrite: true },
        ],
      },
    ],
    tests: {
      contractTests: ['statusSuccess', ...checks].map((check) => ({ openApiOperation: '*::/*', [check]: ENABLED })),
      variationTests: createVariations(operations).map(({ of, status, title, code, overwrites, fuzzing }) => ({
        openApiOperation: of,
        openApiResponse: String(status),
        variations: [
          {
            name: title,
            ...(overwrites && { overwrites: [overwrites] }),
            ...(fuzzing ? { fuzzing: [fuzzing] } : {}),
            tests: {
              contractTests: [
                { statusCode: { ...ENABLED, code: status } },
                ...checks.map((check) => ({ [check]: ENABLED })),
              ],
              contentTests: [
                {
                  responseBodyTests: [
                    { key: 'code', value: code },
                    { key: 'status', value: status },
                  ],
                },
              ],
            },
          },
        ],
      })),
    },
  }
}

/** The requests after a creation use the created record, until it is deleted. */
const ORDER: readonly Name[] = [
  'POST::/categories',
  'GET::/categories',
  'GET::/categories/{categoryId}',
  'PUT::/categories/{categoryId}',
  'DELETE::/categories/{categoryId}',
  'POST::/pets',
  'GET::/pets',
  'GET::/pets/{petId}',
  'PUT::/pets/{petId}',
  'DELETE::/pets/{petId}',
  'PUT::/store/inventory/{petId}',
  'GET::/store/inventory/{petId}',
  'GET::/store/inventory',
  'POST::/store/orders',
  'GET::/store/orders',
  'GET::/store/orders/{orderId}',
  'PATCH::/store/orders/{orderId}',
  'DELETE::/store/orders/{orderId}',
]
const CREATED: Readonly<Record<Name, string>> = {
  'POST::/categories': 'newCategory',
  'POST::/pets': 'newPet',
  'POST::/store/orders': 'newOrder',
}

/** The rejected requests: those common to all operations of a kind, and those of the store rules. */
function createVariations(operations: readonly Operation[]): readonly Variation[] {
  return [
    ...operations.flatMap((operation): Variation[] => {
      const of = `${operation.method}::${operation.path}`
      const id = /\{(\w+)\}/.exec(operation.path)?.[1]
      const isList = operation.method === 'GET' && id === undefined
      const xml = header('Accept', 'application/xml')
      const text = header('Content-Type', 'text/plain')
      return [
        { of, status: 406, title: 'accepts only XML', code: 'NOT_ACCEPTABLE', overwrites: xml },
        ...(id ? idVariations(of, id) : []),
        ...(isList ? listVariations(of) : []),
        ...(operation.body
          ? [{ of, status: 415, title: 'declared as text', code: 'UNSUPPORTED_MEDIA_TYPE', overwrites: text }]
          : []),
        // No field of an order is required.
        ...(operation.body && operation.body !== 'Order' ? [fieldVariation(of)] : []),
      ]
    }),
    ...RULES,
  ]
}

function idVariations(of: Name, id: string): Variation[] {
  const kind = id.replace(/Id$/, '').toUpperCase()
  return [
    { of, status: 404, title: 'unknown id', code: `${kind}_NOT_FOUND`, overwrites: path(id, UNKNOWN_ID) },
    { of, status: 400, title: 'not an id', code: 'INVALID_REQUEST', overwrites: path(id, '1e1') },
  ]
}

function listVariations(of: Name): Variation[] {
  const range = { minimumNumberFields: ENABLED, maximumNumberFields: ENABLED }
  const code = 'INVALID_REQUEST'
  const sort = { overwriteRequestQueryParams: [{ key: 'sort', value: 'colour', overwrite: true, disable: false }] }
  return [
    { of, status: 400, title: 'unknown sort field', code, overwrites: sort },
    { of, status: 400, title: 'number out of range', code, fuzzing: { requestQueryParams: [range] } },
  ]
}

function fieldVariation(of: Name): Variation {
  const fuzzing = { requestBody: [{ requiredFields: ENABLED }] }
  return { of, status: 400, title: 'missing required field', code: 'INVALID_REQUEST', fuzzing }
}

const [PUT_PET, PUT_STOCK] = ['PUT::/pets/{petId}', 'PUT::/store/inventory/{petId}']
const [POST_ORDER, PATCH_ORDER] = ['POST::/store/orders', 'PATCH::/store/orders/{orderId}']

const RULES: readonly Variation[] = [
  rule('POST::/pets', 422, 'UNKNOWN_CATEGORY', body('categoryId', UNKNOWN_ID)),
  rule(PUT_PET, 422, 'UNKNOWN_CATEGORY', { ...path('petId', PET), ...body('categoryId', UNKNOWN_ID) }),
  rule(PUT_PET, 409, 'INVALID_TRANSITION', { ...path('petId', SOLD_PET), ...body('status', 'available') }),
  rule('DELETE::/categories/{categoryId}', 409, 'CATEGORY_IN_USE', path('categoryId', CATEGORY)),
  rule(PUT_STOCK, 422, 'INVALID_QUANTITY', body('quantity', -1)),
  rule(POST_ORDER, 422, 'UNKNOWN_PET', body('petId', UNKNOWN_ID)),
  rule(POST_ORDER, 422, 'INVALID_QUANTITY', body('quantity', 0)),
  rule(POST_ORDER, 409, 'PET_NOT_AVAILABLE', body('petId', SOLD_PET)),
  rule(POST_ORDER, 409, 'INSUFFICIENT_STOCK', body('quantity', UNKNOWN_ID)),
  rule(PATCH_ORDER, 409, 'ORDER_COMPLETE', { ...path('orderId', COMPLETE_ORDER), ...body('quantity', 9) }),
  rule('DELETE::/store/orders/{orderId}', 409, 'ORDER_COMPLETE', path('orderId', COMPLETE_ORDER)),
]

function rule(of: Name, status: number, code: string, overwrites: Overwrites): Variation {
  return { of, status, title: code, code, overwrites }
}

function path(key: string, value: string | number): Overwrites {
  return { overwriteRequestPathVariables: [{ key, value: String(value), overwrite: true }] }
}

function body(key: string, value: unknown): Overwrites {
  return { overwriteRequestBody: [{ key, value, overwrite: true }] }
}

function header(key: string, value: string): Overwrites {
  return { overwriteRequestHeaders: [{ key, value, overwrite: true, insert: true }] }
}
