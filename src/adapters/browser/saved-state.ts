import type { SavedParts } from '../../engine/control/saved-controls.js'
import { parseJson, stringifyJson } from '../../lib/json.js'
import { hashText } from '../../lib/random.js'
import { specHash } from '../../petstore/contract.js'
import type { Petstore } from '../../petstore/create-petstore.js'
import type { Fixture } from '../../petstore/fixtures/format.js'
import { formatFixture } from '../../petstore/fixtures/write.js'
import type { PetstoreOptions } from '../../petstore/options.js'
import { createSavedPart } from './saved-part.js'

interface Dependencies {
  readonly petstore: Petstore
  readonly saved: SavedParts
  readonly options: PetstoreOptions
  /** Called when something is discarded or cannot be saved. */
  onNotice(notice: string): void
}

/**
 * Saves a mock in the session storage of a tab. Its parts are separate records: what is wrong with one does not affect the
 * others. Browsers allow about five million characters, and the application needs some of them.
 */
export function createSavedState({ petstore, saved, options, onNotice }: Dependencies) {
  const origin = { specHash, startingData: hashStartingData(options) }
  const data = createSavedPart({
    key: 'petstore-mock',
    title: 'data',
    maxCharacters: 2_000_000,
    save: () => formatFixture(petstore.exportState()),
    restore: (text) => petstore.importState(parseJson(text) as Fixture),
    origin,
    onNotice,
  })
  const controls = createSavedPart({
    key: 'petstore-mock.controls',
    title: 'state of faults, overrides and clock',
    maxCharacters: 500_000,
    save: () => stringifyJson(saved.controls.save()),
    restore: (text) => saved.controls.restore(parseJson(text) as never),
    origin,
    onNotice,
  })
  const snapshots = createSavedPart({
    key: 'petstore-mock.snapshots',
    title: 'list of snapshots',
    maxCharacters: 1_000_000,
    save: () => stringifyJson(saved.snapshots.save()),
    restore: (text) => saved.snapshots.restore(parseJson(text) as never),
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
      petstore.events.subscribe((event) => {
        if (event.type === 'reset') for (const part of [data, controls]) part.clear()
        else if (event.type === 'state' && event.cause !== 'data') data.saveChange()
        else if (event.type === 'fault' || event.type === 'override') controls.saveChange()
      }),
  }
}

function hashStartingData({ seed, scenario, categories, pets, orders, fixtures, rules }: PetstoreOptions): number {
  return hashText(stringifyJson([seed, scenario, categories, pets, orders, fixtures, rules]) ?? '')
}
