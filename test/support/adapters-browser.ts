import { setupWorker } from 'msw/browser'
import { type BrowserPetstore, setupPetstore } from '../../src/adapters/browser/index.js'
import { memory } from './adapter-memory.js'
import type { Adapter } from './adapters.js'

/** The mocks that are open. */
const open = new Set<BrowserPetstore>()
let opened = 0

/**
 * A page can have only one service worker, and starting it takes longer than most tests, so all mocks share it. How an
 * application starts it: test/browser/in-page.test.ts.
 */
const worker = setupWorker()
let started: Promise<unknown> | undefined

/** Sends every request through the service worker, to another origin than the page's. */
const chromium: Adapter = {
  name: 'in Chromium',
  async open(options = {}) {
    opened += 1
    const baseUrl = `https://petstore-${opened}.test`
    // Tests of errors assert on them; they need not be printed.
    const petstore = setupPetstore({ validateResponses: true, baseUrl, onError: () => {}, ...options })
    await petstore.ready
    open.add(petstore)
    shareHandlers()
    started ??= worker.start({ onUnhandledRequest: 'bypass', quiet: true })
    await started
    return {
      petstore,
      fetch: (path, init) => fetch(baseUrl + path, init),
      async close() {
        open.delete(petstore)
        shareHandlers()
      },
    }
  },
}

function shareHandlers(): void {
  worker.resetHandlers(...[...open].flatMap(({ handlers }) => handlers))
}

/** Frees the service worker for a test that starts mocks itself. */
export function releaseWorker(): void {
  if (started !== undefined) worker.stop()
  started = undefined
}

export const adapters: readonly Adapter[] = [{ ...memory, isOnlyCompared: true }, chromium]
