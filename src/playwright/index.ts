import { type APIRequestContext, type BrowserContext, test as base } from '@playwright/test'
import { type PetstoreServer, startServer } from '../adapters/server/index.js'
import type { ServerOptions, ServiceServerOptions } from '../adapters/server/options.js'
import type { JournalEntry } from '../engine/control/journal-entry.js'
import { SANDBOX_COOKIE } from '../engine/sandbox-headers.js'
import { connect, type PetstoreClient } from '../remote/client/index.js'
import { attachEvidence } from './evidence.js'
import { recordRefused } from './refused.js'
import { createToMock, rejectWholeApplication, routePages, routeRequests, withLoopbackHosts } from './route.js'

export type { ExpectedRequest } from '../assertions/received.js'
export * from '../remote/client/index.js'
export { expect, type PetstoreMatchers } from './expect.js'

/** Options of the whole run: `use: { petstoreUrl: 'http://127.0.0.1:4010' }` in `playwright.config.ts`. */
export interface PetstoreWorkerOptions {
  /** The address of a running mock, which all workers share. Default: every worker starts its own server. */
  petstoreUrl: string | undefined
  /** The token that the admin API of `petstoreUrl` requires, if it requires one. Default: none. */
  petstoreToken: string | undefined
  /** The options of the server that a worker starts; with `service` or `document`, for a service of your own. Default: `{}`. */
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

export interface PetstoreFixtures {
  /**
   * The sandbox of this test, which is deleted at its end. What the test sends with `page`, `request`, `browser.newContext` and
   * `playwright.request.newContext` uses it without knowing.
   */
  petstore: PetstoreClient
}

interface InternalFixtures {
  petstoreAddress: Pick<PetstoreServer, 'url' | 'adminToken'> & { readonly sandbox: string }
  petstoreEntrance: Entrance
}

interface WorkerFixtures {
  petstoreServer: Pick<PetstoreServer, 'url' | 'adminToken'>
  /** That of the running test; undefined between tests, and in `beforeAll` and `afterAll`. */
  petstoreCurrent: { entrance: Entrance | undefined }
}

/** Makes contexts part of a test's sandbox. */
interface Entrance {
  enter(context: BrowserContext, baseUrl: string | undefined): Promise<void>
  enterRequests(requests: APIRequestContext, baseUrl: string | undefined): void
  readonly refused: Promise<JournalEntry | undefined>[]
}

/** Playwright's `test`, with a sandbox for every test. */
export const test = base.extend<
  PetstoreTestOptions & PetstoreFixtures & InternalFixtures,
  PetstoreWorkerOptions & WorkerFixtures
>({
  petstoreUrl: [undefined, { option: true, scope: 'worker' }],
  petstoreToken: [undefined, { option: true, scope: 'worker' }],
  petstoreOptions: [{}, { option: true, scope: 'worker' }],
  petstoreBaseUrl: [undefined, { option: true }],
  petstoreAppUrl: [undefined, { option: true }],
  petstoreSandbox: [undefined, { option: true }],

  petstoreServer: [
    async ({ petstoreUrl, petstoreToken, petstoreOptions }, use) => {
      if (petstoreUrl !== undefined) return use({ url: petstoreUrl, adminToken: petstoreToken })
      const server = await startServer({ port: 0, ...petstoreOptions })
      await use(server)
      await server.close()
    },
    { scope: 'worker' },
  ],

  petstoreAddress: ({ petstoreServer: { url, adminToken }, petstoreSandbox }, use, { testId, retry }) =>
    use({ url, adminToken, sandbox: petstoreSandbox ?? `${testId.slice(0, 50)}-${retry}` }),

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from the pattern
  petstoreCurrent: [({}, use) => use({ entrance: undefined }), { scope: 'worker' }],

  petstoreEntrance: [
    async ({ petstoreAddress, petstoreBaseUrl, petstoreAppUrl: appUrl, baseURL, petstoreCurrent }, use) => {
      const toMock = createToMock(petstoreBaseUrl ?? petstoreAddress.url, petstoreAddress)
      const entered = new WeakSet<BrowserContext>()
      const entrance: Entrance = {
        async enter(context, baseUrl = baseURL) {
          // Playwright's own context is one that the browser has created.
          if (entered.has(context)) return
          entered.add(context)
          if (petstoreBaseUrl !== undefined) rejectWholeApplication(petstoreBaseUrl, baseUrl, petstoreAddress.url)
          const urls = appUrl === undefined ? [] : withLoopbackHosts(appUrl)
          await context.addCookies(urls.map((url) => ({ name: SANDBOX_COOKIE, value: petstoreAddress.sandbox, url })))
          recordRefused(context, toMock, entrance.refused)
          await routePages(context, toMock)
          routeRequests(context.request, toMock, baseUrl)
        },
        enterRequests: (requests, baseUrl = baseURL) => routeRequests(requests, toMock, baseUrl),
        refused: [],
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
  context: async ({ context, petstoreEntrance }, use) => {
    await petstoreEntrance.enter(context, undefined)
    await use(context)
    // Their responses cannot be read once it is closed.
    await Promise.all(petstoreEntrance.refused)
  },

  petstore: [
    async ({ petstoreAddress, petstoreEntrance, petstoreSandbox }, use, testInfo) => {
      const { url, sandbox, adminToken: token } = petstoreAddress
      const petstore = connect(url, { sandbox, ...(token !== undefined && { token }) })
      const isOwn = petstoreSandbox === undefined
      // A run that was interrupted may have left it behind.
      if (isOwn) await petstore.reset()
      await use(petstore)
      let hasFailed = testInfo.status !== testInfo.expectedStatus
      try {
        await petstore.check()
      } catch (error) {
        hasFailed = true
        throw error
      } finally {
        if (hasFailed) await attachEvidence(testInfo, petstore, petstoreEntrance.refused)
        if (isOwn) await petstore.sandboxes.delete(sandbox)
      }
    },
    // Also for a test that does not use it, whose pages would otherwise find data of an earlier run.
    { auto: true },
  ],
})
