import { defineConfig } from 'vitest/config'

/** Tests whose coverage is reported; coverage.test.ts runs them with different options of the reporter. */
export default defineConfig({
  test: {
    include: ['*.case.ts'],
    reporters: [['../../../src/vitest/reporter.ts', JSON.parse(process.env.REPORTER_OPTIONS ?? '{}')]],
  },
})
