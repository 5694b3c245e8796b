import { existsSync, readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { deriveAdminDocument } from '../../src/engine/admin/derive-document.js'
import { isInt64 } from '../../src/lib/int64.js'
import { parseDateTime, parseDuration } from '../../src/lib/time.js'
import { petstoreService } from '../../src/petstore/service.js'

type Json = Record<string, unknown>

interface Example {
  value?: unknown
}

/** An object with examples and their schema: a media type, a parameter or a header. */
interface Carrier {
  schema: Json
  example?: unknown
  examples?: Record<string, Example>
}

interface Response {
  headers?: Record<string, Json>
  content?: Record<string, Carrier>
}

interface Parameter extends Carrier {
  name: string
  in: string
  style?: string
  explode?: boolean
}

interface Operation extends Json {
  operationId: string
  tags: string[]
  deprecated?: boolean
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: Record<string, Carrier> }
  responses: Record<string, Response>
}

interface Document extends Json {
  openapi: string
  info: { version: string }
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Json>; headers: Record<string, Carrier> }
}

const root = new URL('../../', import.meta.url)
const documents = ['openapi', 'admin'] as const
type DocumentName = (typeof documents)[number]

const readSpec = (name: DocumentName) => readFileSync(new URL(`spec/${name}.yaml`, root), 'utf8')
const texts = { openapi: readSpec('openapi'), admin: readSpec('admin') }
const parsed: Record<DocumentName, Document> = { openapi: parse(texts.openapi), admin: parse(texts.admin) }

/** The document with every reference resolved, each to one object. */
function resolveReferences(document: Document): Document {
  const targets = new Map<string, unknown>()
  const resolve = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(resolve)
    if (typeof node !== 'object' || node === null) return node
    if (!('$ref' in node)) return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, resolve(value)]))
    const reference = String(node.$ref)
    if (!targets.has(reference)) targets.set(reference, resolve(at(document, reference)))
    return targets.get(reference)
  }
  return resolve(document) as Document
}

function at(document: Document, reference: string): unknown {
  const names = reference.split('/').slice(1)
  const found = names.reduce<unknown>((node, name) => (node as Json | undefined)?.[name], document)
  if (found === undefined) throw new Error(`${reference} leads nowhere`)
  return found
}

interface Listed {
  method: string
  path: string
  operation: Operation
}

function operationsOf(document: Document): Listed[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method, path, operation })),
  )
}

const petstore = resolveReferences(parsed.openapi)
const admin = resolveReferences(parsed.admin)
const resolved = { openapi: petstore, admin }
const listed = operationsOf(petstore)

function operation(id: string): Operation {
  const found = listed.find(({ operation }) => operation.operationId === id)
  if (!found) throw new Error(`the document has no operation ${id}`)
  return found.operation
}

// `npm run lint` runs it.
it('the linter uses its strict rules, with none switched off and nothing ignored', () => {
  const { extends: base, rules, apis } = parse(readFileSync(new URL('redocly.yaml', root), 'utf8'))
  expect(base).toEqual(['recommended-strict'])
  expect(Object.values(rules)).toEqual(['error'])
  expect(apis).toEqual({ petstore: { root: 'spec/openapi.yaml' }, admin: { root: 'spec/admin.yaml' } })
  expect(existsSync(new URL('.redocly.lint-ignore.yaml', root))).toBe(false)
})

// Examples

/** Returns a function that validates a value against a schema and returns the errors. */
function createChecker() {
  const ajv = new Ajv({ strict: true, allErrors: true })
  ajv.addVocabulary(['example', 'x-in-words'])
  ajv.addFormat('int64', { type: 'number', validate: isInt64 })
  ajv.addFormat('date-time', (text: string) => parseDateTime(text) !== undefined)
  return (schema: Json, value: unknown): string => (ajv.validate(schema, value) ? '' : ajv.errorsText())
}

