import { systemTime } from './clock.js'
import { controlContract, storeContract } from './contract/documents.js'
import { MockError } from './contract/errors.js'
import type { PlainRequest, PlainResponse } from './contract/messages.js'
import { type Clock, createClock } from './control/clock.js'
import { createData, type PetstoreData } from './control/data.js'
import { createControlHandlers } from './control/handlers.js'
import { createCore } from './core.js'
import { toPlainRequest, toRequest, toResponse } from './fetch.js'
import type { PartialFixture } from './fixtures/format.js'
import { loadBaseWorld } from './fixtures/load.js'
import { type BaseWorld, createWorld, type World, type WorldSnapshot } from './model/world.js'
import { storeHandlers } from './operations/index.js'
import { enforcedRules, noRules } from './operations/rules.js'
import { type PetstoreOptions, type ResolvedOptions, resolveOptions } from './options.js'

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
  snapshot(): Snapshot
  restore(snapshot: Snapshot): void
  /** Everything as it was created: data, ids and clock. */
  reset(): void
  /**
   * Starts over from other fixtures, laid over the scenario where one was named. Where they cannot be used it rejects,
   * and everything stays as it is.
   */
  load(fixtures: PartialFixture): Promise<void>
}

export function createPetstore(options: PetstoreOptions = {}): Petstore {
  const resolved = resolveOptions(options)
  const clock = createClock(systemTime)
  const rules = resolved.rules === 'on' ? enforcedRules : noRules
  /** The world is missing while it is being generated, and replaced by `load`. */
  const store: { world: World | undefined } = { world: undefined }

  function world(): World {
    if (store.world) return store.world
    throw new MockError('NOT_READY', 'the world is still being generated: wait for `await petstore.ready` first')
  }

  const current = {
    rules,
    clock,
    get world() {
      return world()
    },
  }
  const control = createControlHandlers({ seed: resolved.seed, scenario: resolved.scenario, time: systemTime })
  const services = [
    { contract: storeContract(), handlers: storeHandlers },
    { contract: controlContract(), handlers: control },
  ]
  const whenReady = (answer: Handle): Handle => {
    return (request) => {
      world()
      return answer(request)
    }
  }
  const handle = whenReady(createCore(services, current, resolved))
  const arranging = createData({
    seed: resolved.seed,
    rules: resolved.rules,
    handle: whenReady(createCore(services, current, { ...resolved, ...UNRESTRICTED })),
    atomically(act) {
      const before = world().snapshot()
      try {
        return act()
      } catch (error) {
        world().restore(before)
        throw error
      }
    },
  })

  function start(base: BaseWorld): void {
    store.world = createWorld(base)
    clock.reset()
    arranging.restart()
  }

  const loading = loadBaseWorld(resolved, storeContract())
  if (!(loading instanceof Promise)) start(loading)
  // A world that was loaded in the meantime stays.
  const ready =
    loading instanceof Promise ? loading.then((base) => store.world ?? start(base)).then(() => {}) : Promise.resolve()
  // Whoever waits for it hears of a failure; nobody has to.
  ready.catch(() => {})

  return {
    async fetch(input, init) {
      const request = toRequest(input, init)
      request.signal.throwIfAborted()
      if (!store.world) await ready
      const plain = await toPlainRequest(request)
      request.signal.throwIfAborted()
      return toResponse(handle(plain))
    },
    handle,
    ready,
    options: resolved,
    data: arranging.data,
    clock,
    snapshot: () => ({ world: world().snapshot() }),
    restore: (snapshot) => world().restore(snapshot.world),
    reset() {
      world().reset()
      clock.reset()
      arranging.restart()
    },
    async load(fixtures) {
      const { categories, pets, orders, ...others } = options
      // Sizes belong to a scenario; fixtures that are the whole world have none.
      const origin = options.scenario === undefined ? others : options
      start(await loadBaseWorld({ ...resolveOptions({ ...origin, fixtures: {} }), fixtures }, storeContract()))
    },
  }
}
