import { describe } from 'vitest'
import type { Petstore, PetstoreOptions } from '../../src/index.js'
import { doors } from './doors-of-node.js'

/** A pet store behind one of its doors, as the behaviour suite sees it. */
export interface OpenDoor {
  /** Sends a request to a path of the pet store, escapes and all. */
  fetch(path: string, init?: RequestInit): Promise<Response>
  /** The pet store behind the door, for what a test arranges without HTTP. */
  readonly petstore: Petstore
  close(): Promise<void>
}

export interface Door {
  readonly name: string
  /** Opens a fresh pet store. Every answer is checked against the document on the way out. */
  open(options?: PetstoreOptions): Promise<OpenDoor>
}

/** Those that can be opened where the tests run: in Node, or in a page. The first is the one in memory. */
export { doors }

/** The same tests on every door. */
export function describeDoors(title: string, tests: (door: Door) => void): void {
  for (const door of doors) describe(`${title}, ${door.name}`, () => tests(door))
}