/** Every example and default of a resolved document, with its schema. */
function findExamples(document: Document): { schema: Json; value: unknown }[] {
  const seen = new Set<object>()
  const visit = (node: unknown): { schema: Json; value: unknown }[] => {
    if (typeof node !== 'object' || node === null || seen.has(node)) return []
    seen.add(node)
    const { schema = node, example, examples, ...others } = node as Partial<Carrier> & Json
    const values = Object.values(examples ?? {}).map(({ value }) => value)
    if ('example' in node) values.push(example)
    if ('type' in node && 'default' in node) values.push(node.default)
    const children = 'schema' in node ? [schema] : Object.values(others)
    return [...values.map((value) => ({ schema: schema as Json, value })), ...children.flatMap(visit)]
  }
  const { examples: _, ...components } = document.components as Json
  return visit([document.paths, components])
}

// Minimum counts, to notice if examples are no longer found. Raise a number after adding examples.
it.each([
  ['openapi', 229],
  ['admin', 451],
] as const)('every example in the document %s conforms to its schema', (name, atLeast) => {
  const check = createChecker()
  const found = findExamples(resolved[name])
  expect(found.filter(({ schema, value }) => check(schema, value) !== '')).toEqual([])
  expect(found.length).toBeGreaterThanOrEqual(atLeast)
})

it.each(documents)('no integer in the document %s is too large for an exact JSON number', (name) => {
  const integers: bigint[] = []
  const visit = (node: unknown): void => {
    if (typeof node === 'bigint') integers.push(node)
    else if (typeof node === 'object' && node !== null) Object.values(node).forEach(visit)
  }
  visit(parse(texts[name], { intAsBigInt: true }))
  expect(integers.length).toBeGreaterThan(10)
  expect(integers.filter((integer) => !Number.isSafeInteger(Number(integer)))).toEqual([])
})

it('dates in the examples of responses are in UTC with milliseconds', () => {
  const dates: string[] = []
  for (const { operation } of listed) {
    for (const [status, response] of Object.entries(operation.responses)) {
      if (!status.startsWith('2')) continue
      for (const { value } of examplesIn(response)) {
        for (const { shipDate } of [value].flat() as { shipDate?: string }[]) if (shipDate) dates.push(shipDate)
      }
    }
  }
  expect(dates.length).toBeGreaterThanOrEqual(5)
  expect(dates.map((date) => new Date(date).toISOString())).toEqual(dates)
})

// The contract's tables

it('the document is OpenAPI 3.0.3, version 1.0.0, with one base URL and two groups', () => {
  expect(petstore).toMatchObject({
    openapi: '3.0.3',
    info: { version: '1.0.0', license: { name: 'MIT' } },
    servers: [{ url: '{base_url}', variables: { base_url: { default: 'http://127.0.0.1:4010' } } }],
    security: [],
    tags: [{ name: 'Pets' }, { name: 'Store' }],
  })
})

const ALWAYS = '406 NOT_ACCEPTABLE, 421 MISDIRECTED_REQUEST, 500 INTERNAL_ERROR'
const WITHOUT_BODY = `400 INVALID_REQUEST, ${ALWAYS}`
const WITH_BODY = `400 INVALID_REQUEST, 400 MALFORMED_BODY, 413 BODY_TOO_LARGE, 415 UNSUPPORTED_MEDIA_TYPE, ${ALWAYS}`

