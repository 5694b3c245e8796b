import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    // By itself vitest leaves one core free, which on a machine of two is every other test.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    reporters: ['default', './test/support/summary-reporter.ts'],
    projects: [
      {
        test: {
          name: 'shared process',
          include: ['test/{unit,behaviour}/**/*.test.ts'],
          // Loading the dependencies for each file anew takes longer than its tests; no module of ours keeps state.
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
