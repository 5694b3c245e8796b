import type { SavedControls, SavedParts, SavedSnapshot } from '../../engine/control/saved-controls.js'
import { parseJson, stringifyJson } from '../../lib/json.js'
import { specHash } from '../../petstore/contract.js'
import type { Petstore } from '../../petstore/create-petstore.js'
import type { Fixture } from '../../petstore/fixtures/format.js'
import { shareTabs } from './shared-tabs.js'

interface Dependencies {
  readonly petstore: Petstore
  readonly saved: SavedParts
  /** Tabs share their state if they have the same base address. */
  readonly baseAddress: string
  /** Called if the state of another tab cannot be used. */
  onNotice(notice: string): void
}

interface SharedState {
  readonly data: Fixture
  readonly controls?: SavedControls
  readonly snapshots?: readonly SavedSnapshot[]
}

export type SharedMock = Awaited<ReturnType<typeof shareState>>

/** Shares a mock with the other tabs of the origin. Its requests are then handled by `handle`. */
export async function shareState({ petstore, saved, baseAddress, onNotice }: Dependencies) {
  /** Another tab may have other options, by which the state is invalid. */
  function use(text: string, apply: (state: SharedState) => void): void {
    try {
      apply(parseJson(text) as SharedState)
    } catch {
      onNotice('petstore-mock cannot use the state of another tab, because it is invalid with the options of this one.')
    }
  }

  const tabs = await shareTabs({
    name: `petstore-mock ${specHash} ${baseAddress}`,
    handle: petstore.handle,
    exportState: () =>
      stringifyJson({
        data: petstore.exportState(),
        controls: saved.controls.save(),
        snapshots: saved.snapshots.save(),
      }) as string,
    // Faults, overrides and clock have no effect in a tab that handles no requests.
    followState: (text) => use(text, ({ data }) => petstore.importState(data)),
    takeOver: (text) =>
      use(text, ({ controls, snapshots }) => {
        clearOwn(petstore)
        if (controls) saved.controls.restore(controls)
        if (snapshots) saved.snapshots.restore(snapshots)
      }),
  })
  const unsubscribe = petstore.events.subscribe(({ type }) => {
    if (type !== 'request') tabs.sendState()
  })
  window.addEventListener('pagehide', tabs.leave)
  return {
    handle: tabs.handle,
    stop(): void {
      unsubscribe()
      window.removeEventListener('pagehide', tabs.leave)
      tabs.stop()
    },
  }
}

/** Clears what this tab has set itself, such as a fault of an earlier load: it was not part of the shared state. */
function clearOwn({ faults, overrides, clock, snapshots }: Petstore): void {
  faults.clear()
  clock.reset()
  // Those that are functions stay, as they replace the functions of the last owner, which are lost.
  for (const { id, status } of overrides.list()) if (status !== undefined) overrides.remove(id)
  for (const { name } of snapshots.list()) snapshots.delete(name)
}
