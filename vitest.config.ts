import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    // By default vitest leaves one core free, which on a machine with two cores would halve the speed.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    reporters: ['default', './test/support/summary-reporter.ts'],
    projects: [
      {
        test: {
          name: 'shared process',
          include: ['test/{unit,behaviour}/**/*.test.ts'],
          // Loading the dependencies again for each file takes longer than its tests; our modules have no state.
          isolate: false,
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'own process',
          include: ['test/{server,cli,node,vitest,fuzz}/**/*.test.ts'],
          globalSetup: ['./test/support/build-pages.ts', './test/support/build-command.ts'],
          testTimeout: 60_000,
        },
      },
    ],
  },
})
