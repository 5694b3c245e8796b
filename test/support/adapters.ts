import { beforeEach, describe, type TestContext } from 'vitest'
import type { AnyService, Mock, Petstore, PetstoreOptions, ServiceDefinition } from '../../src/index.js'
import { adapters } from './adapters-node.js'

/** A mock behind one of its adapters. */
export interface RunningMock {
  /** Sends a request. The path is sent as given, percent-encoding included. */
  fetch(path: string, init?: RequestInit): Promise<Response>
  /** The mock without the adapter, for setup and inspection. */
  readonly petstore: Petstore
  close(): Promise<void>
}

/** The same for another service. */
export interface RunningService extends Pick<RunningMock, 'fetch' | 'close'> {
  readonly mock: Mock<AnyService>
}

export interface Adapter {
  readonly name: string
  /** Whether there is a network between the client and the mock, so that errors cannot be thrown to the client. */
  readonly isServer?: true
  /** Tested in another suite. Here the others are only compared with it. */
  readonly isOnlyCompared?: true
  /** Runs only the tests about what crosses the wire. */
  readonly isOnlyWire?: true
  /** Titles of tests that cannot hold there, with the reasons. */
  readonly leftOut?: readonly (readonly [title: RegExp, reason: string])[]
  /** Opens a new mock that checks each of its responses against the OpenAPI document. */
  open(options?: PetstoreOptions): Promise<RunningMock>
  /** The same for a service of your own. */
  openService(service: ServiceDefinition<AnyService>): Promise<RunningService>
}

/** The adapters that work where the tests run: in Node, or in a page. The first is the in-memory one. */
export { adapters }

/** The one without a network: the fastest, and the one that the others are compared with. */
export const [inMemory] = adapters as readonly [Adapter]

/** Runs the same tests in memory and on the server. */
export function describeAdapters(title: string, tests: (adapter: Adapter) => void): void {
  describeEach(
    adapters.filter(({ isOnlyWire }) => !isOnlyWire),
    title,
    tests,
  )
}

/** Runs tests about what crosses the wire on every adapter. Only for files `*.wire.test.ts`, which run in every suite. */
export function describeEveryAdapter(title: string, tests: (adapter: Adapter) => void): void {
  describeEach(adapters, title, tests)
}

function describeEach(chosen: readonly Adapter[], title: string, tests: (adapter: Adapter) => void): void {
  for (const adapter of chosen) {
    if (adapter.isOnlyCompared) continue
    describe(`${title}, ${adapter.name}`, () => {
      if (adapter.leftOut) beforeEach((context) => skipIfLeftOut(adapter, context))
      tests(adapter)
    })
  }
}

function skipIfLeftOut({ leftOut = [] }: Adapter, { task, skip }: TestContext): void {
  const reason = leftOut.find(([title]) => title.test(task.fullName))?.[1]
  if (reason !== undefined) skip(reason)
}
