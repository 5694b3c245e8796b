import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Block, kindOf, titleOf } from './docs-blocks.js'
import { runInBrowser } from './docs-browser.js'
import { runScripts, type ScriptResults, toScript } from './docs-scripts.js'
import { matches, type Printed, runShell } from './docs-shell.js'
import { stepsOf } from './docs-workflow.js'
import { npm, packInto, root } from './packed.js'

/** A project with the packed package, in which blocks are executed. */
export interface Workshop {
  /** Rejects with the problem of the block. */
  execute(block: Block): Promise<void>
  close(): Promise<void>
}

/** The folder for the files and commands of a page. */
const folderOf = ({ page }: Pick<Block, 'page'>): string => `pages/${page.replaceAll(/\W+/g, '-')}`

/** Installs the package, writes all files and scripts, and runs all scripts at once, which is much faster. */
export async function createWorkshop(blocks: readonly Block[]): Promise<Workshop> {
  const project = await mkdtemp(join(tmpdir(), 'petstore-mock-docs-'))
  const port = await findPort()
  await install(project)
  for (const block of blocks) await prepare(project, block, port)
  await shareCode(project, blocks)
  const results = await runScripts(project)
  const shells = new Map<Block, Promise<Printed>>()

  /** Cached, because a block that shows output needs the result too. */
  function shell(block: Block, script: string): Promise<Printed> {
    const known = shells.get(block) ?? runShell({ project, folder: join(project, folderOf(block)), script, port })
    shells.set(block, known)
    return known
  }

  return {
    async execute(block) {
      switch (kindOf(block)) {
        case 'script':
          return checkScript(results, scriptFileOf(block), block)
        case 'browser':
          checkScript(results, scriptFileOf(block), block)
          return runInBrowser({ project, file: scriptFileOf(block), code: block.code })
        case 'shell':
          return void (await shell(block, block.code))
        case 'workflow':
          return void (await shell(block, stepsOf(block.code)))
        case 'output':
          return compareOutput(block, await shellBefore(block, blocks, shell))
        case 'file':
          return checkFile(results, block, blocks)
        case 'elsewhere':
          return checkElsewhere(block)
      }
    },
    close: () => rm(project, { recursive: true, force: true }),
  }
}

/** Below the ports that the system assigns, because it must stay free while the blocks run. */
async function findPort(): Promise<number> {
  const port = 10_000 + Math.floor(Math.random() * 20_000)
  return (await isFree(port)) ? port : findPort()
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer().once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}

// --- The project ---

async function install(project: string): Promise<void> {
  const tarball = await packInto(project)
  const { devDependencies, overrides } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const manifest = {
    private: true,
    type: 'module',
    devDependencies: {
      'petstore-mock': `file:${tarball}`,
      msw: devDependencies.msw,
      vitest: devDependencies.vitest,
      '@types/node': devDependencies['@types/node'],
      // The test runner of the pages about end-to-end tests; it is part of playwright.
      '@playwright/test': devDependencies.playwright,
    },
    overrides: { rolldown: overrides.rolldown },
  }
  await write(project, 'package.json', JSON.stringify(manifest, null, 2))
  await npm(project, ['install', '--no-audit', '--no-fund', '--prefer-offline'])
}

async function prepare(project: string, block: Block, port: number): Promise<void> {
  await mkdir(join(project, folderOf(block)), { recursive: true })
  const packages = join(project, folderOf(block), 'node_modules')
  if (!existsSync(packages)) await symlink(join(project, 'node_modules'), packages)
  const kind = tryKindOf(block)
  const file = join(folderOf(block), block.note?.value ?? '')
  if (kind === 'file') await write(project, file, block.code.replaceAll('4010', String(port)))
  if (kind === 'script' || kind === 'browser') await write(project, scriptFileOf(block), toScript(block, kind))
}

/** All pages use the code under test of docs/write-a-test.md. */
async function shareCode(project: string, blocks: readonly Block[]): Promise<void> {
  const shared = blocks.find(({ note }) => note?.value === CODE_UNDER_TEST)
  if (shared === undefined) throw new Error(`no page shows ${CODE_UNDER_TEST}`)
  for (const folder of new Set(blocks.map(folderOf))) await write(project, join(folder, CODE_UNDER_TEST), shared.code)
}

const CODE_UNDER_TEST = 'src/orders.ts'

/** A block that cannot be executed is reported when it is executed. */
function tryKindOf(block: Block): ReturnType<typeof kindOf> | undefined {
  try {
    return kindOf(block)
  } catch {
    return undefined
  }
}

/** In a separate folder, so that `../src/orders.js` is a file of the page; vitest does not run it by default. */
function scriptFileOf(block: Block): string {
  const kind = kindOf(block) === 'browser' ? 'page' : 'block'
  return join(folderOf(block), 'test', `line-${block.line}.${kind}.${block.language}`)
}

async function write(project: string, name: string, text: string): Promise<void> {
  await mkdir(dirname(join(project, name)), { recursive: true })
  await writeFile(join(project, name), text)
}

// --- Checks of a block ---

function checkScript(results: ScriptResults, file: string, block: Block): void {
  // A script has one line before the block, in place of the fence.
  const problems = results.problemsOf(file, block.line - 1)
  if (problems.length > 0) throw new Error(problems.join('\n'))
}

/** A file must be used by another block of the page. */
function checkFile(results: ScriptResults, block: Block, blocks: readonly Block[]): void {
  const name = block.note?.value ?? ''
  const problems = results.typesOf(join(folderOf(block), name), block.line)
  if (problems.length > 0) throw new Error(problems.join('\n'))
  const others = blocks.filter((other) => other.page === block.page && other !== block)
  const names = [name, name.replace(/\.ts$/, '.js'), ...runnersOf(name)]
  if (!others.some(({ code }) => names.some((each) => code.includes(each.replace(/^.*\//, ''))))) {
    throw new Error(`no other block of the page uses ${name}`)
  }
}

/** The command that uses a file without naming it, such as a test runner. */
function runnersOf(name: string): string[] {
  if (name === 'vitest.config.ts' || name.endsWith('.test.ts')) return ['npx vitest run']
  if (name.endsWith('.test.js')) return ['node --test']
  return name === 'playwright.config.ts' || name.endsWith('.spec.ts') ? ['npx playwright test'] : []
}

/** The named test must mention the page. */
function checkElsewhere(block: Block): void {
  const test = block.note?.value ?? ''
  if (!existsSync(join(root, test))) throw new Error(`there is no ${test}`)
  const name = block.page.replace(/^.*\//, '')
  if (!readFileSync(join(root, test), 'utf8').includes(name)) throw new Error(`${test} does not mention ${name}`)
}

function shellBefore(
  block: Block,
  blocks: readonly Block[],
  shell: (block: Block, script: string) => Promise<Printed>,
): Promise<Printed> {
  const earlier = blocks.filter(({ page, line }) => page === block.page && line < block.line)
  const before = earlier.at(-1)
  if (before?.language !== 'sh') throw new Error('there is no block of commands right before this output')
  return shell(before, before.code)
}

/** In text, `…` stands for anything. */
function compareOutput(block: Block, { stdout }: Printed): void {
  const isJson = block.language === 'json'
  const [shown, printed] = isJson
    ? [block.code, stdout].map((text) => JSON.stringify(JSON.parse(text), null, 2))
    : [block.code.trim(), stdout.trim()]
  if (!matches(shown as string, printed as string)) {
    throw new Error(`${titleOf(block)} shows\n${shown}\nbut it printed\n${printed}`)
  }
}
