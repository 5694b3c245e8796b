import type { RequestHandler } from 'msw'
import { setupWorker } from 'msw/browser'
import { createMock, type Mock } from '../../engine/mock/mock.js'
import type { ServiceDefinition, ServiceTypes } from '../../engine/service.js'
import { resolveBaseAddresses } from '../../http/base-address.js'
import { tryStorage } from '../../lib/environment.js'
import { makeDisposable } from '../../lib/functions.js'
import { createHandler, type MockEndpoint } from '../msw/handlers.js'
import { splitOptions } from '../msw/options.js'
import { delayRequests } from './delay-requests.js'
import { keepWorkerActive } from './keep-worker-active.js'
import { createAnnouncements, isPathOfMock } from './near-miss.js'
import { BROWSER_OPTIONS, type BrowserInterceptionOptions } from './options.js'
import type { addPanel } from './panel-element.js'
import { checkWorkerScript, startWorker } from './worker-script.js'

/** In the session storage of a tab whose panel is open. */
const KEY = 'petstore-mock.dashboard'

/** Creates a panel over the page with the dashboard of the mock at `base`. The dashboard is loaded on first use. */
function createPanel(base: string) {
  let opened: ReturnType<typeof addPanel> | undefined
  let opening: Promise<void> | undefined

  async function show(): Promise<void> {
    const element = await import('./panel-element.js')
    // It may have been closed in the meantime.
    if (opening === undefined) return
    opened = element.addPanel(base, dismiss)
    tryStorage(() => sessionStorage.setItem(KEY, 'open'))
  }

  function open(): Promise<void> {
    opening ??= show().catch((error) => {
      opening = undefined
      throw error
    })
    return opening
  }

  function close(): void {
    opening = undefined
    opened?.remove()
    opened = undefined
  }

  /** Closes it for good: a later page does not open it again. */
  function dismiss(): void {
    tryStorage(() => sessionStorage.removeItem(KEY))
    close()
  }

  return {
    /** Moves the focus to the panel. Does nothing else if it is already open. */
    async open(): Promise<void> {
      await open()
      opened?.focus()
    },
    /** Opens it if it was open when the page was left. */
    async reopen(): Promise<void> {
      if (tryStorage(() => sessionStorage.getItem(KEY)) != null) await open()
    },
    close,
  }
}

/** A mock that intercepts the requests of a page to its base URL with a service worker. */
export interface BrowserMock<T extends ServiceTypes> extends Mock<T>, Disposable {
  /** Resolves when requests are intercepted. Stops a mock that was started before in the same page. */
  start(): Promise<void>
  /**
   * Stops intercepting requests and calls `check`, which throws errors that were not reported: of overrides, for example. The
   * mock can be started again.
   */
  stop(): void
  /** Opens the dashboard in a panel of the page. After a reload, `start` opens it again unless it was closed. */
  openDashboard(): Promise<void>
  /** Handlers for your own msw worker; use them instead of `start`. With `keepState`, `ready` then waits for the kept state. */
  readonly handlers: readonly RequestHandler[]
}

/** Ends the mock that is started: a page has one service worker, and so at most one mock that uses it. */
let endStarted: (() => void) | undefined

/**
 * The mock that last kept its state under each base URL, and how to stop it. It still has the saved data when it is started
 * again, and newer data too.
 */
const keepers = new Map<string, { readonly mock: object; release(): void }>()

/** Mocks start one after another, because msw cannot start two workers at a time. */
let lastStart: Promise<unknown> = Promise.resolve()

/** Creates a mock of any service for a page without a backend. */
export function setupMock<T extends ServiceTypes>(
  service: ServiceDefinition<T>,
  options: T['options'] & BrowserInterceptionOptions = {},
): BrowserMock<T> {
  const { own, mockOptions } = splitOptions(service, options, BROWSER_OPTIONS)
  const addresses = resolveBaseAddresses(own.baseUrl, document.baseURI)
  const { mock, documentPaths, loaded, saved, reportError } = createMock(service, mockOptions)
  const isMocked = (url: string) => addresses.find(url) !== undefined
  const isPageBelow = isMocked(location.href)
  const endpoint = { mock, addresses, reportError }
  const say = own.quiet ? undefined : createAnnouncements(service.contract, addresses)
  const handlers = [createHandler({ findEndpoint, onError: own.onError })]
  const panel = createPanel(String([own.baseUrl].flat()[0]))
  let cleanups: (() => void)[] = []
  /** For the handlers: they have no start, so the first use of them restores the state. Resolves with what ends keeping it. */
  let kept: Promise<() => void> | undefined

  function findEndpoint({ url }: Request): MockEndpoint | undefined {
    // Only if it is started: an msw worker of the application may have other handlers for such a request.
    if (endStarted === end) say?.nearMiss(url)
    const base = addresses.find(url)
    if (
      base === undefined ||
      (isPageBelow && !isPathOfMock(service.contract, documentPaths, new URL(url).pathname.slice(base.path.length)))
    )
      return
    return endpoint
  }

  function start(): Promise<void> {
    endStarted?.()
    endStarted = end
    const starting = lastStart.then(intercept)
    lastStart = starting.catch(() => {})
    return starting
  }

  async function intercept(): Promise<void> {
    release()
    if (endStarted !== end) return
    const script = new URL(own.worker, document.baseURI).href
    await checkWorkerScript(script)
    await mock.ready
    try {
      // Before the first request can arrive.
      if (own.keepState) cleanups.push(await keepState())
      const worker = await startWorker(() => setupWorker(...handlers), script)
      const { whenActive, stop: stopKeeping } = keepWorkerActive()
      cleanups.push(() => worker.stop(), delayRequests({ appliesTo: isMocked, wait: whenActive }), stopKeeping)
    } catch (error) {
      end()
      throw error
    }
    // It may have been stopped, or another mock started, in the meantime.
    if (endStarted !== end) return release()
    say?.started()
    panel.reopen().catch(own.onError)
  }

  function release(): void {
    for (const cleanup of cleanups) cleanup()
    cleanups = []
  }

  function end(): void {
    release()
    kept?.then((stopKeeping) => stopKeeping()).catch(() => {})
    kept = undefined
    panel.close()
    if (endStarted === end) endStarted = undefined
  }

  function stop(): void {
    end()
    mock.check()
  }

  async function keepState(): Promise<() => void> {
    const { createSavedState } = await import('./saved-state.js')
    const { onNotice } = own
    const baseUrl = String(own.baseUrl)
    const { restore, save, follow } = createSavedState({
      service,
      mock,
      saved,
      options: mockOptions,
      baseUrl,
      onNotice,
    })
    keepers.get(baseUrl)?.release()
    if (keepers.get(baseUrl)?.mock !== mock) restore()
    const unfollow = follow()
    // What was changed without an event, such as data without a request, is saved when the page goes away.
    window.addEventListener('pagehide', save)
    let isReleased = false
    const release = () => {
      if (isReleased) return
      isReleased = true
      save()
      unfollow()
      window.removeEventListener('pagehide', save)
    }
    keepers.set(baseUrl, { mock, release })
    return release
  }

  const members = {
    start,
    stop,
    openDashboard: panel.open,
    get ready() {
      return kept ?? loaded()
    },
    get handlers() {
      if (own.keepState && kept === undefined) {
        kept = loaded().then(keepState)
        kept.catch(() => {
          kept = undefined
        })
      }
      return handlers
    },
  }
  // Not a spread: both have getters.
  const browserMock = Object.defineProperties(mock, Object.getOwnPropertyDescriptors(members))
  return makeDisposable(browserMock as BrowserMock<T>, stop)
}
