import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'esbuild'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished } from 'vitest'
import type { BrowserOptions } from '../../src/adapters/browser/index.js'
import { compiledModule } from '../../src/engine/mock/compiled-module.js'
import { library } from '../support/library.js'
import type { AdapterPage } from './adapter-page.js'
import { useBrowser } from './browser.js'

declare global {
  interface Window {
    /** Set by adapter-page.ts. */
    page: AdapterPage
  }
}

/** A site whose pages use the browser adapter under a strict Content-Security-Policy. */
export interface AdapterSite {
  readonly url: string
  /** The requests that reached the server and were not for a file of the site. */
  readonly received: string[]
  readonly workerScript: string
  /** Replaces the worker script; undefined removes it. */
  setWorker(script: string | undefined): void
  /** Opens a page, after preparing it. Pages below `/open/` may send requests to other origins. */
  openPage(path?: string, prepare?: (page: Page) => Promise<unknown>): Promise<SitePage>
}

/** A page of the site. The test fails if it prints an error or a warning. */
export interface SitePage {
  readonly page: Page
  /** Starts a mock. Resolves with the error, or with an empty string. */
  start(options: BrowserOptions, name?: string): Promise<string>
  /** Fetches in the page. */
  fetch(address: string, init?: RequestInit): Promise<PageResponse>
  notices(): Promise<string[]>
  /** The errors and warnings that the page printed; a test removes those that it expects. */
  readonly printedErrors: string[]
  reload(): Promise<void>
}

/** A response that a page has read. */
export interface PageResponse {
  readonly status: number
  readonly text: string
}

/** Pages below `/open/` may send requests to other origins. */
function headersOf(path: string): Record<string, string> {
  const more = path.startsWith('/open/') ? "; connect-src 'self' https:" : ''
  return { 'Content-Security-Policy': `default-src 'self'${more}`, 'Cache-Control': 'no-store' }
}

const HTML = '<!doctype html><html lang="en"><title>Adapter</title><link rel="icon" href="/icon.svg"><h1>Adapter</h1>'

/** Shared by all test files that run in this process. */
let bundled: Promise<Map<string, string>> | undefined

/** For a test file. Each site has its own origin, and so its own workers and data. */
export interface AdapterSites {
  openSite(): Promise<AdapterSite>
  /**
   * One page with a started mock for all tests, which is reset before each: starting takes longer than most tests. They
   * fail if the page prints an error or a warning, or if a request reaches the server.
   */
  useStartedPage(): () => SitePage
}

export function useAdapterSites(browser = useBrowser()): AdapterSites {
  let scripts: Map<string, string>
  let workerScript: string
  const servers: Server[] = []
  beforeAll(async () => {
    bundled ??= bundle(['adapter-page', 'adapter-worker'])
    scripts = await bundled
    workerScript = await readFile(createRequire(import.meta.url).resolve('msw/mockServiceWorker.js'), 'utf8')
  })
  afterAll(() => {
    // Not earlier, or the origin of a later site could be the same.
    for (const server of servers) {
      server.closeAllConnections()
      server.close()
    }
  })

  async function openSite(): Promise<AdapterSite> {
    let worker: string | undefined = workerScript
    const received: string[] = []
    const server = createServer((request, response) => {
      const path = new URL(request.url ?? '', 'http://localhost').pathname
      const send = (type: string, text: string) => {
        response.writeHead(200, { ...headersOf(path), 'Content-Type': type })
        response.end(text)
      }
      const script = scripts.get(path.slice(path.lastIndexOf('/') + 1))
      if (script !== undefined) return send('text/javascript', script)
      if (path.endsWith('/mockServiceWorker.js') && worker !== undefined) return send('text/javascript', worker)
      if (path === '/icon.svg') return send('image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"/>')
      if (path.endsWith('/'))
        return send('text/html', `${HTML}<script type="module" src="adapter-page.js"></script></html>`)
      received.push(`${request.method} ${request.url}`)
      // Like development servers that respond to every path with the application.
      send('text/html', HTML)
    })
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    return {
      url,
      received,
      workerScript,
      setWorker(script) {
        worker = script
      },
      async openPage(path = '/', prepare) {
        const page = await browser.openPage()
        await prepare?.(page)
        const opened = await openSitePage(page, url + path)
        onTestFinished(async () => {
          // Its last messages arrive before it is closed.
          await page.close()
          expect(opened.printedErrors).toEqual([])
        })
        return opened
      },
    }
  }

  function useStartedPage(): () => SitePage {
    let opened: SitePage
    let received: string[]
    beforeAll(async () => {
      const site = await openSite()
      received = site.received
      opened = await openSitePage(await browser.openSharedPage(), `${site.url}/`)
      expect(await opened.start({ baseUrl: '/api' })).toBe('')
    })
    beforeEach(() => opened.page.evaluate(() => window.page.get('petstore').reset()))
    afterEach(() => {
      expect(opened.printedErrors.splice(0)).toEqual([])
      expect(received.splice(0)).toEqual([])
    })
    return () => opened
  }

  return { openSite, useStartedPage }
}

