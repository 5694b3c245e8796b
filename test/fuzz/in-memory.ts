import { expect } from 'vitest'
import {
  createPetstore,
  type Outcome,
  type Petstore,
  type PetstoreOptions,
  type PlainRequest,
  type PlainResponse,
} from '../../src/index.js'
import { machineDate, monotonicTime, systemTime } from '../../src/lib/clock.js'
import { parseJson } from '../../src/lib/json.js'
import type { ApiResponse } from '../support/client.js'
import {
  expectInvariants,
  expectSame,
  expectSameText,
  expectUnpolluted,
  expectValidResponse,
  mustChangeNothing,
  readState,
} from './properties.js'
import { type FuzzRequest, toBytes, toPlain } from './request.js'
import { type Sequence, START } from './requests.js'
import { count, describe, type Tally, timed } from './tally.js'

/** The time limit for a response that is not delayed on purpose. */
const TIMEOUT_MS = 30_000

/** After this time, a response that is delayed on purpose is aborted. */
const ABORT_AFTER_MS = 3

/** All clocks are frozen at this time, so that the same requests always get the same bytes. */
const NOW = Date.parse('2026-03-31T12:00:00Z')

/** Freezes every clock of the mock during a function. Timers keep running. */
export async function withFrozenClocks<T>(run: () => Promise<T>): Promise<T> {
  const clocks = [systemTime, machineDate, monotonicTime]
  const running = clocks.map(({ now }) => now)
  for (const clock of clocks) clock.now = () => NOW
  try {
    return await run()
  } finally {
    for (const [index, clock] of clocks.entries()) clock.now = running[index] as () => number
  }
}

export async function openPetstore(options: PetstoreOptions): Promise<Petstore> {
  const petstore = createPetstore({ ...START, ...options })
  await petstore.ready
  return petstore
}

/** Sends requests without an adapter, checks every response and the state after it, and compares with a second mock. */
export async function runInMemory({ options, requests }: Sequence, tally: Tally): Promise<void> {
  await withFrozenClocks(async () => {
    const [petstore, twin] = [await openPetstore(options), await openPetstore(options)]
    let before = readState(petstore)
    for (const request of requests) {
      const outcome = await handleRequest(petstore, toPlain(request), (act) =>
        timed(tally, () => describe(request), act),
      )
      const { response, trace } = outcome
      count(tally, response.status)
      expectNoFailure(outcome)
      expectValidResponse(toApiResponse(outcome), {
        isHead: request.method === 'HEAD',
        isSimulated: trace.fault !== undefined,
      })
      const after = readState(petstore)
      if (mustChangeNothing(request.method, response.status)) expectSame(after, before)
      else if (options.rules !== 'off') expectInvariants(after, before)
      expectSameText(JSON.stringify(await sendToTwin(twin, request, outcome)), JSON.stringify(toSent(response)))
      before = after
    }
    expectUnpolluted()
    await expectResponding(petstore)
  })
}

/** The response, without its simulated delay. */
export async function handleRequest(
  petstore: Petstore,
  request: PlainRequest,
  time: <T>(act: () => T) => T = (act) => act(),
): Promise<Outcome> {
  const aborter = new AbortController()
  const response = time(() => petstore.handle(request, { signal: aborter.signal }))
  if (!(response instanceof Promise)) return response
  // The admin API has no simulated delays, and makes no export for a client that is gone.
  const timers = request.path.includes('admin') ? [] : [setTimeout(() => aborter.abort(), ABORT_AFTER_MS)]
  const timeout = new Promise<never>((_, reject) => {
    timers.push(setTimeout(() => reject(new Error('No response.')), TIMEOUT_MS))
  })
  return Promise.race([response, timeout]).finally(() => timers.map(clearTimeout))
}

/** Expects no failure and no misuse of the mock, and a missing response only for a fault. */
function expectNoFailure({ response: { status }, trace: { failure, misuse, fault } }: Outcome): void {
  if (failure !== undefined) throw failure
  if (misuse !== undefined) throw misuse
  if (status === 0) expect(fault).toBeDefined()
}

/** The parts of a response that a client sees. */
interface Sent {
  readonly status: number
  readonly headers: Record<string, string>
  readonly text: string
}

export function toSent(response: PlainResponse): Sent {
  const { status, headers } = response
  return {
    status,
    headers: Object.fromEntries(new Headers(headers)),
    text: response.stream ? startOf(response) : textOf(response),
  }
}

function textOf({ body = '', bytes }: PlainResponse): string {
  return bytes ? new TextDecoder().decode(bytes) : body
}

function startOf({ stream }: PlainResponse): string {
  let text = ''
  stream?.(
    (part) => {
      text += part
    },
    () => {},
  )()
  return text
}

function toApiResponse({ response, trace: { fault } }: Outcome): ApiResponse {
  const { status, headers } = response
  const text = textOf(response)
  const sent = new Headers(headers)
  const isJson = sent.get('content-type') === 'application/json' && fault === undefined && text !== ''
  return { status, headers: sent, text, body: isJson ? parseJson(text) : undefined }
}

/** Sends the request to the second mock: with `fetch` if possible, to test that adapter too. */
async function sendToTwin(
  twin: Petstore,
  request: FuzzRequest,
  { response: { stream }, trace: { fault } }: Outcome,
): Promise<Sent> {
  if (fault !== undefined || stream !== undefined || !isFetchable(request)) {
    return toSent((await handleRequest(twin, toPlain(request))).response)
  }
  const { method, target, headers, body } = request
  const init = { method, headers: headers as [string, string][], ...(body !== undefined && { body: toBytes(body) }) }
  const response = await twin.fetch(target, init)
  return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() }
}

const FETCH_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** Whether `fetch` would send it unchanged: it normalizes URLs, and a GET has no body. */
function isFetchable({ method, target, body }: FuzzRequest): boolean {
  if (!target.startsWith('/') || !FETCH_METHODS.includes(method)) return false
  if (body !== undefined && (method === 'GET' || method === 'HEAD')) return false
  const url = new URL(`http://localhost${target}`)
  return url.pathname + url.search === target
}

async function expectResponding(petstore: Petstore): Promise<void> {
  petstore.faults.clear()
  petstore.overrides.clear()
  const { response } = await handleRequest(petstore, toPlain({ method: 'GET', target: '/pets', headers: [] }))
  expect(response.status).toBe(200)
}
