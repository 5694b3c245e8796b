import { defineConfig } from 'vitest/config'

const MODES = {
  threads: { pool: 'threads' },
  forks: { pool: 'forks' },
  'isolate: false': { isolate: false },
}

const projects = Object.entries(MODES).flatMap(([mode, options]) =>
  ['node', 'jsdom', 'happy-dom'].map((environment) => {
    const SET_UP = JSON.stringify({ runner: 'vitest', mode, environment })
    const name = `vitest, ${mode}, ${environment}`
    return { test: { name, ...options, environment, env: { SET_UP }, include: ['in-vitest.js'], testTimeout: 90_000 } }
  }),
)
const chosen = process.env.SET_UPS.split('\n')

export default defineConfig({ test: { projects: projects.filter(({ test }) => chosen.includes(test.name)) } })
