import { defineConfig } from 'vitest/config'
import { generateIfNeeded } from './scripts/generate-if-needed.js'
import { LEFT_OUT } from './test/support/full-run.js'
import { slowFilesFirst } from './test/support/slow-files-first.js'

await generateIfNeeded()

/** Tests of the built and packed package: `npm run test:package`. */
export default defineConfig({
  test: {
    reporters: ['default', './test/support/summary-reporter.ts'],
    include: ['test/package/**/*.test.ts'],
    exclude: LEFT_OUT,
    globalSetup: ['./test/support/packed.ts'],
    // Installations and compilers take minutes on a busy machine.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 30_000 } },
    // Each starts processes of its own. More at once would make some wait too long on two cores, beside another suite.
    maxWorkers: 2,
    sequence: { sequencer: slowFilesFirst(/add-an-operation|set-ups|examples|recipes/) },
  },
})
