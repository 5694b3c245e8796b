import { parse } from 'yaml'
import type { RunningMock } from './adapters.js'
import { shop } from './client.js'
import { readText } from './read-file-node.js'

export interface Schema {
  type?: string
  format?: string
  enum?: string[]
  minimum?: number
  maximum?: number
  required?: string[]
  properties?: Record<string, Schema>
}

export interface Parameter {
  name: string
  in: 'path' | 'query'
  schema: Schema
}

/** The parts of an operation in the OpenAPI document that tests build their tables from. */
export interface Operation {
  readonly id: string
  /** In upper case. */
  readonly method: string
  /** With parameters in braces. */
  readonly path: string
  readonly parameters: readonly Parameter[]
  readonly body: Schema | undefined
  /** The status of a successful response. */
  readonly success: number
  /** The operation as the document has it, with its lifecycle markers. */
  readonly source: Readonly<Record<string, unknown>>
}

type Json = Record<string, unknown>

interface DocumentOperation extends Json {
  operationId: string
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, unknown>
}

/** The text of the OpenAPI document. */
export const specification = await readText('spec/openapi.yaml')

export const document = parse(specification) as Json

export const operations: readonly Operation[] = Object.entries(
  resolve(document.paths) as Record<string, Record<string, DocumentOperation>>,
).flatMap(([path, item]) =>
  Object.entries(item).map(([method, source]) => ({
    id: source.operationId,
    method: method.toUpperCase(),
    path,
    parameters: source.parameters ?? [],
    body: source.requestBody?.content['application/json']?.schema,
    success: Number(Object.keys(source.responses).find((status) => status.startsWith('2'))),
    source,
  })),
)

export const paths: readonly string[] = [...new Set(operations.map(({ path }) => path))]

export function operation(id: string): Operation {
  const found = operations.find((candidate) => candidate.id === id)
  if (found === undefined) throw new Error(`The OpenAPI document has no operation "${id}".`)
  return found
}

function resolve(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(resolve)
  if (typeof node !== 'object' || node === null) return node
  if ('$ref' in node) {
    const names = String(node.$ref).split('/').slice(1)
    return resolve(names.reduce<unknown>((found, name) => (found as Json)[name], document))
  }
  return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, resolve(value)]))
}

/** Starting data with which every operation succeeds for the id 1: no order, pet or category prevents a deletion. */
export const STARTING_DATA = {
  fixtures: shop(
    [
      { id: 1, name: 'Rex', categoryId: 2, stock: 3 },
      { id: 2, name: 'Mia', categoryId: 2, status: 'pending', stock: 0 },
      { id: 3, name: 'Tom', categoryId: 2, status: 'sold' },
    ],
    [
      { id: 1, petId: 2, quantity: 1, complete: false },
      { id: 2, petId: 3, quantity: 1, shipDate: '2026-02-03T09:30:00.000Z', complete: true },
    ],
  ),
}

/** A body that each operation accepts with `STARTING_DATA`. */
export const VALID_BODIES: Readonly<Record<string, Readonly<Json>>> = {
  createPet: { name: 'Ivy', categoryId: 2, status: 'available' },
  updatePet: { name: 'Rex II', categoryId: 2, status: 'available' },
  createCategory: { name: 'Birds', description: 'They sing' },
  updateCategory: { name: 'Hounds', description: 'They run' },
  createOrder: { petId: 1, quantity: 1, shipDate: '2026-02-10T08:00:00.000Z', complete: false },
  updateOrder: { petId: 2, quantity: 1, shipDate: '2026-02-10T08:00:00.000Z', complete: false },
  updateInventory: { quantity: 4 },
}

export interface BodyField {
  /** For titles. */
  readonly id: string
  readonly name: string
  readonly schema: Schema
  readonly operation: Operation
}

/** Every field of every request body except `id`, which the mock ignores. */
export const bodyFields: readonly BodyField[] = operations.flatMap((each) =>
  Object.entries(each.body?.properties ?? {})
    .filter(([name]) => name !== 'id')
    .map(([name, schema]) => ({ id: `${name} of ${each.id}`, name, schema, operation: each })),
)

/** The valid body of an operation as JSON text, with one field replaced by this JSON text, or removed. */
export function bodyWith({ id }: Operation, name: string, json: string | undefined): string {
  const members = Object.entries(VALID_BODIES[id] ?? {})
    .filter(([each]) => each !== name)
    .map(([each, value]) => `${JSON.stringify(each)}:${JSON.stringify(value)}`)
  return `{${[...members, ...(json === undefined ? [] : [`${JSON.stringify(name)}:${json}`])].join(',')}}`
}

