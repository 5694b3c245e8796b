import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { compileErrors, validate as validateWithReadme } from '@readme/openapi-parser'
import { Validator as SeriousmeValidator } from '@seriousme/openapi-schema-validator'
import { Ajv } from 'ajv'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { parseDateTime } from '../../src/lib/date-time.js'
import { parseDuration } from '../../src/lib/duration.js'
import { isInt64 } from '../../src/lib/int64.js'

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
}

interface Operation extends Json {
  operationId: string
  summary: string
  description: string
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
const require = createRequire(import.meta.url)
const documents = ['openapi', 'admin'] as const
type DocumentName = (typeof documents)[number]

const readSpec = (name: DocumentName) => readFileSync(new URL(`spec/${name}.yaml`, root), 'utf8')
const texts = { openapi: readSpec('openapi'), admin: readSpec('admin') }
const parsed = { openapi: parse(texts.openapi), admin: parse(texts.admin) }

/** A new copy each time, because some validators resolve references in place. */
const read = (name: DocumentName): Document => structuredClone(parsed[name])

/** The document with every reference resolved. */
function resolveReferences(document: Document): Document {
  const resolve = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(resolve)
    if (typeof node !== 'object' || node === null) return node
    if ('$ref' in node) return resolve(at(document, String(node.$ref)))
    return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, resolve(value)]))
  }
  return resolve(document) as Document
}

