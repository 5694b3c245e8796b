import { join } from 'node:path'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest'
import { openWindow } from '../browser/browser.js'
import { findChromium } from './chromium.js'
import { type StaticServer, serveFolder } from './static-server.js'

/** The shop in a separate browser profile. */
export interface Shop {
  readonly context: BrowserContext
  readonly server: StaticServer
  /** Opens a tab. */
  open(route?: string): Promise<Page>
}

export interface ShopOptions extends BrowserContextOptions {
  /** The build, and its base path. */
  build?: 'dist' | 'dist-shop'
  base?: string
}

/** Blocks all host names and proxies. */
const BLOCK_NETWORK = ['--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1', '--no-proxy-server']

/** Printed by Chromium for an expected error response. */
const PROVOKED = /^Failed to load resource: the server responded with a status of (404|409|503) /

/**
 * For a test file: one browser without a network. After every test, the shops that it opened are checked: nothing may
 * have been sent to another origin, requested data from the server, or printed an error or a warning.
 */
export function useShops(): { openShop(options?: ShopOptions): Promise<Shop>; browser(): Browser } {
  let browser: Browser
  const ends: (() => Promise<void>)[] = []

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: findChromium() ?? '', args: BLOCK_NETWORK })
  })
  afterAll(() => browser?.close())
  afterEach(async () => {
    for (const end of ends.splice(0)) await end()
  })

  async function openShop({ build = 'dist', base = '/', ...options }: ShopOptions = {}): Promise<Shop> {
    const server = await serveFolder(join(inject('example'), build), base)
    const context = await browser.newContext(options)
    await openWindow(context)
    const { problems, origins } = watch(context, base)
    ends.push(async () => {
      for (const page of context.pages()) await settle(page)
      await context.close()
      server.close()
      expect(problems).toEqual([])
      expect([...origins]).toEqual([server.origin])
      expect(server.received.filter((path) => /\/api(\/|$)/.test(path))).toEqual([])
    })
    return {
      context,
      server,
      async open(route = '/') {
        const page = await context.newPage()
        await page.goto(`${server.origin}${base}#${route}`)
        await page.getByRole('heading', { level: 1 }).waitFor()
        return page
      },
    }
  }

  return { openShop, browser: () => browser }
}

/**
 * Waits until a page has no pending requests. msw's worker forwards the pending requests of a page that is left or
 * reloaded to the server.
 */
export async function settle(page: Page): Promise<void> {
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
}

function watch(context: BrowserContext, base: string): { problems: string[]; origins: Set<string> } {
  const problems: string[] = []
  const origins = new Set<string>()
  context.on('console', (message) => {
    const text = message.text()
    const isData = new URL(message.location().url || 'about:blank').pathname.startsWith(`${base}api/`)
    if (['error', 'warning'].includes(message.type()) && !(isData && PROVOKED.test(text))) problems.push(text)
  })
  context.on('weberror', (error) => problems.push(String(error.error())))
  context.on('request', (request) => origins.add(new URL(request.url()).origin))
  return { problems, origins }
}
