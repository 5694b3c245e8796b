import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, inject, it } from 'vitest'
import type { Runtime } from '../../scripts/install-runtimes.js'
import { isFullRun } from '../support/full-run.js'
import { root } from '../support/packed.js'
import { launcherOf, RUNTIMES, runToEnd } from '../support/runtimes.js'
import { DIFFERENCES } from './differences.js'

interface Report {
  readonly numPassedTests: number
  readonly testResults: readonly {
    readonly message: string
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[]
  }[]
}

/** Runs the tests of suite.config.ts inside a runtime. */
async function runSuite(runtime: Runtime): Promise<Report> {
  const file = join(dirname(inject('tarball')), `suite-${runtime.name}.json`)
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/runtimes/suite.config.ts']
  const { stderr } = await runToEnd(
    [...launcherOf(runtime), ...vitest, '--reporter=json', `--outputFile=${file}`],
    root,
  )
  const text = await readFile(file, 'utf8').catch(() => expect.fail(`There is no report: ${stderr}`))
  return JSON.parse(text) as Report
}

// At the same time, because a few tests only wait.
it.concurrent.each(RUNTIMES)('behaves on $name as on Node, except for the documented differences', async (runtime) => {
  const { numPassedTests, testResults } = await runSuite(runtime)

  const results = testResults.flatMap(({ assertionResults }) => assertionResults)
  const failed = results.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName)
  const known = DIFFERENCES.filter(({ runtimes }) => runtimes.includes(runtime.name))
    .flatMap(({ tests }) => tests)
    .filter((test) => isFullRun || results.some(({ fullName }) => fullName === test))
  // One that no longer fails must be removed from the list and from docs/runtimes.md.
  expect(failed.sort()).toEqual(known.sort())
  // A file that cannot be loaded has a message and no tests.
  expect(testResults.filter(({ assertionResults }) => assertionResults.length === 0)).toEqual([])
  expect(numPassedTests).toBeGreaterThan(isFullRun ? 600 : 150)
})

it('documents every difference and the tested versions', async () => {
  const page = await readFile(join(root, 'docs/runtimes.md'), 'utf8')
  const rows = DIFFERENCES.map(({ runtimes, what }) => `| ${runtimes.join(', ')} | ${what} |`)
  expect(page.split('\n').filter((line) => /^\| (?:Bun|Deno)/.test(line))).toEqual(expect.arrayContaining(rows))
  for (const { name, version } of RUNTIMES) expect(page).toContain(`${name} ${version}`)
})
