import { defineConfig } from 'vitest/config'

/** Tests that are to fail, run by reports.test.ts, which reads what they report. */
export default defineConfig({ test: { include: ['*.case.ts'] } })
