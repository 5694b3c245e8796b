import { type APIRequestContext, test as base, expect } from '@playwright/test'

interface Petstore {
  /** Control requests and requests to the API, in this worker's sandbox. */
  readonly request: APIRequestContext
  /** How often the API was asked for an operation, since this test began. */
  received(operation: string): Promise<number>
}

/** Every worker has a pet store of its own, in the one server that all of them use. */
export const test = base.extend<{ api: string; petstore: Petstore }, { sandbox: string }>({
  api: ['', { option: true }],

  sandbox: [
    // `SANDBOXES=off` shows what happens without: all workers are in one, and in each other's way.
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads here that it needs no other fixture
    ({}, use, { parallelIndex }) => use(process.env.SANDBOXES === 'off' ? 'all' : `worker-${parallelIndex}`),
    { scope: 'worker' },
  ],

  // The browser adds it to every request of a page, so the application need not know.
  extraHTTPHeaders: ({ sandbox }, use) => use({ 'X-Petstore-Sandbox': sandbox }),

  // Every test starts from the same store, whoever used this worker's before.
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
