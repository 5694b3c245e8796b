import { expect, it } from 'vitest'
import type { PetstoreOptions } from '../../src/index.js'
import { describeAdapters, type RunningMock } from '../support/adapters.js'
import { expectError, expectUnchanged, openClient, readResponse } from '../support/client.js'
import { STARTING_DATA, withId } from '../support/operations.js'

/** A request in parts, so that faults of different parts can be put together. */
interface Parts {
  readonly prefix: string
  readonly method: string
  readonly path: string
  readonly id: string
  readonly query: string
  readonly accept: string
  readonly contentType: string
  /** Blanks after the body. */
  readonly padding: number
  readonly body: Readonly<Record<string, unknown>> | undefined
  /** What the store's clock shows. */
  readonly at: string
}

interface Fault {
  readonly id: string
  readonly status: number
  readonly code: string
  readonly parts: Partial<Parts>
}

interface Target {
  readonly id: string
  readonly base: Partial<Parts>
  /** The status of the request without any fault. */
  readonly success: number
  /** In the order in which the contract answers them. */
  readonly faults: readonly Fault[]
}

const LIMIT = 150
const OPTIONS: PetstoreOptions = { ...STARTING_DATA, strict: true, sunset: 'enforce', maxBodyBytes: LIMIT }

const fault = (id: string, status: number, code: string, parts: Partial<Parts>): Fault => ({ id, status, code, parts })

const PATH = fault('an unknown path', 404, 'ROUTE_NOT_FOUND', { prefix: '/nope' })
const METHOD = fault('a method not offered', 405, 'METHOD_NOT_ALLOWED', { method: 'PROPFIND' })
const ACCEPT = fault('an Accept without JSON', 406, 'NOT_ACCEPTABLE', { accept: 'text/html' })
const ID = fault('a malformed id', 400, 'INVALID_REQUEST', { id: '01' })
const QUERY = fault('an unknown parameter', 400, 'INVALID_REQUEST', { query: '?bogus=1' })
const TYPE = fault('another content type', 415, 'UNSUPPORTED_MEDIA_TYPE', { contentType: 'text/plain' })
const SIZE = fault('a body too large', 413, 'BODY_TOO_LARGE', { padding: LIMIT })

const invalid = (body: Parts['body']) => fault('an invalid body', 400, 'INVALID_REQUEST', { body })

const TARGETS: readonly Target[] = [
  {
    id: 'getPet',
    base: { path: '/pets/', id: '1', method: 'GET' },
    success: 200,
    faults: [
      PATH,
      METHOD,
      fault('a sunset', 410, 'OPERATION_SUNSET', { at: '2030-12-06T00:00:00Z' }),
      ACCEPT,
      ID,
      QUERY,
      fault('a missing pet', 404, 'PET_NOT_FOUND', { id: '999999' }),
    ],
  },
  {
    // The pet is sold, which it may stay but not leave this way.
    id: 'updatePet',
    base: { path: '/pets/', id: '3', method: 'PUT', body: { name: 'Tom', categoryId: 2, status: 'sold' } },
    success: 200,
    faults: [
      PATH,
      METHOD,
      ACCEPT,
      ID,
      QUERY,
      TYPE,
      SIZE,
      invalid({ name: 5, categoryId: 999999, status: 'available' }),
      fault('a missing pet', 404, 'PET_NOT_FOUND', { id: '999999' }),
      fault('an unknown category', 422, 'UNKNOWN_CATEGORY', {
        body: { name: 'Tom', categoryId: 999999, status: 'available' },
      }),
      fault('a move that is not allowed', 409, 'INVALID_TRANSITION', {
        body: { name: 'Tom', categoryId: 2, status: 'available' },
      }),
    ],
  },
  {
    id: 'createOrder',
    base: { path: '/store/orders', id: '', method: 'POST', body: { petId: 1 } },
    success: 201,
    faults: [
      PATH,
      METHOD,
      ACCEPT,
      QUERY,
      TYPE,
      SIZE,
      invalid({ petId: 999999, quantity: 0, complete: 'no' }),
      fault('no quantity of a sold pet', 422, 'INVALID_QUANTITY', { body: { petId: 3, quantity: 0 } }),
      fault('a sold pet', 409, 'PET_NOT_AVAILABLE', { body: { petId: 3, quantity: 1 } }),
    ],
  },
  {
    id: 'updateOrder',
    base: { path: '/store/orders/', id: '1', method: 'PATCH', body: { complete: true } },
    success: 200,
    faults: [
      PATH,
      METHOD,
      ACCEPT,
      ID,
      QUERY,
      TYPE,
      SIZE,
      invalid({ petId: 999999, shipDate: 'never' }),
      fault('a missing order', 404, 'ORDER_NOT_FOUND', { id: '999999' }),
      fault('an unknown pet', 422, 'UNKNOWN_PET', { body: { petId: 999999 } }),
      fault('a complete order', 409, 'ORDER_COMPLETE', { id: '2', body: { quantity: 2 } }),
    ],
  },
  {
    id: 'updateInventory',
    base: { path: '/store/inventory/', id: '1', method: 'PUT', body: { quantity: 4 } },
    success: 200,
    faults: [
      PATH,
      METHOD,
      ACCEPT,
      ID,
      QUERY,
      TYPE,
      SIZE,
      invalid({ quantity: '-1' }),
      fault('a missing pet', 404, 'PET_NOT_FOUND', { id: '999999' }),
      fault('a negative stock', 422, 'INVALID_QUANTITY', { body: { quantity: -1 } }),
    ],
  },
  {
    id: 'deleteOrder',
    base: { path: '/store/orders/', id: '1', method: 'DELETE' },
    success: 204,
    faults: [
      PATH,
      METHOD,
      ACCEPT,
      ID,
      QUERY,
      fault('a missing order', 404, 'ORDER_NOT_FOUND', { id: '999999' }),
      fault('a complete order', 409, 'ORDER_COMPLETE', { id: '2' }),
    ],
  },
]

