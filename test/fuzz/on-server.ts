import { expect } from 'vitest'
import {
  type PetstoreServer,
  type RequestRecord,
  type ServerOptions,
  startServer,
} from '../../src/adapters/server/index.js'
import type { Petstore, PlainRequest } from '../../src/index.js'
import type { ApiResponse } from '../support/client.js'
import { split, type WireCase } from './byte-mutations.js'
import { handleRequest, openPetstore, toSent, withFrozenClocks } from './in-memory.js'
import {
  expectInvariants,
  expectSame,
  expectSameText,
  expectUnpolluted,
  expectValidResponse,
  mustChangeNothing,
  readState,
} from './properties.js'
import { type FuzzRequest, toBytes, toPlain, toWire } from './request.js'
import { type Sequence, START } from './requests.js'
import { exchange, isEndless, readResponses } from './socket.js'
import { count, describe, type Tally } from './tally.js'

/** A server that records the requests it passes to the mock, and its log records. */
export interface RecordingServer extends PetstoreServer {
  readonly received: PlainRequest[]
  readonly records: RequestRecord[]
}

async function openRecordingServer(options: ServerOptions = {}): Promise<RecordingServer> {
  const records: RequestRecord[] = []
  const server = await startServer({ ...START, ...options, port: 0, onRequest: (record) => records.push(record) })
  const { petstore } = server
  const { handle } = petstore
  const received: PlainRequest[] = []
  const recording: Pick<Petstore, 'handle'> = {
    handle(request, options) {
      received.push(request)
      return handle(request, options)
    },
  }
  Object.assign(petstore, recording)
  return { ...server, petstore, received, records }
}

/** Sends requests over a socket, checks every response, and compares it with the response of a second mock without an adapter. */
export async function runOnServer({ options, requests }: Sequence, tally: Tally): Promise<void> {
  await withFrozenClocks(async () => {
    const server = await openRecordingServer(options)
    try {
      const twin = await openPetstore(options)
      let before = readState(server.petstore)
      for (const request of requests) {
        const response = await send(server, request)
        count(tally, response?.status ?? 0)
        const [record] = server.records
        expectNoFailures(server.records)
        const isHead = request.method === 'HEAD'
        if (response === undefined) expect(record?.fault, `no response to ${describe(request)}`).toBeDefined()
        else expectValidResponse(response, { isHead, isSimulated: record?.fault !== undefined })
        const after = readState(server.petstore)
        if (mustChangeNothing(request.method, record?.status ?? response?.status ?? 0)) expectSame(after, before)
        else if (options.rules !== 'off') expectInvariants(after, before)
        await expectLikeTwin(server, twin, request, response)
        before = after
      }
      expectUnpolluted()
      server.petstore.faults.clear()
      server.petstore.overrides.clear()
      await expectResponding(server)
    } finally {
      await server.close()
    }
  })
}

async function send(server: RecordingServer, request: FuzzRequest): Promise<ApiResponse | undefined> {
  server.received.length = 0
  server.records.length = 0
  const isHead = request.method === 'HEAD'
  const isWhole = (exchanged: Buffer) => isEndless(exchanged) || readResponses(exchanged, isHead).responses.length > 0
  const { bytes } = await exchange(server.port, [toBytes(toWire(request))], isWhole)
  return isEndless(bytes) ? STREAM : readResponses(bytes, isHead).responses[0]
}

/** Represents an endless response, whose content depends on the time. */
const STREAM: ApiResponse = { status: 200, headers: new Headers(), text: '', body: undefined }

/** Headers of the connection, and those that the server adds for pages of other origins. */
const ADDED_BY_SERVER = /^(?:connection|date|keep-alive|vary|access-control-.*)$/

async function expectLikeTwin(
  { received }: RecordingServer,
  twin: Petstore,
  sent: FuzzRequest,
  actual: ApiResponse | undefined,
): Promise<void> {
  const [request] = received
  // The adapter rejected it, or returned one of its own pages.
  if (request === undefined) return
  const { method, path, query, body } = toPlain(sent)
  if (isOriginForm(sent))
    expect({ method: request.method, path: request.path, query: request.query }).toStrictEqual({ method, path, query })
  if (body !== undefined && request.body !== 'too large') expect(textOf(request)).toBe(textOf({ body }))
  const { response } = await handleRequest(twin, request)
  if (actual === undefined || actual === STREAM || response.delivery !== undefined) return
  const headers = Object.fromEntries([...actual.headers].filter(([name]) => !ADDED_BY_SERVER.test(name)))
  const returned = { status: actual.status, headers, text: actual.text }
  expectSameText(JSON.stringify(returned), JSON.stringify(toSent(response)))
}

function textOf({ body }: Pick<PlainRequest, 'body'>): string {
  return body === undefined || body === 'too large' ? '' : Buffer.from(body).toString('latin1')
}

function isOriginForm({ target }: FuzzRequest): boolean {
  return target.startsWith('/')
}

/** Expects that the log records have no failures. */
function expectNoFailures(records: readonly RequestRecord[]): void {
  for (const { failure } of records) if (failure !== undefined) throw failure
}

/** Expects a response to an ordinary request on a new connection. */
async function expectResponding(server: RecordingServer): Promise<void> {
  const response = await send(server, { method: 'GET', target: '/pets', headers: [] })
  expect(response?.status).toBe(200)
}

/** Sends mutated HTTP bytes, and checks the responses and the state afterwards. */
export async function runBytes(wire: WireCase, tally: Tally): Promise<void> {
  await withFrozenClocks(async () => {
    const server = await openRecordingServer()
    try {
      const { petstore, port, records } = server
      const before = readState(petstore)
      const exchanged = await exchange(port, split(wire))
      expect(exchanged.isClosed).toBe(true)
      const { responses, rest } = readResponses(exchanged.bytes, wire.text.includes('HEAD '))
      const isSimulated = records.some(({ fault }) => fault !== undefined)
      for (const response of responses) {
        count(tally, response.status)
        expectValidResponse(response, {
          isHead: response.text === '',
          isSimulated: isSimulated || response.headers.has('preference-applied'),
        })
      }
      if (responses.length === 0) count(tally, 0)
      if (!isSimulated && !isEndless(exchanged.bytes)) expect(rest.toString('latin1')).toBe('')
      expectNoFailures(records)
      const after = readState(petstore)
      if (records.every(({ method, status }) => mustChangeNothing(method, status))) expectSame(after, before)
      else expectInvariants(after, before)
      petstore.faults.clear()
      petstore.overrides.clear()
      await expectResponding(server)
    } finally {
      await server.close()
    }
  })
}
