import type { RecordedExchange, RecordedRequest, Reproduction } from '../../engine/log/reproduction.js'
import type { OutgoingRequest } from '../../http/messages.js'
import { isSafeMethod } from '../../http/methods.js'
import { canFetch } from '../../lib/environment.js'
import { CannotCheck, NEEDS_WRITES } from '../server/cannot-check.js'
import { connectToService } from '../server/connection.js'
import { type RecognisedService, recogniseService } from '../server/recognise-service.js'
import type { ServiceOptions } from '../server/send-request.js'
import type { ServiceResponse } from '../server/service-response.js'
import { COMPARED_HEADERS, compareResponses, normaliseHeader } from './compare-responses.js'
import { bytesOf, toPlainRequest } from './recorded-request.js'
import {
  compared,
  createReplayReport,
  type Described,
  describeRecordedRequest,
  type ReplayedRequest,
  type ReplayReport,
  skipped,
  targetOf,
} from './report.js'

export interface ReplayAgainstOptions extends ServiceOptions {
  /** Whether to send requests that change data. */
  readonly allowWrites: boolean
  readonly signal: AbortSignal
}

/** They belong to a connection, a proxy or the mock. `fetch` sets its own. */
const NOT_SENT =
  /^(?:host|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect|content-length|accept-encoding|forwarded|x-forwarded-.*|x-petstore-.*|baggage|prefer)$/

/** Sends the requests of a reproduction to a service, and compares the responses. */
export async function replayAgainst(
  recognised: RecognisedService,
  { steps, missing }: Reproduction,
  options: ReplayAgainstOptions,
): Promise<ReplayReport> {
  const { baseUrl, allowWrites, signal } = options
  const basePath = new URL(baseUrl).pathname.replace(/\/$/, '')
  const given = new Set(options.headers.map(([name]) => name.toLowerCase()))
  const service = connectToService(options, signal)
  await recogniseService(recognised, service, options)

  async function repeat(step: RecordedExchange, described: Described): Promise<ReplayedRequest> {
    const { request, response } = step
    if (response === undefined) return skipped(described, 'it had no response yet')
    const outgoing = toOutgoing(request, given)
    const obstacle =
      findObstacle(step, outgoing) ?? (allowWrites || isSafeMethod(request.method) ? undefined : NEEDS_WRITES)
    if (obstacle !== undefined) return skipped(described, obstacle)
    try {
      const received = toRecorded(await service.send(step.operation, outgoing))
      const move = (address: string) => moveAddress(address, request.base ?? '', basePath)
      const mayDiffer = (name: string) =>
        COMPARED_HEADERS.includes(name) &&
        normaliseHeader(name, response.headers[name], move) !== normaliseHeader(name, received.headers[name])
      return compared(described, (note) => compareResponses(response, received, mayDiffer, note))
    } catch (error) {
      if (!(error instanceof CannotCheck)) throw error
      return signal.aborted
        ? skipped(described, error.message)
        : compared(described, (note) => note('response', 'a response', error.message))
    }
  }

  const replayed: ReplayedRequest[] = []
  for (const step of steps) {
    if ('request' in step) {
      replayed.push(await repeat(step, { number: replayed.length + 1, request: describeRecordedRequest(step) }))
    }
  }
  return createReplayReport(replayed, { against: baseUrl, missing })
}

/** Why a service cannot be asked for the same response. */
function findObstacle(
  { request, fault, override }: RecordedExchange,
  { method, target, headers, body }: OutgoingRequest,
): string | undefined {
  if (fault) return 'a fault made its response'
  if (override !== undefined) return 'an override made its response'
  if (request.cut || request.tooLarge) return 'its body was too long to record'
  return canFetch(method, target, headers, body !== undefined) ? undefined : 'fetch cannot send it'
}

/** Without the recorded headers whose names are in `given`: the user's own are sent instead. */
function toOutgoing(recorded: RecordedRequest, given: ReadonlySet<string>): OutgoingRequest {
  const { method, headers } = toPlainRequest(recorded)
  const sent = Object.entries(headers).filter(([name]) => !NOT_SENT.test(name) && !given.has(name))
  return {
    method,
    target: targetOf(recorded),
    headers: Object.fromEntries(sent) as Record<string, string>,
    body: bytesOf(recorded),
  }
}

function toRecorded({ status, headers, text }: ServiceResponse) {
  return { status, headers: Object.fromEntries(headers), ...(text !== '' && { body: text }) }
}

/** The same address below another base address. */
function moveAddress(address: string, from: string, to: string): string {
  return address.startsWith(`${from}/`) ? `${to}${address.slice(from.length)}` : address
}
