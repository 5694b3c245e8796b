import fc from 'fast-check'
import type { PetstoreOptions } from '../../src/index.js'
import { STARTING_DATA, VALID_BODIES } from '../support/operations.js'
import { OPERATIONS, type Seen, STEP, toRequest } from '../support/random-steps.js'
import { type FuzzRequest, toByteText } from './request.js'
import { REQUEST_MUTATION } from './request-mutations.js'

/** A sequence of requests to one mock. */
export interface Sequence {
  readonly options: PetstoreOptions
  readonly requests: readonly FuzzRequest[]
}

/** Ids of the starting data, of the first new records, and one that a double would round. */
const IDS = { ids: ['1', '2', '3', '1', '2', '4', '5', '9223372036854775807'] }
const SEEN: Seen = { categories: IDS, pets: IDS, orders: IDS }

const STORE: fc.Arbitrary<FuzzRequest> = STEP.map((step) => {
  const { target, init } = toRequest(step, SEEN)
  return {
    method: init.method as string,
    target,
    headers: Object.entries(init.headers as Record<string, string>),
    ...(typeof init.body === 'string' && { body: toByteText(init.body) }),
  }
})

const OPERATION_IDS = OPERATIONS.map(([id]) => id)
const NAMES = fc.constantFrom('a', 'b', 'before', '..', 'x'.repeat(65), '__proto__')

function json(method: string, target: string, body?: unknown): FuzzRequest {
  if (body === undefined) return { method, target, headers: [] }
  return { method, target, headers: [['content-type', 'application/json']], body: toByteText(JSON.stringify(body)) }
}

/** Fault rules: some valid ones, and some with random fields. With `withLongDelays`, also some with very long delays. */
function faultRules(withLongDelays: boolean): fc.Arbitrary<object> {
  const rules: object[] = [
    { status: 503, times: 2 },
    { operation: 'listPets', kind: 'reset' },
    { kind: 'truncate', probability: 0.5 },
    { method: 'GET', kind: 'malformed', after: 1 },
    { path: '/pets*', delayMs: [0, 1], times: 3 },
    { code: 'PET_NOT_FOUND', message: 'gone', expiresAfterMs: 60_000 },
  ]
  const slow = [{ kind: 'timeout' }, { delayMs: 600_000 }, { kind: 'slow', delayMs: [5, 600_000] }]
  const fields = Object.entries(FAULT_FIELDS).map(([name, values]) =>
    fc.constantFrom<unknown[]>(...values).map((value) => ({ [name]: value })),
  )
  return fc.oneof(
    fc.constantFrom(...rules, ...(withLongDelays ? slow.map((rule) => ({ ...rule, times: 2 })) : [])),
    fc.array(fc.oneof(...fields), { maxLength: 3 }).map((given) => Object.assign({}, ...given)),
  )
}

/** Headers of fault rules and overrides. */
const HEADERS: object[] = [{ 'Retry-After': '2' }, { 'Set-Cookie': ['a=1', 'b=2'] }, { Connection: 'close' }]

/** Conditions of fault rules and overrides. */
const MATCHES: object[] = [
  {},
  { query: { status: 'sold', limit: 5 } },
  { query: { name: { matches: '^R', flags: 'i' } } },
  { headers: { Accept: { matches: '(' } } },
  { body: { name: 'Rex', tags: [1, { matches: 'x' }], __proto__: null } },
  { cookies: {} },
  { query: { a: { matches: 'a', flags: 'g' } } },
]

const FAULT_FIELDS: Readonly<Record<string, readonly unknown[]>> = {
  operation: [...OPERATION_IDS, 'nope', '__proto__', ''],
  method: ['GET', 'post', 'FOO', 'HEAD'],
  path: ['/pets', '/store/orders/1', '/*', '*', '/nope', '/pets?x', '/a*b', `/${'a'.repeat(3000)}*`],
  status: [400, 404, 418, 500, 599, 399, 600, 500.5],
  code: ['SERVICE_UNAVAILABLE', 'MINE', '', 'x'.repeat(101), '__proto__'],
  message: ['closed', '', 'x'.repeat(501), '\ud800'],
  delayMs: [0, 1, 2, [0, 1], [1, 0], -1, 600_001],
  kind: ['error', 'reset', 'truncate', 'malformed', 'nope'],
  times: [1, 2, 0],
  after: [0, 1, -1],
  probability: [0, 0.5, 1, 1.1],
  expiresAfterMs: [1, 0, Number.MAX_SAFE_INTEGER],
  enabled: [true, false, 0],
  headers: [...HEADERS, { 'a b': 'x' }, { a: '\n' }],
  match: MATCHES,
}

