import { defineConfig } from 'vitest/config'

// petstore-mock needs no configuration. Without this file, vitest would use the one of the surrounding repository.
export default defineConfig({})
