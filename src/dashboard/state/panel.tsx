import { ClockCard } from './clock.js'
import { ResetCard } from './reset.js'
import { SnapshotsCard } from './snapshots.js'
import { StateFileCard } from './state-file.js'

export function StatePanel() {
  return (
    <div class="columns">
      <div>
        <ResetCard />
        <SnapshotsCard />
      </div>
      <div>
        <ClockCard />
        <StateFileCard />
      </div>
    </div>
  )
}
