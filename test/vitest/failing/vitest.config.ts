import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

/** Tests that must fail; runs.test.ts checks their messages. */
export default defineConfig({
  test: {
    include: ['*.case.ts'],
    reporters: [['json', { outputFile: join(process.env.REPORTS_FOLDER as string, 'results.json') }]],
  },
})
