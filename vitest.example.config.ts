import { defineConfig } from 'vitest/config'
import { generateIfNeeded } from './scripts/generate-if-needed.js'
import { hasChromium } from './test/support/chromium.js'
import { LEFT_OUT } from './test/support/full-run.js'

await generateIfNeeded()

const canRun = hasChromium()

export default defineConfig({
  test: {
    reporters: canRun ? ['default', './test/support/summary-reporter.ts'] : [],
    include: canRun ? ['test/browser/example*.test.ts'] : [],
    exclude: LEFT_OUT,
    passWithNoTests: !canRun,
    globalSetup: canRun ? ['./test/support/example.ts'] : [],
    // By default vitest leaves one core free, which on a machine with two cores would double the time.
    maxWorkers: 2,
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000 } },
  },
})
