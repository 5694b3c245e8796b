import type { Contract } from './contract/contract.js'
import { MockError } from './contract/errors.js'
import type { PartialFixture } from './fixtures/format.js'
import { loadBaseWorld } from './fixtures/load.js'
import { type BaseWorld, createWorld, type World } from './model/world.js'
import { type PetstoreOptions, type ResolvedOptions, resolveOptions } from './options.js'

/** The world a pet store is in: missing while it is being generated, replaced as a whole by `load`. */
export interface CurrentWorld {
  readonly ready: Promise<void>
  /** The options it came from. */
  readonly options: ResolvedOptions
  /** Throws where it is not there yet, or could not be made. */
  get(): World
  /** Back to its start. One that is still being generated is there already. */
  reset(): void
  load(fixtures: PartialFixture): Promise<void>
}

/** `onReplaced` is called when another world has taken the place of the first. */
export function createCurrentWorld(options: PetstoreOptions, contract: Contract, onReplaced: () => void): CurrentWorld {
  let resolved = resolveOptions(options)
  let world: World | undefined
  let failure: unknown

  async function finish(loading: Promise<BaseWorld>): Promise<void> {
    try {
      const base = await loading
      // A world that was loaded in the meantime stays.
      world ??= createWorld(base)
    } catch (error) {
      failure = error
      throw error
    }
  }

  const loading = loadBaseWorld(resolved, contract)
  if (!(loading instanceof Promise)) world = createWorld(loading)
  const ready = loading instanceof Promise ? finish(loading) : Promise.resolve()
  // Whoever waits for it, or asks for the world, hears of a failure; nobody has to.
  ready.catch(() => {})

  return {
    ready,
    get options() {
      return resolved
    },
    get() {
      if (world) return world
      if (failure !== undefined) throw failure
      throw new MockError('NOT_READY', 'the world is still being generated: wait for `await petstore.ready` first')
    },
    reset() {
      if (failure !== undefined) throw failure
      world?.reset()
    },
    async load(fixtures) {
      const { categories, pets, orders, ...others } = options
      // Sizes belong to a scenario; fixtures that are the whole world have none.
      const origin = resolveOptions({ ...(options.scenario === undefined ? others : options), fixtures: {} })
      const base = await loadBaseWorld({ ...origin, fixtures: fixtures ?? null }, contract)
      resolved = { ...origin, fixtures }
      world = createWorld(base)
      onReplaced()
    },
  }
}
