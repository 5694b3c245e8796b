import { text } from 'node:stream/consumers'
import type { Locator, Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { type PetstoreServer, type ServerOptions, startServer } from '../../src/adapters/server/index.js'
import { type TestBrowser, useBrowser, watchPage } from './browser.js'

/** A mock, and pages that show its dashboard. */
export interface MockWithDashboard {
  readonly server: PetstoreServer
  /** Opens the dashboard. */
  open(options?: OpenOptions): Promise<Page>
  /** Sends a request to the mock from outside any page. */
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>
}

interface OpenOptions {
  /** The path in the dashboard. Default: `/requests`. */
  route?: string
  /** The part of the path before `/__admin/`, such as that of a sandbox. */
  prefix?: string
  /** Whether to open it in a new browser profile. Default: false. */
  newProfile?: boolean
  /** Whether to show the welcome, in a new browser profile. Default: false. */
  firstVisit?: boolean
  /** Console messages that are expected, besides those about error responses. */
  expects?: RegExp
  /** Runs before the page is opened. */
  prepare?: (page: Page) => Promise<unknown>
}

/** For a test file. Every test fails if its pages do something unexpected: see `watchPage`. */
export function useDashboards(browser = useBrowser()) {
  return {
    /** Opens the dashboard of a running server. */
    openAt: (url: string, options: OpenOptions = {}) => openDashboard(browser, url, options),
    async startMock(options: ServerOptions = {}): Promise<MockWithDashboard> {
      const server = await startServer({ port: 0, ...options })
      onTestFinished(() => server.close())
      return {
        server,
        open: (given = {}) => openDashboard(browser, server.url, given),
        send: (method, path, body, headers = {}) =>
          fetch(server.url + path, {
            method,
            headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
            ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
          }),
      }
    },
  }
}

async function openDashboard(browser: TestBrowser, url: string, options: OpenOptions): Promise<Page> {
  const { route = '/requests', prefix = '', newProfile, firstVisit, expects, prepare } = options
  const page = newProfile || firstVisit ? await (await browser.openProfile()).newPage() : await browser.openPage()
  // Not as storage state: to set that, Playwright opens a page without an icon, whose /favicon.ico the mock may record.
  if (!firstVisit) await page.addInitScript(hideWelcome)
  watchPage(page, new URL(url).origin, expects)
  await prepare?.(page)
  await page.goto(`${url}${prefix}/__admin/#${route}`)
  return page
}

/** Runs in every page. There is no storage in about:blank. */
export function hideWelcome(): void {
  if (location.protocol.startsWith('http')) localStorage.setItem('petstore-mock.welcomed', 'yes')
}

/** The rows of the table of requests. */
export function requestRows(page: Page) {
  return page.getByRole('table', { name: 'Requests' }).locator('tbody tr')
}

/** Confirms the dialog that is open. */
export async function confirm(page: Page, action: string): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: action }).click()
}

/** Clicks a button that downloads a file. */
export async function download(page: Page, button: string): Promise<{ name: string; content: string }> {
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: button }).click()])
  return { name: file.suggestedFilename(), content: await text(await file.createReadStream()) }
}

/** Waits until a field has the focus, and next to it the text that says what is wrong with it. */
export async function expectProblem(field: Locator, text: string): Promise<void> {
  const read = (element: HTMLElement) => [
    element === document.activeElement,
    element.getAttribute('aria-invalid'),
    document.getElementById(element.getAttribute('aria-describedby') ?? '')?.textContent,
  ]
  await expect.poll(() => field.evaluate(read)).toEqual([true, 'true', expect.stringContaining(text)])
}

export function isFocused(locator: Locator): Promise<boolean> {
  return locator.evaluate((element) => element === document.activeElement)
}

/** Waits until the page receives events. */
export async function untilLive(page: Page): Promise<void> {
  await page.getByText('Live', { exact: true }).waitFor()
}