/** The schemas of bodies, and the error codes that not all operations have. */
const OPERATIONS: readonly (readonly [
  id: string,
  route: string,
  lifecycle: string,
  bodies: string,
  errors?: string,
])[] = [
  ['listPets', 'GET /pets', 'Pets beta', '200 Pets'],
  ['createPet', 'POST /pets', 'Pets beta', 'NewPet, 201 Pet', '422 UNKNOWN_CATEGORY'],
  ['getPet', 'GET /pets/{petId}', 'Pets deprecated', '200 Pet', '404 PET_NOT_FOUND, 410 OPERATION_SUNSET'],
  [
    'updatePet',
    'PUT /pets/{petId}',
    'Pets experimental',
    'NewPet, 200 Pet',
    '404 PET_NOT_FOUND, 409 INVALID_TRANSITION, 422 UNKNOWN_CATEGORY',
  ],
  ['deletePet', 'DELETE /pets/{petId}', 'Pets experimental', '204', '404 PET_NOT_FOUND, 409 PET_IN_USE'],
  ['listCategories', 'GET /categories', 'Pets beta', '200 array of Category'],
  ['createCategory', 'POST /categories', 'Pets beta', 'NewCategory, 201 Category'],
  ['getCategory', 'GET /categories/{categoryId}', 'Pets beta', '200 Category', '404 CATEGORY_NOT_FOUND'],
  [
    'updateCategory',
    'PUT /categories/{categoryId}',
    'Pets experimental',
    'NewCategory, 200 Category',
    '404 CATEGORY_NOT_FOUND',
  ],
  [
    'deleteCategory',
    'DELETE /categories/{categoryId}',
    'Pets experimental',
    '204',
    '404 CATEGORY_NOT_FOUND, 409 CATEGORY_IN_USE',
  ],
  ['listOrders', 'GET /store/orders', 'Store hidden', '200 array of Order'],
  [
    'createOrder',
    'POST /store/orders',
    'Store beta',
    'Order, 201 Order',
    '409 INSUFFICIENT_STOCK, 409 PET_NOT_AVAILABLE, 422 INVALID_QUANTITY, 422 UNKNOWN_PET',
  ],
  ['getOrder', 'GET /store/orders/{orderId}', 'Store beta', '200 Order', '404 ORDER_NOT_FOUND'],
  [
    'updateOrder',
    'PATCH /store/orders/{orderId}',
    'Store experimental',
    'Order, 200 Order',
    '404 ORDER_NOT_FOUND, 409 INSUFFICIENT_STOCK, 409 ORDER_COMPLETE, 409 PET_NOT_AVAILABLE, 422 INVALID_QUANTITY, 422 UNKNOWN_PET',
  ],
  [
    'deleteOrder',
    'DELETE /store/orders/{orderId}',
    'Store experimental',
    '204',
    '404 ORDER_NOT_FOUND, 409 ORDER_COMPLETE',
  ],
  ['listInventory', 'GET /store/inventory', 'Store beta', '200 array of InventoryItem'],
  ['getInventory', 'GET /store/inventory/{petId}', 'Store beta', '200 InventoryItem', '404 PET_NOT_FOUND'],
  [
    'updateInventory',
    'PUT /store/inventory/{petId}',
    'Store beta',
    'InventoryUpdate, 200 InventoryItem',
    '404 PET_NOT_FOUND, 422 INVALID_QUANTITY',
  ],
]

it('the operations, their bodies, and their errors with an example of each, are those of the contract', () => {
  const unresolved = operationsOf(parsed.openapi)
  const rows = listed.map(({ method, path, operation }, index) => {
    const { operationId, tags, deprecated, requestBody, responses } = operation
    const lifecycle = [operation['x-stability'], deprecated && 'deprecated', operation['x-hideTryItPanel'] && 'hidden']
    const success = Object.keys(responses).filter((status) => /^[123]/.test(status))
    const sources = unresolved[index]?.operation
    const bodies = [
      ...(requestBody?.required ? [schemaName(sources?.requestBody)] : []),
      ...success.map((status) => `${status} ${schemaName(sources?.responses[status])}`.trim()),
    ]
    const failures = Object.entries(responses).filter(([status]) => /^[45]/.test(status))
    const errors = failures.flatMap(([status, response]) =>
      examplesIn(response).map(({ value }) => `${status} ${(value as { code: string }).code}`),
    )
    return [
      operationId,
      `${method.toUpperCase()} ${path}`,
      [...tags, ...lifecycle.filter(Boolean)].join(' '),
      bodies.join(', '),
      [...new Set(errors)].sort().join(', '),
    ]
  })
  const sort = (errors: string) => errors.split(', ').sort().join(', ')
  expect(rows).toEqual(
    OPERATIONS.map(([id, route, lifecycle, bodies, errors]) => {
      const common = bodies.includes(',') ? WITH_BODY : WITHOUT_BODY
      return [id, route, lifecycle, bodies, sort(errors === undefined ? common : `${common}, ${errors}`)]
    }),
  )
})

