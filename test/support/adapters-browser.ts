import { setupWorker } from 'msw/browser'
import { expect } from 'vitest'
import { type BrowserPetstore, setupPetstore } from '../../src/adapters/browser/index.js'
import { memory } from './adapter-memory.js'
import type { Adapter } from './adapters.js'

/** The pet stores that are open. */
const open = new Set<BrowserPetstore>()
let opened = 0

/** Who has the service worker, of which a page has one: a pet store that was started, or the worker of them all. */
let holder: { stop(): void } | undefined
const shared = setupWorker()

/** Tests that open two at once still take the service worker one after the other. */
let lastTurn: Promise<void> = Promise.resolve()

/** The file whose tests have had a pet store that was started. */
let fileOfStart: string | undefined

/**
 * Every request goes through the service worker, to an address of another origin than the page's. The first pet store
 * of a file is started as an application does it. That takes longer than most tests, and only one can be started, so
 * the others are given to a worker that runs on.
 */
const chromium: Adapter = {
  name: 'in Chromium',
  async open(options = {}) {
    opened += 1
    const baseUrl = `https://petstore-${opened}.test`
    // What a test does wrong on purpose it looks at itself.
    const petstore = setupPetstore({ validateResponses: true, baseUrl, onError: () => {}, ...options })
    await petstore.ready
    const turn = lastTurn.then(() => (isFirstOfFile() ? start(petstore) : share(petstore)))
    lastTurn = turn.catch(() => {})
    await turn
    return { petstore, fetch: (path, init) => fetch(baseUrl + path, init), close: async () => close(petstore) }
  },
}

function isFirstOfFile(): boolean {
  const { testPath } = expect.getState()
  if (open.size > 0 || fileOfStart === testPath) return false
  fileOfStart = testPath
  return true
}

async function start(petstore: BrowserPetstore): Promise<void> {
  holder?.stop()
  holder = petstore
  open.add(petstore)
  await petstore.start()
}

async function share(petstore: BrowserPetstore): Promise<void> {
  open.add(petstore)
  offerAll()
  if (holder === shared) return
  holder?.stop()
  holder = shared
  await shared.start({ onUnhandledRequest: 'bypass', quiet: true })
}

function close(petstore: BrowserPetstore): void {
  open.delete(petstore)
  offerAll()
  if (holder !== petstore) return
  petstore.stop()
  holder = undefined
}

/** Leaves the service worker to a test that starts pet stores itself. */
export function letGoOfWorker(): void {
  holder?.stop()
  holder = undefined
}

function offerAll(): void {
  shared.resetHandlers(...[...open].flatMap(({ handlers }) => handlers))
}

export const adapters: readonly Adapter[] = [memory, chromium]
