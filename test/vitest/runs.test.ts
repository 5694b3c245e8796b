import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import type { Coverage } from '../../src/engine/log/coverage.js'

interface Results {
  readonly testResults: readonly { readonly assertionResults: readonly { readonly status: string }[] }[]
}

/** Runs the tests of the folder `passing` with vitest, in their own process. */
async function runVitest() {
  const reports = await mkdtemp(join(tmpdir(), 'petstore-mock-'))
  onTestFinished(() => rm(reports, { recursive: true }))
  const cwd = fileURLToPath(new URL('./passing/', import.meta.url))
  const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url))
  const args = [vitest, 'run', '--root', cwd, '--config', 'vitest.config.ts']
  const env = { ...process.env, NO_COLOR: '1', REPORTS_FOLDER: reports }
  const { exitCode, output } = await new Promise<{ exitCode: number | null; output: string }>((resolve) => {
    const child = execFile(process.execPath, args, { cwd, env }, (_error, stdout, stderr) =>
      resolve({ exitCode: child.exitCode, output: `${stdout}${stderr}` }),
    )
  })
  const readReport = async (name: string) => JSON.parse(await readFile(join(reports, name), 'utf8'))
  const { testResults }: Results = await readReport('results.json')
  const coverage: Coverage = await readReport('deeper/coverage.json')
  return { exitCode, output, results: testResults.flatMap(({ assertionResults }) => assertionResults), coverage }
}

it('files that share one process are isolated, and the reporter fails the run for their low coverage', {
  // Starts another vitest.
  timeout: 180_000,
}, async () => {
  const { exitCode, output, results, coverage } = await runVitest()
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

  expect(coverage.operations.filter(({ count }) => count > 0)).toMatchObject([
    { operation: 'listPets', count: 3 },
    { operation: 'createPet', count: 18 },
    { operation: 'getPet', count: 2 },
    { operation: 'listOrders', count: 1 },
  ])
  expect(coverage.summary.operations).toEqual({ total: 18, exercised: 4 })
})