/** The name of the schema of a body: `Pet`, `array of Pet` or nothing. */
function schemaName(part: { content?: Record<string, Carrier> } | undefined): string {
  const schema = part?.content?.['application/json']?.schema as { $ref?: string; items?: { $ref: string } } | undefined
  const name = (schema?.$ref ?? schema?.items?.$ref ?? '').replace('#/components/schemas/', '')
  return schema?.items ? `array of ${name}` : name
}

it('the dates of deprecation and sunset are strings', () => {
  // Without quotes, some YAML parsers would read them as dates.
  expect(texts.openapi.match(/x-deprecated-\w+: .*/g)).toEqual([
    "x-deprecated-since: '2026-01-01'",
    "x-deprecated-sunset: '2030-12-05'",
  ])
})

it('the lifecycle headers in the examples have the dates of getPet', () => {
  const { Deprecation, Sunset } = petstore.components.headers
  expect(Deprecation?.example).toBe(`@${Date.parse('2026-01-01T00:00:00Z') / 1000}`)
  expect(Sunset?.example).toBe(new Date('2030-12-05T00:00:00Z').toUTCString())
})

// Schemas

it('the schemas have the fields, types and required flags of the source specification', () => {
  const status = 'string enum available|pending|sold'
  const rows = Object.entries(petstore.components.schemas).map(([name, schema]) => [name, fieldsOf(schema)])
  expect(Object.fromEntries(rows)).toEqual({
    PetStatus: {},
    NewPet: { 'name*': 'string', 'categoryId*': 'integer int64', status },
    Pet: { 'name*': 'string', 'categoryId*': 'integer int64', status, 'id*': 'integer int64' },
    Pets: {},
    NewCategory: { 'name*': 'string', description: 'string' },
    Category: { 'name*': 'string', description: 'string', 'id*': 'integer int64' },
    Order: {
      id: 'integer int64',
      petId: 'integer int64',
      quantity: 'integer',
      shipDate: 'string date-time',
      complete: 'boolean',
    },
    InventoryItem: { 'petId*': 'integer int64', 'quantity*': 'integer', 'status*': status },
    InventoryUpdate: { 'quantity*': 'integer' },
    Error: { 'code*': 'string', 'message*': 'string', 'status*': 'integer' },
  })
})

/** The fields of an object schema with their types; a star marks the required ones. */
function fieldsOf(schema: Json): Record<string, string> {
  const parts = ((schema.allOf ?? []) as Json[]).map(fieldsOf)
  const required = (schema.required ?? []) as string[]
  const own = Object.entries((schema.properties ?? {}) as Record<string, Json>).map(([name, field]) => {
    const words = [field.type, field.format, field.enum && `enum ${(field.enum as string[]).join('|')}`]
    return [required.includes(name) ? `${name}*` : name, words.filter(Boolean).join(' ')]
  })
  return Object.assign({}, ...parts, Object.fromEntries(own))
}

it('the schemas add no bound, length or additionalProperties to the source specification', () => {
  const facts = /^(type|format|enum|required|properties|items|allOf|description|example)$/
  const visit = (schema: Json): string[] => {
    const { properties = {}, allOf = [], items = [] } = schema as Record<string, object>
    const parts = [...Object.values(properties), ...Object.values(allOf), items].flat() as Json[]
    return [...Object.keys(schema).filter((key) => !facts.test(key)), ...parts.flatMap(visit)]
  }
  const schemas = Object.values(petstore.components.schemas)
  expect(schemas).toHaveLength(10)
  expect(schemas.flatMap(visit)).toEqual([])
})

// Parameters

