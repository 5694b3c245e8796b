import { MockError } from '../../http/errors.js'
import { RecentMap } from '../../lib/collections.js'
import { createTurns } from '../../lib/functions.js'
import { stringifyJson } from '../../lib/json.js'
import { runInSlices, runNow } from '../../lib/steps.js'
import type { ServiceDefinition, ServiceTypes } from '../service.js'
import type { BaseStore } from '../store/store.js'

/** Loaded starting data, and where it came from. */
export interface StartingPoint<T extends ServiceTypes> {
  readonly base: BaseStore<T['shape']>
  readonly seed: number
  readonly scenario: T['scenario']
  /** Whether fixtures of the user were loaded over the scenario. */
  readonly fixtures: boolean
}

export interface StartingData<T extends ServiceTypes> {
  /** Resolves when it is generated; rejects when that fails. After `load`, it is ready. */
  readonly ready: Promise<void>
  /** The options of the user. `load` adds fixtures to them. */
  readonly given: T['options']
  /** The options it was made with. `load` replaces them. */
  readonly options: T['resolvedOptions']
  /** Whether the user has given fixtures. */
  readonly hasFixtures: boolean
  find(): StartingPoint<T> | undefined
  /** Throws NOT_READY while it is being generated. */
  get(): StartingPoint<T>
  /** Other starting data, for one instance. */
  other(changes: T['resetOptions']): Promise<StartingPoint<T>>
  /** Resolves with false when a later call was faster. */
  load(fixtures: T['fixtures'] | string): Promise<boolean>
}

/** The starting data of a mock and its sandboxes. */
export function createStartingData<T extends ServiceTypes>(
  definition: ServiceDefinition<T>,
  given: T['options'],
  reportError: (error: Error) => void,
): StartingData<T> {
  let options = definition.resolveOptions(given)
  let current: StartingPoint<T> | undefined
  let failure: unknown
  /** Recently used: all sandboxes of a test run may reset to the same seed. */
  const others = new RecentMap<string, Promise<StartingPoint<T>>>(MAX_OTHERS)

  function toPoint(base: BaseStore<T['shape']>, from: T['resolvedOptions']): StartingPoint<T> {
    return { base, seed: from.seed, scenario: from.scenario as T['scenario'], fixtures: hasFixtures(from) }
  }

  async function finish(loading: Promise<BaseStore<T['shape']>>): Promise<void> {
    try {
      const base = await loading
      // `load` may have replaced it in the meantime.
      current ??= toPoint(base, options)
    } catch (error) {
      failure = error
      throw error
    }
  }

  const loading = definition.loadStartingData(options, reportError)
  if (!(loading instanceof Promise)) current = toPoint(runNow(loading), options)
  let ready = loading instanceof Promise ? finish(loading.then((steps) => runInSlices(steps))) : Promise.resolve()
  // A failure is thrown at every use of the data; awaiting `ready` is optional.
  ready.catch(() => {})

  /** Undefined while it is being generated. Throws when that failed. */
  function find(): StartingPoint<T> | undefined {
    if (current === undefined && failure !== undefined) throw failure
    return current
  }

  async function loadInSlices(wanted: T['resolvedOptions']): Promise<BaseStore<T['shape']>> {
    return runInSlices(await definition.loadStartingData(wanted, reportError))
  }

  async function loadOther(changes: T['resetOptions']): Promise<StartingPoint<T>> {
    const otherOptions = definition.withReset(given, options, changes)
    return toPoint(await loadInSlices(otherOptions), otherOptions)
  }

  const loads = createTurns()

  return {
    get ready(): Promise<void> {
      return ready
    },
    given,
    get options(): T['resolvedOptions'] {
      return options
    },
    get hasFixtures(): boolean {
      return hasFixtures(options)
    },
    find,
    get(): StartingPoint<T> {
      const found = find()
      if (found) return found
      throw new MockError('NOT_READY', 'The starting data is still being generated. Await petstore.ready first.')
    },
    async other(changes: T['resetOptions']): Promise<StartingPoint<T>> {
      // Fixtures may be large, and an object that the caller changes later.
      if (hasFixtures(Object(changes))) return loadOther(changes)
      const key = stringifyJson(changes) ?? ''
      const point = others.get(key) ?? loadOther(changes)
      others.set(key, point)
      point.catch(() => others.delete(key))
      return point
    },
    async load(fixtures: T['fixtures'] | string): Promise<boolean> {
      const turn = loads.begin()
      const loaded = definition.withFixtures(given, fixtures)
      const base = await loadInSlices(loaded)
      if (!turn.commit()) return false
      ready = Promise.resolve()
      options = loaded
      others.clear()
      current = toPoint(base, options)
      return true
    },
  }
}

function hasFixtures(options: object): boolean {
  return 'fixtures' in options && options.fixtures !== undefined
}

/** Each may be very large. */
const MAX_OTHERS = 4
