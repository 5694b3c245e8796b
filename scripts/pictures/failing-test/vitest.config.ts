import { defineConfig } from 'vitest/config'

/** A test that fails, for the picture of what it prints. */
export default defineConfig({ test: { include: ['*.test.ts'] } })
