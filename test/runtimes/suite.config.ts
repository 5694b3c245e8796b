import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** The tests of what a client can see on a socket. The other tests of the server look inside, or at Node's own errors. */
const SERVER_TESTS = ['raw-http', 'malformed-requests', 'connections', 'guard', 'cors', 'limits', 'long-work']

/** The tests that run inside Bun and Deno. `suite.test.ts` starts them. */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  resolve: {
    alias: [{ find: /.*\/adapters-node\.js$/, replacement: fileURLToPath(new URL('adapters.ts', import.meta.url)) }],
  },
  test: {
    include: ['test/behaviour/**/*.test.ts', `test/server/{${SERVER_TESTS.join()}}.test.ts`],
    exclude: ['**/*.{long,random}.test.ts'],
    maxWorkers: 2,
    // As in vitest.config.ts.
    isolate: false,
    // Tests of known differences that fail by waiting should not wait for long.
    testTimeout: 15_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
  },
})
