import { defineConfig } from '@playwright/test'
import type { PetstoreTestOptions, PetstoreWorkerOptions } from 'petstore-mock/playwright'

export default defineConfig<PetstoreTestOptions, PetstoreWorkerOptions>({
  testMatch: '*.spec.ts',
  fullyParallel: true,
  workers: 2,
  reporter: 'json',
  timeout: 120_000,
  expect: { timeout: 15_000 },
  use: {
    petstoreOptions: { scenario: 'single', failOnUnused: true, adminToken: 'secret', cors: ['https://shop.example'] },
    petstoreBaseUrl: 'https://api.petstore.example/v1',
    petstoreAppUrl: 'https://shop.example',
    launchOptions: { executablePath: process.env.CHROMIUM_PATH ?? '' },
  },
})
