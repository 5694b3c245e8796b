import { defineConfig } from 'vitest/config'

/** Tests that must fail; reports.test.ts runs them and checks their messages. */
export default defineConfig({ test: { include: ['*.case.ts'] } })
