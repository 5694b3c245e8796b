import { setupWorker } from 'msw/browser'
import { expect } from 'vitest'
import { type BrowserPetstore, setupPetstore } from '../../src/adapters/browser/index.js'
import { memory } from './adapter-memory.js'
import type { Adapter } from './adapters.js'

/** The mocks that are open. */
const open = new Set<BrowserPetstore>()
let opened = 0

/** What is using the page's only service worker: a mock that was started, or the shared worker. */
let workerUser: { stop(): void } | undefined
const shared = setupWorker()

/** Makes tests that open two mocks at once use the service worker one after the other. */
let lastTurn: Promise<void> = Promise.resolve()

/** The last test file that started a mock of its own. */
let startedInFile: string | undefined

/**
 * Sends every request through the service worker, to another origin than the page's. The first mock of a test file is
 * started as an application starts it. That takes longer than most tests, and only one can be started at a time, so the
 * other mocks share one worker that keeps running.
 */
const chromium: Adapter = {
  name: 'in Chromium',
  async open(options = {}) {
    opened += 1
    const baseUrl = `https://petstore-${opened}.test`
    // Tests of errors assert on them; they need not be printed.
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
  if (open.size > 0 || startedInFile === testPath) return false
  startedInFile = testPath
  return true
}

async function start(petstore: BrowserPetstore): Promise<void> {
  workerUser?.stop()
  workerUser = petstore
  open.add(petstore)
  await petstore.start()
}

async function share(petstore: BrowserPetstore): Promise<void> {
  open.add(petstore)
  shareHandlers()
  if (workerUser === shared) return
  workerUser?.stop()
  workerUser = shared
  await shared.start({ onUnhandledRequest: 'bypass', quiet: true })
}

function close(petstore: BrowserPetstore): void {
  open.delete(petstore)
  shareHandlers()
  if (workerUser !== petstore) return
  petstore.stop()
  workerUser = undefined
}

/** Frees the service worker for a test that starts mocks itself. */
export function releaseWorker(): void {
  workerUser?.stop()
  workerUser = undefined
}

function shareHandlers(): void {
  shared.resetHandlers(...[...open].flatMap(({ handlers }) => handlers))
}

export const adapters: readonly Adapter[] = [{ ...memory, isOnlyCompared: true }, chromium]
