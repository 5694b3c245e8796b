import type { createClock, SavedClock } from '../control/clock.js'
import type { FaultEngine, SavedFault } from './faults.js'
import type { SavedOverride } from './override-layer.js'
import type { Overrides } from './overrides.js'

/** What a test has set, as JSON. Overrides that are functions are not included. */
export interface SavedControls {
  readonly clock?: SavedClock | undefined
  readonly faults: readonly SavedFault[]
  readonly overrides: readonly SavedOverride[]
}

/** Saves a part of an instance as JSON. */
export interface Savable<Saved> {
  /** Undefined if there is nothing to save. */
  save(): Saved | undefined
  /** Throws if it is invalid, and changes nothing then. */
  restore(saved: Saved): void
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
