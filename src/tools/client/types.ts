/// <reference lib="esnext.disposable" preserve="true" />
import type { ResponseOf } from '../../document/schema/types.js'
import type { Clock } from '../../engine/control/clock.js'
import type { SandboxSummary } from '../../engine/control/sandboxes.js'
import type { Snapshots } from '../../engine/control/snapshots.js'
import type { OperationIdOf } from '../../engine/instance/instance.js'
import type { Coverage } from '../../engine/log/coverage.js'
import type { Har } from '../../engine/log/har.js'
import type { JournalFilter } from '../../engine/log/journal.js'
import type { JournalEntry } from '../../engine/log/journal-entry.js'
import type { Reproduction } from '../../engine/log/reproduction.js'
import type { WaitOptions } from '../../engine/log/wait.js'
import type { Fault, FaultChange, FaultRule } from '../../engine/rules/fault-rule.js'
import type { AddedOverride, OverrideList, OverrideOptions, UncheckedResponse } from '../../engine/rules/override.js'
import type { ServiceTypes } from '../../engine/service.js'
import type { operations } from '../../petstore/public-types.js'
import type { PetstoreTypes } from '../../petstore/types.js'

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

export interface ClientJournal<Ops extends object = operations> {
  entries<O extends keyof Ops>(filter: JournalFilter<O> & { operation: O }): Promise<JournalEntry<Ops, O>[]>
  entries(filter?: JournalFilter<keyof Ops>): Promise<JournalEntry<Ops>[]>
  /** Resolves with the requests of an operation as soon as there are enough, those already in the journal included. */
  waitFor<O extends keyof Ops>(operation: O, options?: WaitOptions): Promise<JournalEntry<Ops, O>[]>
  /** Undefined when there was no such entry, or it was evicted. */
  find(id: number): Promise<JournalEntry<Ops> | undefined>
  /** The entries as HAR 1.2. */
  toHar(filter?: JournalFilter<keyof Ops>): Promise<Har>
  /** Never set. Its type tells matchers the operations. */
  readonly operations?: Ops
  clear(): Promise<void>
}

/** Which operations are passed through to the real service. */
export interface ClientUpstream<OperationId extends string = keyof operations> {
  /** Its base URL, if there is one, and the operations that are passed through. */
  state(): Promise<{ readonly url?: string; readonly passed: readonly OperationId[] }>
  /** Passes operations through: operationIds, patterns such as `get*`, or methods such as `GET`, until the next reset. */
  pass(...operations: string[]): Promise<void>
  /** Answers operations from the mock again, named in the same way. */
  mock(...operations: string[]): Promise<void>
}

/** A mock of the built-in service that runs in another process. */
export type PetstoreClient = MockClient

/** A mock that runs in another process, controlled over its admin API. */
export interface MockClient<T extends ServiceTypes = PetstoreTypes> {
  /** The address of the API for the code under test, with the sandbox in its path. */
  readonly baseUrl: string
  /** Sends a request to the API, in this sandbox. */
  fetch(path: string, init?: RequestInit): Promise<Response>
  /** Sets up and reads data. Faults do not apply, and nothing is recorded. */
  readonly data: {
    readonly [Name in keyof T['data']]: Async<T['data'][Name]>
  }
  /** Rules that make requests fail. */
  readonly faults: {
    add(rule?: FaultRule<OperationIdOf<T>>): Promise<Fault<OperationIdOf<T>> & AsyncRemovable>
    list(): Promise<Fault<OperationIdOf<T>>[]>
    update(id: number, change: FaultChange<OperationIdOf<T>>): Promise<Fault<OperationIdOf<T>>>
    remove(id: number): Promise<void>
    clear(): Promise<void>
  }
  /** Replaces the response of an operation with a fixed one, or a sequence of them, until the next reset. */
  override<O extends OperationIdOf<T>>(
    operation: O,
    response: ResponseOf<T['operations'][O]> | readonly (ResponseOf<T['operations'][O]> | 'pass')[],
    options?: OverrideOptions,
  ): Promise<AddedOverride<O> & AsyncRemovable>
  override<O extends OperationIdOf<T>>(
    operation: O,
    response: UncheckedResponse | readonly (UncheckedResponse | 'pass')[],
    options: OverrideOptions & ({ unchecked: true } | { raw: true }),
  ): Promise<AddedOverride<O> & AsyncRemovable>
  /** The overrides that were added, oldest first. */
  readonly overrides: Async<OverrideList<OperationIdOf<T>>>
  /** Which operations are passed through to the real service. */
  readonly upstream: ClientUpstream<OperationIdOf<T>>
  /** The mock's clock. */
  readonly clock: Async<Omit<Clock, 'now' | 'reset'>>
  /** The recorded requests and responses. */
  readonly journal: ClientJournal<T['operations']>
  /** Named snapshots. A reset keeps them. */
  readonly snapshots: Async<Snapshots>
  /** The sandboxes of the mock. */
  readonly sandboxes: {
    list(): Promise<SandboxSummary[]>
    delete(name: string): Promise<void>
    /** A client for a sandbox of the same mock. */
    open(name: string): MockClient<T>
  }
  /** Which operations and statuses of the OpenAPI document were exercised. */
  coverage(): Promise<Coverage>
  /** All that happened since the last reset, and where it started. `petstore-mock replay` repeats it. */
  reproduction(): Promise<Reproduction>
  /** The current data and next ids in the fixture format. */
  exportState(): Promise<T['state']>
  /** Replaces all data, or nothing if the state is invalid. */
  importState(state: T['fixtures']): Promise<void>
  /** Resets to the starting data, or to other starting data. */
  reset(options?: T['resetOptions']): Promise<void>
  /** Rejects with the errors that the code under test may have swallowed, if there are any. Call it when a test ends. */
  check(): Promise<void>
}
