import { join } from 'node:path'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest'
import { findChromium } from './chromium.js'
import { type StaticServer, serveFolder } from './static-server.js'

/** The shop in a browser profile of its own. */
export interface Shop {
  readonly context: BrowserContext
  readonly server: StaticServer
  /** Opens a tab. */
  open(route?: string): Promise<Page>
}

export interface ShopOptions extends BrowserContextOptions {
  /** Which build is served, and where. */
  build?: 'dist' | 'dist-shop'
  base?: string
}

/** No name leads anywhere, and no proxy does. */
const NETWORK_REFUSED = ['--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1', '--no-proxy-server']

/** What Chromium itself says of an answer that was provoked. */
const PROVOKED = /^Failed to load resource: the server responded with a status of (404|409|503) /

/**
 * For a file of tests: one browser, whose network is refused. Every test ends by looking at what went on in the shops
 * it opened: nothing may have left the page's origin, asked the server for data, or printed an error or a warning.
 */
export function useShops(): { openShop(options?: ShopOptions): Promise<Shop>; browser(): Browser } {
  let browser: Browser
  const ends: (() => Promise<void>)[] = []

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: findChromium() ?? '', args: NETWORK_REFUSED })
  })
  afterAll(() => browser?.close())
  afterEach(async () => {
    for (const end of ends.splice(0)) await end()
  })

  async function openShop({ build = 'dist', base = '/', ...options }: ShopOptions = {}): Promise<Shop> {
    const server = await serveFolder(join(inject('example'), build), base)
    const context = await browser.newContext(options)
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
 * Waits until no request of a page is under way. msw's worker passes on to the server what a page that goes away has
 * just asked for, so a page is left or loaded anew only when it has settled.
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
