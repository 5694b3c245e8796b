import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { count, expectFound, type Judge } from './judge.js'
import { HERE, inFolder, runTool } from './tools.js'

const DOCUMENTS = ['spec/openapi.yaml', 'spec/admin.yaml']
const ARAZZO = 'test/judges/arazzo'
const RULES = join(HERE, 'spectral.yaml')

interface RedoclyProblem {
  readonly ruleId: string
  readonly message: string
  readonly severity: string
}

interface SpectralProblem {
  readonly code: string
  readonly message: string
  readonly source: string
  readonly range: { readonly start: { readonly line: number } }
}

/** Redocly with its strictest rules, on the documents and the workflows. */
export const redocly: Judge = {
  name: 'redocly',
  async judge() {
    const workflows = readdirSync(join(HERE, 'arazzo')).map((file) => `${ARAZZO}/${file}`)
    const files = [...DOCUMENTS, ...workflows]
    const problems = await lintWithRedocly(files)
    return {
      figures: `${count(files.length, 'document')}, ${count(problems.length, 'problem')}`,
      faults: [
        ...problems,
        ...expectFound('an operation without responses', (await onBroken((file) => lintWithRedocly([file]))) > 0),
      ],
    }
  },
}

/** Spectral with its rules for OpenAPI, including hints. */
export const spectral: Judge = {
  name: 'spectral',
  async judge() {
    const problems = await lintWithSpectral(DOCUMENTS)
    return {
      figures: `${count(DOCUMENTS.length, 'document')}, ${count(problems.length, 'problem')}`,
      faults: [
        ...problems,
        ...expectFound('an operation without responses', (await onBroken((file) => lintWithSpectral([file]))) > 0),
      ],
    }
  },
}

async function lintWithRedocly(files: readonly string[]): Promise<readonly string[]> {
  const { code, stdout, output } = await runTool('redocly', ['lint', ...files, '--format', 'json'])
  if (code !== 0 && code !== 1) throw new Error(`Redocly ended with exit code ${code}\n${output}`)
  // One report for each file, concatenated.
  const reports = JSON.parse(`[${stdout.replace(/^\}\{$/gm, '},{')}]`) as { problems: RedoclyProblem[] }[]
  if (reports.length !== files.length) throw new Error(`Redocly did not look at every file\n${output}`)
  return reports.flatMap(({ problems }) =>
    problems.map(({ ruleId, message, severity }) => `${severity} ${ruleId}: ${message}`),
  )
}

async function lintWithSpectral(files: readonly string[]): Promise<readonly string[]> {
  const { stdout, output } = await runTool('spectral', [
    'lint',
    ...files,
    '--ruleset',
    RULES,
    '--format',
    'json',
    '--quiet',
  ])
  try {
    const problems = JSON.parse(stdout) as SpectralProblem[]
    return problems.map(({ code, message, source, range }) => `${source}:${range.start.line + 1} ${code}: ${message}`)
  } catch {
    throw new Error(`Spectral printed no report\n${output}`)
  }
}

/** The number of problems found in an invalid document. */
function onBroken(lint: (file: string) => Promise<readonly string[]>): Promise<number> {
  return inFolder(async (folder) => {
    const file = join(folder, 'broken.yaml')
    writeFileSync(file, 'openapi: 3.0.3\ninfo:\n  title: Broken\n  version: 1.0.0\npaths:\n  /pets:\n    get: {}\n')
    return (await lint(file)).length
  })
}
