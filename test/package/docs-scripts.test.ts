import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findChromium, hasChromium } from '../support/chromium.js'
import { type Block, blocksOf, columnBlocksOf, kindOf, readPages, titleOf } from '../support/docs-blocks.js'
import { createDocsProject } from '../support/docs-project.js'
import { fileOf, runScripts } from '../support/docs-scripts.js'
import { run } from '../support/packed.js'
import { serveFolder } from '../support/static-server.js'

// The types and scripts of the documentation, in a project that has installed the packed package.

const canBrowse = hasChromium()

const blocks = readPages().flatMap((page) => [...blocksOf(page), ...columnBlocksOf(page)])
let project: string
let problems: Map<string, string[]>
let browser: Browser | undefined

beforeAll(async () => {
  const all = [...blocks, ...BROKEN.map(({ block }) => block)]
  project = await createDocsProject(all)
  problems = await runScripts(project, all)
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

const BROKEN = [
  { problem: /\(2,7\): error TS2322: Type 'string' is not assignable/, code: "const seed: number = '7'" },
  { problem: /expected 2 to deeply equal 3/, code: '1 + 1 // => 3' },
  { problem: /expected .* to match object/, code: 'const pet = { id: 1 } // => { id: 2, … }' },
  { problem: /skipped runs/, code: "import { test } from 'vitest'\ntest.skip('runs', () => {})" },
].map(({ problem, code }, index) => {
  const [block] = blocksOf({ name: `broken-${index}.md`, text: `\`\`\`ts\n${code}\n\`\`\`` }) as [Block]
  return { problem, block }
})

it.each(BROKEN)('reports a mistake in a block: $problem', async ({ problem, block }) => {
  await expect(execute(block)).rejects.toThrow(problem)
})

/** Rejects with the problem of the block. */
async function execute(block: Block): Promise<void> {
  const found = problems.get(fileOf(block))
  if (found) throw new Error(found.join('\n'))
  if (kindOf(block) === 'browser') await executeInPage(block)
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
  // Enough for a page on a busy machine.
  context.setDefaultTimeout(60_000)
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
