import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import { type PetstoreServer, type ServerOptions, startServer } from '../../src/adapters/server/index.js'
import { findChromium } from './chromium.js'

/** A mock, and browsers that look at its dashboard. */
export interface Bench {
  readonly server: PetstoreServer
  /** Opens the dashboard in a browser profile of its own. */
  open(options?: OpenOptions): Promise<Page>
  /** Sends a request to the mock from outside of any page. */
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>
}

export interface OpenOptions extends BrowserContextOptions {
  /** Where in the dashboard. Default: the requests. */
  route?: string
  /** The address of the mock, where it is not its own. */
  address?: string
  /** What stands in front of `/__admin/`, such as a sandbox. */
  prefix?: string
  /** Whether the visitor is here for the first time. Default: no. */
  firstVisit?: boolean
  /** What the page may print, besides what Chromium prints of answers that are refusals. */
  expects?: RegExp
  /** Before the page is there. */
  prepare?: (context: BrowserContext) => Promise<unknown>
}

/** What Chromium itself prints when the store says no. */
const REFUSALS = /^Failed to load resource: the server responded with a status of [45]\d\d /

/**
 * For a file of tests: one browser. A test ends by looking at what its pages did: no
 * dialog, no error, no warning, and nothing asked for outside of the mock.
 */
export function useDashboards(): { openBench(options?: ServerOptions): Promise<Bench>; browser(): Browser } {
  let browser: Browser
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: findChromium() ?? '', args: ['--no-sandbox'] })
  })
  afterAll(() => browser?.close())

  async function openBench(options: ServerOptions = {}): Promise<Bench> {
    const server = await startServer({ port: 0, ...options })
    onTestFinished(() => server.close())
    return {
      server,
      open: (given = {}) => openDashboard(browser, given.address ?? server.url, given),
      send: (method, path, body, headers = {}) =>
        fetch(server.url + path, {
          method,
          headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
          ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
        }),
    }
  }
  return { openBench, browser: () => browser }
}

async function openDashboard(browser: Browser, url: string, options: OpenOptions = {}): Promise<Page> {
  const {
    route = '/requests',
    prefix = '',
    firstVisit = false,
    expects,
    prepare,
    address: _,
    ...contextOptions
  } = options
  const { origin } = new URL(url)
  const localStorage = firstVisit ? [] : [{ name: 'petstore-mock.welcomed', value: 'yes' }]
  const context = await browser.newContext({
    storageState: { cookies: [], origins: [{ origin, localStorage }] },
    ...contextOptions,
  })
  context.setDefaultTimeout(PATIENCE_MS)
  await prepare?.(context)
  const unreportedErrors = watch(context, origin, expects)
  onTestFinished(async () => {
    await context.close()
    expect(unreportedErrors).toEqual([])
  })
  const page = await context.newPage()
  await page.goto(`${url}${prefix}/__admin/#${route}`)
  return page
}

function watch(context: BrowserContext, origin: string, expects: RegExp | undefined): string[] {
  const unreportedErrors: string[] = []
  context.on('console', (message) => {
    const text = message.text()
    if (REFUSALS.test(text) || expects?.test(text)) return
    unreportedErrors.push(`${message.type()}: ${text}`)
  })
  context.on('weberror', (error) => unreportedErrors.push(String(error.error())))
  context.on('dialog', (dialog) => {
    unreportedErrors.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  context.on('request', (request) => {
    if (new URL(request.url()).origin !== origin && !request.url().startsWith('data:'))
      unreportedErrors.push(request.url())
  })
  return unreportedErrors
}

/** A wire to a server that can be cut while the server goes on. */
export interface Wire {
  readonly address: string
  cut(): void
  mend(): void
}

export async function openWire(port: number): Promise<Wire> {
  const sockets = new Set<Socket>()
  let isCut = false
  const wire = createServer((near) => {
    if (isCut) return void near.destroy()
    const far = connect(port, '127.0.0.1')
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
    near.pipe(far).pipe(near)
  })
  await new Promise<void>((resolve) => wire.listen(0, '127.0.0.1', resolve))
  const cut = () => {
    isCut = true
    for (const socket of sockets) socket.destroy()
  }
  onTestFinished(() => {
    wire.close()
    cut()
  })
  return {
    address: `http://127.0.0.1:${(wire.address() as AddressInfo).port}`,
    cut,
    mend() {
      isCut = false
    },
  }
}

/** The rows of the table of requests. */
export function requestRows(page: Page) {
  return page.getByRole('table', { name: 'Requests' }).locator('tbody tr')
}

/** A page takes its time on a machine that is busy. */
const PATIENCE_MS = 15_000

/** What is read again and again until it is as expected. */
export function soon<T>(read: () => T | Promise<T>) {
  return expect.poll(read, { timeout: PATIENCE_MS })
}

/** The page hears of what happens. */
export async function untilLive(page: Page): Promise<void> {
  await page.getByText('Live', { exact: true }).waitFor()
}
