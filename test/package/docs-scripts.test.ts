import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findChromium, hasChromium } from '../support/chromium.js'
import {
  type Block,
  type BrokenPage,
  blocksOf,
  columnBlocksOf,
  createBroken,
  kindOf,
  readPages,
  titleOf,
} from '../support/docs-blocks.js'
import { createDocsProject } from '../support/docs-project.js'
import { fileOf, runScripts, type ScriptResults } from '../support/docs-scripts.js'
import { run } from '../support/packed.js'
import { serveFolder } from '../support/static-server.js'

// The types and scripts of the documentation, in a project that has installed the packed package.

const canBrowse = hasChromium()

const BROKEN: readonly BrokenPage[] = [
  broken(/line 2: error TS2322: Type 'string' is not assignable/, 'ts', "const seed: number = '7'"),
  broken(/expected 2 to deeply equal 3/, 'ts', '1 + 1 // => 3'),
  broken(/expected .* to match object/, 'ts', "const pet = { id: 1, name: 'Rex' } // => { id: 2, … }"),
  broken(/it was thrown/, 'ts', "throw new Error('it was thrown')"),
  broken(
    /expected 404 to be 200/,
    'ts',
    `import { expect, test } from 'petstore-mock/vitest'
     test('finds cats', async ({ petstore }) => {
       const response = await petstore.fetch('/cats')
       expect(response.status).toBe(200)
     })`.replaceAll(/^ {5}/gm, ''),
  ),
  broken(/A test of the block was not run/, 'ts', "import { test } from 'vitest'\ntest.skip('runs', () => {})"),
  broken(/is not exported/, 'ts', "import 'petstore-mock/nothing'"),
  broken(
    /UNKNOWN_SCENARIO|scenario/,
    'js',
    "import { createPetstore } from 'petstore-mock'\ncreatePetstore({ scenario: 'bussy' })",
  ),
  broken(/Could not resolve/, 'js', "import 'petstore-mock/browser'\nawait import('./nothing.js')"),
  createBroken(/line 7: error TS2304/, [
    { language: 'sh', code: 'ls orders.js || true' },
    { note: 'file: orders.ts', language: 'ts', code: 'export const orders = nothing' },
  ]),
]

/** The mock is never started. */
const BROKEN_IN_PAGE = broken(
  /The mock does not respond at \/api/,
  'ts',
  "import { setupPetstore } from 'petstore-mock/browser'\nsetupPetstore({ baseUrl: '/api' })",
)

const blocks = readPages().flatMap((page) => [...blocksOf(page), ...columnBlocksOf(page)])
let project: string
let results: ScriptResults
let browser: Browser | undefined

beforeAll(async () => {
  const all = [...blocks, ...[...BROKEN, BROKEN_IN_PAGE].flatMap((page) => page.blocks)]
  project = await createDocsProject(all)
  results = await runScripts(project, all)
  if (canBrowse) {
    browser = await chromium.launch({ executablePath: findChromium() as string, args: ['--no-sandbox'] })
  }
})

afterAll(() => browser?.close())

const executed = blocks.filter((block) => ['script', 'browser', 'file'].includes(kindOf(block) ?? ''))

it.each(executed.map((block) => ({ title: `${titleOf(block)} ${block.language}`, block })))(
  'executes $title',
  ({ block }) => execute(block),
)

describe('a mistake in a block', () => {
  it.each(BROKEN)('is reported: $problem', ({ problem, blocks }) => expectProblem(blocks, problem))

  it.skipIf(!canBrowse)('is reported by a page', () => expectProblem(BROKEN_IN_PAGE.blocks, BROKEN_IN_PAGE.problem))
})

function broken(problem: RegExp, language: string, code: string): BrokenPage {
  return createBroken(problem, [{ language, code }])
}

async function expectProblem(blocks: readonly Block[], problem: RegExp): Promise<void> {
  await expect(execute(blocks.at(-1) as Block)).rejects.toThrow(problem)
}

/** Rejects with the problem of the block. */
async function execute(block: Block): Promise<void> {
  const kind = kindOf(block)
  const problems = [...results.typesOf(block), ...(kind === 'script' ? results.failuresOf(block) : [])]
  if (problems.length > 0) throw new Error(problems.join('\n'))
  if (kind === 'browser') await executeInPage(block)
}

const HTML =
  '<!doctype html><html lang="en"><title>Block</title><link rel="icon" href="data:,">' +
  '<script type="module" src="page.js"></script></html>'

/** Bundles the block like a development server, and runs it in a page with the worker script; if there is Chromium. */
async function executeInPage(block: Block): Promise<void> {
  const file = fileOf(block)
  const site = join(project, file.replace(/\.\w+$/, ''))
  await mkdir(site)
  await run('node', [join(project, 'node_modules/.bin/petstore-mock'), 'init', site], { cwd: project })
  await writeFile(join(site, 'index.html'), HTML)
  await build({
    absWorkingDir: project,
    entryPoints: { page: file },
    outdir: site,
    ...{ bundle: true, splitting: true, format: 'esm', platform: 'browser', target: 'es2022', logLevel: 'silent' },
    define: { 'import.meta.env.DEV': 'true', 'process.env.NODE_ENV': '"development"' },
  })
  if (browser) await visit(browser, site, /baseUrl: '([^']+)'/.exec(block.code)?.[1] ?? 'http://127.0.0.1:4010')
}

/** Expects that the mock responds at the block's base URL after the block has run. */
async function visit(browser: Browser, site: string, baseUrl: string): Promise<void> {
  const server = await serveFolder(site, '/')
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    const failed = new Promise<never>((_resolve, reject) => page.on('pageerror', reject))
    await page.goto(`${server.origin}/`)
    await Promise.race([page.waitForFunction(() => 'blockHasRun' in globalThis), failed])
    const isMock = await page.evaluate(
      async (url) => (await fetch(url)).headers.has('X-Petstore-Mock'),
      `${baseUrl}/pets`,
    )
    if (!isMock) throw new Error(`The mock does not respond at ${baseUrl}.`)
  } finally {
    await context.close()
    server.close()
  }
}
