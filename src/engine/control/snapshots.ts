import { findNameProblem } from '../../http/address.js'
import { describeUnknown, MockError } from '../../http/errors.js'
import type { TimeSource } from '../../lib/clock.js'

/** How many records each collection has. */
export type Sizes = Readonly<Record<string, number>>

/** A named snapshot. */
export interface NamedSnapshot {
  readonly name: string
  /** By the mock's clock. */
  readonly takenAt: string
  readonly sizes: Sizes
}

/** Named snapshots of the data and ids. A reset keeps them. */
export interface Snapshots {
  /** Replaces a snapshot of the same name. */
  take(name: string): NamedSnapshot
  restore(name: string): void
  delete(name: string): void
  /** The oldest first. */
  list(): NamedSnapshot[]
}

export interface SnapshotDependencies<Snapshot> {
  take(): Snapshot
  sizes(): Sizes
  restore(snapshot: Snapshot): void
  readonly clock: TimeSource
}

/** Each takes memory, and a test may take them in a loop. */
const MAX_SNAPSHOTS = 1000

export function createSnapshots<Snapshot>({ take, sizes, restore, clock }: SnapshotDependencies<Snapshot>) {
  const snapshots = new Map<string, { snapshot: Snapshot; described: NamedSnapshot }>()

  function find(name: string) {
    const found = snapshots.get(name)
    if (found) return found
    throw new MockError('SNAPSHOT_NOT_FOUND', describeUnknown('snapshot', String(name), [...snapshots.keys()]))
  }

  const named: Snapshots = {
    take(name) {
      const problem = findNameProblem(name, 'the name of a snapshot')
      if (problem !== undefined) throw new MockError('INVALID_OPTION', problem)
      if (!snapshots.has(name) && snapshots.size >= MAX_SNAPSHOTS) {
        throw new MockError('LIMIT_REACHED', `There are already ${MAX_SNAPSHOTS} snapshots. Delete some first.`)
      }
      const described = { name, takenAt: new Date(clock.now()).toISOString(), sizes: sizes() }
      // Deleted first, so that it becomes the latest.
      snapshots.delete(name)
      snapshots.set(name, { snapshot: take(), described })
      return described
    },
    restore: (name) => restore(find(name).snapshot),
    delete(name) {
      find(name)
      snapshots.delete(name)
    },
    list: () => [...snapshots.values()].map(({ described }) => described),
  }

  return {
    snapshots: named,
    all: () => [...snapshots.values()],
    /** Replaces a snapshot of the same name. */
    put(described: NamedSnapshot, snapshot: Snapshot): void {
      snapshots.set(described.name, { snapshot, described })
    },
  }
}
