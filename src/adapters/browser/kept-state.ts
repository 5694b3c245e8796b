import { parseJson, stringifyJson } from '../../lib/json.js'
import { hashText } from '../../lib/random.js'
import { specHash } from '../../petstore/contract.js'
import type { Petstore } from '../../petstore/create-petstore.js'
import type { Fixture } from '../../petstore/fixtures/format.js'
import { formatFixture } from '../../petstore/fixtures/write.js'
import type { PetstoreOptions } from '../../petstore/options.js'

/** What is kept, and what it fits. */
interface KeptRecord {
  readonly specHash: string
  /** The options that the world came from. */
  readonly origin: number
  readonly state: string
}

/** Of a tab: two tabs have one each, and a tab that is duplicated takes a copy along. */
const KEY = 'petstore-mock'

/** Browsers give a page about five million characters, and the application wants some of them. */
const MAX_CHARACTERS = 2_000_000

export interface StateKeeper {
  /** Goes on from what was kept; what no longer fits is dropped with a notice. */
  restore(): void
  save(): void
  clear(): void
}

export function createStateKeeper(
  petstore: Petstore,
  options: PetstoreOptions,
  onNotice: (notice: string) => void,
): StateKeeper {
  const origin = originOf(options)
  let isTooLarge = false

  function drop(reason: string): void {
    remove()
    onNotice(`petstore-mock starts afresh: what this tab had kept ${reason}`)
  }

  return {
    restore() {
      try {
        const text = sessionStorage.getItem(KEY)
        if (text === null) return
        const record = JSON.parse(text) as Partial<KeptRecord>
        if (record.specHash !== specHash) return drop('belongs to another version of the document')
        if (record.origin !== origin) return drop('began from other options')
        petstore.importState(parseJson(record.state ?? '') as Fixture)
      } catch {
        drop('cannot be read')
      }
    },
    save() {
      if (isTooLarge) return
      const state = formatFixture(petstore.exportState())
      try {
        if (state.length > MAX_CHARACTERS) throw new RangeError('more than a tab may keep')
        const record: KeptRecord = { specHash, origin, state }
        sessionStorage.setItem(KEY, JSON.stringify(record))
      } catch {
        isTooLarge = true
        remove()
        onNotice('petstore-mock cannot keep its data across a reload: there is too much of it, or storage is blocked')
      }
    },
    clear() {
      isTooLarge = false
      remove()
    },
  }
}

/** A page may be denied its storage, and then there is nothing in it. */
function remove(): void {
  try {
    sessionStorage.removeItem(KEY)
  } catch {
    // Nothing to remove.
  }
}

/** Tells worlds apart that begin differently, whatever else the options say. */
function originOf({ seed, scenario, categories, pets, orders, fixtures, rules }: PetstoreOptions): number {
  return hashText(stringifyJson([seed, scenario, categories, pets, orders, fixtures, rules]) ?? '')
}
