import { type APIRequestContext, test as base, expect } from '@playwright/test'

interface Petstore {
  /** Sends requests to the API and the admin API, in this worker's sandbox. */
  readonly request: APIRequestContext
  /** The number of requests for an operation since the start of this test. */
  received(operation: string): Promise<number>
}

/** Every worker has its own sandbox in the server that all of them share. */
export const test = base.extend<{ api: string; petstore: Petstore }, { sandbox: string }>({
  api: ['', { option: true }],

  sandbox: [
    // `SANDBOXES=off` shows what happens otherwise: all workers use one sandbox and affect each other.
    // biome-ignore lint/correctness/noEmptyPattern: Playwright requires a pattern here, even without fixtures
    ({}, use, { parallelIndex }) => use(process.env.SANDBOXES === 'off' ? 'all' : `worker-${parallelIndex}`),
    { scope: 'worker' },
  ],

  // The browser adds the header to every request of a page, so the application does not need to know.
  extraHTTPHeaders: ({ sandbox }, use) => use({ 'X-Petstore-Sandbox': sandbox }),

  // Every test starts with the same data, whatever ran in this worker before.
  petstore: [
    async ({ playwright, api, extraHTTPHeaders }, use) => {
      const request = await playwright.request.newContext({ baseURL: api, extraHTTPHeaders })
      expect((await request.post('/__admin/reset')).status()).toBe(204)
      await use({
        request,
        async received(operation) {
          const journal = await request.get(`/__admin/journal?operation=${operation}`)
          return (await journal.json()).entries.length
        },
      })
      await request.dispose()
    },
    { auto: true },
  ],
})

export { expect }
