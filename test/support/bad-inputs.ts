import { expect } from 'vitest'
import type { PetstoreOptions } from '../../src/index.js'
import { type Adapter, inMemory, type RunningMock } from './adapters.js'
import { forEachCase } from './cases.js'
import {
  type ApiResponse,
  type Client,
  createClient,
  expectError,
  expectNoLongEcho,
  expectResponse,
  expectUnchanged,
  openClient,
  readResponse,
  withoutAdapter,
} from './client.js'
import { findBrokenInvariants } from './invariants.js'
import { contractHeaders, fillPath, type Operation, STARTING_DATA, VALID_BODIES } from './operations.js'

/** The headers and body of a request. */
export interface Sent {
  readonly headers?: Readonly<Record<string, string>>
  /** Bytes are sent as they are, a string in UTF-8. */
  readonly body?: string | Uint8Array<ArrayBuffer>
  /** The default is `application/json` if there is a body. Null omits the header. */
  readonly contentType?: string | null
}

/** A request that must be rejected: `['A1 an unknown path', 'GET /nope', '404 ROUTE_NOT_FOUND', '/nope']`. */
export type BadInput = readonly [
  title: string,
  line: string,
  error: string,
  /** What the message must contain. */
  mentioning: string | RegExp,
  sent?: Sent | undefined,
]

/** A mock behind the adapter under test, and one in memory that must respond alike, unless that is the adapter. */
export interface Pair {
  readonly api: Client
  readonly memory: Client | undefined
}

export async function openPair(adapter: Adapter, options: PetstoreOptions = STARTING_DATA): Promise<Pair> {
  const pair = {
    api: await openClient(adapter, options),
    memory: adapter === inMemory ? undefined : await openClient(inMemory, options),
  }
  freezeClocks(pair)
  return pair
}

/** Resets both mocks, for the next case of a table. */
export function resetPair(pair: Pair): void {
  for (const { petstore } of mocksOf(pair)) petstore.reset()
  freezeClocks(pair)
}

function freezeClocks(pair: Pair): void {
  for (const { petstore } of mocksOf(pair)) {
    petstore.clock.freeze()
    petstore.clock.set('2026-06-01T12:00:00Z')
  }
}

function mocksOf({ api, memory }: Pair): RunningMock[] {
  return [api, ...(memory ? [memory] : [])].map(({ mock }) => mock)
}

/** Sends a request line as it is, percent-encoding included. Does not follow redirects. */
export async function sendLine(mock: RunningMock, line: string, sent: Sent = {}): Promise<ApiResponse> {
  const [method = '', path = ''] = line.split(' ')
  const { body, contentType = body === undefined ? null : 'application/json' } = sent
  const headers = new Headers(sent.headers)
  if (contentType !== null) headers.set('Content-Type', contentType)
  // `fetch` adds a content type to a string, so the body is sent as bytes.
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  return readResponse(
    await mock.fetch(path, { method, headers, redirect: 'manual', ...(bytes !== undefined && { body: bytes }) }),
  )
}

/** Sends a request to both mocks, and expects the same response from both. */
export async function sendToPair({ api, memory }: Pair, line: string, sent?: Sent): Promise<ApiResponse> {
  const response = await sendLine(api.mock, line, sent)
  if (memory) expect(comparable(response)).toStrictEqual(comparable(await sendLine(memory.mock, line, sent)))
  return response
}

function comparable(response: ApiResponse): object {
  return { status: response.status, headers: contractHeaders(response), text: response.text }
}

/** Expects that the inventory matches the pets, both read by this client, and that the state breaks no invariant. */
export async function expectConsistent({ mock, get }: Client): Promise<void> {
  const [pets, inventory] = [await get('/pets?limit=100'), await get('/store/inventory?limit=100')]
  expect([pets.status, inventory.status]).toEqual([200, 200])
  expect((inventory.body as PetOrEntry[]).map(({ petId, status }) => [petId, status])).toStrictEqual(
    (pets.body as PetOrEntry[]).map(({ id, status }) => [id, status]),
  )
  expect(findBrokenInvariants(mock.petstore.exportState())).toStrictEqual([])
}

interface PetOrEntry {
  readonly id?: number | bigint
  readonly petId?: number | bigint
  readonly status: string
}

/** Expects the error, the same one from both mocks, and that neither the data nor the next ids have changed. */
export async function expectRejectedUnchanged(
  pair: Pair,
  [, line, error, mentioning, sent]: BadInput,
): Promise<ApiResponse> {
  const [status, code = ''] = error.split(' ')
  const response = await expectUnchanged(pair.api.mock, () => sendToPair(pair, line, sent))
  expectError(response, Number(status), code, mentioning)
  const parts = [line, sent?.body, sent?.contentType, ...Object.values(sent?.headers ?? {})]
  expectNoLongEcho(response, parts.map(toText))
  return response
}

function toText(part: unknown): string {
  if (part instanceof Uint8Array) return new TextDecoder('latin1').decode(part)
  return String(part ?? '')
}

/** Sends all these inputs to one mock. Each must be rejected, and the mock must still work at the end. */
export async function expectAllRejected(
  adapter: Adapter,
  inputs: readonly BadInput[],
  check: (response: ApiResponse) => void = () => {},
): Promise<void> {
  const pair = await openPair(adapter)
  await forEachCase(inputs, async (input) => check(await expectRejectedUnchanged(pair, input)))
  await expectConsistent(pair.api)
}

/** Expects this response to an input that is odd but valid, the same one from both mocks, and a consistent state. */
export async function expectAccepted(
  pair: Pair,
  line: string,
  status: number,
  body?: unknown,
  sent?: Sent | undefined,
): Promise<ApiResponse> {
  const response = await sendToPair(pair, line, sent)
  expectResponse(response, status, body)
  if (!line.startsWith('GET ')) await expectConsistent(createClient(withoutAdapter(pair.api.mock)))
  return response
}

/** The request line of an operation, with a body that it accepts with `STARTING_DATA`. */
export function lineOf({ id, method, path }: Operation): { readonly line: string; readonly sent: Sent } {
  const body = VALID_BODIES[id]
  return { line: `${method} ${fillPath(path)}`, sent: body === undefined ? {} : { body: JSON.stringify(body) } }
}

/** Sends that many requests at once. */
export function atOnce(count: number, send: (index: number) => Promise<ApiResponse>): Promise<ApiResponse[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => send(index)))
}

export function countStatuses(responses: readonly ApiResponse[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

/** Creates that many pets at once, and expects that all are stored, each with its own id. */
export async function expectAllCreated(adapter: Adapter, count: number): Promise<void> {
  const api = await openClient(adapter, STARTING_DATA)
  const responses = await atOnce(count, (index) => api.post('/pets', { name: `Pet ${index}`, categoryId: 1 }))
  expect(countStatuses(responses)).toEqual({ 201: count })
  expect(new Set(responses.map(({ headers }) => headers.get('location'))).size).toBe(count)
  const total = STARTING_DATA.fixtures.pets.length + count
  expect((await api.get('/pets')).headers.get('x-total-count')).toBe(String(total))
  const state = api.mock.petstore.exportState()
  expect(state.pets.map(({ id }) => id)).toStrictEqual(Array.from({ length: total }, (_, index) => index + 1))
  expect(new Set(state.pets.map(({ name }) => name)).size).toBe(total)
  expect(state.inventory).toHaveLength(total)
  expect(findBrokenInvariants(state)).toStrictEqual([])
}
