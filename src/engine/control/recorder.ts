import { monotonicTime, type TimeSource } from '../../lib/clock.js'
import type { Contract } from '../contract/contract.js'
import type { Handled, HandleOptions, PlainRequest } from '../contract/messages.js'
import type { EventHub } from './events.js'
import { createJournal, type Journal } from './journal.js'
import { type RawEntry, renderEntry } from './journal-entry.js'
import { createLifecycleWarnings, type LifecycleMarker, type LifecycleWarning } from './lifecycle-warnings.js'
import type { UnreportedErrors } from './unreported-errors.js'

type Handle = (request: PlainRequest, isAdmin: boolean, options?: HandleOptions) => Handled | Promise<Handled>

export interface RecorderPorts {
  readonly contract: Contract
  /** The operations of the service; requests to the admin API are not recorded. */
  readonly operations: readonly string[]
  readonly journalSize: number
  readonly journalBytes: number
  readonly failOn: readonly LifecycleMarker[]
  readonly clock: TimeSource
  readonly events: EventHub
  /** Shared by the root and its sandboxes: a `check()` of the root reports the errors of all. */
  readonly unreportedErrors: UnreportedErrors
  /** `check()` of a sandbox may never be called, so a sandbox reports forbidden operations at once. */
  readonly isSandbox: boolean
  recordCoverage(operation: string, status: number): void
}

/** Records requests in journal, coverage, lifecycle warnings and events. */
export interface Recorder {
  readonly journal: Journal
  lifecycleWarnings(): LifecycleWarning[]
  /** Wraps a handler so that every request is recorded. */
  record(handle: Handle): Handle
  /** Throws the unreported errors. */
  check(): void
  /** Drops everything but unreported errors. Requests still in flight will not be recorded. */
  reset(): void
}

export function createRecorder(ports: RecorderPorts): Recorder {
  const { contract, journalSize, journalBytes, failOn, clock, events, unreportedErrors, isSandbox } = ports
  const warnings = createLifecycleWarnings((id) => contract.operationById(id)?.markers, failOn)
  const { journal, record } = createJournal({
    size: journalSize,
    bytes: journalBytes,
    operations: ports.operations,
    contract,
    clock,
  })
  /** Replaced at each reset. */
  let generation = {}
  const serviceOperations = new Set(ports.operations)

  function recordHandled(request: PlainRequest, isAdmin: boolean, handled: Handled, startedAt: number): Handled {
    const { response, trace } = handled
    const { operation } = trace
    if (trace.misuse !== undefined) unreportedErrors.add(trace.misuse)
    const isRecorded = operation === undefined ? !isAdmin : serviceOperations.has(operation)
    if (!isRecorded) return handled
    const entry = record(request, handled, monotonicTime.now() - startedAt)
    if (operation !== undefined) {
      warnings.record(operation)
      ports.recordCoverage(operation, response.status)
      if (isSandbox) reportWarnings()
    }
    if (!events.hasListeners) return handled
    events.emit(toEvent(entry))
    const { status } = response
    if (status > 0 && status < 400 && !SAFE_METHODS.includes(request.method)) {
      events.emit({ type: 'state', cause: 'request' })
    }
    return handled
  }

  function reportWarnings(): void {
    for (const error of warnings.takeErrors()) unreportedErrors.add(error)
  }

  /** The entry is rendered only when a listener reads it. */
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
    lifecycleWarnings: warnings.list,
    record: (handle) => (request, isAdmin, options) => {
      const startedAt = monotonicTime.now()
      const startedIn = generation
      const handled = handle(request, isAdmin, options)
      if (!(handled instanceof Promise)) return recordHandled(request, isAdmin, handled, startedAt)
      return handled.then((settled) =>
        startedIn === generation ? recordHandled(request, isAdmin, settled, startedAt) : settled,
      )
    },
    check: () => unreportedErrors.throwAll(warnings.takeErrors()),
    reset() {
      reportWarnings()
      generation = {}
      journal.clear()
      warnings.clear()
    },
  }
}

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS']
