import { defineConfig } from 'vitest/config'
import { hasChromium } from './test/support/chromium.js'

const canRun = hasChromium()

export default defineConfig({
  test: {
    reporters: canRun ? ['default', './test/support/summary-reporter.ts'] : [],
    include: canRun ? ['test/browser/example*.test.ts'] : [],
    passWithNoTests: !canRun,
    globalSetup: canRun ? ['./test/support/example.ts'] : [],
    // One browser at a time, so that pages do not slow each other down.
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
})
