import { availableParallelism } from 'node:os'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { generateIfNeeded } from './scripts/generate-if-needed.js'
import { takePageErrors, watchPage } from './test/browser/page-watch.js'
import { serveWorkerScript } from './test/browser/worker-script.js'
import { findChromium, hasChromium } from './test/support/chromium.js'
import { LEFT_OUT } from './test/support/full-run.js'
import { slowFilesFirst } from './test/support/slow-files-first.js'

await generateIfNeeded()

/** The packages that the tests and the mock import. */
const PACKAGES = [
  '@faker-js/faker/locale/en',
  '@mswjs/data',
  '@mswjs/data/lib/glossary.js',
  'fast-check',
  'msw',
  'msw/browser',
  'openapi-backend/router.js',
  'openapi-backend/validation.js',
  'yaml',
]

/** By default vitest leaves one core free, which on a machine with two cores would halve the speed. */
const MAX_WORKERS = Math.max(2, availableParallelism() - 1)

/** Tests that run in the system's Chromium, or control it: `npm run test:browser`. */
const withChromium = defineConfig({
  test: {
    maxWorkers: MAX_WORKERS,
    reporters: ['default', './test/support/summary-reporter.ts'],
    sequence: { sequencer: slowFilesFirst(/-looks\.full\.test\.ts$/) },
    projects: [
      {
        plugins: [serveWorkerScript()],
        resolve: { alias: [{ find: /(adapters|read-file)-node\.js$/, replacement: '$1-browser.ts' }] },
        // Vite would reload the page during the tests when it discovers other packages.
        optimizeDeps: { include: PACKAGES },
        test: {
          name: 'in a page',
          include: ['test/behaviour/**/*.wire.test.ts', 'test/browser/in-page.test.ts'],
          setupFiles: ['./test/browser/quiet-page.ts'],
          // As in Node: our modules have no state, and each file would load them again.
          isolate: false,
          maxWorkers: MAX_WORKERS,
          testTimeout: 60_000,
          expect: { poll: { timeout: 30_000 } },
          browser: {
            enabled: true,
            provider: playwright({
              launchOptions: { executablePath: findChromium() as string, args: ['--no-sandbox'] },
            }),
            instances: [{ browser: 'chromium' }],
            commands: { takePageErrors, watchPage },
            headless: true,
            screenshotFailures: false,
          },
        },
      },
      {
        test: {
          name: 'pages driven from Node',
          include: ['test/browser/{adapter,dashboard,reference,attacks}*.test.ts'],
          exclude: LEFT_OUT,
          globalSetup: [
            './test/support/build-pages.ts',
            './test/support/temporary-caches.ts',
            './test/browser/open-browser.ts',
          ],
          isolate: false,
          // After the others, so that pages do not slow each other down.
          sequence: { groupOrder: 1 },
          // They often wait for the browser, so one more can share the cores.
          maxWorkers: MAX_WORKERS + 1,
          testTimeout: 180_000,
          hookTimeout: 60_000,
          expect: { poll: { timeout: 60_000 } },
        },
      },
    ],
  },
})

export default hasChromium() ? withChromium : defineConfig({ test: { include: [], passWithNoTests: true } })