async function openSitePage(page: Page, url: string): Promise<SitePage> {
  const printedErrors = recordPrintedErrors(page)
  await page.goto(url)
  await waitForScript(page)
  return {
    page,
    printedErrors,
    start: (options, name = 'petstore') =>
      page.evaluate(([key, given]) => window.page.start(key, given), [name, options] as const),
    fetch: (address, init) =>
      page.evaluate(
        async ([url, given]) => {
          const response = await fetch(url, given as RequestInit)
          return { status: response.status, text: await response.text() }
        },
        [address, init] as const,
      ),
    notices: () => page.evaluate(() => window.page.notices),
    async reload() {
      await page.reload()
      await waitForScript(page)
    },
  }
}

async function waitForScript(page: Page): Promise<void> {
  await page.waitForFunction(() => 'page' in window)
}

/** Chromium prints this for every error response. Only the mock sends those. */
const ERROR_RESPONSE = /^Failed to load resource/
const MOCK_URL = /^[^?#]*\/api\//

/** Records the errors and warnings that a page prints. */
function recordPrintedErrors(page: Page): string[] {
  const printedErrors: string[] = []
  page.on('console', (message) => {
    const { url } = message.location()
    if (!['error', 'warning'].includes(message.type())) return
    if (ERROR_RESPONSE.test(message.text()) && MOCK_URL.test(url)) return
    printedErrors.push(`${message.text()} (${url})`)
  })
  page.on('pageerror', (error) => printedErrors.push(String(error)))
  return printedErrors
}

/** As in the build of the package, where msw is not part of the bundle: only @mswjs/data must not open a channel. */
const withoutChannel: Plugin = {
  name: 'without-channel',
  setup({ onLoad }) {
    onLoad({ filter: /data[\\/]lib[\\/]extensions[\\/]sync\.js$/ }, async ({ path }) => ({
      contents: `const BroadcastChannel = undefined\n${await readFile(path, 'utf8')}`,
    }))
  },
}

/** What `petstore-mock compile` makes of the library: the page forbids to compile it there. */
const compiledLibrary: Plugin = {
  name: 'compiled-library',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^virtual:library$/ }, ({ path }) => ({ path, namespace: 'compiled' }))
    onLoad({ filter: /.*/, namespace: 'compiled' }, async () => ({ contents: await compiledModule(library) }))
  },
}

async function bundle(names: readonly string[]): Promise<Map<string, string>> {
  const folder = fileURLToPath(new URL('.', import.meta.url))
  const { outputFiles } = await build({
    absWorkingDir: folder,
    entryPoints: names.map((name) => `${name}.ts`),
    outdir: 'out',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    write: false,
    logLevel: 'error',
    plugins: [withoutChannel, compiledLibrary],
    // A dependency refers to these, but does not use them in a browser.
    define: { 'process.env.NODE_ENV': '"development"', global: 'globalThis' },
  })
  return new Map(outputFiles.map(({ path, text }) => [path.slice(path.lastIndexOf('/') + 1), text]))
}
