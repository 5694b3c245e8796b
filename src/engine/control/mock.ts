import type { Fixture, PartialFixture } from '../../petstore/fixtures/format.js'
import type { ScenarioName } from '../../petstore/fixtures/scenarios.js'
import type { Clock } from './clock.js'
import type { Coverage } from './coverage.js'
import type { Events } from './events.js'
import type { Faults } from './faults.js'
import type { Journal } from './journal.js'
import type { Sandboxes } from './sandboxes.js'
import type { Snapshots } from './snapshots.js'

/** Another world to start over in: what is left out stays as it was started. */
export interface ResetOptions {
  seed?: number
  scenario?: ScenarioName
}

/** What a test controls of a pet store, in process and over HTTP alike. */
export interface Controls {
  /** What the world it is in was made from. */
  readonly startingData: { readonly seed: number; readonly scenario: ScenarioName }
  readonly clock: Clock
  /** What was asked and answered. */
  readonly journal: Journal
  /** Makes requests fail. */
  readonly faults: Faults
  /** Named moments to come back to. */
  readonly snapshots: Snapshots
  /** Tells of what happens. */
  readonly events: Events
  /** Which operations and statuses of the document were exercised since it was created. A reset does not change it. */
  coverage(): Coverage
  /** The data and ids of this moment in the fixture format, to be kept, and to be imported by any pet store. */
  exportState(): Fixture
  /**
   * Takes the place of all data and ids. Where something is wrong with it, a MockError says what, and everything stays
   * as it is. A reset still leads back to the start.
   */
  importState(state: PartialFixture): void
}

/** A mock, or a sandbox of it, as the control plane sees it. */
export interface Mock extends Controls {
  /** When the mock was started, by the monotonic clock. */
  readonly startedAt: number
  readonly sandboxes: Pick<Sandboxes<unknown>, 'list' | 'delete'>
  startOver(world?: ResetOptions): void | Promise<void>
}
