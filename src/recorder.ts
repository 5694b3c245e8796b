import { monotonicTime, type TimeSource } from './clock.js'
import type { Contract } from './contract/contract.js'
import type { PlainRequest, PlainResponse } from './contract/messages.js'
import { createComplaints } from './control/complaints.js'
import { createDeprecations, type MarkedUse, type Marker } from './control/deprecations.js'
import { createJournal, type Journal } from './control/journal.js'
import { renderEntry, shortenEntry } from './control/journal-entry.js'

/** A change of everything (`reset`), or by a request that was not refused (`write`). */
export type Change = 'reset' | 'write'

type Handle = (request: PlainRequest) => PlainResponse | Promise<PlainResponse>

export interface RecorderPorts {
  readonly contract: Contract
  /** The operations of the store: looking at the mock is not part of what is looked at. */
  readonly operations: readonly string[]
  readonly journalSize: number
  readonly failOn: readonly Marker[]
  readonly clock: TimeSource
}

/** Everything that is remembered of what was asked and answered. */
export interface Recorder {
  readonly journal: Journal
  deprecations(): MarkedUse[]
  /** The same answers, and each of them remembered. */
  record(handle: Handle): Handle
  /** Makes the test hear of something. */
  complain(error: unknown): void
  /** Throws what the test has to hear of. */
  check(): void
  /** Forgets everything but what the test has to hear of. What is still under way is of no interest any more. */
  forget(): void
  /** Calls the listener after every change until what it returns is called. */
  onChange(listener: (change: Change) => void): () => void
}

export function createRecorder({ contract, operations, journalSize, failOn, clock }: RecorderPorts): Recorder {
  const complaints = createComplaints()
  const listeners = new Set<(change: Change) => void>()
  const deprecations = createDeprecations((id) => contract.operationById(id)?.markers, failOn)
  const { journal, record } = createJournal({
    size: journalSize,
    operations,
    clock,
    shorten: shortenEntry,
    render: (entry) => renderEntry(entry, contract),
  })
  /** Tells answers apart whose requests were there before everything started over. */
  let era = {}

  function isOfStore({ path }: PlainRequest, { operation }: PlainResponse): boolean {
    return operation === undefined ? !CONTROL_PATH.test(path) : operations.includes(operation)
  }

  function remember(request: PlainRequest, response: PlainResponse, startedAt: number): PlainResponse {
    const { status, operation, misuse } = response
    if (isOfStore(request, response)) {
      record(request, response, monotonicTime.now() - startedAt)
      if (operation !== undefined) deprecations.record(operation)
    }
    if (misuse !== undefined) complaints.add(misuse)
    if (status < 400 && !SAFE_METHODS.includes(request.method)) tell('write')
    return response
  }

  function tell(change: Change): void {
    for (const listener of listeners) listener(change)
  }

  return {
    journal,
    deprecations: deprecations.uses,
    record: (handle) => (request) => {
      const startedAt = monotonicTime.now()
      const asked = era
      const response = handle(request)
      if (!(response instanceof Promise)) return remember(request, response, startedAt)
      return response.then((settled) => (asked === era ? remember(request, settled, startedAt) : settled))
    },
    complain: complaints.add,
    check: () => complaints.raise(deprecations.complaints()),
    forget() {
      for (const use of deprecations.complaints()) complaints.add(use)
      era = {}
      journal.clear()
      deprecations.clear()
      tell('reset')
    },
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

const CONTROL_PATH = /^\/__admin(?:\/|$)/

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS']
