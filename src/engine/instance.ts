import { systemTime } from '../lib/clock.js'
import { createRandom } from '../lib/random.js'
import { specHash, storeContract } from '../petstore/contract.js'
import { createData, type PetstoreData } from '../petstore/data.js'
import { readState } from '../petstore/fixtures/load.js'
import { storeHandlers } from '../petstore/operations/index.js'
import { enforcedRules, noRules } from '../petstore/operations/rules.js'
import type { ResolvedOptions } from '../petstore/options.js'
import { exportState } from '../petstore/state.js'
import type { World } from '../petstore/world.js'
import { findAdminService } from './admin/service.js'
import type { PlainRequest, PlainResponse, Waiting } from './contract/messages.js'
import type { StoreOperationId } from './contract/types.js'
import { toPreferred } from './control/apply-fault.js'
import { createClock } from './control/clock.js'
import { createCoverage } from './control/coverage.js'
import { createEvents } from './control/events.js'
import { findOutOfReach } from './control/fault-reach.js'
import { createFaults, drawSpan } from './control/faults.js'
import type { LifecycleWarning } from './control/lifecycle-warnings.js'
import type { Controls, Mock, ResetOptions } from './control/mock.js'
import { createOverrides, type Override, type OverrideOptions } from './control/overrides.js'
import { preferredStatus } from './control/prefer.js'
import { createRecorder, type Recorder } from './control/recorder.js'
import { createSnapshots, type Sizes } from './control/snapshots.js'
import type { UnreportedErrors } from './control/unreported-errors.js'
import { type CurrentWorld, createCurrentWorld, type Snapshot } from './current-state.js'
import { createFetch } from './fetch/fetch.js'
import { maxBodyBytesFor, NO_LIMITS } from './limits.js'
import { createCore, type StoreService } from './pipeline.js'
import type { Origin } from './starting-data.js'

/** One private copy of everything: a pet store itself, or a sandbox of it. */
export interface Sandbox extends Controls {
  /** Answers a request as the service would. Takes what `fetch` takes; nothing leaves the process. */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>
  /**
   * Answers a plain request, for adapters of one's own: at once, unless something takes its time. The pet store must be
   * ready.
   */
  handle(request: PlainRequest, waiting?: Waiting): PlainResponse | Promise<PlainResponse>
  /** Arranges and looks at the data without HTTP. */
  readonly data: PetstoreData
  /** Operations that the document marks as deprecated or not yet stable, and that were used since the last reset. */
  readonly lifecycleWarnings: readonly LifecycleWarning[]
  /**
   * Answers an operation in the store's place until the next reset; returns what ends it earlier. The request has been
   * checked by then; an answer outside the document is thrown at the test, a fixed one at once.
   */
  override<O extends StoreOperationId>(operation: O, override: Override<O>, options?: OverrideOptions): () => void
  /** The data and ids of this moment. Clock, faults and journal are no part of it. */
  snapshot(): Snapshot
  restore(snapshot: Snapshot): void
  /**
   * Everything as it was created, or as it was last loaded: data, ids, clock, faults, overrides and journal. Named
   * snapshots and coverage stay. Ends with `check`, so a test that resets afterwards fails for what went wrong unnoticed.
   */
  reset(): void
  /** Starts over in another world. The next reset without one leads back. */
  reset(world: ResetOptions): Promise<void>
  /**
   * Throws what the code under test may have swallowed since the last time: an override that answered outside the
   * document or threw, a callback that threw, a response that could not be written, a request that nobody handles, the
   * use of an operation that `failOn` names.
   */
  check(): void
}

/** What the sandboxes of a pet store have in common. */
export interface SandboxPorts {
  readonly origin: Origin
  /** When the pet store was made, by the monotonic clock. */
  readonly startedAt: number
  readonly sandboxes: Mock['sandboxes']
  readonly unreportedErrors: UnreportedErrors
  /** What a sandbox tells the pet store it is a part of; the pet store itself is a part of nothing. */
  readonly whole?: {
    /** Counts an answer. */
    cover(operation: string, status: number): void
    /** Somebody uses it. */
    use(): void
  }
}

/** A sandbox, and what its pet store or an adapter may want of it besides. */
export interface AssembledSandbox extends Pick<Recorder, 'reportError'> {
  readonly sandbox: Sandbox
  /** Everything as at the start, without a check. */
  startOver(): void
  /** Nobody will come to it any more. */
  end(): void
  cover(operation: string, status: number): void
}

