import { monotonicTime, type TimeSource } from '../../lib/clock.js'
import { isAdminPath } from '../address.js'
import type { Contract } from '../contract/contract.js'
import type { PlainRequest, PlainResponse, Waiting } from '../contract/messages.js'
import type { EventHub } from './events.js'
import { createJournal, type Journal, type RawEntry } from './journal.js'
import { renderEntry, toKept } from './journal-entry.js'
import { createDeprecations, type LifecycleMarker, type LifecycleWarning } from './lifecycle-warnings.js'
import type { UnreportedErrors } from './unreported-errors.js'

type Handle = (request: PlainRequest, waiting?: Waiting) => PlainResponse | Promise<PlainResponse>

export interface RecorderPorts {
  readonly contract: Contract
  /** The operations of the store: looking at the mock is not part of what is looked at. */
  readonly operations: readonly string[]
  readonly journalSize: number
  readonly journalBytes: number
  readonly failOn: readonly LifecycleMarker[]
  readonly clock: TimeSource
  readonly events: EventHub
  /** Shared by a pet store and its sandboxes, so that whoever checks hears of all. */
  readonly unreportedErrors: UnreportedErrors
  /** Whether uses that are to fail a test are told of at once, because nobody may come to check this recorder. */
  readonly isSandbox: boolean
  /** Counts an answer of the store's. */
  cover(operation: string, status: number): void
}

/** Everything that is remembered of what was asked and answered. */
export interface Recorder {
  readonly journal: Journal
  lifecycleWarnings(): LifecycleWarning[]
  /** The same answers, and each of them remembered. */
  record(handle: Handle): Handle
  /** Makes the test hear of something. */
  reportError(error: unknown): void
  /** Throws what the test has to hear of. */
  check(): void
  /** Forgets everything but what the test has to hear of. What is still under way is of no interest any more. */
  forget(): void
}

export function createRecorder(ports: RecorderPorts): Recorder {
  const { contract, operations, journalSize, journalBytes, failOn, clock, events, unreportedErrors, isSandbox, cover } =
    ports
  const deprecations = createDeprecations((id) => contract.operationById(id)?.markers, failOn)
  const { journal, record } = createJournal({
    size: journalSize,
    bytes: journalBytes,
    operations,
    clock,
    toKept,
    render: (entry) => renderEntry(entry, contract),
  })
  /** Tells answers apart whose requests were there before everything started over. */
  let era = {}
  const ofStore = new Set(operations)

  function isOfStore({ path }: PlainRequest, { operation }: PlainResponse): boolean {
    return operation === undefined ? !isAdminPath(path) : ofStore.has(operation)
  }

  function remember(request: PlainRequest, response: PlainResponse, startedAt: number): PlainResponse {
    const { status, operation, misuse } = response
    if (misuse !== undefined) unreportedErrors.add(misuse)
    if (!isOfStore(request, response)) return response
    const entry = record(request, response, monotonicTime.now() - startedAt)
    if (operation !== undefined) {
      deprecations.record(operation)
      cover(operation, status)
      if (isSandbox) passOn()
    }
    if (!events.isHeard) return response
    events.emit(toEvent(entry))
    if (status > 0 && status < 400 && !SAFE_METHODS.includes(request.method)) {
      events.emit({ type: 'state', cause: 'request' })
    }
    return response
  }

  function passOn(): void {
    for (const use of deprecations.unreportedErrors()) unreportedErrors.add(use)
  }

  /** Worked out for those who look at it. */
  function toEvent(raw: RawEntry) {
    return {
      type: 'request' as const,
      get entry() {
        const { request, response, ...summary } = renderEntry(raw, contract)
        return summary
      },
    }
  }

  return {
    journal,
    lifecycleWarnings: deprecations.uses,
    record: (handle) => (request, waiting) => {
      const startedAt = monotonicTime.now()
      const asked = era
      const response = handle(request, waiting)
      if (!(response instanceof Promise)) return remember(request, response, startedAt)
      return response.then((settled) => (asked === era ? remember(request, settled, startedAt) : settled))
    },
    reportError: unreportedErrors.add,
    check: () => unreportedErrors.raise(deprecations.unreportedErrors()),
    forget() {
      passOn()
      era = {}
      journal.clear()
      deprecations.clear()
    },
  }
}

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS']
