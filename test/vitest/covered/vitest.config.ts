import { defineConfig } from 'vitest/config'

/** Tests whose coverage is reported, run by coverage.test.ts, which says what the reporter is to ask for. */
export default defineConfig({
  test: {
    include: ['*.case.ts'],
    reporters: [['../../../src/vitest/reporter.ts', JSON.parse(process.env.REPORTER_OPTIONS ?? '{}')]],
  },
})
