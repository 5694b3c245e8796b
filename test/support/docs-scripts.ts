import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Block, kindOf } from './docs-blocks.js'
import { folderOf, writeInto } from './docs-project.js'
import { npm, root, run } from './packed.js'

/** The problems of the blocks of all pages. */
export interface ScriptResults {
  /** The type errors of a block that is a script or a file. */
  typesOf(block: Block): string[]
  /** The failures of a script in vitest. */
  failuresOf(block: Block): string[]
}

/** Writes all scripts into the project, and runs them at once, which is much faster. */
export async function runScripts(project: string, blocks: readonly Block[]): Promise<ScriptResults> {
  for (const block of blocks) {
    const kind = kindOf(block)
    if (kind === 'script' || kind === 'browser') await writeInto(project, fileOf(block), toScript(block))
  }
  const [types, failures] = await Promise.all([checkTypes(project), runInVitest(project)])
  return {
    typesOf(block) {
      // A script has one line before the block, in place of the fence.
      const before = kindOf(block) === 'file' ? block.line : block.line - 1
      return (types.get(fileOf(block)) ?? []).map(({ line, text }) => `line ${line + before}: ${text}`)
    },
    failuresOf: (block) => failures.get(fileOf(block)) ?? ['The script was not run.'],
  }
}

/** Scripts are in a separate folder, so that `../src/orders.js` is a file of the page. By default vitest does not run them. */
export function fileOf(block: Block): string {
  const kind = kindOf(block)
  if (kind === 'file') return join(folderOf(block), block.note?.value ?? '')
  return join(folderOf(block), 'test', `line-${block.line}.${kind === 'browser' ? 'page' : 'block'}.${block.language}`)
}

/** `petstore.startingData.seed // => 1`: the comment is the expected value, in which `…` stands for anything else. */
const EXPECTATION = /^( *)((?:const (\w+) = )?)(.+?) \/\/ => (.+)$/

/** The block as a module. It has exactly one additional line at the start, so that line numbers can be converted. */
function toScript(block: Block): string {
  const { code } = block
  if (kindOf(block) === 'browser') return `\n${code}\nObject.assign(globalThis, { blockHasRun: true })\nexport {}\n`
  const lines = code.split('\n').map((line) =>
    line.replace(EXPECTATION, (_line, indent, declaration, name, expression, value) => {
      const expected = value.replaceAll(/,? ?…/g, '')
      const comparison = value.includes('…') ? 'toMatchObject' : 'toEqual'
      const actual = name === undefined ? expression : name
      const first = name === undefined ? '' : `${declaration}${expression}; `
      return `${indent}${first}expectHere(${actual}).${comparison}(${expected})`
    }),
  )
  const isTest = /^(test|it)\b/m.test(code)
  return [
    "import { expect as expectHere, test as testHere } from 'vitest'",
    ...lines,
    isTest ? '' : "testHere('runs to its end', () => {})",
    'export {}',
  ].join('\n')
}

interface TypeProblem {
  readonly line: number
  readonly text: string
}

const CONFIG = {
  compilerOptions: {
    ...{ module: 'nodenext', target: 'es2022', lib: ['es2023', 'dom', 'dom.iterable'], strict: true },
    ...{ noEmit: true, skipLibCheck: true, exactOptionalPropertyTypes: true, types: ['node', 'vite/client'] },
  },
  include: ['pages/**/*.ts'],
}

/** The type errors by file. */
async function checkTypes(project: string): Promise<Map<string, TypeProblem[]>> {
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify(CONFIG))
  const compiler = join(root, 'node_modules/typescript-7/bin/tsc')
  const printed = await run('node', [compiler, '-p', '.', '--pretty', 'false'], { cwd: project }).then(
    ({ stdout }) => stdout,
    ({ stdout }: { stdout: string }) => stdout,
  )
  const found = new Map<string, TypeProblem[]>()
  for (const [, file = '', line, text = ''] of printed.matchAll(/^(\S[^(]*)\((\d+),\d+\): (.*(?:\n .*)*)/gm)) {
    found.set(file, [...(found.get(file) ?? []), { line: Number(line), text }])
  }
  // An error without a file applies to all files.
  if (found.size === 0 && printed.trim() !== '') throw new Error(printed)
  return found
}

interface Report {
  readonly testResults: readonly {
    readonly name: string
    readonly message: string
    readonly status: string
    readonly assertionResults: readonly { readonly status: string; readonly failureMessages: readonly string[] }[]
  }[]
}

// Without isolation, because loading the package again for each block would take most of the time.
const RUNNER = `
import { defineConfig } from 'vitest/config'
export default defineConfig({
  test: { include: ['pages/**/*.block.{ts,js}'], isolate: false, maxWorkers: 1, testTimeout: 120_000 },
})
`

/** The failures by file; empty for a file that passed. */
async function runInVitest(project: string): Promise<Map<string, string[]>> {
  await writeFile(join(project, 'vitest.config.ts'), RUNNER)
  const args = ['exec', '--', 'vitest', 'run', '--reporter=json', '--outputFile=report.json']
  const printed = await npm(project, args).catch((error: Error) => error.message)
  const text = await readFile(join(project, 'report.json'), 'utf8').catch(() => {
    throw new Error(`vitest wrote no report: ${printed}`)
  })
  const { testResults } = JSON.parse(text) as Report
  return new Map(
    testResults.map(({ name, message, status, assertionResults }) => [
      name.slice(name.indexOf('/pages/') + 1),
      status === 'passed'
        ? assertionResults.filter((each) => each.status !== 'passed').map(() => 'A test of the block was not run.')
        : [message, ...assertionResults.flatMap(({ failureMessages }) => failureMessages)].filter(Boolean),
    ]),
  )
}
