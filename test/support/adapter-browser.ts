import type { Browser, BrowserContext, Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import type { BrowserOptions } from '../../src/adapters/browser/index.js'
import type { AdapterPage } from '../browser/adapter-page.js'
import type { AdapterSite } from './adapter-site.js'

declare global {
  interface Window {
    /** Set by test/browser/adapter-page.ts. */
    page: AdapterPage
  }
}

/** A response that a page has read. */
export interface PageResponse {
  readonly status: number
  readonly text: string
}

/** A page of the site. The test fails if it prints an error or a warning. */
export interface OpenPage {
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

/** A separate browser profile for the test, without the workers and data of other tests. */
export async function openContext(browser: Browser): Promise<BrowserContext> {
  const context = await browser.newContext()
  onTestFinished(() => context.close())
  return context
}

/** Chromium prints this for every error response. Only the mock sends those. */
const ERROR_RESPONSE = /^Failed to load resource/
const MOCK_URL = /^[^?#]*\/api\//

/** Records the errors and warnings that a page prints. */
export function recordPrintedErrors(page: Page): string[] {
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

export async function openPage(context: BrowserContext, site: AdapterSite, path = '/'): Promise<OpenPage> {
  const page = await context.newPage()
  const printedErrors = recordPrintedErrors(page)
  onTestFinished(() => expect(printedErrors).toEqual([]))
  await page.goto(site.url + path)
  await waitForScript(page)
  return {
    page,
    printedErrors,
    start: (options, name = 'petstore') =>
      page.evaluate(([key, given]) => window.page.start(key, given), [name, options] as const),
    fetch: (address, init) =>
      page.evaluate(
        async ([url, given]) => {
          const response = await fetch(url, given)
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
