import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { generateIfNeeded } from './scripts/generate-if-needed.js'
import { LEFT_OUT } from './test/support/full-run.js'
import { slowFilesFirst } from './test/support/slow-files-first.js'

await generateIfNeeded()

const COMMON = { testTimeout: 120_000, hookTimeout: 60_000, expect: { poll: { timeout: 30_000 } } }

/** The tests in Node that are not in the quick suite: `npm run test:long`. */
export default defineConfig({
  test: {
    maxWorkers: Math.max(2, availableParallelism() - 1),
    reporters: ['default', './test/support/summary-reporter.ts'],
    sequence: { sequencer: slowFilesFirst(/\.(?:long|full)\.test\.ts$/) },
    projects: [
      {
        test: {
          name: 'long',
          include: ['test/{unit,behaviour,server,mcp,cli,node,vite,vitest,fuzz}/**/*.{long,full}.test.ts'],
          exclude: LEFT_OUT,
          globalSetup: [
            './test/support/build-pages.ts',
            './test/support/build-command.ts',
            './test/support/temporary-caches.ts',
          ],
          ...COMMON,
        },
      },
      {
        resolve: { alias: [{ find: /adapters-node\.js$/, replacement: 'adapters-tls.ts' }] },
        test: {
          name: 'over TLS',
          include: ['test/behaviour/**/*.wire.test.ts'],
          globalSetup: ['./test/support/temporary-caches.ts'],
          // As in the quick suite.
          isolate: false,
          ...COMMON,
        },
      },
      {
        resolve: { alias: [{ find: /adapters-node\.js$/, replacement: 'adapters-upstream.ts' }] },
        test: {
          name: 'passed through',
          include: ['test/behaviour/**/*.test.ts'],
          exclude: [...LEFT_OUT, 'test/behaviour/*.{long,full,random}.test.ts'],
          isolate: false,
          ...COMMON,
        },
      },
    ],
  },
})