/** States to import: valid and invalid ones. */
const STATES: fc.Arbitrary<object> = fc.oneof(
  fc.constantFrom<object[]>(
    STARTING_DATA.fixtures,
    {},
    { categories: [{ id: 7, name: 'x' }] },
    { pets: [{ id: '9223372036854775807', name: 'Max', categoryId: 1 }], categories: [{ id: 1, name: 'x' }] },
    { ...STARTING_DATA.fixtures, nextIds: { categories: 9, pets: 9, orders: '9223372036854775807' } },
    { ...STARTING_DATA.fixtures, specHash: 'other', description: 'x', $schema: 'x' },
    { ...STARTING_DATA.fixtures, orders: [{ id: 1, petId: 3 }] },
  ),
  fc.record(
    {
      categories: fc.array(fc.record({ id: fc.integer({ min: -2, max: 3 }), name: fc.string() }), { maxLength: 4 }),
      pets: fc.array(
        fc.record(
          {
            id: fc.integer({ min: 0, max: 3 }),
            name: fc.string({ unit: 'binary', maxLength: 5 }),
            categoryId: fc.integer({ min: 0, max: 2 }),
            status: fc.constantFrom('available', 'pending', 'sold', 'x'),
          },
          { requiredKeys: ['id', 'name', 'categoryId'] },
        ),
        { maxLength: 3 },
      ),
      inventory: fc.array(fc.record({ petId: fc.nat(3), quantity: fc.integer({ min: -1, max: 3 }) }), { maxLength: 3 }),
      orders: fc.array(fc.record({ id: fc.nat(3), petId: fc.nat(3), quantity: fc.nat(2), complete: fc.boolean() }), {
        maxLength: 3,
      }),
      nextIds: fc.record({ categories: fc.nat(5), pets: fc.nat(5), orders: fc.nat(5) }),
    },
    { requiredKeys: [] },
  ),
)

/** Overrides to add: valid and invalid ones. */
const OVERRIDES: fc.Arbitrary<object> = fc.oneof(
  // Unchecked or raw, but such that the response conforms to the contract, which every response is held to.
  fc.constantFrom(
    { operation: 'deletePet', status: 204, times: 1, unchecked: true },
    { operation: 'deletePet', status: 204, times: 1, raw: true },
  ),
  fc.record(
    {
      operation: fc.constantFrom(...OPERATION_IDS, 'nope', '__proto__'),
      status: fc.constantFrom(200, 201, 204, 304, 404, 503, 199, 600),
      body: fc.constantFrom<unknown[]>([], {}, null, 'x', { id: 1, name: 'Rex', categoryId: 1 }),
      headers: fc.constantFrom(...HEADERS),
      times: fc.constantFrom(1, 2, 0),
      match: fc.constantFrom(...MATCHES),
      unchecked: fc.constantFrom(false, 'yes'),
      raw: fc.constantFrom(false, 'yes'),
    },
    { requiredKeys: ['operation'] },
  ),
)

/** Fields of records, or lists of them. */
const RECORDS: fc.Arbitrary<unknown> = fc.constantFrom<unknown[]>(
  ...[{}, { name: 'Rex' }, { stock: 3 }, { stock: -1 }, { petId: 1 }, { quantity: 2 }, { status: 'sold' }, { id: 5 }],
  ...[[], [{}, {}], [{ name: 'Rex' }, { name: 5 }], [[]], 'x', null, { __proto__: null, name: '\ud800' }],
)

const TIMES = [
  ...['2026-03-31T12:00:00Z', '2031-01-01T00:00:00+14:00', '9999-12-31T23:59:59.999Z', '0000-01-01T00:00:00Z', 'x'],
]
const SPANS = [1, -1, 86_400_000, 'P1D', '-PT1S', 'P400Y', 'P999999999Y', 9e15, 8.64e15, 'P', 'PT1.5H', 'P1.5Y1D']
const READS = [
  ...['/__admin/health', '/__admin/scenarios', '/__admin/state', '/__admin/snapshots', '/__admin/journal'],
  ...['/__admin/journal/1', '/__admin/journal/999', '/__admin/journal.har', '/__admin/faults', '/__admin/clock'],
  ...['/__admin/overrides', '/__admin/data/pets', '/__admin/data/inventory/1', '/__admin/data/pets?offset=1&limit=2'],
  ...['/__admin/data/pets?status=sold&sort=-name', '/__admin/data/orders?status=sold', '/__admin/data/pets?sort=nope'],
  ...['/__admin/journal?waitMs=5&times=2&match=%7B%22query%22%3A%7B%22limit%22%3A1%7D%7D'],
  ...['/__admin/coverage', '/__admin/sandboxes', '/__admin/events', '/openapi.yaml', '/openapi.json'],
  ...['/__admin/openapi.yaml', '/__admin/', '/__admin', '/docs', '/', '/nope', '/sandbox/a/pets'],
  ...['/sandbox/a/__admin/state', '/__admin/journal?operation=getPet&limit=3', '/__admin/journal?status=404&since=2'],
  '/__admin/journal.har?limit=0',
]

const COLLECTIONS = fc.constantFrom('pets', 'categories', 'orders', 'inventory', 'nope', '__proto__')
const RECORD_PATHS = fc.constantFrom('pets/1', 'orders/1', 'inventory/1', 'categories/7', 'pets/x')
const DELETED = fc.constantFrom(
  ...['/__admin/faults', '/__admin/journal', '/__admin/faults/1', '/__admin/overrides', '/__admin/overrides/1'],
  ...['/__admin/data/pets/1', '/__admin/data/inventory/1', '/__admin/data/orders/99'],
)
const RESETS = fc.record(
  { seed: fc.constantFrom(0, 1, -1, 1.5), scenario: fc.constantFrom('single', 'empty', 'nope', '__proto__') },
  { requiredKeys: [] },
)
const CLOCKS = fc.record({ now: fc.constantFrom(...TIMES), frozen: fc.boolean() }, { requiredKeys: [] })

