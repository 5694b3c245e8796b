import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Block, kindOf } from './docs-blocks.js'
import { folderOf, writeInto } from './docs-project.js'
import { npm, root, run } from './packed.js'

/** Writes all scripts into the project, and runs them at once, which is much faster. Returns the problems of each file. */
export async function runScripts(project: string, blocks: readonly Block[]): Promise<Map<string, string[]>> {
  for (const block of blocks) {
    const kind = kindOf(block)
    if (kind === 'script' || kind === 'browser') await writeInto(project, fileOf(block), toScript(block))
  }
  const files = blocks.filter((block) => kindOf(block) === 'script').map(fileOf)
  const problems = new Map<string, string[]>()
  for (const { file, text } of (await Promise.all([checkTypes(project), runInVitest(project, files)])).flat()) {
    problems.set(file, [...(problems.get(file) ?? []), text])
  }
  return problems
}

interface Problem {
  readonly file: string
  readonly text: string
}

/** Scripts are in a separate folder, so that `../src/orders.js` is a file of the page. By default vitest does not run them. */
export function fileOf(block: Block): string {
  const kind = kindOf(block)
  if (kind === 'file') return join(folderOf(block), block.note?.value ?? '')
  return join(folderOf(block), 'test', `line-${block.line}.${kind === 'browser' ? 'page' : 'block'}.${block.language}`)
}

/** `petstore.startingData.seed // => 1`: the comment is the expected value, in which `…` stands for anything else. */
const EXPECTATION = /^( *)((?:const (\w+) = )?)(.+?) \/\/ => (.+)$/

/** The block as a module, with one additional line at the start. */
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

const CONFIG = {
  compilerOptions: {
    ...{ module: 'nodenext', target: 'es2022', lib: ['es2023', 'dom', 'dom.iterable'], strict: true },
    ...{ noEmit: true, skipLibCheck: true, exactOptionalPropertyTypes: true, types: ['node', 'vite/client'] },
  },
  include: ['pages/**/*.ts'],
}

async function checkTypes(project: string): Promise<Problem[]> {
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify(CONFIG))
  const compiler = join(root, 'node_modules/typescript-7/bin/tsc')
  const printed = await run('node', [compiler, '-p', '.', '--pretty', 'false'], { cwd: project }).then(
    ({ stdout }) => stdout,
    ({ stdout }: { stdout: string }) => stdout,
  )
  const found = [...printed.matchAll(/^(\S[^(]*)\(\d+,\d+\): .*(?:\n .*)*/gm)]
  // An error without a file applies to all files.
  if (found.length === 0 && printed.trim() !== '') throw new Error(printed)
  return found.map(([text, file = '']) => ({ file, text }))
}

interface Report {
  readonly testResults: readonly {
    readonly name: string
    readonly message: string
    readonly assertionResults: readonly {
      readonly status: string
      readonly title: string
      readonly failureMessages: readonly string[]
    }[]
  }[]
}

// Without isolation, because loading the package again for each block would take most of the time.
const RUNNER = `
import { defineConfig } from 'vitest/config'
export default defineConfig({
  test: { include: ['pages/**/*.block.{ts,js}'], isolate: false, maxWorkers: 1, testTimeout: 120_000 },
})
`

async function runInVitest(project: string, files: readonly string[]): Promise<Problem[]> {
  await writeFile(join(project, 'vitest.config.ts'), RUNNER)
  const args = ['exec', '--', 'vitest', 'run', '--reporter=json', '--outputFile=report.json']
  const printed = await npm(project, args).catch((error: Error) => error.message)
  const text = await readFile(join(project, 'report.json'), 'utf8').catch(() => {
    throw new Error(`vitest wrote no report: ${printed}`)
  })
  const { testResults } = JSON.parse(text) as Report
  return files.flatMap((file) => {
    const { message = '', assertionResults = [] } = testResults.find(({ name }) => name.endsWith(`/${file}`)) ?? {}
    const tests = assertionResults.filter(({ status }) => status !== 'passed')
    if (message === '' && assertionResults.length > 0 && tests.length === 0) return []
    const texts = tests.map(({ status, title, failureMessages }) => [status, title, ...failureMessages].join(' '))
    return [{ file, text: ['The script did not pass in vitest.', message, ...texts].join('\n') }]
  })
}
