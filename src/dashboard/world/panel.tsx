import { ClockCard } from './clock.js'
import { SnapshotsCard } from './snapshots.js'
import { StartOverCard } from './start-over.js'
import { StateFileCard } from './state-file.js'

/** The world that the store is in: where it started, moments to come back to, and its time. */
export function WorldPanel() {
  return (
    <div class="columns">
      <div class="stack">
        <StartOverCard />
        <SnapshotsCard />
      </div>
      <div class="stack">
        <ClockCard />
        <StateFileCard />
      </div>
    </div>
  )
}
