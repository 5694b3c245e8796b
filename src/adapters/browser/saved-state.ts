import type { NamedSnapshot } from '../../engine/control/snapshots.js'
import type { AnyFixture } from '../../engine/data/format.js'
import { readData, type SavedData, saveData } from '../../engine/data/saved-data.js'
import type { createMock, Mock } from '../../engine/mock/mock.js'
import type { ServiceDefinition, ServiceTypes } from '../../engine/service.js'
import { createStore } from '../../engine/store/store.js'
import { tryStorage } from '../../lib/environment.js'
import { parseJson, stringifyJson } from '../../lib/json.js'
import { hashText } from '../../lib/random.js'

/** What saved state depends on: with another document or other starting data it means nothing. */
interface Origin {
  readonly specHash: string
  /** A hash of the options and of the starting data. */
  readonly startingData: number
}

interface SavedRecord extends Origin {
  /** Missing if it was too large. */
  readonly state?: string | undefined
}

interface PartOptions {
  readonly key: string
  /** For notices. */
  readonly title: string
  readonly maxCharacters: number
  /** What the user can do if it is too large: a sentence. */
  readonly remedy: string
  readonly origin: Origin
  /** Returns undefined if there is nothing to save. */
  save(): string | undefined
  /** Throws if the text is invalid, and changes nothing then. */
  restore(text: string): void
  onNotice(notice: string): void
}

/** A record in the session storage of a tab. */
function createSavedPart({ key, title, maxCharacters, remedy, origin, save, restore, onNotice }: PartOptions) {
  let isTooLarge = false
  const limit = `The limit is ${maxCharacters.toLocaleString('en')} characters. ${remedy}`

  function discard(reason: string): void {
    tryStorage(() => sessionStorage.removeItem(key))
    onNotice(`petstore-mock discarded the saved ${title} of this tab, because ${reason}`)
  }

  function write(state?: string): void {
    sessionStorage.setItem(key, JSON.stringify({ ...origin, state } satisfies SavedRecord))
  }

  function saveNow(): void {
    const state = save()
    const wasTooLarge = isTooLarge
    isTooLarge = false
    try {
      if (state === undefined) sessionStorage.removeItem(key)
      else if (state.length > maxCharacters) throw new RangeError('too large')
      else write(state)
    } catch {
      isTooLarge = true
      // The next page gives the notice again: in a page that is being closed, it may not be seen.
      tryStorage(() => sessionStorage.removeItem(key))
      tryStorage(write)
      if (wasTooLarge) return
      onNotice(
        state !== undefined && state.length > maxCharacters
          ? `petstore-mock cannot save its ${title}, because it is too large: ${state.length.toLocaleString('en')} characters. ${limit}`
          : `petstore-mock cannot save its ${title}, because the session storage of this tab is full or blocked.`,
      )
    }
  }

  return {
    restore() {
      try {
        const text = sessionStorage.getItem(key)
        if (text === null) return
        const { specHash, startingData, state } = JSON.parse(text) as Partial<SavedRecord>
        if (specHash !== origin.specHash) return discard('the OpenAPI document has changed.')
        if (startingData !== origin.startingData) return discard('the options have changed.')
        if (state === undefined) return discard(`it was too large. ${limit}`)
        restore(state)
      } catch {
        discard('it is invalid.')
      }
    },
    save: saveNow,
    /** For every change: what is too large is not tried again, because that takes long. */
    saveChange() {
      if (!isTooLarge) saveNow()
    },
    clear() {
      isTooLarge = false
      tryStorage(() => sessionStorage.removeItem(key))
    },
  }
}

interface Dependencies<T extends ServiceTypes> {
  readonly service: Pick<ServiceDefinition<T>, 'specHash' | 'fixtureFormat'>
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
  service,
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
  const startingState = transfer.toState(createStore(base)) as AnyFixture
  const toState = (data: SavedData | undefined) => (data ? readData(service, startingState, data) : startingState)
  const origin = {
    specHash: service.specHash,
    startingData: hashText(stringifyJson([toSorted(options), startingState]) ?? ''),
  }
  const data = createSavedPart({
    key,
    title: 'data',
    maxCharacters: 2_000_000,
    remedy: 'Reset the mock, or put data into the option fixtures, which takes no space here.',
    save: () => stringifyJson(saveData(service, base, store.get())),
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
        data: saveData(service, base, store.fromSnapshot(snapshot)),
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
