import { monotonicTime, systemTime } from './clock.js'
import { controlContract, openapi, storeContract } from './contract/documents.js'
import type { PlainRequest, PlainResponse } from './contract/messages.js'
import type { StoreOperationId } from './contract/types.js'
import { type Clock, createClock } from './control/clock.js'
import { createComplaints } from './control/complaints.js'
import { createData, type PetstoreData } from './control/data.js'
import { createDeprecations, type MarkedUse } from './control/deprecations.js'
import { createControlHandlers } from './control/handlers.js'
import { createJournal, type Journal } from './control/journal.js'
import { renderEntry, shortenEntry } from './control/journal-entry.js'
import { createOverrides, type Override, type OverrideOptions } from './control/overrides.js'
import { exportState } from './control/state.js'
import { createCore } from './core.js'
import { createCurrentWorld } from './current-world.js'
import { answerRequest, toRequest } from './fetch.js'
import type { Fixture, PartialFixture } from './fixtures/format.js'
import { readState } from './fixtures/load.js'
import type { WorldSnapshot } from './model/world.js'
import { storeHandlers } from './operations/index.js'
import { enforcedRules, noRules } from './operations/rules.js'
import type { PetstoreOptions, ResolvedOptions } from './options.js'

/** A moment of a pet store, to come back to with `restore`. */
export interface Snapshot {
  readonly world: WorldSnapshot
}

/** Arranging data is not a client: it may read what has passed its sunset, and write at any length. */
const UNRESTRICTED = { sunset: 'announce', strict: false, maxBodyBytes: Number.MAX_SAFE_INTEGER } as const

export interface Petstore {
  /** Answers a request as the service would. Takes what `fetch` takes; nothing leaves the process. */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>
  /**
   * Answers a plain request, for doors of one's own: at once, unless an override takes its time. The pet store must be
   * ready.
   */
  handle(request: PlainRequest): PlainResponse | Promise<PlainResponse>
  /** Resolves once the starting world is there: at once for a scenario at its own seed, later for a generated one. */
  readonly ready: Promise<void>
  readonly options: ResolvedOptions
  /** Arranges and looks at the data without HTTP. */
  readonly data: PetstoreData
  readonly clock: Clock
  /** What was asked and answered. */
  readonly journal: Journal
  /** Operations that the document marks as deprecated or not yet stable, and that were used since the last reset. */
  readonly deprecations: readonly MarkedUse[]
  /**
   * Answers an operation in the store's place until the next reset; returns what ends it earlier. The request has been
   * checked by then; an answer outside the document is thrown at the test.
   */
  override<O extends StoreOperationId>(operation: O, override: Override<O>, options?: OverrideOptions): () => void
  /** The data and ids of this moment. The clock goes on. */
  snapshot(): Snapshot
  restore(snapshot: Snapshot): void
  /**
   * Everything as it was created, or as it was last loaded: data, ids, clock, overrides and journal. Ends with `check`,
   * so a test that resets afterwards fails for what went wrong unnoticed.
   */
  reset(): void
  /**
   * Throws what the code under test may have swallowed since the last time: an override that answered outside the
   * document or threw, a request that nobody handles, the use of an operation that `failOn` names.
   */
  check(): void
  /** The data and ids of this moment in the fixture format, to be kept, and to be imported by any pet store. */
  exportState(): Fixture
  /**
   * Takes the place of all data and ids. Where something is wrong with it, a MockError says what, and everything stays
   * as it is. A reset still leads back to the start.
   */
  importState(state: PartialFixture): void
  /**
   * Starts over from other fixtures, laid over the scenario where one was named. Where they cannot be used it rejects,
   * and everything stays as it is.
   */
  load(fixtures: PartialFixture): Promise<void>
}

export function createPetstore(options: PetstoreOptions = {}): Petstore {
  return assemblePetstore(options).petstore
}

/** A change of everything (`reset`), or by a request that was not refused (`write`). */
export type Change = 'reset' | 'write'

