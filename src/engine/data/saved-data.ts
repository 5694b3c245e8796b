import type { Id } from '../../lib/int64.js'
import type { AnyCollections } from '../resources/additions.js'
import { readIdOf } from '../resources/record-forms.js'
import type { StoreShape } from '../store/database.js'
import { type BaseStore, findChanges, type Store } from '../store/store.js'
import { exportState } from './export-state.js'
import { type AnyFixture, entriesIn, type FixtureFormat } from './format.js'
import { mergeOver, type UncheckedFixture } from './merge.js'

/** An exported state without what is as in the starting data, so that large starting data takes no space. */
export interface SavedData {
  readonly state: AnyFixture
  /** The ids of the records that are gone. */
  readonly removed: Readonly<Record<string, readonly Id[]>>
}

/** What saved data is about. */
interface Saved {
  readonly fixtureFormat: FixtureFormat
  readonly specHash: string
}

/** Undefined if nothing differs from the starting data. */
export function saveData<S extends StoreShape>(
  { fixtureFormat, specHash }: Saved,
  base: BaseStore<S>,
  store: Store<S>,
): SavedData | undefined {
  const changes = Object.entries(findChanges(base, store) ?? {})
  if (changes.length === 0) return undefined
  const changed = changes.map(([name, { changed, nextId }]) => [name, { select: () => changed, nextId }])
  return {
    state: exportState(fixtureFormat, Object.fromEntries(changed) as AnyCollections, specHash),
    removed: Object.fromEntries(changes.map(([name, { removed }]) => [name, removed])),
  }
}

/** The state that was saved. It is not checked: an import does that. */
export function readData(
  { fixtureFormat }: Pick<Saved, 'fixtureFormat'>,
  startingState: AnyFixture,
  { state, removed }: SavedData,
): UncheckedFixture {
  const kept = fixtureFormat.resources.map((resource) => {
    const gone = new Set(removed[resource.storedIn])
    const entries = entriesIn(startingState, resource.name)
    return [resource.name, entries.filter((entry) => !gone.has(readIdOf(resource, entry) as Id))]
  })
  return mergeOver(Object.fromEntries(kept), state, fixtureFormat)
}
