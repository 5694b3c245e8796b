import type { Browser, BrowserContext, Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import type { BrowserOptions } from '../../src/adapters/browser/index.js'
import type { AdapterPage } from '../browser/adapter-page.js'
import type { AdapterSite } from './adapter-site.js'

declare global {
  interface Window {
    /** What test/browser/adapter-page.ts offers. */
    page: AdapterPage
  }
}

/** An answer as a page has read it. */
export interface PageAnswer {
  readonly status: number
  readonly text: string
}

/** A page of the site. What it prints as an error or a warning fails the test. */
export interface OpenPage {
  readonly page: Page
  /** Resolves with why the pet store could not be started, or with an empty text. */
  start(options: BrowserOptions, name?: string): Promise<string>
  /** Fetches in the page. */
  fetch(address: string, init?: RequestInit): Promise<PageAnswer>
  notices(): Promise<string[]>
  /** What the page has printed as an error or a warning; what a test expects it takes out. */
  readonly unreportedErrors: string[]
  reload(): Promise<void>
}

/** A browser's profile of its own for the running test, so that no worker or data of another test is in it. */
export async function openContext(browser: Browser): Promise<BrowserContext> {
  const context = await browser.newContext()
  onTestFinished(() => context.close())
  return context
}

/** What the browser says by itself of an answer that is no success; only the pet store is asked for those. */
const OF_AN_ANSWER = /^Failed to load resource/
const OF_THE_PETSTORE = /^[^?#]*\/api\//

/** What a page prints as an error or a warning from now on. */
export function watchComplaints(page: Page): string[] {
  const unreportedErrors: string[] = []
  page.on('console', (message) => {
    const { url } = message.location()
    if (!['error', 'warning'].includes(message.type())) return
    if (OF_AN_ANSWER.test(message.text()) && OF_THE_PETSTORE.test(url)) return
    unreportedErrors.push(`${message.text()} (${url})`)
  })
  page.on('pageerror', (error) => unreportedErrors.push(String(error)))
  return unreportedErrors
}

export async function openPage(context: BrowserContext, site: AdapterSite, path = '/'): Promise<OpenPage> {
  const page = await context.newPage()
  const unreportedErrors = watchComplaints(page)
  onTestFinished(() => expect(unreportedErrors).toEqual([]))
  await page.goto(site.url + path)
  await waitForScript(page)
  return {
    page,
    unreportedErrors,
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
