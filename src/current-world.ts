import { MockError } from './contract/errors.js'
import type { OtherWorld } from './control/mock.js'
import type { ScenarioName } from './fixtures/scenarios.js'
import { createWorld, type World, type WorldSnapshot } from './model/world.js'
import type { Beginning, Origin } from './origin.js'

/** A moment of a pet store, to come back to with `restore`. */
export interface Snapshot {
  readonly beginning: Beginning
  readonly world: WorldSnapshot
}

/** The world that one sandbox is in: over the origin's beginning, or over another's until the next reset. */
export interface CurrentWorld {
  /** Throws where it is not there yet, or could not be made. */
  get(): World
  /** What it began from, or is going to begin from. */
  readonly seed: number
  readonly scenario: ScenarioName
  /** Back to the origin. One that is still being generated is there already. */
  reset(): void
  /**
   * Starts over in another world. Where that cannot be made everything stays as it is. Says whether it is there: whoever
   * started over meanwhile is not disturbed.
   */
  moveTo(other: OtherWorld): Promise<boolean>
  snapshot(): Snapshot
  /** Back to a moment, be it of a world that it is no longer in. */
  restore(snapshot: Snapshot): void
}

export function createCurrentWorld(origin: Origin): CurrentWorld {
  let beginning: Beginning | undefined
  let world: World | undefined
  /** How often it started over. */
  let starts = 0
  /** Those of another pet store know ids of its own. */
  const taken = new WeakSet<Snapshot>()

  const get = () => world ?? begin(origin.get())

  function begin(from: Beginning): World {
    beginning = from
    world = createWorld(from.base)
    return world
  }

  return {
    get,
    get seed() {
      return (beginning ?? origin.options).seed
    },
    get scenario() {
      return (beginning ?? origin.options).scenario
    },
    reset() {
      starts += 1
      const start = origin.find()
      if (start !== undefined && start === beginning) world?.reset()
      else world = beginning = undefined
    },
    async moveTo(other) {
      starts += 1
      const mine = starts
      const found = await origin.elsewhere(other)
      if (mine === starts) begin(found)
      return mine === starts
    },
    snapshot() {
      const snapshot = { world: get().snapshot(), beginning: beginning as Beginning }
      taken.add(snapshot)
      return snapshot
    },
    restore(snapshot) {
      if (!taken.has(snapshot)) {
        throw new MockError(
          'FOREIGN_SNAPSHOT',
          'a snapshot can only be restored by the pet store it was taken of: use exportState and importState for others',
        )
      }
      const current = snapshot.beginning === beginning ? get() : begin(snapshot.beginning)
      current.restore(snapshot.world)
    },
  }
}
