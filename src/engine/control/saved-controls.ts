import type { createClock, SavedClock } from './clock.js'
import type { FaultEngine, SavedFault } from './faults.js'
import type { Overrides, SavedOverride } from './overrides.js'
import type { createSnapshots, NamedSnapshot } from './snapshots.js'

/** What a test has set, as JSON. Overrides that are functions are not included. */
interface SavedControls {
  readonly clock?: SavedClock | undefined
  readonly faults: readonly SavedFault[]
  readonly overrides: readonly SavedOverride[]
}

interface SavedSnapshot extends NamedSnapshot {
  /** The data in the fixture format. */
  readonly state: unknown
}

/** Saves a part of an instance as JSON. */
interface Savable<Saved> {
  /** Undefined if there is nothing to save. */
  save(): Saved | undefined
  /** Throws if it is invalid, and changes nothing then. */
  restore(saved: Saved): void
}

/** What can be saved besides the data, so that it survives a restart. */
export interface SavedParts {
  readonly controls: Savable<SavedControls>
  readonly snapshots: Savable<readonly SavedSnapshot[]>
}

interface Controls {
  readonly clock: Pick<ReturnType<typeof createClock>, 'save' | 'readSaved'>
  readonly faults: Pick<FaultEngine, 'save' | 'readSaved'>
  readonly overrides: Pick<Overrides, 'save' | 'readSaved'>
}

export function createSavedControls({ clock, faults, overrides }: Controls): Savable<SavedControls> {
  return {
    save() {
      const saved = { clock: clock.save(), faults: faults.save(), overrides: overrides.save() }
      const isEmpty = saved.clock === undefined && saved.faults.length === 0 && saved.overrides.length === 0
      return isEmpty ? undefined : saved
    },
    restore(saved) {
      const restores = [
        ...(saved.clock === undefined ? [] : [clock.readSaved(saved.clock)]),
        faults.readSaved(saved.faults),
        overrides.readSaved(saved.overrides),
      ]
      for (const restore of restores) restore()
    },
  }
}

interface Conversion<Snapshot> {
  toState(snapshot: Snapshot): unknown
  /** Throws if the state is invalid. */
  toSnapshot(state: unknown): Snapshot
}

export function createSavedSnapshots<Snapshot>(
  { all, put }: Pick<ReturnType<typeof createSnapshots<Snapshot>>, 'all' | 'put'>,
  { toState, toSnapshot }: Conversion<Snapshot>,
): Savable<readonly SavedSnapshot[]> {
  return {
    save() {
      const saved = all().map(({ described, snapshot }) => ({ ...described, state: toState(snapshot) }))
      return saved.length === 0 ? undefined : saved
    },
    restore(saved) {
      const read = saved.map(({ state, ...described }) => [described, toSnapshot(state)] as const)
      for (const [described, snapshot] of read) put(described, snapshot)
    },
  }
}
