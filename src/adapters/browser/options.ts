import { BOOLEAN, isOptionalFunction, type OptionRows } from '../../engine/options.js'
import { BASE_URL, type InterceptionOptions } from '../msw/options.js'

/** What the options of a mock in a page have beside those of every mock. */
export interface BrowserInterceptionOptions extends InterceptionOptions {
  /**
   * Whether a tab keeps its data, faults, clock, snapshots and fixed overrides across reloads and hot updates. Overrides that
   * are functions are not kept. Default: false.
   */
  keepState?: boolean
  /** The address of the service worker script, which `petstore-mock init` copies. Default: `/mockServiceWorker.js`. */
  worker?: string
  /** Whether to print neither the base address at the start nor warnings of requests that just miss it. Default: false. */
  quiet?: boolean
  /** Called with a message when kept state is discarded or cannot be saved. Default: `console.info`. */
  onNotice?: (notice: string) => void
  /** Called with the reason when a request fails because an override is invalid. Default: `console.error`. */
  onError?: (error: unknown) => void
}

export const BROWSER_OPTIONS: OptionRows<Required<BrowserInterceptionOptions>> = {
  baseUrl: BASE_URL,
  keepState: [false, ...BOOLEAN],
  worker: ['/mockServiceWorker.js', (value) => typeof value === 'string' && value !== '', 'the address of a script'],
  quiet: [false, ...BOOLEAN],
  onNotice: [(notice) => console.info(notice), isOptionalFunction, 'a function'],
  onError: [(error) => console.error(error), isOptionalFunction, 'a function'],
}
