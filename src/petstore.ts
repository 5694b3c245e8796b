import { systemTime } from './clock.js'
import { controlContract, storeContract } from './contract/documents.js'
import type { PlainRequest, PlainResponse } from './contract/messages.js'
import { type Clock, createClock } from './control/clock.js'
import { createData, type PetstoreData } from './control/data.js'
import { createControlHandlers } from './control/handlers.js'
import { type CoreOptions, createCore } from './core.js'
import { createCurrentWorld } from './current-world.js'
import { toPlainRequest, toRequest, toResponse } from './fetch.js'
import type { PartialFixture } from './fixtures/format.js'
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

type Handle = (request: PlainRequest) => PlainResponse

export interface Petstore {
  /** Answers a request as the service would. Takes what `fetch` takes; nothing leaves the process. */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>
  /** Answers a plain request at once, for doors of one's own. The pet store must be ready. */
  handle(request: PlainRequest): PlainResponse
  /** Resolves once the starting world is there: at once for a scenario at its own seed, later for a generated one. */
  readonly ready: Promise<void>
  readonly options: ResolvedOptions
  /** Arranges and looks at the data without HTTP. */
  readonly data: PetstoreData
  readonly clock: Clock
  /** The data and ids of this moment. The clock goes on. */
  snapshot(): Snapshot
  restore(snapshot: Snapshot): void
  /** Everything as it was created, or as it was last loaded: data, ids and clock. */
  reset(): void
  /**
   * Starts over from other fixtures, laid over the scenario where one was named. Where they cannot be used it rejects,
   * and everything stays as it is.
   */
  load(fixtures: PartialFixture): Promise<void>
}

export function createPetstore(options: PetstoreOptions = {}): Petstore {
  const contract = storeContract()
  const clock = createClock(systemTime)
  const current = createCurrentWorld(options, contract, () => {
    clock.reset()
    arranging.restart()
  })
  const { seed, rules } = current.options
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
  const createHandle = (core: CoreOptions): Handle => {
    const answer = createCore(services, store, core)
    return (request) => {
      current.get()
      return answer(request)
    }
  }
  const handle = createHandle(current.options)
  const arranging = createData({
    seed,
    rules,
    handle: createHandle({ ...current.options, ...UNRESTRICTED }),
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

  return {
    async fetch(input, init) {
      const request = toRequest(input, init)
      request.signal.throwIfAborted()
      // Where it failed, the answer says why.
      await current.ready.catch(() => {})
      const plain = await toPlainRequest(request)
      request.signal.throwIfAborted()
      return toResponse(handle(plain))
    },
    handle,
    ready: current.ready,
    get options() {
      return current.options
    },
    data: arranging.data,
    clock,
    snapshot: () => ({ world: current.get().snapshot() }),
    restore: (snapshot) => current.get().restore(snapshot?.world),
    reset() {
      current.get().reset()
      clock.reset()
      arranging.restart()
    },
    load: (fixtures) => current.load(fixtures),
  }
}