/** Two faults of one request. A path has one id, so that only one of them can be about it. */
interface Pair {
  readonly id: string
  readonly base: Partial<Parts>
  readonly first: Fault
  readonly second: Fault
}

const pairs: readonly Pair[] = TARGETS.flatMap(({ id, base, faults }) =>
  faults.flatMap((first, index) =>
    faults
      .slice(index + 1)
      .filter((second) => !('id' in first.parts && 'id' in second.parts))
      .map((second) => ({ id: `${first.id} before ${second.id} in ${id}`, base, first, second })),
  ),
)

const RIGHT = { accept: '*/*', contentType: 'application/json', at: '2026-06-01T00:00:00Z' }
const NOTHING = { prefix: '', method: '', path: '', id: '', query: '', padding: 0, body: undefined }

/** Sends a request with faults. Where two want one part, the first has it. */
function sendFaulty(mock: RunningMock, base: Partial<Parts>, ...faults: readonly Fault[]): Promise<Response> {
  const faulty = faults.toReversed().map((each) => each.parts)
  const parts: Parts = Object.assign({ ...NOTHING, ...RIGHT, ...base }, ...faulty)
  const { prefix, method, path, id, query, accept, contentType, padding, body, at } = parts
  mock.petstore.clock.set(at)
  return mock.fetch(prefix + path + id + query, {
    method,
    headers: { Accept: accept, ...(body && { 'Content-Type': contentType }) },
    ...(body && { body: JSON.stringify(body) + ' '.repeat(padding) }),
  })
}

describeAdapters('precedence', (adapter) => {
  it('is tried for every pair', () => {
    expect(TARGETS.map(({ faults }) => faults.length)).toEqual([7, 11, 9, 11, 10, 7])
    expect(pairs).toHaveLength(20 + 54 + 36 + 52 + 44 + 18)
  })

  it.each(withId(TARGETS))('starts from a request of %s that is right', async (_, { base, success }) => {
    const { mock } = await openClient(adapter, OPTIONS)
    expect((await sendFaulty(mock, base)).status).toBe(success)
  })

  it.each(withId(TARGETS))('knows what each fault of %s is answered with', async (_, { base, faults }) => {
    const { mock } = await openClient(adapter, OPTIONS)
    for (const each of faults) {
      expectError(await readResponse(await sendFaulty(mock, base, each)), each.status, each.code)
    }
  })

  it.each(withId(pairs))('puts %s', async (_, { base, first, second }) => {
    const { mock } = await openClient(adapter, OPTIONS)
    expectError(await readResponse(await sendFaulty(mock, base, first, second)), first.status, first.code)
  })

  it.each(withId(TARGETS))('answers the first of all faults of %s, then of the rest', async (_, { base, faults }) => {
    const { mock } = await openClient(adapter, OPTIONS)
    await expectUnchanged(mock, async () => {
      for (const [index, { status, code }] of faults.entries()) {
        expectError(await readResponse(await sendFaulty(mock, base, ...faults.slice(index))), status, code)
      }
    })
  })
})
