import { describe } from 'vitest'
import type { Petstore, PetstoreOptions } from '../../src/index.js'
import { adapters } from './adapters-node.js'

/** A pet store behind one of its adapters, as the behaviour suite sees it. */
export interface RunningMock {
  /** Sends a request to a path of the pet store, escapes and all. */
  fetch(path: string, init?: RequestInit): Promise<Response>
  /** The pet store behind the adapter, for what a test arranges without HTTP. */
  readonly petstore: Petstore
  close(): Promise<void>
}

export interface Adapter {
  readonly name: string
  /** Opens a fresh pet store. Every answer is checked against the document on the way out. */
  open(options?: PetstoreOptions): Promise<RunningMock>
}

/** Those that can be opened where the tests run: in Node, or in a page. The first is the one in memory. */
export { adapters }

/** The same tests on every adapter. */
export function describeAdapters(title: string, tests: (adapter: Adapter) => void): void {
  for (const adapter of adapters) describe(`${title}, ${adapter.name}`, () => tests(adapter))
}
