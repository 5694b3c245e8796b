import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { count, expectFound, type Judge } from './judge.js'
import { HERE, inFolder, runTool } from './tools.js'

const DOCUMENTS = ['spec/openapi.yaml', 'spec/admin.yaml']
const RULES = join(HERE, 'spectral.yaml')

interface Problem {
  readonly code: string
  readonly message: string
  readonly source: string
  readonly range: { readonly start: { readonly line: number } }
}

/** Spectral with its rules for OpenAPI, including hints. */
export const spectral: Judge = {
  name: 'spectral',
  async judge() {
    const problems = await lint(DOCUMENTS)
    return {
      figures: `${count(DOCUMENTS.length, 'document')}, ${count(problems.length, 'problem')}`,
      faults: [...problems, ...expectFound('an operation without responses', (await lintBroken()).length > 0)],
    }
  },
}

async function lint(files: readonly string[]): Promise<readonly string[]> {
  const args = ['lint', ...files, '--ruleset', RULES, '--format', 'json', '--quiet']
  const { stdout, output } = await runTool('spectral', args)
  try {
    const problems = JSON.parse(stdout) as Problem[]
    return problems.map(({ code, message, source, range }) => `${source}:${range.start.line + 1} ${code}: ${message}`)
  } catch {
    throw new Error(`Spectral printed no report\n${output}`)
  }
}

function lintBroken(): Promise<readonly string[]> {
  return inFolder((folder) => {
    const file = join(folder, 'broken.yaml')
    writeFileSync(file, 'openapi: 3.0.3\ninfo:\n  title: Broken\n  version: 1.0.0\npaths:\n  /pets:\n    get: {}\n')
    return lint([file])
  })
}
