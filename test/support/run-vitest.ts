import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

export interface VitestRun {
  readonly exitCode: number
  readonly output: string
}

/** Runs the tests of a folder below test/vitest in their own process. */
export function runVitest(folder: string, args: readonly string[] = [], env: object = {}): Promise<VitestRun> {
  const root = fileURLToPath(new URL(`../vitest/${folder}/`, import.meta.url))
  const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url))
  const all = [vitest, 'run', '--root', root, '--config', 'vitest.config.ts', ...args]
  return new Promise((resolve) => {
    const options = { cwd: root, env: { ...process.env, NO_COLOR: '1', ...env } }
    const child = execFile(process.execPath, all, options, (_error, stdout, stderr) =>
      resolve({ exitCode: child.exitCode ?? -1, output: `${stdout}${stderr}` }),
    )
  })
}

export interface TestResult {
  readonly title: string
  readonly status: string
  readonly failureMessages: readonly string[]
}

/** Runs the tests of a folder and returns the result of each. */
export async function readTestResults(folder: string): Promise<TestResult[]> {
  const file = join(await createTemporaryFolder(), 'report.json')
  await runVitest(folder, ['--reporter=json', '--outputFile', file])
  const { testResults } = JSON.parse(await readFile(file, 'utf8'))
  return testResults.flatMap(({ assertionResults }: { assertionResults: TestResult[] }) => assertionResults)
}

/** A folder that is removed when the test ends. */
export async function createTemporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-mock-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}
