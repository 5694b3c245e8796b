import { defineConfig } from '@playwright/test'
import type { PetstoreTestOptions, PetstoreWorkerOptions } from 'petstore-mock/playwright'

const { PETSTORE_PORT = '4010', SHOP_PORT = '4020', CHROMIUM_PATH, SANDBOX } = process.env
const api = `http://127.0.0.1:${PETSTORE_PORT}`
const shop = `http://127.0.0.1:${SHOP_PORT}`

export default defineConfig<PetstoreTestOptions, PetstoreWorkerOptions>({
  testDir: 'tests',
  // Tests run in parallel, even those of one file.
  fullyParallel: true,
  workers: 4,
  reporter: 'list',
  timeout: 60_000,
  expect: { timeout: 15_000 },
  // One mock for all workers. Both servers are started before the first test and stopped after the last.
  webServer: [
    {
      command: 'petstore-mock --quiet',
      url: `${api}/__admin/health`,
      env: { PETSTORE_PORT },
      gracefulShutdown: { signal: 'SIGTERM', timeout: 5000 },
    },
    { command: 'node shop/serve.js', url: shop, env: { SHOP_PORT, API: api } },
  ],
  use: {
    petstoreUrl: api,
    baseURL: shop,
    // Shows what happens otherwise: with `SANDBOX=all` the tests share their data and affect each other.
    ...(SANDBOX && { petstoreSandbox: SANDBOX }),
    // The system's Chromium, if Playwright's own is not installed (npx playwright install chromium).
    ...(CHROMIUM_PATH && { launchOptions: { executablePath: CHROMIUM_PATH } }),
  },
})
