import type { RequestHandler } from 'msw'
import { setupWorker } from 'msw/browser'
import { assemblePetstore, type Petstore } from '../../petstore/create-petstore.js'
import { isOptionalFunction } from '../../petstore/options.js'
import { resolveBaseAddresses } from '../msw/base-address.js'
import { createHandler } from '../msw/handlers.js'
import { BASE_URL_EXPECTATION, DEFAULT_BASE_URL, type InterceptionOptions, partOptions } from '../msw/options.js'
import { holdRequests } from './hold-requests.js'
import { createStateKeeper } from './kept-state.js'
import { createPanel } from './panel.js'
import { stayAwake } from './stay-awake.js'
import { prepareWorker, startWorker } from './worker-script.js'

export * from '../../index.js'

export interface BrowserOptions extends InterceptionOptions {
  /** Keeps the data across reloads and hot updates of a tab. Default: false. */
  keepState?: boolean
  /** Where the service worker script is, which `petstore-mock init` copies. Default: `/mockServiceWorker.js`. */
  worker?: string
  /** Told of what a developer may want to know: that kept data was dropped. Default: `console.info`. */
  onNotice?: (notice: string) => void
  /**
   * Told at once why a request fails that an override spoils, since in development nobody calls `check`. Default:
   * `console.error`.
   */
  onError?: (error: unknown) => void
}

/** A pet store that answers what a page sends to its address, with a service worker in between. */
export interface BrowserPetstore extends Petstore {
  /** Resolves once requests are answered. A pet store that was started before in the same page is stopped. */
  start(): Promise<void>
  /** Lets requests go where they are sent to again. */
  stop(): void
  /** Opens the dashboard in a panel of the page: what was asked, the data, faults, the clock. */
  openDashboard(): Promise<void>
  /** For an msw worker of one's own, instead of `start`. */
  readonly handlers: readonly RequestHandler[]
}

/** There is one service worker for a page, and so one pet store behind it; a hot update starts another. */
let started: { stop(): void } | undefined

/** The pet store whose data was kept last: when it is started again it knows them itself, and what came since. */
let lastKept: Petstore | undefined

/** One start after the other: msw's worker is one for the page too, and is confused by two at a time. */
let lastStart: Promise<unknown> = Promise.resolve()

/** A pet store for a page without a backend: answers what the page sends, through a service worker. */
export function setupPetstore(options: BrowserOptions = {}): BrowserPetstore {
  const { own, petstore: petstoreOptions } = partOptions(options, DEFAULTS, EXPECTATIONS)
  const addresses = resolveBaseAddresses(own.baseUrl, location.href)
  const { petstore, reportError } = assemblePetstore(petstoreOptions)
  const reachable = { petstore, addresses, reportError }
  const handlers = [
    createHandler(({ url }) => (addresses.match(url) === undefined ? undefined : reachable), own.onError),
  ]
  const panel = createPanel(String([own.baseUrl].flat()[0]))
  let ends: (() => void)[] = []

  function start(): Promise<void> {
    started?.stop()
    started = adapter
    const turn = lastStart.then(begin)
    lastStart = turn.catch(() => {})
    return turn
  }

  async function begin(): Promise<void> {
    end()
    if (started !== adapter) return
    await prepareWorker(own.worker)
    await petstore.ready
    // Before the first request can come.
    if (own.keepState) ends.push(keepState())
    try {
      const worker = await startWorker(() => setupWorker(...handlers), own.worker)
      const { whenAwake, end: sleep } = stayAwake()
      const release = holdRequests({ isOurs: (url) => addresses.match(url) !== undefined, whenAwake })
      ends.push(() => worker.stop(), release, sleep)
    } catch (error) {
      stop()
      throw error
    }
    // It was stopped, or another one was started, in the meantime.
    if (started !== adapter) end()
  }

  function end(): void {
    for (const each of ends) each()
    ends = []
  }

  function stop(): void {
    end()
    panel.close()
    if (started === adapter) started = undefined
  }

  function keepState(): () => void {
    const keeper = createStateKeeper(petstore, petstoreOptions, own.onNotice)
    if (lastKept !== petstore) keeper.restore()
    const stopListening = petstore.events.subscribe((event) => {
      if (event.type === 'reset') keeper.clear()
      if (event.type === 'state' && event.cause !== 'data') keeper.save()
    })
    // What a test, or somebody at the console, has arranged without a request is kept when it ends.
    window.addEventListener('pagehide', keeper.save)
    return () => {
      keeper.save()
      lastKept = petstore
      stopListening()
      window.removeEventListener('pagehide', keeper.save)
    }
  }

  const adapter = Object.assign(petstore, { start, stop, handlers, openDashboard: panel.open })
  return adapter
}

const DEFAULTS: Required<Omit<BrowserOptions, keyof Parameters<typeof assemblePetstore>[0]>> = {
  baseUrl: DEFAULT_BASE_URL,
  keepState: false,
  worker: '/mockServiceWorker.js',
  onNotice: (notice) => console.info(notice),
  onError: (error) => console.error(error),
}

const EXPECTATIONS = {
  baseUrl: BASE_URL_EXPECTATION,
  keepState: [(value: unknown) => typeof value === 'boolean', 'true or false'],
  worker: [(value: unknown) => typeof value === 'string' && value !== '', 'the address of a script'],
  onNotice: [isOptionalFunction, 'a function'],
  onError: [isOptionalFunction, 'a function'],
} as const
