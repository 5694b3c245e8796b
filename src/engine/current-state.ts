import type { ScenarioName } from '../petstore/fixtures/scenarios.js'
import { createWorld, type World, type WorldSnapshot } from '../petstore/world.js'
import { MockError } from './contract/errors.js'
import type { ResetOptions } from './control/mock.js'
import type { Beginning, Origin } from './starting-data.js'

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
  moveTo(other: ResetOptions): Promise<boolean>
  snapshot(): Snapshot
  /** Back to a moment, be it of a world that it is no longer in. */
  restore(snapshot: Snapshot): void
}

export function createCurrentWorld(origin: Origin): CurrentWorld {
  let beginning: Beginning | undefined
  let world: World | undefined
  /** How often somebody asked to start over, and which of them was the last to get there. */
  let asked = 0
  let latest = 0
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
      asked += 1
      latest = asked
      const start = origin.find()
      if (start !== undefined && start === beginning) world?.reset()
      else world = beginning = undefined
    },
    async moveTo(other) {
      asked += 1
      const turn = asked
      const found = await origin.elsewhere(other)
      if (turn < latest) return false
      latest = turn
      begin(found)
      return true
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
