import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    reporters: ['default', './test/support/summary-reporter.ts'],
    include: ['test/package/**/*.test.ts'],
    testTimeout: 60_000,
    // Most of them wait for an install or a process, so that two can share a small machine.
    maxWorkers: 2,
  },
})
