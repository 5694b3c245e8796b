import type { Contract } from '../../document/contract/contract.js'
import { readAdminRequest } from '../../engine/admin/request.js'
import type { ClockState } from '../../engine/control/clock.js'
import type { RecordedControl, RecordedExchange, Reproduction } from '../../engine/log/reproduction.js'
import { toRecordedResponse } from '../../engine/log/reproduction.js'
import type { Mock } from '../../engine/mock/mock.js'
import type { ServiceTypes } from '../../engine/service.js'
import { monotonicTime } from '../../lib/clock.js'
import { stringifyJson } from '../../lib/json.js'
import { nextTurn } from '../../lib/steps.js'
import { STOPPED } from '../server/cannot-check.js'
import { COMPARED_HEADERS, compareResponses, normaliseHeader } from './compare-responses.js'
import { createOverrideFunctions, hiddenHeaders, toPlainRequest } from './recorded-request.js'
import {
  compared,
  createReplayReport,
  type Described,
  describeRecordedRequest,
  type ReplayedRequest,
  type ReplayReport,
  skipped,
} from './report.js'

export interface ReplayOptions {
  /** Stops before the request with this number, from 1. */
  readonly until?: number | undefined
  /** Waits as long as the delays of faults and options say. Otherwise nothing waits. */
  readonly withDelays?: boolean | undefined
  /** Knows which credentials the operations require. Without it, requests have none. */
  readonly contract?: Contract | undefined
  /** Sent with every request, in place of recorded ones with their names. */
  readonly headers?: readonly (readonly [name: string, value: string])[] | undefined
  readonly signal: AbortSignal
}

/** They follow from the body, or from the version of petstore-mock. */
const IGNORED_HEADERS = ['content-length', 'x-petstore-mock']

/** Repeats a reproduction in a new mock that was created with its starting options, and compares the responses. */
export async function replay<T extends ServiceTypes>(
  mock: Mock<T>,
  { sandbox, steps, missing }: Reproduction,
  { until = Number.POSITIVE_INFINITY, withDelays = false, contract, headers = [], signal }: ReplayOptions,
): Promise<ReplayReport> {
  const instance = sandbox === undefined ? mock : mock.sandboxes.open(sandbox)
  const { clock } = instance
  const functions = createOverrideFunctions(instance)
  const given = Object.fromEntries([...new Headers(headers.map(([name, value]) => [name, value]))])
  const replayed: ReplayedRequest[] = []
  let number = 0
  /** Whether the recorded clock stood still. The clock of the replay always does. */
  let isFrozen = false

  /** In place of those that were sent and are hidden. If they were rejected, any would be wrong. */
  function credentialsOf({ operation, request, response }: RecordedExchange): Readonly<Record<string, string>> {
    if (operation === undefined || response?.status === 401) return {}
    return contract?.operationById(operation)?.security?.toHeaders(hiddenHeaders(request)) ?? {}
  }

  async function repeatControl({ control, isFunction, failed }: RecordedControl): Promise<void> {
    const { method, path, body } = control
    if (readAdminRequest(control)?.operation === 'setClock') {
      const { frozen, sunset } = (body ?? {}) as Partial<ClockState>
      isFrozen = frozen === true
      if (sunset !== undefined) clock.setSunset(sunset)
    } else if (isFunction) {
      functions.add(control)
    } else {
      const request = { method, path, query: '', base: '', headers: { 'content-type': 'application/json' } }
      const text = body === undefined ? undefined : new TextEncoder().encode(stringifyJson(body))
      const { response } = await instance.handle(text ? { ...request, body: text } : request, {
        signal,
        skipLimits: true,
      })
      const isRejected = response.status >= 400
      if (isRejected === (failed === true)) return
      const [expected, received] = [failed === true, isRejected].map((each) => (each ? 'rejected' : 'accepted'))
      const described = { number, request: `${method} ${path}` }
      replayed.push(compared(described, (note) => note('outcome', `${expected}`, `${received}: ${response.body}`)))
    }
  }

  async function repeatRequest(step: RecordedExchange, described: Described): Promise<ReplayedRequest> {
    const { request, response: recorded, fault, override, upstream } = step
    if (request.cut) return skipped(described, 'its body was too long to record')
    functions.start(step)
    const plain = toPlainRequest(request)
    const sent = { ...plain, headers: { ...plain.headers, ...credentialsOf(step), ...given } }
    const outcome = await instance.handle(sent, { signal, skipDelays: !withDelays })
    if (recorded === undefined) return skipped(described, 'it had no response yet')
    if (functions.wereCalled()) return skipped(described, 'a function made its response')
    const isOfUpstream = upstream?.outcome === 'answered' && fault === undefined && override === undefined
    if (upstream !== undefined && !isOfUpstream) return skipped(described, 'it is not the response of the real service')
    const received = { ...toRecordedResponse(outcome.response, undefined), fault: outcome.trace.fault }
    const mayDiffer = (name: string) =>
      isOfUpstream
        ? COMPARED_HEADERS.includes(name) &&
          normaliseHeader(name, recorded.headers[name]) !== normaliseHeader(name, received.headers[name])
        : !IGNORED_HEADERS.includes(name)
    const result = compared(described, (note) => compareResponses({ ...recorded, fault }, received, mayDiffer, note))
    return isOfUpstream ? { ...result, isOfUpstream } : result
  }

  clock.freeze()
  let pauseAt = monotonicTime.now() + SLICE_MS
  for (const step of steps) {
    if (monotonicTime.now() > pauseAt) {
      // Nothing in a replay waits: without a pause, a signal to stop would never arrive.
      await nextTurn()
      pauseAt = monotonicTime.now() + SLICE_MS
    }
    clock.set(step.at)
    if ('control' in step) {
      if (!signal.aborted) await repeatControl(step)
    } else {
      number += 1
      if (number >= until) break
      const described = { number, request: describeRecordedRequest(step) }
      replayed.push(signal.aborted ? skipped(described, STOPPED) : await repeatRequest(step, described))
    }
  }
  if (!isFrozen) clock.unfreeze()
  return createReplayReport(replayed, { missing })
}

/** How long steps are repeated without a pause. */
const SLICE_MS = 50
