import type { RequestHandler } from 'msw'
import { setupWorker } from 'msw/browser'
import { setupMock, setupPetstore } from '../../src/adapters/browser/index.js'
import { memory } from './adapter-memory.js'
import type { Adapter, RunningMock } from './adapters.js'

/** The mocks that are open. */
const open = new Set<{ readonly handlers: readonly RequestHandler[] }>()
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
    return { petstore, ...(await intercept(petstore, baseUrl)) }
  },
  async openService(service) {
    opened += 1
    const baseUrl = `https://service-${opened}.test`
    const mock = setupMock(service, { validateResponses: true, baseUrl, onError: () => {} })
    return { mock, ...(await intercept(mock, baseUrl)) }
  },
}

interface Interceptable {
  readonly ready: Promise<void>
  readonly handlers: readonly RequestHandler[]
}

async function intercept(mock: Interceptable, baseUrl: string): Promise<Pick<RunningMock, 'fetch' | 'close'>> {
  await mock.ready
  open.add(mock)
  shareHandlers()
  started ??= worker.start({ onUnhandledRequest: 'bypass', quiet: true })
  await started
  return {
    fetch: (path, init) => fetch(baseUrl + path, init),
    async close() {
      open.delete(mock)
      shareHandlers()
    },
  }
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
