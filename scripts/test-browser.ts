/**
 * Runs the tests that need the system's Chromium. Usage: `npm run test:browser`; arguments are passed to vitest. If
 * Chromium is not installed, it says so and succeeds, unless `--required` or `CI_BROWSER=required` is given.
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { hasChromium } from '../test/support/chromium.js'

const root = fileURLToPath(new URL('../', import.meta.url))
const given = process.argv.slice(2)
if (given.includes('--required')) process.env.CI_BROWSER = 'required'

try {
  if (hasChromium()) runTests(given.filter((argument) => argument !== '--required'))
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}

function runTests(args: readonly string[]): void {
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'vitest.browser.config.ts']
  const { status } = spawnSync(process.execPath, [...vitest, ...args], { cwd: root, stdio: 'inherit' })
  process.exitCode = status ?? 1
}
