import fc from 'fast-check'

export type Kind = 'categories' | 'pets' | 'orders'

/** An id that the run has seen (of a record that may be deleted by now), or the text to send in place of one. */
type Ref = { kind: Kind; nth: number } | { text: string }
type Fields = Record<string, Ref | undefined>

/** A request whose ids are not known yet. */
export interface Step {
  operation: string
  method: string
  path: string
  id?: Ref
  query?: Record<string, string | undefined>
  body?: Fields | string
  accept: string
  contentType: string
}

const oneOf = (...texts: string[]) => fc.constantFrom(...texts).map((text) => ({ text }))
const MALFORMED = oneOf('abc', '01', '1.0', '+1', '%zz', '', '9223372036854775808')
const MISSING = oneOf('0', '-1', '999999', '9007199254740992', '9007199254740995', '9223372036854775806')

function idOf(kind: Kind): fc.Arbitrary<Ref> {
  const seen: fc.Arbitrary<Ref> = fc.record({ kind: fc.constant(kind), nth: fc.nat(40) })
  return often(seen, { weight: 2, arbitrary: MISSING }, { weight: 1, arbitrary: MALFORMED })
}

function often<T>(usual: fc.Arbitrary<T>, ...others: fc.WeightedArbitrary<T>[]): fc.Arbitrary<T> {
  return fc.oneof({ weight: 20, arbitrary: usual }, ...others)
}

const WRONG = oneOf('null', 'true', '"x"', '""', '1.5', '1e400', '[]', '{"a":[]}', '9223372036854775808', 'NaN', '-1')

/** A field that is usually valid, sometimes omitted and rarely invalid. */
function field(usual: fc.Arbitrary<Ref>, omittedWeight: number): fc.Arbitrary<Ref | undefined> {
  const absent = { weight: omittedWeight, arbitrary: fc.constant(undefined) }
  return often<Ref | undefined>(usual, absent, { weight: 1, arbitrary: WRONG })
}

function bodyOf(fields: Record<string, fc.Arbitrary<Ref | undefined>>): fc.Arbitrary<Fields | string> {
  const unknown = { id: field(oneOf('1', '2'), 200), extra: field(oneOf('{}', '7'), 200) }
  const broken = fc.constantFrom('', ' ', '{', '[]', 'null', '5', '{"name":"x"} y', '\ufeff{}')
  return often<Fields | string>(fc.record({ ...fields, ...unknown }), { weight: 1, arbitrary: broken })
}

const name = fc.string({ unit: 'binary', maxLength: 6 }).map((value) => ({ text: JSON.stringify(value) }))
const status = oneOf('"available"', '"pending"', '"sold"')
const date = oneOf('"2026-05-01T10:00:00+02:00"', '"2026-12-24t00:00:00.5z"', '"2026-02-30T00:00:00Z"')
const orderQuantity = oneOf('1', '1', '1', '2', '2', '3', '1e0', '0')

const PET = bodyOf({ name: field(name, 1), categoryId: field(idOf('categories'), 1), status: field(status, 8) })
const CATEGORY = bodyOf({ name: field(name, 1), description: field(name, 10) })
const ORDER = bodyOf({
  petId: field(idOf('pets'), 6),
  quantity: field(orderQuantity, 10),
  shipDate: field(date, 60),
  complete: field(oneOf('true', 'false', 'false'), 20),
})
const STOCK = bodyOf({ quantity: field(oneOf('0', '1', '2', '3', '4.0', '-1'), 1) })

function queryOf(parameters: Record<string, string[]>): fc.Arbitrary<Record<string, string | undefined>> {
  const common = { limit: ['1', '3', '100', '0', 'x'], offset: ['0', '2', '50', '-1'], bogus: ['1'], '%zz': ['1'] }
  const values = Object.entries({ ...parameters, ...common }).map(([key, texts]) => {
    const given = { weight: key === '%zz' ? 1 : 8, arbitrary: fc.constantFrom(...texts) }
    return [key, fc.oneof({ weight: 30, arbitrary: fc.constant(undefined) }, given)] as const
  })
  return fc.record(Object.fromEntries(values))
}

