import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import { chromium } from 'playwright-core'
import { findChromium } from './chromium.js'
import { run } from './packed.js'
import { serveFolder } from './static-server.js'

/** A block that runs in a browser. */
export interface BrowserTask {
  /** The folder in which the package is installed. */
  readonly project: string
  /** The path of the script in the project. */
  readonly file: string
  readonly code: string
}

/**
 * Bundles the block like a development server, and runs it in a page with the worker script. Without Chromium it is only
 * bundled, unless `CI_BROWSER=required` is set.
 */
export async function runInBrowser({ project, file, code }: BrowserTask): Promise<void> {
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
  const executablePath = findChromium()
  if (executablePath === undefined) {
    if (process.env.CI_BROWSER === 'required') throw new Error('there is no Chromium to run it in')
    return
  }
  await visit(site, executablePath, /baseUrl: '([^']+)'/.exec(code)?.[1] ?? 'http://127.0.0.1:4010')
}

const HTML =
  '<!doctype html><html lang="en"><title>Block</title><link rel="icon" href="data:,">' +
  '<script type="module" src="page.js"></script></html>'

/** Expects that the mock responds at the block's base URL after the block has run. */
async function visit(site: string, executablePath: string, baseUrl: string): Promise<void> {
  const server = await serveFolder(site, '/')
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  try {
    const page = await browser.newPage()
    const failed = new Promise<never>((_resolve, reject) => page.on('pageerror', reject))
    await page.goto(`${server.origin}/`)
    await Promise.race([page.waitForFunction(() => 'ranToItsEnd' in globalThis), failed])
    const isMock = await page.evaluate(
      async (url) => (await fetch(url)).headers.has('X-Petstore-Mock'),
      `${baseUrl}/pets`,
    )
    if (!isMock) throw new Error(`${baseUrl} is not answered by the mock`)
  } finally {
    await browser.close()
    server.close()
  }
}
