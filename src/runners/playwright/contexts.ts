import type { Response } from '@playwright/test'
import { type APIRequestContext, type BrowserContext, test as base } from '@playwright/test'
import { type ListeningServer, startServer } from '../../adapters/server/index.js'
import type { ServerOptions, ServiceServerOptions } from '../../adapters/server/options.js'
import type { JournalEntry } from '../../engine/log/journal-entry.js'
import { hideSecrets } from '../../engine/log/journal-entry.js'
import { SANDBOX_COOKIE } from '../../http/sandbox-headers.js'
import { machineDate } from '../../lib/clock.js'
import {
  createToMock,
  readRoutedIn,
  rejectWholeApplication,
  routePages,
  routeRequests,
  withLoopbackHosts,
} from './route.js'
import type { Target } from './target.js'

/** What a server refuses before the mock sees it, and so does not record: anyone could fill the journal otherwise. */
const STATUSES = [403, 421]
const CODES = ['FORBIDDEN_ORIGIN', 'MISDIRECTED_REQUEST']

/** Records the requests of pages that the server of the mock has refused, in the form of the journal. */
function recordRefused(context: BrowserContext, { url: mockUrl, toMock, refused }: Target): void {
  context.on('response', (response) => {
    const url = new URL(response.url())
    const routed = readRoutedIn(mockUrl, url.pathname)
    if (!STATUSES.includes(response.status()) || (routed ?? toMock(url.href)) === undefined) return
    if (routed) url.pathname = routed.prefix + routed.path
    refused.push(toEntry(url, response))
  })
}

async function toEntry({ host, pathname, searchParams }: URL, response: Response): Promise<JournalEntry | undefined> {
  const request = response.request()
  try {
    const body = await response.json()
    if (!CODES.includes(body?.code)) return undefined
    const sent = request.postData()
    return {
      id: 0,
      at: new Date(machineDate.now()).toISOString(),
      method: request.method(),
      path: pathname,
      query: Object.fromEntries(searchParams),
      params: {},
      status: response.status(),
      durationMs: Math.max(0, request.timing().responseEnd),
      request: {
        headers: hideSecrets({ ...(await request.allHeaders()), host }),
        ...(sent !== null && { body: sent }),
      },
      response: { headers: await response.allHeaders(), body },
    }
  } catch {
    // It is not JSON, or the page is gone.
    return undefined
  }
}

/** Options of the whole run: `use: { petstoreUrl: 'http://127.0.0.1:4010' }` in `playwright.config.ts`. */
export interface PetstoreWorkerOptions {
  /** The address of a running mock, which all workers share. Default: every worker starts its own server. */
  petstoreUrl: string | undefined
  /** The token that the admin API of `petstoreUrl` requires, if it requires one. Default: none. */
  petstoreToken: string | undefined
  /** The options of the server that a worker starts. Default: `{}`. */
  petstoreOptions: ServerOptions | ServiceServerOptions
}

export interface PetstoreTestOptions {
  /** The address to which the application sends its requests. They reach the mock instead. Default: the mock's address. */
  petstoreBaseUrl: string | undefined
  /**
   * The address of an application that renders pages on its server. Its server gets the name of the sandbox as the cookie
   * `petstore-sandbox`, to pass on with `forwardSandbox`. Default: none gets it.
   */
  petstoreAppUrl: string | undefined
  /** The name of a sandbox that tests share, for tests that build on each other. Default: every test has its own. */
  petstoreSandbox: string | undefined
}

/** What `createTest` was called with. */
export interface TestedServices {
  readonly names: readonly string[]
  /** The options of a server that has them. */
  readonly served: object
  /** The addresses to which the application sends its requests, by name. */
  readonly baseUrls: Readonly<Record<string, string | undefined>>
}

interface TestFixtures {
  /** The sandboxes of the test. */
  petstoreTargets: readonly Target[]
  petstoreEntrance: Entrance
}

interface WorkerFixtures {
  petstoreServices: TestedServices
  petstoreServer: Pick<ListeningServer, 'url' | 'adminToken'>
  /** That of the running test; undefined between tests, and in `beforeAll` and `afterAll`. */
  petstoreCurrent: { entrance: Entrance | undefined }
}

/** Makes contexts part of a test's sandboxes. */
interface Entrance {
  enter(context: BrowserContext, baseUrl: string | undefined): Promise<void>
  enterRequests(requests: APIRequestContext, baseUrl: string | undefined): void
}

