import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    reporters: ['default', './test/support/summary-reporter.ts'],
    include: ['test/**/*.test.ts'],
    // These need the built package: `npm run test:package`.
    exclude: ['test/package/**'],
    testTimeout: 30_000,
  },
})
