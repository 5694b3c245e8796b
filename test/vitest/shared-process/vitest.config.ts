import { defineConfig } from 'vitest/config'

/** Two test files that share one process and its imports, run by reports.test.ts. */
export default defineConfig({
  test: { include: ['*.case.ts'], isolate: false, maxWorkers: 1, fileParallelism: false },
})
