import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import type { Coverage } from '../../src/engine/control/coverage.js'

interface TestResult {
  readonly title: string
  readonly status: string
  readonly failureMessages: readonly string[]
}

/** Runs the tests of a folder with vitest, in their own process. */
async function runVitest(folder: string) {
  const reports = await mkdtemp(join(tmpdir(), 'petstore-mock-'))
  onTestFinished(() => rm(reports, { recursive: true }))
  const cwd = fileURLToPath(new URL(`./${folder}/`, import.meta.url))
  const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url))
  const args = [vitest, 'run', '--root', cwd, '--config', 'vitest.config.ts']
  const env = { ...process.env, NO_COLOR: '1', REPORTS_FOLDER: reports }
  const { exitCode, output } = await new Promise<{ exitCode: number | null; output: string }>((resolve) => {
    const child = execFile(process.execPath, args, { cwd, env }, (_error, stdout, stderr) =>
      resolve({ exitCode: child.exitCode, output: `${stdout}${stderr}` }),
    )
  })
  const readReport = async (name: string) => JSON.parse(await readFile(join(reports, name), 'utf8'))
  const { testResults } = (await readReport('results.json')) as { testResults: { assertionResults: TestResult[] }[] }
  return { exitCode, output, results: testResults.flatMap(({ assertionResults }) => assertionResults), readReport }
}

it('a test fails for errors that the code under test swallowed', async () => {
  const { exitCode, results } = await runVitest('failing')
  expect(exitCode).toBe(1)
  const messages = Object.fromEntries(results.map(({ title, failureMessages }) => [title, failureMessages.join('\n')]))
  expect(results.map(({ title, status }) => [title, status])).toEqual([
    ['an unhandled request', 'failed'],
    ['an override that violates the OpenAPI document', 'failed'],
    ['a deprecated operation', 'failed'],
    ['no error', 'passed'],
  ])
  expect(messages['an unhandled request']).toContain(
    'GET https://elsewhere.invalid/things was blocked by the mock at https://petstore.test',
  )
  expect(messages['an unhandled request']).toContain("set onUnhandledRequest to 'bypass'")
  expect(messages['an override that violates the OpenAPI document']).toContain(
    'The override of listPets returned 200 with a body that violates the OpenAPI document: /0/name must be a string, but is the number 5',
  )
  expect(messages['a deprecated operation']).toContain('getPet was used once, but is deprecated since 2026-01-01')
})

it('files that share one process are isolated, and the reporter fails the run for their low coverage', async () => {
  const { exitCode, output, results, readReport } = await runVitest('passing')
  expect(results.filter(({ status }) => status !== 'passed')).toEqual([])
  expect(results).toHaveLength(12 + 6)

  expect(output).toMatch(/^listPets +GET \/pets +3 +beta +200 400 \(406 421 500\)$/m)
  expect(output).toMatch(/^getPet +GET \/pets\/\{petId\} +2 +deprecated +200 404 \(400 406 410 421 500\)$/m)
  expect(output).toMatch(/^listOrders +GET \/store\/orders +1 +200 \(400 406 421 500\)$/m)
  expect(output).toMatch(/^createPet +POST \/pets +18 +beta +201 \(/m)
  expect(output).toMatch(/^deletePet +DELETE \/pets\/\{petId\} +0 /m)
  expect(output).toContain('Operations 4 of 18 exercised (22.2 %)\nStatuses   6 of 127 exercised (4.7 %)\n')
  const problems = output.split('\n').filter((line) => line.startsWith('petstore-mock: '))
  expect(problems).toEqual(['petstore-mock: Only 4 of 18 operations were exercised (22.2 %). Required: 80 %.'])
  expect(exitCode).toBe(1)

  const written = (await readReport('deeper/coverage.json')) as Coverage
  expect(written.operations.filter(({ count }) => count > 0)).toMatchObject([
    { operation: 'listPets', count: 3 },
    { operation: 'createPet', count: 18 },
    { operation: 'getPet', count: 2 },
    { operation: 'listOrders', count: 1 },
  ])
  expect(written.summary.operations).toEqual({ total: 18, exercised: 4 })
})
