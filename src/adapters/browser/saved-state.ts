import type { NamedSnapshot } from '../../engine/control/snapshots.js'
import type { createMock, Mock } from '../../engine/mock.js'
import type { ServiceDefinition, ServiceTypes } from '../../engine/service.js'
import { readData, type SavedData, saveData } from '../../engine/store/saved-data.js'
import { createStore } from '../../engine/store/store.js'
import { parseJson, stringifyJson } from '../../lib/json.js'
import { hashText } from '../../lib/random.js'
import { createSavedPart } from './saved-part.js'

interface Dependencies<T extends ServiceTypes> {
  readonly service: Pick<ServiceDefinition<T>, 'specHash'>
  readonly mock: Pick<Mock<T>, 'importState' | 'events'>
  readonly saved: ReturnType<typeof createMock<T>>['saved']
  readonly options: T['options']
  /** Its base URL: an origin may have several mocks. */
  readonly baseUrl: string
  /** Called when something is discarded or cannot be saved. */
  onNotice(notice: string): void
}

interface SavedSnapshot extends NamedSnapshot {
  /** Missing if it has the starting data. */
  readonly data?: SavedData
}

/**
 * Saves a mock in the session storage of a tab. Its parts are separate records: what is wrong with one does not affect the
 * others. Data is saved as what differs from the starting data, so that large starting data takes no space. Browsers allow
 * about five million characters, and the application needs some of them.
 */
export function createSavedState<T extends ServiceTypes>({
  service: { specHash },
  mock,
  saved,
  options,
  baseUrl,
  onNotice,
}: Dependencies<T>) {
  const key = `petstore-mock ${baseUrl}`
  const { controls: savedControls, snapshots: savedSnapshots, store, transfer } = saved
  // That of the options: `load` may replace the starting data later, and the next page starts with this.
  const base = saved.startingBase()
  const startingState = transfer.toState(createStore(base))
  const toState = (data: SavedData | undefined) => (data ? transfer.toState(readData(base, data)) : startingState)
  const origin = {
    specHash,
    startingData: hashText(stringifyJson([toSorted(options), startingState]) ?? ''),
  }
  const data = createSavedPart({
    key,
    title: 'data',
    maxCharacters: 2_000_000,
    remedy: 'Reset the mock, or put data into the option fixtures, which takes no space here.',
    save: () => stringifyJson(saveData(base, store.get())),
    restore: (text) => mock.importState(toState(parseJson(text) as SavedData)),
    origin,
    onNotice,
  })
  const controls = createSavedPart({
    key: `${key} controls`,
    title: 'state of faults, overrides and clock',
    maxCharacters: 500_000,
    remedy: 'Remove overrides with large bodies.',
    save: () => stringifyJson(savedControls.save()),
    restore: (text) => savedControls.restore(parseJson(text) as never),
    origin,
    onNotice,
  })
  const snapshots = createSavedPart({
    key: `${key} snapshots`,
    title: 'list of snapshots',
    maxCharacters: 1_000_000,
    remedy: 'Delete some snapshots.',
    save() {
      const all = savedSnapshots.all().map(({ described, snapshot }) => ({
        ...described,
        data: saveData(base, store.fromSnapshot(snapshot)),
      }))
      return all.length === 0 ? undefined : stringifyJson(all)
    },
    restore(text) {
      const read = (parseJson(text) as SavedSnapshot[]).map(
        ({ data: differences, ...described }) => [described, transfer.toSnapshot(toState(differences))] as const,
      )
      for (const [described, snapshot] of read) savedSnapshots.put(described, snapshot)
    },
    origin,
    onNotice,
  })
  const parts = [data, controls, snapshots]

  return {
    restore() {
      for (const part of parts) part.restore()
    },
    save() {
      for (const part of parts) part.save()
    },
    /** Saves changes as they happen. Returns a function that stops it. */
    follow: () =>
      mock.events.subscribe((event) => {
        if (event.type === 'reset') for (const part of [data, controls]) part.clear()
        else if (event.type === 'state' && event.cause !== 'data') data.saveChange()
        else if (event.type === 'fault' || event.type === 'override') controls.saveChange()
      }),
  }
}

function toSorted(options: object): [string, unknown][] {
  return Object.entries(options).sort(([one], [other]) => (one < other ? -1 : 1))
}
