import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    root: fileURLToPath(new URL('.', import.meta.url)),
    include: ['{stub,handlers,handlers-fixture,node,vitest,memory}.ts'],
    // One after the other, each in a process of its own, whose processor time is measured.
    pool: 'forks',
    fileParallelism: false,
    // The build, as an installed package: not transformed.
    server: { deps: { external: [/\/dist\//] } },
  },
})
