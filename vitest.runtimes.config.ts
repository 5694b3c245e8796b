import { defineConfig } from 'vitest/config'
import { generateIfNeeded } from './scripts/generate-if-needed.js'
import { LEFT_OUT } from './test/support/full-run.js'
import { hasRuntimes } from './test/support/runtimes.js'

await generateIfNeeded()

/** Tests of the built and packed package on Bun and Deno: `npm run test:runtimes`. */
export default defineConfig(async () => {
  const canRun = await hasRuntimes()
  return {
    test: {
      reporters: canRun ? ['default', './test/support/summary-reporter.ts'] : [],
      include: canRun ? ['test/runtimes/**/*.test.ts'] : [],
      exclude: LEFT_OUT,
      passWithNoTests: !canRun,
      globalSetup: canRun ? ['./test/support/packed.ts'] : [],
      testTimeout: 600_000,
      hookTimeout: 120_000,
      maxWorkers: 2,
    },
  }
})