it.each([
  ['listPets', 'Pet', 'id', ['status', 'categoryId', 'name']],
  ['listCategories', 'Category', 'id', ['name']],
  ['listOrders', 'Order', 'id', ['petId', 'complete']],
  ['listInventory', 'InventoryItem', 'petId', ['status', 'maxQuantity']],
])('%s has paging, sorting by every field of %s, and its filters', (id, item, defaultSort, filters) => {
  const parameters = operation(id).parameters ?? []
  expect(parameters.map(({ name }) => name)).toEqual(['limit', 'offset', 'sort', ...filters])
  expect(new Set(parameters.map((parameter) => parameter.in))).toEqual(new Set(['query']))
  const [limit, offset, sort] = parameters.map(({ schema }) => schema)
  expect(limit).toEqual({ type: 'integer', minimum: 1, maximum: 100, default: 20 })
  expect(offset).toEqual({ type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 })
  const fields = Object.keys(fieldsOf(petstore.components.schemas[item] ?? {})).map((name) => name.replace('*', ''))
  expect(fields.length).toBeGreaterThan(2)
  const { enum: fieldsToSortBy, ...rest } = sort as { enum: string[] }
  expect(fieldsToSortBy.toSorted()).toEqual(fields.flatMap((field) => [field, `-${field}`]).sort())
  expect(rest).toEqual({ type: 'string', default: defaultSort })
})

it('filters have the types of the fields they filter, and status can be repeated', () => {
  const filters = listed.flatMap(({ operation: { operationId, parameters = [] } }) =>
    parameters
      .filter((parameter) => parameter.in === 'query' && !['limit', 'offset', 'sort'].includes(parameter.name))
      .map(({ name, schema, style, explode }) => [`${operationId} ${name}`, { schema, style, explode }]),
  )
  const items = expect.objectContaining({ type: 'string', enum: ['available', 'pending', 'sold'] })
  const repeated = { schema: expect.objectContaining({ type: 'array', items }), style: 'form', explode: true }
  expect(Object.fromEntries(filters)).toEqual({
    'listPets status': repeated,
    'listPets categoryId': { schema: { type: 'integer', format: 'int64' } },
    'listPets name': { schema: { type: 'string' } },
    'listCategories name': { schema: { type: 'string' } },
    'listOrders petId': { schema: { type: 'integer', format: 'int64' } },
    'listOrders complete': { schema: { type: 'boolean' } },
    'listInventory status': repeated,
    'listInventory maxQuantity': { schema: { type: 'integer' } },
  })
})

it('every id in a path is a required int64 with the name it has in the path', () => {
  const inPaths = listed.flatMap(({ path, operation }) => {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    const parameters = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path')
    expect(parameters.map(({ name }) => name)).toEqual(names)
    return parameters
  })
  expect(inPaths).toHaveLength(11)
  for (const parameter of inPaths) {
    expect(parameter).toMatchObject({ required: true, schema: { type: 'integer', format: 'int64' } })
  }
})

// Responses

it('every error response of both documents has the error schema, and examples with its status', () => {
  const all = documents.flatMap((name) => operationsOf(resolved[name]))
  const failures = all.flatMap(({ operation }) =>
    Object.entries(operation.responses).filter(([status]) => !status.startsWith('2')),
  )
  expect(failures.length).toBeGreaterThan(100)
  for (const [status, response] of failures) {
    expect(Object.keys(response.content ?? {})).toEqual(['application/json'])
    expect(response.content?.['application/json']?.schema.required).toEqual(['code', 'message', 'status'])
    const statuses = examplesIn(response).map(({ value }) => (value as { status: number }).status)
    if (status !== 'default') expect(new Set(statuses)).toEqual(new Set([Number(status)]))
  }
})

it('every request and response with content has a named example', () => {
  const all = documents.flatMap((name) => operationsOf(resolved[name]))
  const contents = all.flatMap(({ operation: { requestBody, responses } }) =>
    [requestBody, ...Object.values(responses)].flatMap((part) => Object.values(part?.content ?? {})),
  )
  expect(contents.length).toBeGreaterThan(150)
  expect(contents.filter(({ examples }) => Object.keys(examples ?? {}).length === 0)).toEqual([])
})

it('every example of a request has an example of its response with the same name', () => {
  const pairs = listed.flatMap(({ operation: { requestBody, responses } }) => {
    const response = responses['200'] ?? responses['201']
    return requestBody && response ? [[examplesIn(requestBody), examplesIn(response)] as const] : []
  })
  expect(pairs).toHaveLength(7)
  for (const [requests, responses] of pairs) {
    expect(responses.map(({ name }) => name)).toEqual(requests.map(({ name }) => name))
  }
})