function at(document: Document, reference: string): unknown {
  let node: unknown = document
  for (const part of reference.slice('#/'.length).split('/')) {
    node = (node as Json)[part.replaceAll('~1', '/').replaceAll('~0', '~')]
  }
  if (node === undefined) throw new Error(`${reference} leads nowhere`)
  return node
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
const byId = new Map(listed.map((entry) => [entry.operation.operationId, entry]))

function operation(id: string): Operation {
  const found = byId.get(id)
  if (!found) throw new Error(`the document has no operation ${id}`)
  return found.operation
}

// Validators and linter

interface SchemaValidator {
  validate(document: object): { errors: unknown[] }
}

const { default: OpenAPISchemaValidator } = require('openapi-schema-validator') as {
  default: new (options: { version: number }) => SchemaValidator
}

const schemaValidator = new OpenAPISchemaValidator({ version: 3 })
const seriousmeValidator = new SeriousmeValidator()

it.each(documents)('openapi-schema-validator accepts the document %s', (name) => {
  expect(schemaValidator.validate(read(name)).errors).toEqual([])
})

it.each(documents)('@seriousme/openapi-schema-validator accepts the document %s', async (name) => {
  expect(await seriousmeValidator.validate(read(name))).toEqual({ valid: true })
  expect(seriousmeValidator.version).toBe('3.0')
})

it.each(documents)('@readme/openapi-parser accepts the document %s without a warning', async (name) => {
  const result = await validateWithReadme(read(name) as never)
  expect(result.valid, result.valid ? '' : compileErrors(result)).toBe(true)
  expect(result.warnings).toEqual([])
})

it('all three validators reject a document without its paths', async () => {
  const { paths: _, ...broken } = read('openapi')
  expect(schemaValidator.validate(broken).errors).not.toEqual([])
  expect(await seriousmeValidator.validate(broken)).toMatchObject({ valid: false })
  expect(await validateWithReadme(broken as never)).toMatchObject({ valid: false })
})

// `npm run lint` runs it.
it('the linter uses its strict rules with none switched off and nothing ignored', () => {
  const config: Json = parse(readFileSync(new URL('redocly.yaml', root), 'utf8'))
  expect(config.extends).toEqual(['recommended-strict'])
  expect(config.apis).toEqual({
    petstore: { root: 'spec/openapi.yaml' },
    admin: { root: 'spec/admin.yaml' },
  })
  expect(Object.keys(config).filter((key) => /rules|preprocessors|decorators/i.test(key))).toEqual([])
  expect(existsSync(new URL('.redocly.lint-ignore.yaml', root))).toBe(false)
})

// Examples

/** Returns a function that validates a value against a schema of the document and returns the errors. */
function createChecker(name: DocumentName) {
  const document = resolved[name]
  const ajv = new Ajv({ strict: true, allErrors: true })
  ajv.addVocabulary(['example', 'x-in-words'])
  ajv.addFormat('int64', { type: 'number', validate: isInt64 })
  ajv.addFormat('date-time', (text: string) => parseDateTime(text) !== undefined)
  return (pointer: string, value: unknown): string =>
    ajv.validate(at(document, `#${pointer}`) as Json, value) ? '' : ajv.errorsText()
}

interface FoundExample {
  kind: 'content' | 'parameter' | 'header' | 'schema'
  /** The location of its schema. */
  schema: string
  name: string
  value: unknown
}

/** Every example and default of a document, with the location of its schema. */
function examplesOf(document: Document): FoundExample[] {
  const found: FoundExample[] = []

  const visitSchema = (schema: Json, pointer: string): void => {
    if ('$ref' in schema) return
    for (const name of ['example', 'default']) {
      if (name in schema) found.push({ kind: 'schema', schema: pointer, name, value: schema[name] })
    }
    for (const [name, part] of Object.entries((schema.properties ?? {}) as Record<string, Json>)) {
      visitSchema(part, `${pointer}/properties/${toPointerPart(name)}`)
    }
    for (const keyword of ['allOf', 'oneOf']) {
      for (const [index, part] of ((schema[keyword] ?? []) as Json[]).entries()) {
        visitSchema(part, `${pointer}/${keyword}/${index}`)
      }
    }
    if (schema.items) visitSchema(schema.items as Json, `${pointer}/items`)
  }

  const visitCarrier = (carrier: Carrier, pointer: string): void => {
    const kind = 'in' in carrier ? 'parameter' : pointer.includes('/content/') ? 'content' : 'header'
    const schema = `${pointer}/schema`
    if ('example' in carrier) found.push({ kind, schema, name: 'example', value: carrier.example })
    for (const [name, example] of Object.entries(carrier.examples ?? {})) {
      const target = ('$ref' in example ? at(document, String(example.$ref)) : example) as Example
      found.push({ kind, schema, name, value: target.value })
    }
    visitSchema(carrier.schema, schema)
  }

  const visit = (node: unknown, pointer: string): void => {
    if (typeof node !== 'object' || node === null) return
    if ('schema' in node) visitCarrier(node as Carrier, pointer)
    else for (const [key, value] of Object.entries(node)) visit(value, `${pointer}/${toPointerPart(key)}`)
  }

  visit(document.paths, '/paths')
  const { schemas, ...others } = document.components
  for (const [name, schema] of Object.entries(schemas)) visitSchema(schema, `/components/schemas/${name}`)
  visit(others, '/components')
  return found
}

const toPointerPart = (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1')

// Minimum counts, to notice if examples are no longer found. Raise a number after adding examples.
it.each([
  ['openapi', { content: 91, parameter: 15, header: 12, schema: 24 }],
  ['admin', { content: 72, parameter: 7, header: 2, schema: 65 }],
] as const)('every example in the document %s conforms to its schema', (name, atLeast) => {
  const check = createChecker(name)
  const found = examplesOf(read(name))
  const wrong = found.map((example) => ({ ...example, error: check(example.schema, example.value) }))
  expect(wrong.filter(({ error }) => error !== '')).toEqual([])
  for (const [kind, count] of Object.entries(atLeast)) {
    expect(found.filter((example) => example.kind === kind).length, kind).toBeGreaterThanOrEqual(count)
  }
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

it('the operations are those of the contract', () => {
  const rows = listed.map(({ method, path, operation }) => {
    const stability = operation['x-stability'] ?? (operation.deprecated ? 'deprecated' : 'none')
    const success = Object.keys(operation.responses).filter((status) => /^[123]/.test(status))
    return [operation.operationId, `${method.toUpperCase()} ${path}`, ...operation.tags, stability, ...success]
  })
  expect(rows).toEqual([
    ['listPets', 'GET /pets', 'Pets', 'beta', '200'],
    ['createPet', 'POST /pets', 'Pets', 'beta', '201'],
    ['getPet', 'GET /pets/{petId}', 'Pets', 'deprecated', '200'],
    ['updatePet', 'PUT /pets/{petId}', 'Pets', 'experimental', '200'],
    ['deletePet', 'DELETE /pets/{petId}', 'Pets', 'experimental', '204'],
    ['listCategories', 'GET /categories', 'Pets', 'beta', '200'],
    ['createCategory', 'POST /categories', 'Pets', 'beta', '201'],
    ['getCategory', 'GET /categories/{categoryId}', 'Pets', 'beta', '200'],
    ['updateCategory', 'PUT /categories/{categoryId}', 'Pets', 'experimental', '200'],
    ['deleteCategory', 'DELETE /categories/{categoryId}', 'Pets', 'experimental', '204'],
    ['listOrders', 'GET /store/orders', 'Store', 'none', '200'],
    ['createOrder', 'POST /store/orders', 'Store', 'beta', '201'],
    ['getOrder', 'GET /store/orders/{orderId}', 'Store', 'beta', '200'],
    ['updateOrder', 'PATCH /store/orders/{orderId}', 'Store', 'experimental', '200'],
    ['deleteOrder', 'DELETE /store/orders/{orderId}', 'Store', 'experimental', '204'],
    ['listInventory', 'GET /store/inventory', 'Store', 'beta', '200'],
    ['getInventory', 'GET /store/inventory/{petId}', 'Store', 'beta', '200'],
    ['updateInventory', 'PUT /store/inventory/{petId}', 'Store', 'beta', '200'],
  ])
})

it('the bodies of requests and responses have the schemas of the contract', () => {
  const unresolved = operationsOf(read('openapi'))
  const nameOf = (content?: Record<string, Carrier>): string => {
    const schema = content?.['application/json']?.schema as { $ref?: string; items?: { $ref: string } } | undefined
    const reference = schema?.$ref ?? schema?.items?.$ref
    if (!reference) return 'none'
    return (schema?.items ? 'array of ' : '') + reference.slice('#/components/schemas/'.length)
  }
  const rows = unresolved.map(({ operation: { operationId, requestBody, responses } }) => {
    const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1]
    return [operationId, nameOf(requestBody?.content), nameOf(success?.content)]
  })
  expect(rows).toEqual([
    ['listPets', 'none', 'Pets'],
    ['createPet', 'NewPet', 'Pet'],
    ['getPet', 'none', 'Pet'],
    ['updatePet', 'NewPet', 'Pet'],
    ['deletePet', 'none', 'none'],
    ['listCategories', 'none', 'array of Category'],
    ['createCategory', 'NewCategory', 'Category'],
    ['getCategory', 'none', 'Category'],
    ['updateCategory', 'NewCategory', 'Category'],
    ['deleteCategory', 'none', 'none'],
    ['listOrders', 'none', 'array of Order'],
    ['createOrder', 'Order', 'Order'],
    ['getOrder', 'none', 'Order'],
    ['updateOrder', 'Order', 'Order'],
    ['deleteOrder', 'none', 'none'],
    ['listInventory', 'none', 'array of InventoryItem'],
    ['getInventory', 'none', 'InventoryItem'],
    ['updateInventory', 'InventoryUpdate', 'InventoryItem'],
  ])
  expect(listed.filter(({ operation: { requestBody } }) => requestBody && !requestBody.required)).toEqual([])
})

it('every operation has a summary and a description', () => {
  const all = [...listed, ...operationsOf(admin)].flatMap(({ operation }) => [operation.summary, operation.description])
  expect(all).toHaveLength(2 * (18 + 40))
  expect(all.filter((text) => !text?.trim())).toEqual([])
})

it('only getPet is deprecated, with the dates of its deprecation and sunset as strings', () => {
  const marked = listed.filter(({ operation }) => Object.keys(operation).some((key) => key.includes('deprecated')))
  expect(marked.map(({ operation }) => operation.operationId)).toEqual(['getPet'])
  expect(operation('getPet')).toMatchObject({
    deprecated: true,
    'x-deprecated-since': '2026-01-01',
    'x-deprecated-sunset': '2030-12-05',
  })
  // Without quotes, some YAML parsers would read it as a date.
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

it('only listOrders hides its try-it panel', () => {
  const hidden = listed.filter(({ operation }) => 'x-hideTryItPanel' in operation)
  expect(hidden.map(({ operation }) => operation.operationId)).toEqual(['listOrders'])
  expect(operation('listOrders')['x-hideTryItPanel']).toBe(true)
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
  const facts = new Set([
    'type',
    'format',
    'enum',
    'required',
    'properties',
    'items',
    'allOf',
    'description',
    'example',
  ])
  const added: string[] = []
  const visit = (schema: Json, path: string): void => {
    added.push(...Object.keys(schema).flatMap((key) => (facts.has(key) ? [] : [`${path}/${key}`])))
    const parts = [
      ...Object.entries((schema.properties ?? {}) as Json),
      ...Object.entries((schema.allOf ?? []) as Json),
    ]
    if (schema.items) parts.push(['items', schema.items])
    for (const [name, part] of parts) visit(part as Json, `${path}/${name}`)
  }
  const schemas = Object.entries(petstore.components.schemas)
  for (const [name, schema] of schemas) visit(schema, name)
  expect(schemas).toHaveLength(10)
  expect(added).toEqual([])
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
  const schemaOf = (id: string, name: string) => operation(id).parameters?.find((one) => one.name === name)
  for (const id of ['listPets', 'listInventory']) {
    const items = { type: 'string', enum: ['available', 'pending', 'sold'] }
    expect(schemaOf(id, 'status')).toMatchObject({ style: 'form', explode: true, schema: { type: 'array', items } })
  }
  expect(schemaOf('listPets', 'categoryId')?.schema).toEqual({ type: 'integer', format: 'int64' })
  expect(schemaOf('listPets', 'name')?.schema).toEqual({ type: 'string' })
  expect(schemaOf('listCategories', 'name')?.schema).toEqual({ type: 'string' })
  expect(schemaOf('listOrders', 'petId')?.schema).toEqual({ type: 'integer', format: 'int64' })
  expect(schemaOf('listOrders', 'complete')?.schema).toEqual({ type: 'boolean' })
  expect(schemaOf('listInventory', 'maxQuantity')?.schema).toEqual({ type: 'integer' })
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

const always = { 406: ['NOT_ACCEPTABLE'], 421: ['MISDIRECTED_REQUEST'], 500: ['INTERNAL_ERROR'] }
const withoutBody = { 400: ['INVALID_REQUEST'], ...always }
const withBody = {
  400: ['INVALID_REQUEST', 'MALFORMED_BODY'],
  413: ['BODY_TOO_LARGE'],
  415: ['UNSUPPORTED_MEDIA_TYPE'],
  ...always,
}

it.each<[string, Record<number, string[]>]>([
  ['listPets', withoutBody],
  ['createPet', { ...withBody, 422: ['UNKNOWN_CATEGORY'] }],
  ['getPet', { ...withoutBody, 404: ['PET_NOT_FOUND'], 410: ['OPERATION_SUNSET'] }],
  ['updatePet', { ...withBody, 404: ['PET_NOT_FOUND'], 409: ['INVALID_TRANSITION'], 422: ['UNKNOWN_CATEGORY'] }],
  ['deletePet', { ...withoutBody, 404: ['PET_NOT_FOUND'], 409: ['PET_IN_USE'] }],
  ['listCategories', withoutBody],
  ['createCategory', withBody],
  ['getCategory', { ...withoutBody, 404: ['CATEGORY_NOT_FOUND'] }],
  ['updateCategory', { ...withBody, 404: ['CATEGORY_NOT_FOUND'] }],
  ['deleteCategory', { ...withoutBody, 404: ['CATEGORY_NOT_FOUND'], 409: ['CATEGORY_IN_USE'] }],
  ['listOrders', withoutBody],
  [
    'createOrder',
    { ...withBody, 409: ['INSUFFICIENT_STOCK', 'PET_NOT_AVAILABLE'], 422: ['INVALID_QUANTITY', 'UNKNOWN_PET'] },
  ],
  ['getOrder', { ...withoutBody, 404: ['ORDER_NOT_FOUND'] }],
  [
    'updateOrder',
    {
      ...withBody,
      404: ['ORDER_NOT_FOUND'],
      409: ['INSUFFICIENT_STOCK', 'ORDER_COMPLETE', 'PET_NOT_AVAILABLE'],
      422: ['INVALID_QUANTITY', 'UNKNOWN_PET'],
    },
  ],
  ['deleteOrder', { ...withoutBody, 404: ['ORDER_NOT_FOUND'], 409: ['ORDER_COMPLETE'] }],
  ['listInventory', withoutBody],
  ['getInventory', { ...withoutBody, 404: ['PET_NOT_FOUND'] }],
  ['updateInventory', { ...withBody, 404: ['PET_NOT_FOUND'], 422: ['INVALID_QUANTITY'] }],
])('%s lists its possible errors, with an example of each code', (id, expected) => {
  expect(failuresOf(operation(id))).toEqual(expected)
})

const adminFailures = { 401: ['UNAUTHORIZED'], 403: ['FORBIDDEN_ORIGIN'] }

it.each(['getHealth', 'getOpenapiYaml', 'getOpenapiJson', 'getAdminYaml', 'getAdminJson'])(
  '%s lists the failures it can give',
  (id) => {
    const found = operationsOf(admin).find(({ operation }) => operation.operationId === id)
    expect(found && failuresOf(found.operation)).toEqual({ ...withoutBody, ...adminFailures })
  },
)

/** The codes in the examples of each error response; also checks the properties that all errors share. */
function failuresOf({ responses }: Operation): Record<string, string[]> {
  const { default: other, ...known } = responses
  expect(other && examplesIn(other).length).toBeGreaterThan(0)
  const failures = Object.entries(known).filter(([status]) => !status.startsWith('2'))
  return Object.fromEntries(
    failures.map(([status, response]) => {
      const errors = examplesIn(response).map(({ value }) => value as { code: string; status: number })
      expect(errors.map((error) => error.status)).toEqual(errors.map(() => Number(status)))
      return [status, [...new Set(errors.map(({ code }) => code))].sort()]
    }),
  )
}

it('every error response of both documents has the error schema', () => {
  const all = documents.flatMap((name) => operationsOf(resolved[name]))
  const failures = all.flatMap(({ operation }) =>
    Object.entries(operation.responses).flatMap(([status, response]) => (status.startsWith('2') ? [] : [response])),
  )
  expect(failures.length).toBeGreaterThan(100)
  for (const { content } of failures) {
    expect(Object.keys(content ?? {})).toEqual(['application/json'])
    expect(content?.['application/json']?.schema.required).toEqual(['code', 'message', 'status'])
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

it('every response declares the header of the mock, and a success its own headers', () => {
  for (const { method, path, operation } of listed) {
    for (const [status, { headers = {} }] of Object.entries(operation.responses)) {
      const expected = ['X-Petstore-Mock']
      if (status === '201') expected.push('Location')
      if (status === '200' && operation.operationId.startsWith('list')) expected.push('X-Total-Count', 'Link')
      if (status.startsWith('2') && operation['x-stability']) expected.push('X-Stability')
      if (operation.deprecated && ['200', '410'].includes(status)) expected.push('Deprecation', 'Sunset', 'Link')
      if (status === '415' && method === 'post') expected.push('Accept-Post')
      if (status === '415' && method === 'patch') expected.push('Accept-Patch')
      expect(Object.keys(headers).sort(), `${method} ${path} ${status}`).toEqual(expected.sort())
    }
  }
})

const control = operationsOf(admin)

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
    'updateRecord',
    'deleteRecord',
    'advanceClock',
  ])
})

it('every response of the admin API declares the header of the mock, and a rejected POST or PATCH the accepted type', () => {
  for (const { method, operation } of control) {
    for (const [status, { headers = {} }] of Object.entries(operation.responses)) {
      const expected = ['X-Petstore-Mock']
      if (status === '415' && method === 'post') expected.unshift('Accept-Post')
      if (status === '415' && method === 'patch') expected.unshift('Accept-Patch')
      if (status === '200' && operation.operationId === 'listRecords') expected.push('X-Total-Count')
      expect(Object.keys(headers), `${operation.operationId} ${status}`).toEqual(expected)
    }
  }
})

it('the request bodies of the admin API allow no additional properties, unless the engine checks their fields', () => {
  const isChecked = ({ operationId }: { operationId: string }) =>
    ['updateFault', 'createRecords', 'updateRecord'].includes(operationId)
  const bodies = control
    .filter(({ operation }) => !isChecked(operation))
    .flatMap(({ operation }) => Object.values(operation.requestBody?.content ?? {}))
  expect(bodies).toHaveLength(7)
  for (const { schema } of bodies) expect(schema).toMatchObject({ type: 'object', additionalProperties: false })
})

it('a fault has the fields of its rule, and its state', () => {
  const { FaultRule, Fault } = admin.components.schemas as Record<string, { properties: Json }>
  const added = ['id', 'matched', 'applied', 'active', 'addedAt']
  const rule = Object.entries(Fault?.properties ?? {}).filter(([name]) => !added.includes(name))
  expect(Object.fromEntries(rule)).toEqual(FaultRule?.properties)
  expect(Fault).toMatchObject({ required: added, additionalProperties: false })
})

const checkAdmin = createChecker('admin')

it.each([
  'P1DT2H',
  '-P1M',
  '+PT0.5S',
  'P1,5D',
  'P2W',
  'P1Y2M3W4DT5H6M7.8S',
  'P',
  'PT',
  'P1',
  'P1DT',
  'P1.5DT2H',
  'p1d',
  '',
])('the admin API document and the duration parser agree on "%s"', (text) => {
  const isDescribed = checkAdmin('/components/schemas/ClockAdvance', { by: text }) === ''
  expect(isDescribed).toBe(parseDuration(text) !== undefined)
})
