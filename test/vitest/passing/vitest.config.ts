import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

const folder = process.env.REPORTS_FOLDER as string

/** Tests that pass, in files that share one process and its imports. Their coverage is too low, so the run fails. */
export default defineConfig({
  test: {
    include: ['*.case.ts'],
    ...{ isolate: false, maxWorkers: 1 },
    reporters: [
      ['json', { outputFile: join(folder, 'results.json') }],
      [
        '../../../src/runners/vitest/reporter.ts',
        { operations: 80, statuses: 4.7, json: join(folder, 'deeper/coverage.json') },
      ],
    ],
  },
})