/** How a request differs from the operation's valid one. */
export interface Changes {
  readonly method?: string
  /** Replaces the id in the path, percent-encoding included. */
  readonly id?: string
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Null omits the header. */
  readonly contentType?: string | null
  readonly body?: string | Uint8Array<ArrayBuffer>
}

/** Sends an operation's request. The body is sent as bytes, because `fetch` adds a content type to a string. */
export function send(
  mock: RunningMock,
  { id, method, path, body }: Operation,
  changes: Changes = {},
): Promise<Response> {
  const headers = new Headers(changes.headers)
  const sent = changes.body ?? (body && JSON.stringify(VALID_BODIES[id]))
  const { contentType = sent === undefined ? null : 'application/json' } = changes
  if (contentType !== null) headers.set('Content-Type', contentType)
  return mock.fetch(fillPath(path, changes.id) + (changes.query === undefined ? '' : `?${changes.query}`), {
    method: changes.method ?? method,
    headers,
    ...(sent !== undefined && { body: typeof sent === 'string' ? new TextEncoder().encode(sent) : sent }),
  })
}

/** Replaces the parameter of a path with an id. */
export function fillPath(path: string, id = '1'): string {
  return path.replace(/\{\w+\}/, () => id)
}

/** Headers that depend on the connection or the time, and not on the contract. */
const VOLATILE = new Set(['connection', 'date', 'keep-alive', 'transfer-encoding'])

export function contractHeaders({ headers }: { readonly headers: Headers }): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => !VOLATILE.has(name)))
}

const LINK = /\s*<([^<>\s]*)>((?:\s*;\s*[a-z]+="[^"\\]*")*)\s*(?:,|$)/y

/** The targets of a `Link` header by relation (RFC 8288). Throws if the header is malformed. */
export function parseLinks(header: string | null): Record<string, string> {
  const links: Record<string, string> = {}
  LINK.lastIndex = 0
  while (header !== null && LINK.lastIndex < header.length) {
    const [, target = '', parameters = ''] = LINK.exec(header) ?? []
    const [, relation = ''] = /;\s*rel="([^"]+)"/.exec(parameters) ?? []
    if (relation === '' || relation in links)
      throw new Error(`Malformed Link header, or a relation occurs twice: ${header}`)
    links[relation] = target
  }
  return links
}

/** An item of a list. Its ids are strings, so that large ones stay exact. */
export type Item = Readonly<Record<string, string | number | boolean>>

const ID_FIELDS = ['id', 'petId', 'categoryId']

/** Parses a list, or a single item as a list of one. */
export function parseItems(text: string): Item[] {
  const ids = new RegExp(`"(${ID_FIELDS.join('|')})":(-?[0-9]+)`, 'g')
  return [JSON.parse(text.replace(ids, '"$1":"$2"'))].flat() as Item[]
}

/** The items that a query must return, computed without an index: filtered, then sorted. */
export function selectItems(items: readonly Item[], query: string): Item[] {
  const parameters = new URLSearchParams(query)
  const key = items.some((item) => 'id' in item) ? 'id' : 'petId'
  const sort = parameters.get('sort') ?? key
  const field = sort.replace('-', '')
  return items
    .filter((item) => matchesFilters(item, parameters))
    .sort((a, b) => {
      const [x, y] = [a[field], b[field]]
      if (x === undefined || y === undefined) return Number(x === undefined) - Number(y === undefined) || byId(a, b)
      return compare(field, x, y) * (sort.startsWith('-') ? -1 : 1) || byId(a, b)
    })

  function byId(a: Item, b: Item): number {
    return compare(key, a[key] ?? '', b[key] ?? '')
  }
}

function matchesFilters(item: Item, parameters: URLSearchParams): boolean {
  const [name, categoryId, petId] = [parameters.get('name'), parameters.get('categoryId'), parameters.get('petId')]
  const [complete, maxQuantity] = [parameters.get('complete'), parameters.get('maxQuantity')]
  return (
    (!parameters.has('status') || parameters.getAll('status').includes(String(item.status))) &&
    (name === null || String(item.name).toLowerCase().includes(name.toLowerCase())) &&
    (categoryId === null || item.categoryId === categoryId) &&
    (petId === null || item.petId === petId) &&
    (complete === null || String(item.complete ?? false) === complete) &&
    (maxQuantity === null || Number(item.quantity) <= Number(maxQuantity))
  )
}

function compare(field: string, a: string | number | boolean, b: string | number | boolean): number {
  const [x, y] = ID_FIELDS.includes(field) ? [BigInt(a), BigInt(b)] : [a, b]
  return x < y ? -1 : x > y ? 1 : 0
}
