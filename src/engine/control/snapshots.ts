import type { TimeSource } from '../../lib/clock.js'
import { findNameProblem } from '../address.js'
import { MockError, quote } from '../contract/errors.js'

export interface Sizes {
  readonly categories: number
  readonly pets: number
  readonly orders: number
}

/** A checkpoint by name. */
export interface NamedSnapshot {
  readonly name: string
  /** By the store's clock. */
  readonly takenAt: string
  readonly sizes: Sizes
}

/** Data and ids of moments to come back to as often as wanted. A reset leaves them. */
export interface Snapshots {
  /** Replaces one of that name. */
  take(name: string): NamedSnapshot
  restore(name: string): void
  delete(name: string): void
  /** In the order they were taken. */
  list(): NamedSnapshot[]
}

export interface SnapshotPorts<Moment> {
  take(): Moment
  sizes(): Sizes
  restore(moment: Moment): void
  /** The store's. */
  readonly clock: TimeSource
}

/** Each holds what differs from the start, and somebody may take them in a loop. */
const MAX_KEPT = 1000

export function createSnapshots<Moment>({ take, sizes, restore, clock }: SnapshotPorts<Moment>): Snapshots {
  const kept = new Map<string, { moment: Moment; described: NamedSnapshot }>()

  function find(name: string) {
    const found = kept.get(name)
    if (found) return found
    throw new MockError('SNAPSHOT_NOT_FOUND', `there is no snapshot ${quote(String(name))}`)
  }

  return {
    take(name) {
      const problem = findNameProblem(name, 'the name of a snapshot')
      if (problem !== undefined) throw new MockError('INVALID_OPTION', problem)
      if (!kept.has(name) && kept.size >= MAX_KEPT) {
        throw new MockError('LIMIT_REACHED', `there are ${MAX_KEPT} snapshots already: delete some first`)
      }
      const described = { name, takenAt: new Date(clock.now()).toISOString(), sizes: sizes() }
      // Taken anew it is the latest.
      kept.delete(name)
      kept.set(name, { moment: take(), described })
      return described
    },
    restore: (name) => restore(find(name).moment),
    delete(name) {
      find(name)
      kept.delete(name)
    },
    list: () => [...kept.values()].map(({ described }) => described),
  }
}
