import { describe } from 'vitest'
import { createPetstore, type Petstore, type PetstoreOptions } from '../../src/index.js'
import { setupPetstore } from '../../src/node/index.js'
import { startServer } from '../../src/server/index.js'

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

const memory: Door = {
  name: 'in memory',
  async open(options = {}) {
    const petstore = createPetstore({ validateResponses: true, ...options })
    await petstore.ready
    return { petstore, fetch: (path, init) => petstore.fetch(path, init), close: async () => {} }
  },
}

const server: Door = {
  name: 'on the server',
  async open(options = {}) {
    const running = await startServer({ validateResponses: true, port: 0, ...options })
    return {
      petstore: running.petstore,
      fetch: (path, init) => fetch(running.url + path, init),
      close: () => running.close(),
    }
  },
}

const node: Door = {
  name: 'intercepted in Node',
  async open(options = {}) {
    const baseUrl = 'https://petstore.test'
    const petstore = setupPetstore({ validateResponses: true, baseUrl, onUnhandledRequest: 'bypass', ...options })
    await petstore.ready
    petstore.listen()
    return {
      petstore,
      fetch: (path, init) => petstore.run(() => fetch(baseUrl + path, init)),
      close: async () => petstore.close(),
    }
  },
}

export const doors: readonly Door[] = [memory, node, server]

/** The same tests on every door. */
export function describeDoors(title: string, tests: (door: Door) => void): void {
  for (const door of doors) describe(`${title}, ${door.name}`, () => tests(door))
}
