import type { PartialFixture } from '../petstore/fixtures/format.js'
import { loadBaseWorld } from '../petstore/fixtures/load.js'
import type { ScenarioName } from '../petstore/fixtures/scenarios.js'
import { type PetstoreOptions, type ResolvedOptions, refuseUnknown, resolveOptions } from '../petstore/options.js'
import type { BaseWorld } from '../petstore/world.js'
import type { Contract } from './contract/contract.js'
import { MockError } from './contract/errors.js'
import type { ResetOptions } from './control/mock.js'
import { callUserFunction } from './control/unreported-errors.js'

/** A starting state, and what it was made from. */
export interface Beginning {
  readonly base: BaseWorld
  readonly seed: number
  readonly scenario: ScenarioName
}

/** Where a pet store starts, and every sandbox of it: missing while it is being generated, replaced by `load`. */
export interface Origin {
  readonly ready: Promise<void>
  /** The options it came from. */
  readonly options: ResolvedOptions
  /** Undefined where it is not there yet; throws where it could not be made. */
  find(): Beginning | undefined
  /** Throws where it is not there yet as well. */
  get(): Beginning
  /** The beginning of another world, which leaves this one what it is. */
  elsewhere(other: ResetOptions): Promise<Beginning>
  load(fixtures: PartialFixture): Promise<void>
}

export function createOrigin(
  options: PetstoreOptions,
  contract: Contract,
  reportError: (error: Error) => void,
): Origin {
  let resolved = resolveOptions(options)
  let beginning: Beginning | undefined
  let failure: unknown
  /** Those that were asked for lately: every sandbox of a test run may want the same one. */
  const elsewhere = new Map<string, Promise<Beginning>>()

  async function finish(loading: Promise<BaseWorld>): Promise<void> {
    try {
      const base = await loading
      // A world that was loaded in the meantime stays.
      beginning ??= begin(base, resolved)
    } catch (error) {
      failure = error
      throw error
    }
  }

  function load(wanted: Parameters<typeof loadBaseWorld>[0]): BaseWorld | Promise<BaseWorld> {
    const { onProgress } = wanted
    if (onProgress === undefined) return loadBaseWorld(wanted, contract)
    const tell = (done: number, total: number) =>
      callUserFunction('onProgress', () => onProgress(done, total), reportError)
    return loadBaseWorld({ ...wanted, onProgress: tell }, contract)
  }

  const loading = load(resolved)
  if (!(loading instanceof Promise)) beginning = begin(loading, resolved)
  const ready = loading instanceof Promise ? finish(loading) : Promise.resolve()
  // Whoever waits for it, or asks for the world, hears of a failure; nobody has to.
  ready.catch(() => {})

  function find(): Beginning | undefined {
    if (beginning === undefined && failure !== undefined) throw failure
    return beginning
  }

  async function beginElsewhere(seed: number, scenario: ScenarioName | undefined): Promise<Beginning> {
    const { fixtures, categories, pets, orders, ...others } = resolved
    // A scenario that is named is that scenario: what was laid over, or how large the first was, belongs to the first.
    const wanted = scenario === undefined ? { ...resolved, seed } : { ...others, seed, scenario }
    const other = resolveOptions(wanted as PetstoreOptions)
    return begin(await load(other), other)
  }

  return {
    ready,
    get options() {
      return resolved
    },
    find,
    get() {
      const found = find()
      if (found) return found
      throw new MockError('NOT_READY', 'the world is still being generated: wait for `await petstore.ready` first')
    },
    async elsewhere(other) {
      refuseUnknown(other, ['seed', 'scenario'])
      const { seed = resolved.seed, scenario } = other
      const key = `${seed} ${scenario ?? ''}`
      const made = elsewhere.get(key) ?? beginElsewhere(seed, scenario)
      elsewhere.delete(key)
      elsewhere.set(key, made)
      made.catch(() => elsewhere.delete(key))
      const [oldest] = elsewhere.keys()
      if (elsewhere.size > MAX_ELSEWHERE && oldest !== undefined) elsewhere.delete(oldest)
      return made
    },
    async load(fixtures) {
      const { categories, pets, orders, ...others } = options
      // Sizes belong to a scenario; fixtures that are the whole world have none.
      const origin = resolveOptions({ ...(options.scenario === undefined ? others : options), fixtures: {} })
      const base = await load({ ...origin, fixtures: fixtures ?? null })
      resolved = { ...origin, fixtures }
      elsewhere.clear()
      beginning = begin(base, resolved)
    },
  }
}

/** Each may be as large as memory allows. */
const MAX_ELSEWHERE = 4

function begin(base: BaseWorld, { seed, scenario }: ResolvedOptions): Beginning {
  return { base, seed, scenario }
}
