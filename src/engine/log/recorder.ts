import type { Contract } from '../../document/contract/contract.js'
import type { Outcome, PlainRequest } from '../../http/messages.js'
import { isSafeMethod } from '../../http/methods.js'
import { monotonicTime } from '../../lib/clock.js'
import { createContractViolations } from '../control/contract-violations.js'
import { createLifecycleWarnings } from '../control/lifecycle-warnings.js'
import type { UnreportedErrors } from '../control/unreported-errors.js'
import type { EngineOptions } from '../options.js'
import { sendingMs } from '../rules/apply-fault.js'
import type { EventHub } from './events.js'
import { createJournal } from './journal.js'
import { type JournalEntry, renderEntry } from './journal-entry.js'
import type { Log } from './log.js'
import type { StoredEntry } from './stored-entry.js'

interface RecorderDependencies {
  readonly contract: Contract
  readonly options: Pick<EngineOptions, 'failOn'>
  readonly events: EventHub
  readonly log: Log
  /** Errors of a sandbox are the root's as well. */
  readonly unreportedErrors: UnreportedErrors
  /** `check()` of a sandbox may never be called, so a sandbox reports forbidden operations at once. */
  readonly isSandbox: boolean
  recordCoverage(operation: string, status: number): void
}

/** Called with what becomes of a request. */
export interface RequestRecord {
  /** The request is for this operation of the service. */
  onOperation(operation: string): void
  /** The operation has succeeded, whatever an override makes of it. */
  onSuccess(): void
  /** The response will be sent later. */
  onWait(): void
  /** Returns the outcome. */
  onOutcome(outcome: Outcome): Outcome
}

/** Records requests in the log, coverage, lifecycle warnings and events. */
export function createRecorder(dependencies: RecorderDependencies) {
  const { contract, options, events, log, unreportedErrors, isSandbox } = dependencies
  const { failOn } = options
  const warnings = createLifecycleWarnings((id) => contract.operationById(id)?.markers, failOn)
  const violations = createContractViolations(failOn.includes('violation'))
  const { journal, waitForEntries, announce: announceEntry } = createJournal(log.journal, contract)
  const clearEntries = journal.clear
  /** Replaced at each reset. */
  let generation = {}

  function list(entry: StoredEntry, operation: string | undefined): void {
    log.list(entry, operation)
    announceEntry(entry)
  }

  /** Returns the entry, unless the request turned out not to be for the service, or the journal was cleared meanwhile. */
  function record({ request, entry, startedAt }: ArrivedRequest, outcome: Outcome): StoredEntry | undefined {
    const { response, trace } = outcome
    const { operation } = trace
    if (trace.misuse !== undefined) unreportedErrors.add(trace.misuse)
    // Requests to the admin API are not recorded.
    if (entry === undefined) return undefined
    if (operation !== undefined && contract.operationById(operation) === undefined) {
      log.drop(entry)
      return undefined
    }
    violations.record(request, outcome)
    // What matches no operation is recorded only now.
    if (entry.id === 0) list(entry, undefined)
    const isListed = log.complete(entry, outcome, monotonicTime.now() - startedAt + sendingMs(response))
    if (isListed) announceEntry(entry)
    if (operation !== undefined) {
      warnings.record(operation)
      dependencies.recordCoverage(operation, response.status)
      if (isSandbox) reportWarnings()
    }
    return isListed ? entry : undefined
  }

  /** A class, because closures for each request would take more memory than everything else that is kept of it. */
  class ArrivedRequest implements RequestRecord {
    readonly startedAt = monotonicTime.now()
    readonly #generation = generation
    #isWaiting = false
    #hasChanged = false

    constructor(
      readonly request: PlainRequest,
      /** Missing for the admin API. */
      readonly entry: StoredEntry | undefined,
    ) {}

    onOperation(operation: string): void {
      if (this.entry) list(this.entry, operation)
    }

    onSuccess(): void {
      this.#hasChanged = !isSafeMethod(this.request.method)
      if (this.#isWaiting) this.#announceChange()
    }

    onWait(): void {
      if (this.#generation !== generation) return
      this.#isWaiting = true
      if (this.entry && this.entry.id > 0) announce(this.entry)
      this.#announceChange()
    }

    onOutcome(outcome: Outcome): Outcome {
      if (this.#generation !== generation) return outcome
      announce(record(this, outcome))
      this.#announceChange()
      return outcome
    }

    #announceChange(): void {
      if (this.#hasChanged) events.emit({ type: 'state', cause: 'request' })
      this.#hasChanged = false
    }
  }

  function announce(entry: StoredEntry | undefined): void {
    if (entry === undefined || !events.hasListeners) return
    events.emit({ type: 'request', entry: summarize(renderEntry(entry, contract)) })
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
    /** Call it when a request arrives, with the time by the mock's clock, and the functions it returns with what follows. */
    begin: (request: PlainRequest, isAdmin: boolean, at: number): RequestRecord =>
      new ArrivedRequest(request, isAdmin ? undefined : log.begin(request, at)),
    /** Uses of operations, and requests, that `failOn` forbids. */
    takeErrors: () => [...warnings.takeErrors(), ...violations.takeErrors()],
    /** Drops everything but unreported errors. Requests still in flight will not be recorded. */
    reset(): void {
      generation = {}
      clearJournal()
      log.clear()
      warnings.clear()
    },
  }
}

function summarize({ request, response, ...summary }: JournalEntry) {
  return summary
}
