import type { RecordedExchange, RecordedRequest, Reproduction } from '../engine/reproduction/reproduction.js'
import { isSafeMethod } from '../lib/safe-method.js'
import { readOperations } from '../verify/operations.js'
import { recognise } from '../verify/recognise.js'
import { NEEDS_WRITES } from '../verify/report.js'
import {
  CannotCheck,
  connect,
  type OutgoingRequest,
  type ServiceOptions,
  type ServiceResponse,
} from '../verify/service.js'
import { compareResponses } from './compare.js'
import { bytesOf, toPlainRequest } from './recorded-request.js'
import {
  compared,
  createReport,
  type Described,
  describeRequest,
  type ReplayedRequest,
  type ReplayReport,
  skipped,
} from './report.js'

export interface ReplayAgainstOptions extends ServiceOptions {
  /** Whether to send requests that change data. */
  readonly allowWrites: boolean
  readonly signal: AbortSignal
}

/** They belong to a connection, or to the mock. `fetch` sets its own. */
const NOT_SENT =
  /^(?:host|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect|content-length|accept-encoding|x-petstore-.*|baggage|prefer)$/

/** The headers that the contract is about. */
const COMPARED_HEADERS = [
  'content-type',
  'location',
  'link',
  'x-total-count',
  'deprecation',
  'sunset',
  'x-stability',
  'allow',
]

/** Sends the requests of a reproduction to a service, and compares the responses. */
export async function replayAgainst(
  { steps, missing }: Reproduction,
  options: ReplayAgainstOptions,
): Promise<ReplayReport> {
  const { baseUrl, allowWrites, signal } = options
  const service = connect(options, signal)
  await recognise(readOperations(), service, baseUrl)

  async function repeat(step: RecordedExchange, described: Described): Promise<ReplayedRequest> {
    const { request, response } = step
    const obstacle = findObstacle(step) ?? (allowWrites || isSafeMethod(request.method) ? undefined : NEEDS_WRITES)
    if (obstacle !== undefined) return skipped(described, obstacle)
    try {
      const received = await service.send((step.operation ?? 'listPets') as never, toOutgoing(request))
      return compared(described, (note) =>
        compareResponses(response as never, toRecorded(received), (name) => COMPARED_HEADERS.includes(name), note),
      )
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
      replayed.push(await repeat(step, { number: replayed.length + 1, request: describeRequest(step) }))
    }
  }
  return createReport(replayed, { against: baseUrl, missing })
}

/** Why a service cannot be asked for the same response. */
function findObstacle({ request, response, fault, override }: RecordedExchange): string | undefined {
  if (response === undefined) return 'it had no response yet'
  if (fault) return 'a fault made its response'
  if (override !== undefined) return 'an override made its response'
  if (request.cut || request.tooLarge) return 'its body was too long to record'
  return request.path === '*' ? 'fetch cannot send it' : undefined
}

function toOutgoing(recorded: RecordedRequest): OutgoingRequest {
  const { method, path, query, headers } = toPlainRequest(recorded)
  const sent = Object.entries(headers).filter(([name]) => !NOT_SENT.test(name))
  return {
    method,
    target: query === '' ? path : `${path}?${query}`,
    headers: Object.fromEntries(sent) as Record<string, string>,
    body: bytesOf(recorded),
  }
}

function toRecorded({ status, headers, text }: ServiceResponse) {
  return { status, headers: Object.fromEntries(headers), ...(text !== '' && { body: text }) }
}
