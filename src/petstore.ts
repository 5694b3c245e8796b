import { systemTime } from './clock.js'
import { controlContract, storeContract } from './contract/documents.js'
import { MockError } from './contract/errors.js'
import type { PlainRequest, PlainResponse } from './contract/messages.js'
import { type Clock, createClock } from './control/clock.js'
import { createControlHandlers } from './control/handlers.js'
import { createCore } from './core.js'
import { toPlainRequest, toRequest, toResponse } from './fetch.js'
import { loadBaseWorld } from './fixtures/load.js'
import { type BaseWorld, createWorld, type WorldSnapshot } from './model/world.js'
import { storeHandlers } from './operations/index.js'
import { enforcedRules, noRules } from './operations/rules.js'
import { type PetstoreOptions, type ResolvedOptions, resolveOptions } from './options.js'

/** A moment of a pet store, to come back to with `restore`. */
export interface Snapshot {
  readonly world: WorldSnapshot
}

export interface Petstore {
  /** Answers a request as the service would. Takes what `fetch` takes; nothing leaves the process. */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>
  /** Answers a plain request at once, for doors of one's own. The pet store must be ready. */
  handle(request: PlainRequest): PlainResponse
  /** Resolves once the starting world is there: at once for a scenario at its own seed, later for a generated one. */
  readonly ready: Promise<void>
  readonly options: ResolvedOptions
  readonly clock: Clock
  snapshot(): Snapshot
  restore(snapshot: Snapshot): void
  /** Everything as it was created: data, ids and clock. */
  reset(): void
}

interface Running {
  readonly handle: (request: PlainRequest) => PlainResponse
  snapshot(): Snapshot
  restore(snapshot: Snapshot): void
  reset(): void
}

export function createPetstore(options: PetstoreOptions = {}): Petstore {
  const resolved = resolveOptions(options)
  const clock = createClock(systemTime)
  const base = loadBaseWorld(resolved, storeContract())
  let running = base instanceof Promise ? undefined : run(base, resolved, clock)
  const ready = Promise.resolve(base).then((loaded) => {
    running ??= run(loaded, resolved, clock)
  })
  // Whoever waits for it hears of a failure; nobody has to.
  ready.catch(() => {})

  function current(): Running {
    if (running) return running
    throw new MockError('NOT_READY', 'the world is still being generated: wait for `await petstore.ready` first')
  }

  return {
    async fetch(input, init) {
      const request = toRequest(input, init)
      request.signal.throwIfAborted()
      if (!running) await ready
      const plain = await toPlainRequest(request)
      request.signal.throwIfAborted()
      return toResponse(current().handle(plain))
    },
    handle: (request) => current().handle(request),
    ready,
    options: resolved,
    clock,
    snapshot: () => current().snapshot(),
    restore: (snapshot) => current().restore(snapshot),
    reset: () => current().reset(),
  }
}

function run(base: BaseWorld, options: ResolvedOptions, clock: Clock): Running {
  const world = createWorld(base)
  const rules = options.rules === 'on' ? enforcedRules : noRules
  const control = createControlHandlers({ seed: options.seed, scenario: options.scenario, time: systemTime })
  const services = [
    { contract: storeContract(), handlers: storeHandlers },
    { contract: controlContract(), handlers: control },
  ]
  return {
    handle: createCore(services, { world, rules, clock }, options),
    snapshot: () => ({ world: world.snapshot() }),
    restore: (snapshot) => world.restore(snapshot.world),
    reset() {
      world.reset()
      clock.reset()
    },
  }
}
