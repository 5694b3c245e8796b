import { monotonicTime, type TimeSource } from '../../lib/clock.js'
import { isSafeMethod } from '../../lib/safe-method.js'
import type { Contract } from '../contract/contract.js'
import type { Outcome, PlainRequest } from '../contract/messages.js'
import type { EngineOptions } from '../options.js'
import type { Recording, RequestStep } from '../reproduction/recording.js'
import { sendingMs } from './apply-fault.js'
import { createContractViolations } from './contract-violations.js'
import type { EventHub } from './events.js'
import { createJournal } from './journal.js'
import { type JournalEntry, renderEntry } from './journal-entry.js'
import { createLifecycleWarnings } from './lifecycle-warnings.js'
import type { UnreportedErrors } from './unreported-errors.js'

interface RecorderDependencies {
  readonly contract: Contract
  readonly options: Pick<EngineOptions, 'journalSize' | 'journalBytes' | 'failOn'>
  readonly clock: TimeSource
  readonly events: EventHub
  readonly recording: Recording
  /** Errors of a sandbox are the root's as well. */
  readonly unreportedErrors: UnreportedErrors
  /** `check()` of a sandbox may never be called, so a sandbox reports forbidden operations at once. */
  readonly isSandbox: boolean
  recordCoverage(operation: string, status: number): void
}

/** Records requests in journal, reproduction, coverage, lifecycle warnings and events. */
export function createRecorder(dependencies: RecorderDependencies) {
  const { contract, options, clock, events, recording, unreportedErrors, isSandbox } = dependencies
  const { journalSize: size, journalBytes: bytes, failOn } = options
  const warnings = createLifecycleWarnings((id) => contract.operationById(id)?.markers, failOn)
  const violations = createContractViolations(failOn.includes('violation'))
  const { journal, waitForEntries, record: recordEntry } = createJournal({ size, bytes, contract, clock })
  const clearEntries = journal.clear
  /** Replaced at each reset. */
  let generation = {}

  function record(request: PlainRequest, step: RequestStep | undefined, outcome: Outcome, durationMs: number): void {
    const { response, trace } = outcome
    const { operation } = trace
    if (trace.misuse !== undefined) unreportedErrors.add(trace.misuse)
    // Requests to the admin API are not recorded.
    if (step === undefined) return
    if (operation !== undefined && contract.operationById(operation) === undefined) {
      recording.drop(step)
      return
    }
    violations.record(request, outcome)
    const entry = recordEntry(request, outcome, durationMs + sendingMs(response))
    recording.complete(step, entry)
    if (operation !== undefined) {
      warnings.record(operation)
      dependencies.recordCoverage(operation, response.status)
      if (isSandbox) reportWarnings()
    }
    if (!events.hasListeners) return
    events.emit({ type: 'request', entry: summarize(renderEntry(entry, contract)) })
    if (hasSucceeded(outcome) && !isSafeMethod(request.method)) events.emit({ type: 'state', cause: 'request' })
  }

  function clearJournal(): void {
    clearEntries()
    // The test has seen them in the journal.
    violations.takeErrors()
  }
  journal.clear = () => {
    clearJournal()
    events.emit({ type: 'journal', change: 'cleared' })
  }

  function reportWarnings(): void {
    for (const error of warnings.takeErrors()) unreportedErrors.add(error)
  }

  return {
    journal,
    journalEntries: waitForEntries,
    lifecycleWarnings: warnings.list,
    /** Call it when a request arrives, with the time by the mock's clock, and the function it returns with the outcome. */
    begin(request: PlainRequest, isAdmin: boolean, at: number): (outcome: Outcome) => void {
      const startedAt = monotonicTime.now()
      const step = isAdmin ? undefined : recording.begin(request, at)
      const startedIn = generation
      return (outcome) => {
        if (startedIn === generation) record(request, step, outcome, monotonicTime.now() - startedAt)
      }
    },
    /** Uses of operations, and requests, that `failOn` forbids. */
    takeErrors: () => [...warnings.takeErrors(), ...violations.takeErrors()],
    /** Drops everything but unreported errors. Requests still in flight will not be recorded. */
    reset(): void {
      generation = {}
      recording.clear()
      clearJournal()
      warnings.clear()
    },
  }
}

/** Whether the operation itself succeeded, whatever an override has answered. */
function hasSucceeded({ response: { status }, trace }: Outcome): boolean {
  return trace.performed ?? (trace.override === undefined && status > 0 && status < 400)
}

function summarize({ request, response, ...summary }: JournalEntry) {
  return summary
}
