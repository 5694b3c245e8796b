import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { isFullRun } from '../support/full-run.js'

/** As in vitest.config.ts. */
const OWN_PROCESS = ['test/server/{faults,lifecycle,preload}.test.ts']

/** About the option `https`, which Bun and Deno reject: see recipes.full.test.ts. */
const HTTPS = ['test/server/{certificates,https,https-streams,unread-responses}.test.ts']

const shared = {
  resolve: {
    alias: [{ find: /.*\/adapters-node\.js$/, replacement: fileURLToPath(new URL('adapters.ts', import.meta.url)) }],
  },
}

const limits = {
  testTimeout: 30_000,
  hookTimeout: 30_000,
  // Less than 15 seconds, after which a server writes to an idle event stream: only then does Bun notice that its client left.
  expect: { poll: { timeout: 10_000 } },
  // Bun and Deno share the cores, and some tests depend on which of two packets arrives first. A difference fails each time.
  retry: 1,
  // The short forms of tests that have two: the long ones take too long for these limits.
  env: { TEST_FULL: '' },
}

/**
 * The tests that run inside Bun and Deno, those of the server only in the full run. `suite.test.ts` starts them, after a
 * build: they need the web pages.
 */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    // Bun and Deno run side by side, and each worker loads all modules.
    maxWorkers: isFullRun ? 2 : 1,
    projects: [
      {
        ...shared,
        test: {
          ...limits,
          name: 'shared process',
          globalSetup: ['./test/support/temporary-caches.ts'],
          include: ['test/behaviour/**/*.wire.test.ts', ...(isFullRun ? ['test/server/**/*.test.ts'] : [])],
          exclude: ['**/*.{long,full}.test.ts', ...OWN_PROCESS, ...HTTPS],
          isolate: false,
        },
      },
      ...(isFullRun ? [{ ...shared, test: { ...limits, name: 'own process', include: OWN_PROCESS } }] : []),
    ],
  },
})