/** A pet store, and what a door may want of it besides. */
export interface AssembledPetstore {
  readonly petstore: Petstore
  /** Makes the test hear of something. */
  complain(error: unknown): void
  /** Calls the listener after every change until what it returns is called. */
  onChange(listener: (change: Change) => void): () => void
}

export function assemblePetstore(options: PetstoreOptions): AssembledPetstore {
  const contract = storeContract()
  const clock = createClock(systemTime)
  const overrides = createOverrides(Object.keys(storeHandlers))
  const complaints = createComplaints()
  const listeners = new Set<(change: Change) => void>()
  const current = createCurrentWorld(options, contract, startOver)
  const { seed, rules, journalSize, failOn } = current.options
  const { journal, record } = createJournal({
    size: journalSize,
    clock,
    shorten: shortenEntry,
    render: (entry) => renderEntry(entry, contract),
  })
  const deprecations = createDeprecations((id) => contract.operationById(id)?.markers, failOn)
  const store = {
    rules: rules === 'on' ? enforcedRules : noRules,
    clock,
    get world() {
      return current.get()
    },
  }
  const control = createControlHandlers({ seed, scenario: () => current.options.scenario, time: systemTime })
  const services = [
    { contract, handlers: storeHandlers },
    { contract: controlContract(), handlers: control },
  ]
  const answer = createCore(services, store, current.options, overrides)
  const arrange = createCore(services, store, { ...current.options, ...UNRESTRICTED })
  const arranging = createData({
    seed,
    rules,
    handle(request) {
      current.get()
      return arrange(request)
    },
    requireWorld: () => void current.get(),
    atomically(act) {
      const before = current.get().snapshot()
      try {
        return act()
      } catch (error) {
        current.get().restore(before)
        throw error
      }
    },
  })

  function handle(request: PlainRequest): PlainResponse | Promise<PlainResponse> {
    current.get()
    const startedAt = monotonicTime.now()
    const response = answer(request)
    if (!(response instanceof Promise)) return close(request, response, startedAt)
    return response.then((settled) => close(request, settled, startedAt))
  }

  function close(request: PlainRequest, response: PlainResponse, startedAt: number): PlainResponse {
    const { operation, misuse } = response
    if (!isControl(request, response)) {
      record(request, response, monotonicTime.now() - startedAt)
      if (operation !== undefined) deprecations.record(operation)
    }
    if (misuse !== undefined) complaints.add(misuse)
    if (response.status < 400 && !SAFE_METHODS.includes(request.method)) tell('write')
    return response
  }

  function startOver(): void {
    clock.reset()
    arranging.restart()
    overrides.clear()
    journal.clear()
    tell('reset')
  }

  function tell(change: Change): void {
    for (const listener of listeners) listener(change)
  }

  const petstore: Petstore = {
    async fetch(input, init) {
      const request = toRequest(input, init)
      // Where it failed, the answer says why.
      await current.ready.catch(() => {})
      return answerRequest(handle, request, '')
    },
    handle,
    ready: current.ready,
    get options() {
      return current.options
    },
    data: arranging.data,
    clock,
    journal,
    get deprecations() {
      return deprecations.uses()
    },
    override: (operation, override, overrideOptions) => overrides.add(operation, override, overrideOptions),
    snapshot: () => ({ world: current.get().snapshot() }),
    restore: (snapshot) => current.get().restore(snapshot?.world),
    reset() {
      current.get().reset()
      startOver()
      petstore.check()
    },
    check() {
      const more = deprecations.complaints()
      deprecations.clear()
      complaints.raise(more)
    },
    exportState: () => exportState(current.get(), openapi.hash),
    importState(state) {
      const { records, nextIds } = readState(state ?? null, contract, rules)
      current.get().replaceAll(records, nextIds)
    },
    load: (fixtures) => current.load(fixtures),
  }
  return {
    petstore,
    complain: complaints.add,
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS']

/** Looking at the mock is not part of what is looked at. */
function isControl({ path }: PlainRequest, { operation }: PlainResponse): boolean {
  return operation === undefined ? path.startsWith('/__admin') : !(operation in storeHandlers)
}