/** Playwright's `test`, whose contexts reach the sandboxes of the test. */
export const contextTest = base.extend<PetstoreTestOptions & TestFixtures, PetstoreWorkerOptions & WorkerFixtures>({
  petstoreUrl: [undefined, { option: true, scope: 'worker' }],
  petstoreToken: [undefined, { option: true, scope: 'worker' }],
  petstoreOptions: [{}, { option: true, scope: 'worker' }],
  petstoreBaseUrl: [undefined, { option: true }],
  petstoreAppUrl: [undefined, { option: true }],
  petstoreSandbox: [undefined, { option: true }],

  petstoreServices: [{ names: ['petstore'], served: {}, baseUrls: {} }, { scope: 'worker' }],

  petstoreServer: [
    async ({ petstoreUrl, petstoreToken, petstoreOptions, petstoreServices }, use) => {
      if (petstoreUrl !== undefined) return use({ url: petstoreUrl, adminToken: petstoreToken })
      const server = await startServer({ port: 0, ...petstoreOptions, ...petstoreServices.served })
      await use(server)
      await server.close()
    },
    { scope: 'worker' },
  ],

  petstoreTargets: (
    { petstoreServer: { url: server, adminToken }, petstoreServices, petstoreSandbox, petstoreBaseUrl },
    use,
    { testId, retry },
  ) => {
    const sandbox = petstoreSandbox ?? `${testId.slice(0, 50)}-${retry}`
    const { names, baseUrls } = petstoreServices
    const isOne = names.length === 1
    const targets = names.map((name): Target => {
      const url = isOne ? server : `${server.replace(/\/+$/, '')}/${name}`
      const own = baseUrls[name]
      const baseUrl = own ?? (isOne ? petstoreBaseUrl : undefined) ?? url
      const option = own === undefined ? 'petstoreBaseUrl' : 'baseUrl'
      const toMock = createToMock(baseUrl, { url, sandbox }, option)
      return { name, url, adminToken, sandbox, baseUrl, option, toMock, refused: [] }
    })
    return use(targets)
  },

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from the pattern
  petstoreCurrent: [({}, use) => use({ entrance: undefined }), { scope: 'worker' }],

  petstoreEntrance: [
    async ({ petstoreTargets, petstoreAppUrl: appUrl, baseURL, petstoreCurrent }, use) => {
      const entered = new WeakSet<BrowserContext>()
      const entrance: Entrance = {
        async enter(context, baseUrl = baseURL) {
          // Playwright's own context is one that the browser has created.
          if (entered.has(context)) return
          entered.add(context)
          const urls = appUrl === undefined ? [] : withLoopbackHosts(appUrl)
          const value = petstoreTargets[0]?.sandbox ?? ''
          await context.addCookies(urls.map((url) => ({ name: SANDBOX_COOKIE, value, url })))
          for (const target of petstoreTargets) {
            rejectWholeApplication(target, baseUrl)
            recordRefused(context, target)
            await routePages(context, target.toMock)
          }
          entrance.enterRequests(context.request, baseUrl)
        },
        enterRequests(requests, baseUrl = baseURL) {
          for (const { toMock } of petstoreTargets) routeRequests(requests, toMock, baseUrl)
        },
      }
      petstoreCurrent.entrance = entrance
      await use(entrance)
      petstoreCurrent.entrance = undefined
    },
    // Also for a test that does not use it, but creates contexts.
    { auto: true },
  ],

  browser: [
    async ({ browser, petstoreCurrent }, use) => {
      const { newContext } = browser
      browser.newContext = async (options) => {
        const context = await newContext.call(browser, options)
        await petstoreCurrent.entrance?.enter(context, options?.baseURL)
        return context
      }
      await use(browser)
      browser.newContext = newContext
    },
    { scope: 'worker', timeout: 0 },
  ],

  playwright: [
    async ({ playwright, petstoreCurrent }, use) => {
      const { newContext } = playwright.request
      playwright.request.newContext = async (options) => {
        const requests = await newContext.call(playwright.request, options)
        petstoreCurrent.entrance?.enterRequests(requests, options?.baseURL)
        return requests
      }
      await use(playwright)
      playwright.request.newContext = newContext
    },
    { scope: 'worker' },
  ],

  // One that Playwright uses again for the next test was not created with `browser.newContext`.
  context: async ({ context, petstoreEntrance, petstoreTargets }, use) => {
    await petstoreEntrance.enter(context, undefined)
    await use(context)
    // Their responses cannot be read once it is closed.
    await Promise.all(petstoreTargets.flatMap(({ refused }) => refused))
  },
})
