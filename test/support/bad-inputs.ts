import { expect } from 'vitest'
import type { PetstoreOptions } from '../../src/index.js'
import { type Adapter, adapters, type RunningMock } from './adapters.js'
import {
  type ApiResponse,
  type Client,
  expectError,
  expectNoLongEcho,
  expectResponse,
  openClient,
  readResponse,
} from './client.js'
import { findBrokenInvariants } from './invariants.js'
import { contractHeaders, fillPath, type Operation, STARTING_DATA, VALID_BODIES } from './operations.js'

/** What comes with a request line. */
export interface Sent {
  readonly headers?: Readonly<Record<string, string>>
  /** Bytes go out as they are, and a text does so in UTF-8. */
  readonly body?: string | Uint8Array<ArrayBuffer>
  /** `application/json` where there is a body; null leaves the header out. */
  readonly contentType?: string | null
}

/** An input that is refused, as a row of a table: `['A1 an unknown path', 'GET /nope', '404 ROUTE_NOT_FOUND', '/nope']`. */
export type BadInput = readonly [
  title: string,
  line: string,
  refusal: string,
  /** What the message must name. */
  naming: string | RegExp,
  sent?: Sent | undefined,
]

/** The rows of a table, each with its title in front. */
export function withTitle(inputs: readonly BadInput[]): [title: string, input: BadInput][] {
  return inputs.map((input) => [input[0], input])
}

/** The pet store that a test asks, and one like it in memory, which has to answer the same. */
export interface Pair {
  readonly api: Client
  readonly memory: Client
}

export async function openPair(adapter: Adapter, options: PetstoreOptions = STARTING_DATA): Promise<Pair> {
  const [memory] = adapters as [Adapter]
  const pair = { api: await openClient(adapter, options), memory: await openClient(memory, options) }
  for (const { mock } of [pair.api, pair.memory]) {
    mock.petstore.clock.freeze()
    mock.petstore.clock.set('2026-06-01T12:00:00Z')
  }
  return pair
}

/** Sends a request line with its escapes as they are. A redirect would not be followed, but seen. */
export async function sendLine(mock: RunningMock, line: string, sent: Sent = {}): Promise<ApiResponse> {
  const [method = '', path = ''] = line.split(' ')
  const { body, contentType = body === undefined ? null : 'application/json' } = sent
  const headers = new Headers(sent.headers)
  if (contentType !== null) headers.set('Content-Type', contentType)
  // A text would have `fetch` make up a content type.
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  return readResponse(
    await mock.fetch(path, { method, headers, redirect: 'manual', ...(bytes !== undefined && { body: bytes }) }),
  )
}

/** Sends it to both, which must answer alike, and go on answering from a sound world. */
export async function sendToPair({ api, memory }: Pair, line: string, sent?: Sent): Promise<ApiResponse> {
  const response = await sendLine(api.mock, line, sent)
  const expected = await sendLine(memory.mock, line, sent)
  expect(shown(response)).toStrictEqual(shown(expected))
  await expectConsistent(api)
  return response
}

function shown(response: ApiResponse): object {
  return { status: response.status, headers: contractHeaders(response), text: response.text }
}

/** Through the adapter, the inventory is what a recount of the pets gives, and nothing else is wrong with the world. */
export async function expectConsistent({ mock, get }: Client): Promise<void> {
  const [pets, inventory] = [await get('/pets?limit=100'), await get('/store/inventory?limit=100')]
  expect([pets.status, inventory.status]).toEqual([200, 200])
  expect((inventory.body as Counted[]).map(({ petId, status }) => [petId, status])).toStrictEqual(
    (pets.body as Counted[]).map(({ id, status }) => [id, status]),
  )
  expect(findBrokenInvariants(mock.petstore.exportState())).toStrictEqual([])
}

/** A pet or its inventory entry. */
interface Counted {
  readonly id?: number | bigint
  readonly petId?: number | bigint
  readonly status: string
}

/** The input is refused with this error, alike on every adapter, and does no harm. */
export async function expectRejectedUnchanged(
  pair: Pair,
  [, line, refusal, naming, sent]: BadInput,
): Promise<ApiResponse> {
  const [status, code = ''] = refusal.split(' ')
  const { petstore } = pair.api.mock
  const before = petstore.exportState()
  const response = await sendToPair(pair, line, sent)
  // With the ids that come next.
  expect(petstore.exportState()).toStrictEqual(before)
  expectError(response, Number(status), code)
  const { message } = response.body as { message: string }
  if (typeof naming === 'string') expect(message).toContain(naming)
  else expect(message).toMatch(naming)
  expectNoLongEcho(response, [line, sent?.body, sent?.contentType, ...Object.values(sent?.headers ?? {})].map(textOf))
  return response
}

/** As it was sent, byte by byte where it is no text. */
function textOf(part: unknown): string {
  if (part instanceof Uint8Array) return new TextDecoder('latin1').decode(part)
  return String(part ?? '')
}

/** The input looks odd but is fine: it is answered exactly like this, alike on every adapter. */
export async function expectAccepted(
  pair: Pair,
  line: string,
  status: number,
  body?: unknown,
  sent?: Sent | undefined,
): Promise<ApiResponse> {
  const response = await sendToPair(pair, line, sent)
  expectResponse(response, status, body)
  return response
}

/** The request line of an operation of `WORLD`, and what comes with it, so that it succeeds. */
export function lineOf({ id, method, path }: Operation): { readonly line: string; readonly sent: Sent } {
  const body = VALID_BODIES[id]
  return { line: `${method} ${fillPath(path)}`, sent: body === undefined ? {} : { body: JSON.stringify(body) } }
}
