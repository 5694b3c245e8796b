import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    reporters: ['default', './test/support/summary-reporter.ts'],
    include: ['test/package/**/*.test.ts'],
    testTimeout: 60_000,
    // Most of the time they wait for an installation or a process, so two can run on a small machine.
    maxWorkers: 2,
  },
})