function examplesIn(part: { content?: Record<string, Carrier> }): { name: string; value: unknown }[] {
  return Object.values(part.content ?? {}).flatMap(({ examples }) =>
    Object.entries(examples ?? {}).map(([name, { value }]) => ({ name, value })),
  )
}

const control = operationsOf(admin)

it('every response of both documents declares the header of the mock, and others where they are sent', () => {
  for (const { method, operation } of [...listed, ...control]) {
    const { operationId, deprecated, responses } = operation
    const isAdmin = control.some((other) => other.operation === operation)
    for (const [status, { headers = {} }] of Object.entries(responses)) {
      const expected = ['X-Petstore-Mock']
      if (status === '201' && !isAdmin) expected.push('Location')
      if (status === '200' && operationId.startsWith('list') && !isAdmin) expected.push('X-Total-Count', 'Link')
      if (status === '200' && operationId === 'listRecords') expected.push('X-Total-Count')
      if (status.startsWith('2') && operation['x-stability']) expected.push('X-Stability')
      if (deprecated && ['200', '410'].includes(status)) expected.push('Deprecation', 'Sunset', 'Link')
      if (status === '415' && method === 'post') expected.push('Accept-Post')
      if (status === '415' && method === 'patch') expected.push('Accept-Patch')
      expect(Object.keys(headers).sort(), `${operationId} ${status}`).toEqual(expected.sort())
    }
  }
})

it('every admin operation declares its possible errors', () => {
  for (const { operation } of control) {
    const failures = Object.keys(operation.responses).filter((status) => !status.startsWith('2'))
    const names = operation.parameters?.some((parameter) => parameter.in === 'path')
    const expected = ['400', '401', '403', '406', '421', '500', 'default']
    if (names) expected.push('404')
    if (operation.requestBody) expected.push('413', '415')
    const others = failures.filter((status) => status !== '422').sort()
    expect(others, operation.operationId).toEqual(expected.sort())
  }
  const refusing = control.filter(({ operation }) => '422' in operation.responses)
  expect(refusing.map(({ operation }) => operation.operationId)).toEqual([
    'resetMock',
    'replaceState',
    'takeSnapshot',
    'addFault',
    'updateFault',
    'addOverride',
    'createRecords',
    'getRecord',
    'updateRecord',
    'deleteRecord',
    'advanceClock',
    'setUpstream',
  ])
})

it('the request bodies of the admin API allow no additional properties, unless the engine checks their fields', () => {
  const isChecked = ({ operationId }: { operationId: string }) =>
    ['updateFault', 'createRecords', 'updateRecord'].includes(operationId)
  const derived = deriveAdminDocument(parsed.admin, { ...petstoreService, document: parsed.openapi })
  const bodies = operationsOf(resolveReferences(derived as Document))
    .filter(({ operation }) => !isChecked(operation))
    .flatMap(({ operation }) => Object.values(operation.requestBody?.content ?? {}))
  expect(bodies).toHaveLength(8)
  for (const { schema } of bodies) expect(schema).toMatchObject({ type: 'object', additionalProperties: false })
})

it('a fault has the fields of its rule, and its state', () => {
  const { FaultRule, Fault } = admin.components.schemas as Record<string, { properties: Json }>
  const added = ['id', 'matched', 'applied', 'active', 'addedAt']
  const rule = Object.entries(Fault?.properties ?? {}).filter(([name]) => !added.includes(name))
  expect(Object.fromEntries(rule)).toEqual(FaultRule?.properties)
  expect(Fault).toMatchObject({ required: added, additionalProperties: false })
})

it('the admin API document and the duration parser agree', () => {
  const check = createChecker()
  const valid = ['P1DT2H', '-P1M', '+PT0.5S', 'P1,5D', 'P2W', 'P1Y2M3W4DT5H6M7.8S']
  const invalid = ['P', 'PT', 'P1', 'P1DT', 'P1.5DT2H', 'p1d', '']
  for (const by of [...valid, ...invalid]) {
    expect(check(admin.components.schemas.ClockAdvance as Json, { by }) === '', by).toBe(valid.includes(by))
    expect(parseDuration(by) !== undefined, by).toBe(valid.includes(by))
  }
})
