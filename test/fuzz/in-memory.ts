import { expect } from 'vitest'
import {
  createPetstore,
  type Handled,
  type Petstore,
  type PetstoreOptions,
  type PlainRequest,
  type PlainResponse,
} from '../../src/index.js'
import { machineDate, monotonicTime, systemTime } from '../../src/lib/clock.js'
import { parseJson } from '../../src/lib/json.js'
import type { ApiResponse } from '../support/client.js'
import { type Asked, toBytes, toPlain } from './asked.js'
import {
  expectDecent,
  expectSame,
  expectSameText,
  expectSound,
  expectUnpolluted,
  lookAt,
  mustChangeNothing,
} from './properties.js'
import { inOrder, type Sequence, START } from './requests.js'
import { count, describe, type Tally, timed } from './tally.js'

/** Longer than anything takes that is not waited for on purpose. */
const PATIENCE_MS = 10_000

/** After so long whatever is held back on purpose is hurried. */
const HURRY_MS = 3

/** A moment to stop all clocks at, so that the same requests get the same bytes whenever they are sent. */
const NOW = Date.parse('2026-03-31T12:00:00Z')

/** Stops every clock of the mock while something is played. Timers go on. */
export async function withoutTime<T>(play: () => Promise<T>): Promise<T> {
  const clocks = [systemTime, machineDate, monotonicTime]
  const running = clocks.map(({ now }) => now)
  for (const clock of clocks) clock.now = () => NOW
  try {
    return await play()
  } finally {
    for (const [index, clock] of clocks.entries()) clock.now = running[index] as () => number
  }
}

export async function openPetstore(options: PetstoreOptions): Promise<Petstore> {
  const petstore = createPetstore({ ...START, ...options })
  await petstore.ready
  return petstore
}

/** Asks without an adapter, judges every answer and what it leaves behind, and asks another pet store the same. */
export async function playInMemory({ options, requests }: Sequence, tally: Tally): Promise<void> {
  await withoutTime(async () => {
    const [petstore, twin] = [await openPetstore(options), await openPetstore(options)]
    let before = lookAt(petstore)
    await inOrder(requests, async (asked) => {
      const handled = await ask(petstore, toPlain(asked), (act) => timed(tally, () => describe(asked), act))
      const { response, trace } = handled
      count(tally, response.status)
      expectFaultless(handled)
      expectDecent(toAnswer(handled), { isHead: asked.method === 'HEAD', isAskedFor: trace.fault !== undefined })
      const after = lookAt(petstore)
      if (mustChangeNothing(asked.method, response.status)) expectSame(after, before)
      else if (options.rules !== 'off') expectSound(after, before)
      expectSameText(JSON.stringify(await askTwin(twin, asked, handled)), JSON.stringify(toSent(response)))
      before = after
    })
    expectUnpolluted()
    await expectAlive(petstore)
  })
}

/** The answer, however long it is to be held back. */
export async function ask(
  petstore: Petstore,
  request: PlainRequest,
  time: <T>(act: () => T) => T = (act) => act(),
): Promise<Handled> {
  const hurry = new AbortController()
  const response = time(() => petstore.handle(request, { signal: hurry.signal }))
  if (!(response instanceof Promise)) return response
  const timers = [setTimeout(() => hurry.abort(), HURRY_MS)]
  const impatience = new Promise<never>((_, reject) => {
    timers.push(setTimeout(() => reject(new Error('no answer came')), PATIENCE_MS))
  })
  return Promise.race([response, impatience]).finally(() => timers.map(clearTimeout))
}

/** The mock did not fail, and no test misused it. Nothing was sent only where that was asked for. */
function expectFaultless({ response: { status }, trace: { failure, misuse, fault } }: Handled): void {
  if (failure !== undefined) throw failure
  if (misuse !== undefined) throw misuse
  if (status === 0) expect(fault).toBeDefined()
}

/** An answer in the parts that a client sees. */
interface Sent {
  readonly status: number
  readonly headers: Record<string, string>
  readonly text: string
}

export function toSent(response: PlainResponse): Sent {
  const { status, headers, body = '' } = response
  return {
    status,
    headers: Object.fromEntries(new Headers(headers)),
    text: response.stream ? beginningOf(response) : body,
  }
}

function beginningOf({ stream }: PlainResponse): string {
  let text = ''
  stream?.(
    (part) => {
      text += part
    },
    () => {},
  )()
  return text
}

function toAnswer({ response: { status, headers, body: text = '' }, trace: { fault } }: Handled): ApiResponse {
  const sent = new Headers(headers)
  const isJson = sent.get('content-type') === 'application/json' && fault === undefined && text !== ''
  return { status, headers: sent, text, body: isJson ? parseJson(text) : undefined }
}

/** Asks another pet store the same: with `fetch` where that can say it, so that the adapter is tried as well. */
async function askTwin(
  twin: Petstore,
  asked: Asked,
  { response: { stream }, trace: { fault } }: Handled,
): Promise<Sent> {
  if (fault !== undefined || stream !== undefined || !isFetchable(asked)) {
    return toSent((await ask(twin, toPlain(asked))).response)
  }
  const { method, target, headers, body } = asked
  const init = { method, headers: headers as [string, string][], ...(body !== undefined && { body: toBytes(body) }) }
  const response = await twin.fetch(target, init)
  return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() }
}

const FETCHED = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** Whether `fetch` would send it as it is: it puts addresses in order, and a GET has no body. */
function isFetchable({ method, target, body }: Asked): boolean {
  if (!target.startsWith('/') || !FETCHED.includes(method)) return false
  if (body !== undefined && (method === 'GET' || method === 'HEAD')) return false
  const url = new URL(`http://localhost${target}`)
  return url.pathname + url.search === target
}

async function expectAlive(petstore: Petstore): Promise<void> {
  petstore.faults.clear()
  const { response } = await ask(petstore, toPlain({ method: 'GET', target: '/pets', headers: [] }))
  expect(response.status).toBe(200)
}
