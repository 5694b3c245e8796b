import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'

interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly { title: string; status: string; failureMessages: string[] }[]
  }[]
}

/** Runs the tests that are to fail, in a process of their own. */
async function runFailing(): Promise<Report> {
  const root = fileURLToPath(new URL('./failing/', import.meta.url))
  const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url))
  const folder = await mkdtemp(join(tmpdir(), 'petstore-mock-reports-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'report.json')
  const args = [vitest, 'run', '--root', root, '--config', 'vitest.config.ts', '--reporter=json', '--outputFile', file]
  // It ends with 1, since tests fail.
  await new Promise((resolve) => execFile(process.execPath, args, { cwd: root }, resolve))
  return JSON.parse(await readFile(file, 'utf8'))
}

it('a test fails for what the code under test swallowed', async () => {
  const { testResults } = await runFailing()
  const results = testResults.flatMap(({ assertionResults }) => assertionResults)
  const messages = Object.fromEntries(results.map(({ title, failureMessages }) => [title, failureMessages.join('\n')]))
  expect(results.map(({ title, status }) => [title, status])).toEqual([
    ['a request that nobody handles', 'failed'],
    ['an override outside the document', 'failed'],
    ['a deprecated operation', 'failed'],
    ['nothing wrong', 'passed'],
  ])
  expect(messages['a request that nobody handles']).toContain(
    'GET https://elsewhere.invalid/things is not for the pet store at https://petstore.test and was stopped',
  )
  expect(messages['a request that nobody handles']).toContain("set onUnhandledRequest to 'bypass'")
  expect(messages['an override outside the document']).toContain(
    'the override of listPets answered 200 outside its document: /0/name must be a string, but is the number 5',
  )
  expect(messages['a deprecated operation']).toContain('getPet was used once, which is deprecated since 2026-01-01')
})
