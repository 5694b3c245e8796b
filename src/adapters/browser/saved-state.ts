import { parseJson, stringifyJson } from '../../lib/json.js'
import { hashText } from '../../lib/random.js'
import { specHash } from '../../petstore/contract.js'
import type { Petstore } from '../../petstore/create-petstore.js'
import type { Fixture } from '../../petstore/fixtures/format.js'
import { formatFixture } from '../../petstore/fixtures/write.js'
import type { PetstoreOptions } from '../../petstore/options.js'

interface SavedRecord {
  readonly specHash: string
  /** A hash of the options that determine the starting data. */
  readonly startingData: number
  readonly state: string
}

const KEY = 'petstore-mock'

/** Browsers allow about five million characters, and the application needs some of them. */
const MAX_CHARACTERS = 2_000_000

/** Saves a mock's data in the session storage of a tab. `onNotice` is called when data is discarded or cannot be saved. */
export function createSavedState(petstore: Petstore, options: PetstoreOptions, onNotice: (notice: string) => void) {
  const startingData = hashStartingData(options)
  let isTooLarge = false

  function discard(reason: string): void {
    remove()
    onNotice(`petstore-mock discarded the saved data of this tab, because ${reason}.`)
  }

  return {
    restore() {
      try {
        const text = sessionStorage.getItem(KEY)
        if (text === null) return
        const record = JSON.parse(text) as Partial<SavedRecord>
        if (record.specHash !== specHash) return discard('the OpenAPI document has changed')
        if (record.startingData !== startingData) return discard('the options have changed')
        petstore.importState(parseJson(record.state ?? '') as Fixture)
      } catch {
        discard('it is invalid')
      }
    },
    save() {
      if (isTooLarge) return
      const state = formatFixture(petstore.exportState())
      try {
        if (state.length > MAX_CHARACTERS) throw new RangeError('too large')
        const record: SavedRecord = { specHash, startingData, state }
        sessionStorage.setItem(KEY, JSON.stringify(record))
      } catch {
        isTooLarge = true
        remove()
        onNotice('petstore-mock cannot save its data, because it is too large or the storage is blocked.')
      }
    },
    clear() {
      isTooLarge = false
      remove()
    },
  }
}

function remove(): void {
  try {
    sessionStorage.removeItem(KEY)
  } catch {
    // The page has no access to storage, so nothing is saved.
  }
}

function hashStartingData({ seed, scenario, categories, pets, orders, fixtures, rules }: PetstoreOptions): number {
  return hashText(stringifyJson([seed, scenario, categories, pets, orders, fixtures, rules]) ?? '')
}