export function createSandbox(ports: SandboxPorts): AssembledSandbox {
  const { origin, startedAt, sandboxes, unreportedErrors, whole } = ports
  const contract = storeContract()
  const { rules, journalSize, journalBytes, failOn, delay } = origin.options
  const clock = createClock(systemTime)
  const events = createEvents(unreportedErrors.add)
  const operations = Object.keys(storeHandlers)
  const overrides = createOverrides(operations, findViolation)
  const current = createCurrentWorld(origin)
  const seed = () => current.seed
  const coverage = createCoverage(contract.operations())
  const engine = createFaults({
    ...{ seed, operations, clock, events },
    findOutOfReach: (rule) => findOutOfReach(rule, contract),
  })
  const recorder = createRecorder({
    ...{ contract, operations, journalSize, journalBytes, failOn, clock, events, unreportedErrors },
    isSandbox: whole !== undefined,
    cover: count,
  })
  const storeRules = rules === 'on' ? enforcedRules : noRules
  let delays = createRandom(seed(), 'delay')

  function findViolation(id: string, status: number, body: string | undefined): string | undefined {
    const operation = contract.operationById(id)
    return operation && contract.findResponseViolation(operation, status, body)
  }

  function count(operation: string, status: number): void {
    coverage.record(operation, status)
    whole?.cover(operation, status)
  }

  const store: StoreService = {
    contract,
    handlers: storeHandlers,
    clock,
    // Member by member: every request comes this way, and spreading costs more than most operations do.
    toCall: ({ path, query, body, base }) => ({
      world: current.get(),
      rules: storeRules,
      clock,
      path,
      query,
      body,
      base,
    }),
    bodyLimits: () => origin.options,
  }
  const answer = recorder.record(
    createCore(store, origin.options, {
      overrides,
      delay: () => drawSpan(delay, delays),
      control: () => findAdminService(mock, origin.options),
      meet({ method, headers }, operation, segments) {
        const preferred = preferredStatus(headers.prefer)
        if (preferred !== undefined) return toPreferred(preferred)
        return engine.meet({ operation: operation.id, method, segments })
      },
    }),
  )
  const arranging = createArranging(store, origin.options, current, (isChange) => {
    whole?.use()
    if (isChange) events.emit({ type: 'state', cause: 'data' })
  })

  function handle(request: PlainRequest, waiting?: Waiting): PlainResponse | Promise<PlainResponse> {
    whole?.use()
    requireWorld()
    return answer(bounded(request, origin.options), waiting)
  }

  /** Whoever asks too early hears of it; a world that cannot be made at all is the test's affair as well. */
  function requireWorld(): void {
    try {
      current.get()
    } catch (error) {
      recorder.reportError(error)
      throw error
    }
  }

  function begin(): void {
    clock.reset()
    arranging.restart()
    engine.restart()
    delays = createRandom(seed(), 'delay')
    overrides.clear()
    recorder.forget()
    events.emit({ type: 'reset', ...worldOf(current) })
  }

  function startOver(): void
  function startOver(world: ResetOptions | undefined): void | Promise<void>
  function startOver(world?: ResetOptions): void | Promise<void> {
    if (world !== undefined) return current.moveTo(world).then((isThere) => (isThere ? begin() : undefined))
    current.reset()
    begin()
  }

  function restore(snapshot: Snapshot): void {
    current.restore(snapshot)
    events.emit({ type: 'state', cause: 'restore' })
  }

  const controls: Omit<Controls, 'startingData'> = {
    clock,
    journal: recorder.journal,
    faults: engine.faults,
    snapshots: createSnapshots({ take: current.snapshot, sizes: () => sizesOf(current.get()), restore, clock }),
    events: { subscribe: events.subscribe },
    coverage: coverage.report,
    exportState: () => exportState(current.get(), specHash),
    importState(state) {
      const { records, nextIds } = readState(state ?? null, contract, rules, specHash)
      current.get().replaceAll(records, nextIds)
      events.emit({ type: 'state', cause: 'import' })
    },
  }

  const mock: Mock = {
    ...controls,
    get startingData() {
      return worldOf(current)
    },
    startedAt,
    sandboxes,
    startOver,
  }

  const sandbox: Sandbox = {
    ...controls,
    fetch: createFetch(
      { handle, mostBytes: (path) => maxBodyBytesFor(path, origin.options), reportError: unreportedErrors.add },
      origin.ready,
    ),
    handle,
    data: arranging.data,
    get startingData() {
      return worldOf(current)
    },
    get lifecycleWarnings() {
      return recorder.lifecycleWarnings()
    },
    override: (operation, override, options) => overrides.add(operation, override, options),
    snapshot: current.snapshot,
    restore,
    reset: ((world?: ResetOptions) => {
      const done = startOver(world)
      return done ? done.then(recorder.check) : recorder.check()
    }) as Sandbox['reset'],
    check: recorder.check,
  }
  return { sandbox, startOver, end: events.end, reportError: recorder.reportError, cover: count }
}

/** A body that is too large is the same to all, whether an adapter has read all of it or not. */
function bounded(request: PlainRequest, options: ResolvedOptions): PlainRequest {
  const { body, path } = request
  if (body === undefined || body.length <= maxBodyBytesFor(path, options)) return request
  return { ...request, body: 'too large' }
}

/** Arranging data is not a client: it may read what has passed its sunset, and write at any length. */
const UNRESTRICTED = { sunset: 'announce', strict: false, ...NO_LIMITS } as const

/** `data`, which goes the way of a request but meets no fault and is not recorded. `onUse` hears of all it does. */
function createArranging(
  store: StoreService,
  options: ResolvedOptions,
  current: CurrentWorld,
  onUse: (isChange: boolean) => void,
): ReturnType<typeof createData> {
  const unlimited = { ...store, bodyLimits: () => NO_LIMITS }
  const arrange = createCore(unlimited, { ...options, ...UNRESTRICTED })
  return createData({
    seed: () => current.seed,
    rules: options.rules,
    handle(request) {
      current.get()
      const response = arrange(request)
      onUse(request.method !== 'GET' && response.status < 400)
      return response
    },
    requireWorld: () => void current.get(),
    atomically(act) {
      const before = current.get().snapshot()
      try {
        return act()
      } catch (error) {
        current.get().restore(before)
        throw error
      }
    },
  })
}

function worldOf({ seed, scenario }: CurrentWorld): Controls['startingData'] {
  return { seed, scenario }
}

function sizesOf({ categories, pets, orders }: World): Sizes {
  return { categories: categories.size, pets: pets.size, orders: orders.size }
}
