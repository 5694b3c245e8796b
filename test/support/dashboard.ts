import { createRequire } from 'node:module'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import { type PetstoreServer, type ServerOptions, startServer } from '../../src/adapters/server/index.js'
import { findChromium } from './chromium.js'

/** A mock, and browsers that show its dashboard. */
export interface MockWithDashboard {
  readonly server: PetstoreServer
  /** Opens the dashboard in a new browser profile. */
  open(options?: OpenOptions): Promise<Page>
  /** Sends a request to the mock from outside any page. */
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>
}

export interface OpenOptions extends BrowserContextOptions {
  /** The path in the dashboard. Default: `/requests`. */
  route?: string
  /** The URL to reach the mock at. Default: the server's own. */
  url?: string
  /** The part of the path before `/__admin/`, such as that of a sandbox. */
  prefix?: string
  /** Whether to show the welcome. Default: false. */
  firstVisit?: boolean
  /** Console messages that are expected, besides those about error responses. */
  expects?: RegExp
  /** Runs before the page is opened. */
  prepare?: (context: BrowserContext) => Promise<unknown>
}

/** For a test file: starts one browser. Every test fails if its pages do something unexpected: see `watchContext`. */
export function useDashboards(): { startMock(options?: ServerOptions): Promise<MockWithDashboard> } {
  const browser = useBrowser()
  return {
    async startMock(options = {}) {
      const server = await startServer({ port: 0, ...options })
      onTestFinished(() => server.close())
      return {
        server,
        open: (given = {}) => openDashboard(browser(), server.url, given),
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

/** Starts a browser for all tests of a file. */
export function useBrowser(): () => Browser {
  let browser: Browser
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: findChromium() as string, args: ['--no-sandbox'] })
  })
  afterAll(() => browser?.close())
  return () => browser
}

async function openDashboard(browser: Browser, serverUrl: string, options: OpenOptions): Promise<Page> {
  const { route = '/requests', url = serverUrl, prefix = '', firstVisit, expects, prepare, ...context } = options
  const { origin } = new URL(url)
  const opened = await browser.newContext(context)
  // Not as storage state: to set that, Playwright opens a page without an icon, whose /favicon.ico the mock may record.
  if (!firstVisit) await opened.addInitScript(hideWelcome)
  opened.setDefaultTimeout(TIMEOUT_MS)
  watchContext(opened, origin, expects)
  await prepare?.(opened)
  const page = await opened.newPage()
  await page.goto(`${url}${prefix}/__admin/#${route}`)
  return page
}

/** Runs in every page. There is no storage in about:blank. */
function hideWelcome(): void {
  if (location.protocol === 'http:') localStorage.setItem('petstore-mock.welcomed', 'yes')
}

/** What Chromium prints about an error response. */
const ERROR_RESPONSE = /^Failed to load resource: the server responded with a status of [45]\d\d /

/** Makes the test fail if a page prints something, shows a dialog or sends a request to another origin. */
export function watchContext(context: BrowserContext, origin: string, expects?: RegExp): void {
  const problems: string[] = []
  context.on('console', (message) => {
    const text = message.text()
    if (!ERROR_RESPONSE.test(text) && !expects?.test(text)) problems.push(`${message.type()}: ${text}`)
  })
  context.on('weberror', (error) => problems.push(String(error.error())))
  context.on('dialog', (dialog) => {
    problems.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  context.on('request', (request) => {
    const url = request.url()
    if (new URL(url).origin !== origin && !url.startsWith('data:')) problems.push(url)
  })
  onTestFinished(async () => {
    await context.close()
    expect(problems).toEqual([])
  })
}

/** Adds axe to every page. As an init script, because the pages' policy forbids foreign scripts. */
export function addAxe(context: BrowserContext): Promise<unknown> {
  return context.addInitScript({ path: createRequire(import.meta.url).resolve('axe-core/axe.min.js') })
}

/** The accessibility rules that a page violates, and where. Also whether it is wider than the window. */
export function findViolations(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: typeof import('axe-core') }
    const { violations } = await axe.run({ resultTypes: ['violations'] })
    const { scrollWidth, clientWidth } = document.documentElement
    return [
      ...violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`),
      ...(scrollWidth > clientWidth ? ['wider than the window'] : []),
    ]
  })
}

/** The colour schemes and window widths that every page is checked in. */
export const LOOKS = (['light', 'dark'] as const).flatMap((colorScheme) =>
  [1280, 360].map((width) => ({ colorScheme, width })),
)

/** A connection to a server that can be interrupted while the server keeps running. */
export interface Proxy {
  readonly url: string
  disconnect(): void
  reconnect(): void
}

export async function openProxy(port: number): Promise<Proxy> {
  const sockets = new Set<Socket>()
  let isConnected = true
  const proxy = createServer((client) => {
    if (!isConnected) return void client.destroy()
    const server = connect(port, '127.0.0.1')
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        server.destroy()
      })
    }
    client.pipe(server).pipe(client)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const disconnect = () => {
    isConnected = false
    for (const socket of sockets) socket.destroy()
  }
  onTestFinished(() => {
    proxy.close()
    disconnect()
  })
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    disconnect,
    reconnect() {
      isConnected = true
    },
  }
}

/** The rows of the table of requests. */
export function requestRows(page: Page) {
  return page.getByRole('table', { name: 'Requests' }).locator('tbody tr')
}

/** Confirms the dialog that is open. */
export async function confirm(page: Page, action: string): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: action }).click()
}

/** Long enough for a page on a busy machine. */
const TIMEOUT_MS = 15_000

/** Reads a value until it is as expected. */
export function soon<T>(read: () => T | Promise<T>) {
  return expect.poll(read, { timeout: TIMEOUT_MS })
}

/** Waits until the page receives events. */
export async function untilLive(page: Page): Promise<void> {
  await page.getByText('Live', { exact: true }).waitFor()
}
