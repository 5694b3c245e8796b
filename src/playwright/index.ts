import { test as base } from '@playwright/test'
import { type PetstoreServer, startServer } from '../adapters/server/index.js'
import type { ServerOptions } from '../adapters/server/options.js'
import { SANDBOX_COOKIE } from '../engine/sandbox-headers.js'
import { connect, type PetstoreClient } from '../remote/client/index.js'
import { attachEvidence } from './evidence.js'
import { sendToSandbox } from './route.js'

export type { ExpectedRequest } from '../assertions/received.js'
export * from '../remote/client/index.js'
export { expect, type PetstoreMatchers } from './expect.js'

/** Options of the whole run: `use: { petstoreUrl: 'http://127.0.0.1:4010' }` in `playwright.config.ts`. */
export interface PetstoreWorkerOptions {
  /** The address of a running mock, which all workers share. Default: every worker starts its own server. */
  petstoreUrl: string | undefined
  /** The token that the admin API of `petstoreUrl` requires, if it requires one. Default: none. */
  petstoreToken: string | undefined
  /** The options of the server that a worker starts. Default: `{}`. */
  petstoreOptions: ServerOptions
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
  /** The sandbox of this test, which is deleted at its end. Pages of the test's `context` use it without knowing. */
  petstore: PetstoreClient
}

interface InternalFixtures {
  petstoreAddress: Pick<PetstoreServer, 'url' | 'adminToken'> & { readonly sandbox: string }
}

interface WorkerFixtures {
  petstoreServer: Pick<PetstoreServer, 'url' | 'adminToken'>
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

  context: async ({ context, petstoreAddress, petstoreBaseUrl, petstoreAppUrl: url }, use) => {
    const { sandbox } = petstoreAddress
    if (url !== undefined) await context.addCookies([{ name: SANDBOX_COOKIE, value: sandbox, url }])
    await sendToSandbox(context, petstoreBaseUrl ?? petstoreAddress.url, petstoreAddress)
    await use(context)
  },

  petstore: [
    async ({ petstoreAddress, petstoreSandbox }, use, testInfo) => {
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
        if (hasFailed) await attachEvidence(testInfo, petstore)
        if (isOwn) await petstore.sandboxes.delete(sandbox)
      }
    },
    // Also for a test that does not use it, whose pages would otherwise find data of an earlier run.
    { auto: true },
  ],
})
