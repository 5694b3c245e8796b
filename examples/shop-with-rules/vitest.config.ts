import { defineConfig } from 'vitest/config'

// The tests do not need the page's plugin.
export default defineConfig({})
