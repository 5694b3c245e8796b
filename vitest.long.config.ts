import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { slowFilesFirst } from './test/support/slow-files-first.js'

const COMMON = { testTimeout: 120_000, hookTimeout: 60_000, expect: { poll: { timeout: 30_000 } } }

/**
 * The long tests in Node: `npm run test:long`. Files `*.long.test.ts` run only here. Files `*.random.test.ts` also run in
 * the quick suite, with fewer and shorter random sequences.
 */
export default defineConfig({
  test: {
    maxWorkers: Math.max(2, availableParallelism() - 1),
    reporters: ['default', './test/support/summary-reporter.ts'],
    sequence: { sequencer: slowFilesFirst(/\.long\.test\.ts$/) },
    projects: [
      {
        test: {
          name: 'long',
          include: ['test/{unit,behaviour,server,cli,node,vitest,fuzz}/**/*.{long,random}.test.ts'],
          env: { PETSTORE_TEST_LONG: '1' },
          globalSetup: ['./test/support/build-pages.ts', './test/support/build-command.ts'],
          ...COMMON,
        },
      },
      {
        resolve: { alias: [{ find: /adapters-node\.js$/, replacement: 'adapters-tls.ts' }] },
        test: {
          name: 'over TLS',
          include: ['test/behaviour/**/*.test.ts'],
          exclude: ['**/*.{long,random}.test.ts'],
          // As in the quick suite.
          isolate: false,
          ...COMMON,
        },
      },
    ],
  },
})
