import { systemTime } from './clock.js'
import { controlContract, openapi, storeContract } from './contract/documents.js'
import type { PlainRequest, PlainResponse } from './contract/messages.js'
import type { StoreOperationId } from './contract/types.js'
import { type Clock, createClock } from './control/clock.js'
import { createData, type PetstoreData } from './control/data.js'
import type { MarkedUse } from './control/deprecations.js'
import { createControlHandlers } from './control/handlers.js'
import type { Journal } from './control/journal.js'
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
import { createRecorder, type Recorder } from './recorder.js'

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

/** A pet store, and what a door may want of it besides. */
export interface AssembledPetstore extends Pick<Recorder, 'complain' | 'onChange'> {
  readonly petstore: Petstore
}

export function assemblePetstore(options: PetstoreOptions): AssembledPetstore {
  const contract = storeContract()
  const clock = createClock(systemTime)
  const operations = Object.keys(storeHandlers)
  const overrides = createOverrides(operations)
  const current = createCurrentWorld(options, contract, startOver)
  const { seed, rules, journalSize, failOn } = current.options
  const recorder = createRecorder({ contract, operations, journalSize, failOn, clock })
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
  const answer = recorder.record(createCore(services, store, current.options, overrides))
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
    requireWorld()
    return answer(request)
  }

  /** Whoever asks too early hears of it; a world that cannot be made at all is the test's affair as well. */
  function requireWorld(): void {
    try {
      current.get()
    } catch (error) {
      recorder.complain(error)
      throw error
    }
  }

  function startOver(): void {
    clock.reset()
    arranging.restart()
    overrides.clear()
    recorder.forget()
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
    journal: recorder.journal,
    get deprecations() {
      return recorder.deprecations()
    },
    override: (operation, override, overrideOptions) => overrides.add(operation, override, overrideOptions),
    snapshot: () => ({ world: current.get().snapshot() }),
    restore: (snapshot) => current.get().restore(snapshot?.world),
    reset() {
      current.reset()
      startOver()
      recorder.check()
    },
    check: recorder.check,
    exportState: () => exportState(current.get(), openapi.hash),
    importState(state) {
      const { records, nextIds } = readState(state ?? null, contract, rules)
      current.get().replaceAll(records, nextIds)
    },
    load: (fixtures) => current.load(fixtures),
  }
  return { petstore, complain: recorder.complain, onChange: recorder.onChange }
}
