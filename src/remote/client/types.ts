/// <reference lib="esnext.disposable" preserve="true" />
import type { Clock } from '../../engine/control/clock.js'
import type { Coverage } from '../../engine/control/coverage.js'
import type { Har } from '../../engine/control/har.js'
import type { OverrideOptions, UncheckedResponse } from '../../engine/control/override.js'
import type { SandboxSummary } from '../../engine/control/sandboxes.js'
import type { Snapshots } from '../../engine/control/snapshots.js'
import type { WaitOptions } from '../../engine/control/wait.js'
import type { Reproduction } from '../../engine/reproduction/reproduction.js'
import type { PetstoreData } from '../../petstore/data.js'
import type { Fixture, PartialFixture } from '../../petstore/fixtures/format.js'
import type {
  AddedOverride,
  Fault,
  FaultChange,
  FaultRule,
  JournalEntry,
  JournalFilter,
  OperationId,
  OverrideList,
  ResetOptions,
  ResponseOf,
} from '../../petstore/types.js'

export interface ConnectOptions {
  /** The sandbox that everything applies to; it is created by the first request. Default: the root. */
  sandbox?: string
  /** The token that the admin API requires, if it requires one. */
  token?: string
  /** Sends the requests. Default: the global `fetch`. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>
}

/** The same functions, each of which returns a promise. */
export type Async<Functions> = {
  readonly [Name in keyof Functions]: Functions[Name] extends (...args: infer Args) => infer Result
    ? (...args: Args) => Promise<Awaited<Result>>
    : Functions[Name]
}

/** Something that was added and can be removed again. An `await using` block removes it at its end. */
export interface AsyncRemovable extends AsyncDisposable {
  /** Can be called more than once. */
  remove(): Promise<void>
}

export interface ClientJournal {
  entries<O extends OperationId>(filter: JournalFilter<O> & { operation: O }): Promise<JournalEntry<O>[]>
  entries(filter?: JournalFilter): Promise<JournalEntry[]>
  /** Resolves with the requests of an operation as soon as there are enough, those already in the journal included. */
  waitFor<O extends OperationId>(operation: O, options?: WaitOptions): Promise<JournalEntry<O>[]>
  /** Undefined when there was no such entry, or it was evicted. */
  find(id: number): Promise<JournalEntry | undefined>
  /** The entries as HAR 1.2. */
  toHar(filter?: JournalFilter): Promise<Har>
  clear(): Promise<void>
}

/** Which operations are passed through to the real service. */
export interface ClientUpstream {
  /** Its base URL, if there is one, and the operations that are passed through. */
  state(): Promise<{ readonly url?: string; readonly passed: readonly OperationId[] }>
  /** Passes operations through: operationIds, patterns such as `get*`, or methods such as `GET`, until the next reset. */
  pass(...operations: string[]): Promise<void>
  /** Answers operations from the mock again, named in the same way. */
  mock(...operations: string[]): Promise<void>
}

/** A mock that runs in another process, controlled over its admin API. */
export interface PetstoreClient {
  /** The address of the API for the code under test, with the sandbox in its path. */
  readonly baseUrl: string
  /** Sends a request to the API, in this sandbox. */
  fetch(path: string, init?: RequestInit): Promise<Response>
  /** Sets up and reads data. Faults do not apply, and nothing is recorded. */
  readonly data: {
    readonly [Name in keyof PetstoreData]: Async<PetstoreData[Name]>
  }
  /** Rules that make requests fail. */
  readonly faults: {
    add(rule?: FaultRule): Promise<Fault & AsyncRemovable>
    list(): Promise<Fault[]>
    update(id: number, change: FaultChange): Promise<Fault>
    remove(id: number): Promise<void>
    clear(): Promise<void>
  }
  /** Replaces the response of an operation with a fixed one, or a sequence of them, until the next reset. */
  override<O extends OperationId>(
    operation: O,
    response: ResponseOf<O> | readonly (ResponseOf<O> | 'pass')[],
    options?: OverrideOptions,
  ): Promise<AddedOverride<O> & AsyncRemovable>
  override<O extends OperationId>(
    operation: O,
    response: UncheckedResponse | readonly (UncheckedResponse | 'pass')[],
    options: OverrideOptions & ({ unchecked: true } | { raw: true }),
  ): Promise<AddedOverride<O> & AsyncRemovable>
  /** The overrides that were added, oldest first. */
  readonly overrides: Async<OverrideList>
  /** Which operations are passed through to the real service. */
  readonly upstream: ClientUpstream
  /** The mock's clock. */
  readonly clock: Async<Omit<Clock, 'now' | 'reset'>>
  /** The recorded requests and responses. */
  readonly journal: ClientJournal
  /** Named snapshots. A reset keeps them. */
  readonly snapshots: Async<Snapshots>
  /** The sandboxes of the mock. */
  readonly sandboxes: {
    list(): Promise<SandboxSummary[]>
    delete(name: string): Promise<void>
    /** A client for a sandbox of the same mock. */
    open(name: string): PetstoreClient
  }
  /** Which operations and statuses of the OpenAPI document were exercised. */
  coverage(): Promise<Coverage>
  /** All that happened since the last reset, and where it started. `petstore-mock replay` repeats it. */
  reproduction(): Promise<Reproduction>
  /** The current data and next ids in the fixture format. */
  exportState(): Promise<Fixture>
  /** Replaces all data, or nothing if the state is invalid. */
  importState(state: PartialFixture): Promise<void>
  /** Resets to the starting data, or to other starting data. */
  reset(options?: ResetOptions): Promise<void>
  /** Rejects with the errors that the code under test may have swallowed, if there are any. Call it when a test ends. */
  check(): Promise<void>
}
