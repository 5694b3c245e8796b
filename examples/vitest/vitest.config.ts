import { defineConfig } from 'vitest/config'

// Nothing is needed for petstore-mock. Without this file vitest would take the one of the repository around it.
export default defineConfig({})
