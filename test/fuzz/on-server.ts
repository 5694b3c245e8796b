import { expect } from 'vitest'
import {
  type PetstoreServer,
  type RequestRecord,
  type ServerOptions,
  startServer,
} from '../../src/adapters/server/index.js'
import type { Petstore, PlainRequest } from '../../src/index.js'
import type { ApiResponse } from '../support/client.js'
import { type Asked, toBytes, toPlain, toWire } from './asked.js'
import { cutUp, type Mutated, mutate } from './bytes.js'
import { ask, openPetstore, toSent, withoutTime } from './in-memory.js'
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
import { converse, isEndless, readAnswers } from './socket.js'
import { count, describe, type Tally } from './tally.js'

/** A server that is watched: what it hands on to the pet store, and what it says it has answered. */
export interface Watched extends PetstoreServer {
  readonly handed: PlainRequest[]
  readonly records: RequestRecord[]
}

export async function openWatched(options: ServerOptions = {}): Promise<Watched> {
  const records: RequestRecord[] = []
  const server = await startServer({ ...START, ...options, port: 0, onRequest: (record) => records.push(record) })
  const { petstore } = server
  const { handle } = petstore
  const handed: PlainRequest[] = []
  const watch: Pick<Petstore, 'handle'> = {
    handle(request, waiting) {
      handed.push(request)
      return handle(request, waiting)
    },
  }
  Object.assign(petstore, watch)
  return { ...server, petstore, handed, records }
}

/** Asks over a socket, judges every answer, and compares it with what the same request gets without an adapter. */
export async function playOnServer({ options, requests }: Sequence, tally: Tally): Promise<void> {
  await withoutTime(async () => {
    const server = await openWatched(options)
    try {
      const twin = await openPetstore(options)
      let before = lookAt(server.petstore)
      await inOrder(requests, async (asked) => {
        const response = await send(server, asked)
        count(tally, response?.status ?? 0)
        const [record] = server.records
        expectHonest(server.records)
        const isHead = asked.method === 'HEAD'
        if (response === undefined) expect(record?.fault, `no answer to ${describe(asked)}`).toBeDefined()
        else expectDecent(response, { isHead, isAskedFor: record?.fault !== undefined })
        const after = lookAt(server.petstore)
        if (mustChangeNothing(asked.method, record?.status ?? response?.status ?? 0)) expectSame(after, before)
        else if (options.rules !== 'off') expectSound(after, before)
        await expectLikeTwin(server, twin, asked, response)
        before = after
      })
      expectUnpolluted()
      server.petstore.faults.clear()
      await expectAnswered(server)
    } finally {
      await server.close()
    }
  })
}

async function send(server: Watched, asked: Asked): Promise<ApiResponse | undefined> {
  server.handed.length = 0
  server.records.length = 0
  const isHead = asked.method === 'HEAD'
  const isWhole = (heard: Buffer) => isEndless(heard) || readAnswers(heard, isHead).answers.length > 0
  const { bytes } = await converse(server.port, [toBytes(toWire(asked))], isWhole)
  return isEndless(bytes) ? STREAM : readAnswers(bytes, isHead).answers[0]
}

/** Stands for an answer that goes on; what is in it depends on how long one listens. */
const STREAM: ApiResponse = { status: 200, headers: new Headers(), text: '', body: undefined }

/** Headers of the connection, and what the server adds for pages of other origins. */
const OF_THE_DOOR = /^(?:connection|date|keep-alive|vary|access-control-.*)$/

async function expectLikeTwin(
  { handed }: Watched,
  twin: Petstore,
  asked: Asked,
  answer: ApiResponse | undefined,
): Promise<void> {
  const [request] = handed
  // Refused at the adapter, or a page of it.
  if (request === undefined) return
  const { method, path, query, body } = toPlain(asked)
  if (isOriginForm(asked))
    expect({ method: request.method, path: request.path, query: request.query }).toStrictEqual({ method, path, query })
  if (body !== undefined && request.body !== 'too large') expect(textOf(request)).toBe(textOf({ body }))
  const { response } = await ask(twin, request)
  if (answer === undefined || answer === STREAM || response.delivery !== undefined) return
  const headers = Object.fromEntries([...answer.headers].filter(([name]) => !OF_THE_DOOR.test(name)))
  const sent = { status: answer.status, headers, text: answer.text }
  expectSameText(JSON.stringify(sent), JSON.stringify(toSent(response)))
}

function textOf({ body }: Pick<PlainRequest, 'body'>): string {
  return body === undefined || body === 'too large' ? '' : Buffer.from(body).toString('latin1')
}

function isOriginForm({ target }: Asked): boolean {
  return target.startsWith('/')
}

/** What the server tells whoever logs it. */
function expectHonest(records: readonly RequestRecord[]): void {
  for (const { failure } of records) if (failure !== undefined) throw failure
}

/** A plain request on a fresh connection is answered, whatever came before. */
async function expectAnswered(server: Watched): Promise<void> {
  const response = await send(server, { method: 'GET', target: '/pets', headers: [] })
  expect(response?.status).toBe(200)
}

/** Sends bytes that were HTTP once, and judges what comes back and what is left behind. */
export async function playBytes(server: Watched, mutated: Mutated, tally: Tally): Promise<void> {
  const { petstore, port, handed, records } = server
  await withoutTime(async () => {
    startOver(petstore)
    handed.length = 0
    records.length = 0
    const before = lookAt(petstore)
    const bytes = mutate(mutated)
    const heard = await converse(port, cutUp(bytes, mutated.cuts))
    expect(heard.isOver).toBe(true)
    const { answers: responses, rest } = readAnswers(heard.bytes, Buffer.from(bytes).includes('HEAD '))
    const isAskedFor = records.some(({ fault }) => fault !== undefined)
    for (const response of responses) {
      count(tally, response.status)
      expectDecent(response, {
        isHead: response.text === '',
        isAskedFor: isAskedFor || response.headers.has('preference-applied'),
      })
    }
    if (responses.length === 0) count(tally, 0)
    if (!isAskedFor && !isEndless(heard.bytes)) expect(rest.toString('latin1')).toBe('')
    expectHonest(records)
    const after = lookAt(petstore)
    if (records.every(({ method, status }) => mustChangeNothing(method, status))) expectSame(after, before)
    else expectSound(after, before)
    petstore.faults.clear()
    await expectAnswered(server)
  })
}

/** As it was started, to the last name. */
function startOver(petstore: Petstore): void {
  for (const { name } of petstore.sandboxes.list()) petstore.sandboxes.delete(name)
  for (const { name } of petstore.snapshots.list()) petstore.snapshots.delete(name)
  petstore.reset()
}
