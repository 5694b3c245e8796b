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

/** An operation as the document describes it, in the parts that the tests derive their tables from. */
export interface Operation {
  readonly id: string
  /** In upper case. */
  readonly method: string
  /** With its parameter in braces. */
  readonly path: string
  readonly parameters: readonly Parameter[]
  readonly body: Schema | undefined
  /** The status of its success. */
  readonly success: number
  /** All members of the operation, markers included. */
  readonly source: Readonly<Record<string, unknown>>
}

type Json = Record<string, unknown>

interface DocumentOperation extends Json {
  operationId: string
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, unknown>
}

/** The document as its file is. */
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
  if (found === undefined) throw new Error(`the document has no operation ${id}`)
  return found
}

/** Rows of a table of tests, each with its name in front for the title. */
export function withId<T extends { readonly id: string }>(rows: readonly T[]): [string, T][] {
  return rows.map((row) => [row.id, row])
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

/** A world in which every operation succeeds for the id 1: nothing holds on to the first of each kind. */
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

/** A body that each operation of `WORLD` takes. */
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
  /** As it reads in a title. */
  readonly id: string
  readonly name: string
  readonly schema: Schema
  readonly operation: Operation
}

/** Every field of every body, except an id: the store ignores that one. */
export const bodyFields: readonly BodyField[] = operations.flatMap((each) =>
  Object.entries(each.body?.properties ?? {})
    .filter(([name]) => name !== 'id')
    .map(([name, schema]) => ({ id: `${name} of ${each.id}`, name, schema, operation: each })),
)

/** The operation's body as text, with one field spelled like this, or without it. */
export function bodyWith({ id }: Operation, name: string, spelled: string | undefined): string {
  const members = Object.entries(VALID_BODIES[id] ?? {})
    .filter(([each]) => each !== name)
    .map(([each, value]) => `${JSON.stringify(each)}:${JSON.stringify(value)}`)
  return `{${[...members, ...(spelled === undefined ? [] : [`${JSON.stringify(name)}:${spelled}`])].join(',')}}`
}

/** In what a request differs from the one that succeeds in `WORLD`. */
export interface Changes {
  readonly method?: string
  /** In place of the id in the path, escapes and all. */
  readonly id?: string
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Null leaves the header out. */
  readonly contentType?: string | null
  readonly body?: string | Uint8Array<ArrayBuffer>
}

/** Sends an operation's request. The body goes out as bytes, for which `fetch` makes up no content type. */
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

/** A path of the document with an id in place of its parameter. */
export function fillPath(path: string, id = '1'): string {
  return path.replace(/\{\w+\}/, () => id)
}

/** Headers of the connection or the moment, which the contract says nothing about. */
const VOLATILE = new Set(['connection', 'date', 'keep-alive', 'transfer-encoding'])

export function contractHeaders({ headers }: { readonly headers: Headers }): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => !VOLATILE.has(name)))
}

const LINK = /\s*<([^<>\s]*)>((?:\s*;\s*[a-z]+="[^"\\]*")*)\s*(?:,|$)/y

/** The targets of a `Link` header by their relation (RFC 8288). A header that is anything else throws. */
export function parseLinks(header: string | null): Record<string, string> {
  const links: Record<string, string> = {}
  LINK.lastIndex = 0
  while (header !== null && LINK.lastIndex < header.length) {
    const [, target = '', parameters = ''] = LINK.exec(header) ?? []
    const [, relation = ''] = /;\s*rel="([^"]+)"/.exec(parameters) ?? []
    if (relation === '' || relation in links) throw new Error(`not a list of links, each once: ${header}`)
    links[relation] = target
  }
  return links
}

/** An item of a list; its ids are strings of digits, which no reader rounds. */
export type Item = Readonly<Record<string, string | number | boolean>>

const ID_FIELDS = ['id', 'petId', 'categoryId']

/** The items of a list, or one item. */
export function parseItems(text: string): Item[] {
  const ids = new RegExp(`"(${ID_FIELDS.join('|')})":(-?[0-9]+)`, 'g')
  return [JSON.parse(text.replace(ids, '"$1":"$2"'))].flat() as Item[]
}

/** What a list must show: the items that pass every filter of the query, sorted, by plain means and no index. */
export function selectItems(items: readonly Item[], query: string): Item[] {
  const asked = new URLSearchParams(query)
  const key = items.some((item) => 'id' in item) ? 'id' : 'petId'
  const sort = asked.get('sort') ?? key
  const field = sort.replace('-', '')
  return items
    .filter((item) => passes(item, asked))
    .sort((a, b) => {
      const [x, y] = [a[field], b[field]]
      if (x === undefined || y === undefined) return Number(x === undefined) - Number(y === undefined) || byId(a, b)
      return compare(field, x, y) * (sort.startsWith('-') ? -1 : 1) || byId(a, b)
    })

  function byId(a: Item, b: Item): number {
    return compare(key, a[key] ?? '', b[key] ?? '')
  }
}

function passes(item: Item, asked: URLSearchParams): boolean {
  const [name, categoryId, petId] = [asked.get('name'), asked.get('categoryId'), asked.get('petId')]
  const [complete, maxQuantity] = [asked.get('complete'), asked.get('maxQuantity')]
  return (
    (!asked.has('status') || asked.getAll('status').includes(String(item.status))) &&
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
