import { expect, it } from 'vitest'
import type { PetstoreOptions } from '../../src/index.js'
import { describeAdapters, type RunningMock } from '../support/adapters.js'
import { forEachCase } from '../support/cases.js'
import { expectError, expectUnchanged, openClient, readResponse } from '../support/client.js'
import { STARTING_DATA } from '../support/operations.js'

/** A request in parts, so that mistakes in different parts can be combined. */
interface Parts {
  readonly prefix: string
  readonly method: string
  readonly path: string
  readonly id: string
  readonly query: string
  readonly accept: string
  readonly contentType: string
  /** Spaces after the body. */
  readonly padding: number
  readonly body: Readonly<Record<string, unknown>> | undefined
  /** The time on the mock's clock. */
  readonly at: string
}

interface Mistake {
  readonly id: string
  readonly status: number
  readonly code: string
  readonly parts: Partial<Parts>
}

interface Target {
  readonly id: string
  readonly base: Partial<Parts>
  /** The status of the request without a mistake. */
  readonly success: number
  /** In the order in which the contract reports them. */
  readonly mistakes: readonly Mistake[]
}

const LIMIT = 150
const OPTIONS: PetstoreOptions = { ...STARTING_DATA, strict: true, sunset: 'enforce', maxBodyBytes: LIMIT }

const mistake = (id: string, status: number, code: string, parts: Partial<Parts>): Mistake => ({
  id,
  status,
  code,
  parts,
})

const PATH = mistake('an unknown path', 404, 'ROUTE_NOT_FOUND', { prefix: '/nope' })
const METHOD = mistake('a method that is not allowed', 405, 'METHOD_NOT_ALLOWED', { method: 'PROPFIND' })
const ACCEPT = mistake('an Accept header without JSON', 406, 'NOT_ACCEPTABLE', { accept: 'text/html' })
const ID = mistake('a malformed id', 400, 'INVALID_REQUEST', { id: '01' })
const QUERY = mistake('an unknown parameter', 400, 'INVALID_REQUEST', { query: '?bogus=1' })
const TYPE = mistake('another content type', 415, 'UNSUPPORTED_MEDIA_TYPE', { contentType: 'text/plain' })
const SIZE = mistake('a body that is too large', 413, 'BODY_TOO_LARGE', { padding: LIMIT })

const FIRST = [PATH, METHOD, ACCEPT]
const BODY = [QUERY, TYPE, SIZE]

const invalid = (body: Parts['body']) => mistake('an invalid body', 400, 'INVALID_REQUEST', { body })

const TARGETS: readonly Target[] = [
  {
    id: 'getPet',
    base: { path: '/pets/', id: '1', method: 'GET' },
    success: 200,
    mistakes: [
      PATH,
      METHOD,
      mistake('a sunset', 410, 'OPERATION_SUNSET', { at: '2030-12-06T00:00:00Z' }),
      ACCEPT,
      ID,
      QUERY,
      mistake('a missing pet', 404, 'PET_NOT_FOUND', { id: '999999' }),
    ],
  },
  {
    // The pet is sold, and can only be made available by restocking.
    id: 'updatePet',
    base: { path: '/pets/', id: '3', method: 'PUT', body: { name: 'Tom', categoryId: 2, status: 'sold' } },
    success: 200,
    mistakes: [
      ...FIRST,
      ID,
      ...BODY,
      invalid({ name: 5, categoryId: 999999, status: 'available' }),
      mistake('a missing pet', 404, 'PET_NOT_FOUND', { id: '999999' }),
      mistake('an unknown category', 422, 'UNKNOWN_CATEGORY', {
        body: { name: 'Tom', categoryId: 999999, status: 'available' },
      }),
      mistake('a transition that is not allowed', 409, 'INVALID_TRANSITION', {
        body: { name: 'Tom', categoryId: 2, status: 'available' },
      }),
    ],
  },
  {
    id: 'createOrder',
    base: { path: '/store/orders', id: '', method: 'POST', body: { petId: 1 } },
    success: 201,
    mistakes: [
      ...FIRST,
      ...BODY,
      invalid({ petId: 999999, quantity: 0, complete: 'no' }),
      mistake('a quantity of 0 of a sold pet', 422, 'INVALID_QUANTITY', { body: { petId: 3, quantity: 0 } }),
      mistake('a sold pet', 409, 'PET_NOT_AVAILABLE', { body: { petId: 3, quantity: 1 } }),
    ],
  },
  {
    id: 'updateOrder',
    base: { path: '/store/orders/', id: '1', method: 'PATCH', body: { complete: true } },
    success: 200,
    mistakes: [
      ...FIRST,
      ID,
      ...BODY,
      invalid({ petId: 999999, shipDate: 'never' }),
      mistake('a missing order', 404, 'ORDER_NOT_FOUND', { id: '999999' }),
      mistake('an unknown pet', 422, 'UNKNOWN_PET', { body: { petId: 999999 } }),
      mistake('a complete order', 409, 'ORDER_COMPLETE', { id: '2', body: { quantity: 2 } }),
    ],
  },
]

const VALID = { accept: '*/*', contentType: 'application/json', at: '2026-06-01T00:00:00Z' }
const EMPTY = { prefix: '', method: '', path: '', id: '', query: '', padding: 0, body: undefined }

/** Sends a request with mistakes. If two change the same part, the first one wins. */
function sendWith(mock: RunningMock, base: Partial<Parts>, ...mistakes: readonly Mistake[]): Promise<Response> {
  const changes = mistakes.toReversed().map((each) => each.parts)
  const parts: Parts = Object.assign({ ...EMPTY, ...VALID, ...base }, ...changes)
  const { prefix, method, path, id, query, accept, contentType, padding, body, at } = parts
  mock.petstore.clock.set(at)
  return mock.fetch(prefix + path + id + query, {
    method,
    headers: { Accept: accept, ...(body && { 'Content-Type': contentType }) },
    ...(body && { body: JSON.stringify(body) + ' '.repeat(padding) }),
  })
}

describeAdapters('the precedence of errors', (adapter) => {
  it('starts from requests that succeed', async () => {
    const { mock } = await openClient(adapter, OPTIONS)
    await forEachCase(TARGETS, async ({ base, success }) => {
      mock.petstore.reset()
      expect((await sendWith(mock, base)).status).toBe(success)
    })
  })

  it('decides which of all mistakes is reported, then which of the rest', async () => {
    const { mock } = await openClient(adapter, OPTIONS)
    await expectUnchanged(mock, () =>
      forEachCase(TARGETS, async ({ base, mistakes }) => {
        for (const [index, { status, code }] of mistakes.entries()) {
          expectError(await readResponse(await sendWith(mock, base, ...mistakes.slice(index))), status, code)
        }
      }),
    )
  })
})
