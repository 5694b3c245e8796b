import type { HandleOptions, Outcome, PlainRequest } from '../../http/messages.js'
import type { Clock } from '../control/clock.js'
import type { Snapshot } from '../control/current-store.js'
import type { LifecycleWarning } from '../control/lifecycle-warnings.js'
import type { Snapshots } from '../control/snapshots.js'
import type { Coverage } from '../log/coverage.js'
import type { Events } from '../log/events.js'
import type { Journal } from '../log/journal.js'
import type { Reproduction } from '../log/reproduction.js'
import type { Upstream } from '../pipeline/upstream.js'
import type { Faults } from '../rules/faults.js'
import type {
  AddedOverride,
  Override,
  OverrideList,
  OverrideOptions,
  OverrideSequence,
  UncheckedResponse,
} from '../rules/override.js'
import type { Removable } from '../rules/rule-list.js'
import type { ServiceTypes } from '../service.js'

/** One isolated copy of everything: the root of a mock, or a sandbox in it. */
export interface Instance<T extends ServiceTypes> {
  /** Responds like the service. Accepts what `fetch` accepts, or just a path; nothing leaves the process. */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>
  /**
   * Handles a plain request, for custom adapters. Returns a promise only when the response is delayed, an override is
   * asynchronous, or the path is not one of the service's operations. Throws NOT_READY before `ready` has resolved.
   */
  handle(request: PlainRequest, options?: HandleOptions): Outcome | Promise<Outcome>
  /** Sets up and reads data. Faults do not apply, and the journal leaves these calls out. */
  readonly data: T['data']
  /** The seed and scenario of the current starting data, and whether fixtures were loaded over the scenario. */
  readonly startingData: { readonly seed: number; readonly scenario: T['scenario']; readonly fixtures: boolean }
  /** The mock's clock, which a test can set, freeze and advance. */
  readonly clock: Clock
  /** The recorded requests and responses. */
  readonly journal: Journal<T['operations']>
  /** Rules that make requests fail. */
  readonly faults: Faults<OperationIdOf<T>>
  /** Named snapshots. A reset keeps them. */
  readonly snapshots: Snapshots
  /** Events as they happen: requests, changes of data and faults, resets. */
  readonly events: Events<OperationIdOf<T>>
  /** Operations used since the last reset that the OpenAPI document marks as deprecated, experimental, alpha or beta. */
  readonly lifecycleWarnings: readonly LifecycleWarning<OperationIdOf<T>>[]
  /** Which operations and statuses of the OpenAPI document were exercised since creation. A reset does not change it. */
  coverage(): Coverage
  /**
   * Replaces the response of an operation until the next reset, or until it is removed. Requests are validated first. A
   * fixed response that violates the OpenAPI document throws immediately; one returned by a function is reported by `check`.
   * A list is a sequence: the first response for the first request, and so on. `pass` lets a request through.
   */
  override<O extends OperationIdOf<T>>(
    operation: O,
    override: Override<T['operations'], O> | OverrideSequence<T['operations'], O>,
    options?: OverrideOptions,
  ): AddedOverride<O> & Removable
  /** With `unchecked` or `raw`, the response is not checked. */
  override<O extends OperationIdOf<T>>(
    operation: O,
    override: UncheckedResponse | readonly (UncheckedResponse | 'pass')[],
    options: OverrideOptions & ({ unchecked: true } | { raw: true }),
  ): AddedOverride<O> & Removable
  /** The overrides that were added, oldest first. */
  readonly overrides: OverrideList<OperationIdOf<T>>
  /** Which operations are passed through to the real service. Missing without the option `upstream`. */
  readonly upstream?: Upstream<OperationIdOf<T>>
  /** The current data and next ids. Clock, faults and journal are not included. */
  snapshot(): Snapshot
  /** Restores a snapshot that `snapshot` returned. Can be repeated. */
  restore(snapshot: Snapshot): void
  /** All that happened since the last reset, and where it started. `petstore-mock replay` repeats it. */
  reproduction(): Reproduction
  /** The current data and next ids in the fixture format. Any mock can import it. */
  exportState(): T['state']
  /** Replaces all data. When the state is invalid it throws a MockError and changes nothing. */
  importState(state: T['fixtures']): void
  /**
   * Resets data, ids, clock, faults, overrides and journal to their state at creation. Named snapshots and coverage stay.
   * Errors that the code under test has swallowed stay for `check`.
   */
  reset(): void
  /** With options, resets to other starting data. The next reset without options goes back to the first. */
  reset(options: T['resetOptions']): Promise<void>
  /**
   * Throws errors that the code under test may have swallowed since the last call. These are an override that threw or
   * violated the OpenAPI document, a callback that threw, a response that could not be written, a request that was not
   * handled, and what `failOn` and `failOnUnused` forbid. Call it after each test. The root also throws the errors of its
   * sandboxes.
   */
  check(): void
}

/** What a test sets and inspects. */
export type InstanceWithoutRequests<T extends ServiceTypes> = Omit<Instance<T>, 'fetch' | 'handle'>

export type OperationIdOf<T extends ServiceTypes> = keyof T['operations'] & string
