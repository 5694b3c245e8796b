import { defineConfig } from '@playwright/test'

const { MOCK_PORT = '4010', CHROMIUM_PATH } = process.env

export default defineConfig({
  testDir: 'tests',
  fullyParallel: true,
  workers: 2,
  reporter: 'list',
  // One server has both services.
  webServer: {
    command: `npm start --silent -- --port ${MOCK_PORT} --scenario empty --quiet`,
    url: `http://127.0.0.1:${MOCK_PORT}/__admin/health`,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 5000 },
  },
  use: {
    baseURL: `http://127.0.0.1:${MOCK_PORT}`,
    ...(CHROMIUM_PATH && { launchOptions: { executablePath: CHROMIUM_PATH } }),
  },
})
