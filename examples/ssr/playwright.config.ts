import { defineConfig } from '@playwright/test'
import type { PetstoreTestOptions, PetstoreWorkerOptions } from 'petstore-mock/playwright'

const { CHROMIUM_PATH, PORTS = '4020,4021,4022,4023,4024' } = process.env
const [mock, forwarding, following, mockInFollowing, fixed] = PORTS.split(',').map((port) => ({
  port,
  url: `http://127.0.0.1:${port}`,
})) as [Address, Address, Address, Address, Address]

interface Address {
  port: string
  url: string
}

export default defineConfig<PetstoreTestOptions, PetstoreWorkerOptions>({
  testDir: 'tests',
  fullyParallel: true,
  workers: 4,
  reporter: 'list',
  timeout: 60_000,
  expect: { timeout: 15_000 },
  webServer: [
    {
      // A request that has lost its sandbox on the way is rejected.
      command: 'petstore-mock --quiet --require-sandbox',
      url: `${mock.url}/__admin/health`,
      env: { PETSTORE_PORT: mock.port },
      gracefulShutdown: { signal: 'SIGTERM', timeout: 5000 },
    },
    {
      command: 'node app/forwarding.js',
      url: `${forwarding.url}/page.js`,
      env: { APP_PORT: forwarding.port, API: mock.url },
    },
    {
      command: 'node --import ./mock-in-app.js app/plain.js',
      url: `${following.url}/page.js`,
      env: { APP_PORT: following.port, MOCK_PORT: mockInFollowing.port, API: 'https://api.petstore.example' },
    },
    {
      command: 'node app/plain.js',
      url: `${fixed.url}/page.js`,
      env: { APP_PORT: fixed.port, API: `${mock.url}/sandbox/fixed` },
    },
  ],
  use: {
    // The system's Chromium, if Playwright's own is not installed (npx playwright install chromium).
    ...(CHROMIUM_PATH && { launchOptions: { executablePath: CHROMIUM_PATH } }),
  },
  projects: [
    {
      name: 'forwardSandbox',
      testMatch: ['shop.spec.ts', 'other-ways.spec.ts'],
      use: { baseURL: forwarding.url, petstoreAppUrl: forwarding.url, petstoreUrl: mock.url },
    },
    {
      name: 'followSandboxes',
      testMatch: 'shop.spec.ts',
      use: {
        baseURL: following.url,
        petstoreAppUrl: following.url,
        petstoreUrl: mockInFollowing.url,
        petstoreBaseUrl: 'https://api.petstore.example',
      },
    },
    {
      name: 'base address',
      testMatch: 'base-address.spec.ts',
      use: { baseURL: fixed.url, petstoreUrl: mock.url, petstoreSandbox: 'fixed' },
    },
  ],
})
