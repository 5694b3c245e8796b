import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    reporters: ['default', './test/support/summary-reporter.ts'],
    include: ['test/package/**/*.test.ts'],
    testTimeout: 60_000,
  },
})
