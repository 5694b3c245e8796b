import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { generateIfNeeded } from './scripts/generate-if-needed.js'
import { hasChromium } from './test/support/chromium.js'
import { isFullRun } from './test/support/full-run.js'

await generateIfNeeded()

/**
 * They count what their process has open, replace a module with `vi.mock`, which does nothing if another file in the process
 * has imported it, or start a second copy of msw's interceptors, whose `Headers` axios keeps for the rest of the process.
 */
const OWN_PROCESS = [
  'test/server/{faults,lifecycle,preload}.test.ts',
  'test/node/{failed-listen,forgotten-calls,old-msw,other-interceptors}.test.ts',
]

/** The quick suite: `npm test`. In the full run its random tests do more runs. The other tests: see the other files here. */
export default defineConfig({
  test: {
    // One more than there are cores, because some tests wait for a process or a timer. On two cores this saves a seventh.
    maxWorkers: availableParallelism() + 1,
    reporters: ['default', './test/support/summary-reporter.ts'],
    projects: [
      {
        test: {
          name: 'shared process',
          include: ['test/{unit,behaviour,server,mcp,cli,node,vite,vitest}/**/*.test.ts'],
          exclude: ['**/*.{long,full}.test.ts', ...OWN_PROCESS],
          globalSetup: [
            './test/support/build-pages.ts',
            './test/support/build-command.ts',
            './test/support/temporary-caches.ts',
          ],
          // Loading the dependencies again for each file takes longer than its tests; our modules have no state.
          isolate: false,
          testTimeout: isFullRun ? 120_000 : 60_000,
          hookTimeout: 60_000,
          expect: { poll: { timeout: 30_000 } },
        },
      },
      {
        test: {
          name: 'own process',
          include: OWN_PROCESS,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: { poll: { timeout: 30_000 } },
        },
      },
      ...(hasChromium()
        ? [
            {
              test: {
                name: 'browser',
                include: ['test/browser/**/*.smoke.test.ts'],
                globalSetup: ['./test/support/build-pages.ts', './test/browser/open-browser.ts'],
                testTimeout: 60_000,
                hookTimeout: 60_000,
                expect: { poll: { timeout: 30_000 } },
              },
            },
          ]
        : []),
    ],
  },
})