function adminRequests(withLongDelays: boolean): fc.Arbitrary<FuzzRequest> {
  const faults = faultRules(withLongDelays)
  const weighted: [weight: number, fc.Arbitrary<FuzzRequest>][] = [
    [6, fc.constantFrom(...READS).map((target) => json('GET', target))],
    [3, faults.map((rule) => json('POST', '/__admin/faults', rule))],
    [1, faults.map((rule) => json('PATCH', '/__admin/faults/1', rule))],
    [2, OVERRIDES.map((override) => json('POST', '/__admin/overrides', override))],
    [3, fc.tuple(COLLECTIONS, RECORDS).map(([name, record]) => json('POST', `/__admin/data/${name}`, record))],
    [2, fc.tuple(RECORD_PATHS, RECORDS).map(([path, fields]) => json('PATCH', `/__admin/data/${path}`, fields))],
    [3, STATES.map((state) => json('PUT', '/__admin/state', state))],
    [1, RESETS.map((options) => json('POST', '/__admin/reset', options))],
    [2, NAMES.map((name) => json('POST', '/__admin/snapshots', { name }))],
    [2, NAMES.map((name) => json('POST', `/__admin/snapshots/${name}/restore`))],
    [1, NAMES.map((name) => json('DELETE', `/__admin/snapshots/${name}`))],
    [1, NAMES.map((name) => json('DELETE', `/__admin/sandboxes/${name}`))],
    [3, DELETED.map((target) => json('DELETE', target))],
    [2, CLOCKS.map((change) => json('PUT', '/__admin/clock', change))],
    [2, fc.constantFrom(...SPANS).map((by) => json('POST', '/__admin/clock/advance', { by }))],
  ]
  return fc.oneof(...weighted.map(([weight, arbitrary]) => ({ weight, arbitrary })))
}

/** Valid requests, most of which change the state. */
const VALID: fc.Arbitrary<FuzzRequest> = fc.constantFrom(
  json('POST', '/pets', VALID_BODIES.createPet),
  json('PUT', '/pets/1', VALID_BODIES.updatePet),
  json('POST', '/categories', VALID_BODIES.createCategory),
  json('POST', '/store/orders', VALID_BODIES.createOrder),
  json('PATCH', '/store/orders/1', { complete: true }),
  json('PUT', '/store/inventory/1', VALID_BODIES.updateInventory),
  json('GET', '/pets?limit=2&offset=1&sort=-name&status=available'),
  json('GET', '/store/inventory?maxQuantity=2'),
)

/** Mostly none or one, because a request with many is rejected for the first. */
const REQUEST_MUTATIONS = fc.oneof(
  { weight: 4, arbitrary: fc.constant([]) },
  { weight: 4, arbitrary: fc.array(REQUEST_MUTATION, { minLength: 1, maxLength: 1 }) },
  { weight: 1, arbitrary: fc.array(REQUEST_MUTATION, { minLength: 2, maxLength: 4 }) },
)

/** Any request to the API or the admin API, valid or mutated. */
function requests(withLongDelays: boolean): fc.Arbitrary<FuzzRequest> {
  const base = fc.oneof(
    { weight: 8, arbitrary: STORE },
    { weight: 3, arbitrary: VALID },
    { weight: 5, arbitrary: adminRequests(withLongDelays) },
  )
  return fc
    .tuple(base, REQUEST_MUTATIONS)
    .map(([request, mutations]) => mutations.reduce((changed, mutate) => mutate(changed), request))
}

/** Limits that small requests exceed. */
const TIGHT: PetstoreOptions = {
  maxBodyBytes: 200,
  maxJsonDepth: 2,
  maxJsonValues: 6,
  maxUrlLength: 60,
  maxQueryParameters: 2,
  journalBytes: 4000,
  journalSize: 3,
}

const OPTIONS: fc.Arbitrary<PetstoreOptions> = fc.constantFrom<PetstoreOptions[]>(
  {},
  {},
  { rules: 'off' },
  { strict: true, sunset: 'enforce' },
  TIGHT,
)

/**
 * Sequences of requests to one mock. With `withLongDelays`, responses may come after minutes or never, which requires a
 * caller that can abort the delay.
 */
export function sequences(length: number, withLongDelays: boolean): fc.Arbitrary<Sequence> {
  return fc.record({
    options: OPTIONS,
    requests: fc.array(requests(withLongDelays), { minLength: 1, maxLength: length, size: 'max' }),
  })
}

/** The options of all sequences. Little data, because all of it is compared after every request. */
export const START: PetstoreOptions = { ...STARTING_DATA, validateResponses: true, journalSize: 20, maxSandboxes: 3 }
