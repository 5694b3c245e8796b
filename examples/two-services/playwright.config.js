import { defineConfig } from '@playwright/test'

const { CHROMIUM_PATH } = process.env

export default defineConfig({
  testDir: 'tests',
  fullyParallel: true,
  workers: 2,
  reporter: 'list',
  timeout: 60_000,
  expect: { timeout: 15_000 },
  use: {
    baseURL: 'https://shop.example',
    // Of the mock server that every worker starts.
    petstoreOptions: { scenario: 'empty', cors: ['https://shop.example'] },
    ...(CHROMIUM_PATH && { launchOptions: { executablePath: CHROMIUM_PATH } }),
  },
})