const STATUS_FILTER = ['available', 'sold&status=pending', 'SOLD', '']
const PETS_QUERY = queryOf({
  status: STATUS_FILTER,
  categoryId: ['1', '2', '9223372036854775807', '1.0'],
  name: ['a', '%00', '+', '%F0%9F%90%95'],
  sort: ['name', '-status', 'categoryId', '-id', 'nope'],
})
const CATEGORIES_QUERY = queryOf({ name: ['d', 'x'], sort: ['-description', 'name', 'toString'] })
const ORDERS_QUERY = queryOf({
  petId: ['1', '2', '01'],
  complete: ['true', 'false', 'yes'],
  sort: ['shipDate', '-petId', 'quantity', '-complete', 'status'],
})
const INVENTORY_QUERY = queryOf({
  status: STATUS_FILTER,
  maxQuantity: ['0', '2', '-1', '1e1'],
  sort: ['quantity', '-status', 'id'],
})

type Parts = { [Part in 'id' | 'query' | 'body']?: fc.Arbitrary<NonNullable<Step[Part]>> }

/** Every operation of the OpenAPI document, with its random parts. */
export const OPERATIONS: [operation: string, method: string, path: string, parts: Parts][] = [
  ['listPets', 'GET', '/pets', { query: PETS_QUERY }],
  ['createPet', 'POST', '/pets', { body: PET }],
  ['getPet', 'GET', '/pets/', { id: idOf('pets') }],
  ['updatePet', 'PUT', '/pets/', { id: idOf('pets'), body: PET }],
  ['deletePet', 'DELETE', '/pets/', { id: idOf('pets') }],
  ['listCategories', 'GET', '/categories', { query: CATEGORIES_QUERY }],
  ['createCategory', 'POST', '/categories', { body: CATEGORY }],
  ['getCategory', 'GET', '/categories/', { id: idOf('categories') }],
  ['updateCategory', 'PUT', '/categories/', { id: idOf('categories'), body: CATEGORY }],
  ['deleteCategory', 'DELETE', '/categories/', { id: idOf('categories') }],
  ['listOrders', 'GET', '/store/orders', { query: ORDERS_QUERY }],
  ['createOrder', 'POST', '/store/orders', { body: ORDER }],
  ['getOrder', 'GET', '/store/orders/', { id: idOf('orders') }],
  ['updateOrder', 'PATCH', '/store/orders/', { id: idOf('orders'), body: ORDER }],
  ['deleteOrder', 'DELETE', '/store/orders/', { id: idOf('orders') }],
  ['listInventory', 'GET', '/store/inventory', { query: INVENTORY_QUERY }],
  ['getInventory', 'GET', '/store/inventory/', { id: idOf('pets') }],
  ['updateInventory', 'PUT', '/store/inventory/', { id: idOf('pets'), body: STOCK }],
]

function mostly(usual: string, rare: string): fc.Arbitrary<string> {
  return fc.oneof({ weight: 60, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constant(rare) })
}

/** A request to any operation: most are valid, many are not. */
export const STEP: fc.Arbitrary<Step> = fc.oneof(
  ...OPERATIONS.map(([operation, method, path, parts]) => {
    const fixed = { operation: fc.constant(operation), method: fc.constant(method), path: fc.constant(path) }
    const headers = { accept: mostly('*/*', 'text/html'), contentType: mostly('application/json', 'text/plain') }
    return fc.record({ ...fixed, ...headers, ...parts }) as fc.Arbitrary<Step>
  }),
)

/** The ids of a run by kind, including those of deleted records, and the last id that was assigned. */
export type Seen = Record<Kind, { ids: string[]; last?: bigint }>

function resolve(ref: Ref, seen: Seen): string {
  if ('text' in ref) return ref.text
  const { ids } = seen[ref.kind]
  return ids[ref.nth % Math.max(ids.length, 1)] ?? '1'
}

/** The request of a step, with its ids filled in. */
export function toRequest(step: Step, seen: Seen): { target: string; init: RequestInit } {
  const { method, path, id, query = {}, body, accept, contentType } = step
  const pairs = given(query).map(([key, value]) => `${key}=${value}`)
  const target = path + (id ? resolve(id, seen) : '') + (pairs.length > 0 ? `?${pairs.join('&')}` : '')
  if (body === undefined) return { target, init: { method, headers: { accept } } }
  const sent = typeof body === 'string' ? body : writeObject(body, seen)
  return { target, init: { method, headers: { accept, 'content-type': contentType }, body: sent } }
}

function writeObject(fields: Fields, seen: Seen): string {
  return `{${given(fields).map(([name, value]) => `${JSON.stringify(name)}:${resolve(value, seen)}`)}}`
}

function given<T>(values: Record<string, T | undefined>): [string, T][] {
  return Object.entries(values).filter((entry): entry is [string, T] => entry[1] !== undefined)
}
