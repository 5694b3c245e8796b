import { createRequire } from 'node:module'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import { type PetstoreServer, type ServerOptions, startServer } from '../../src/adapters/server/index.js'
import { findChromium } from './chromium.js'

export interface ReferenceOptions extends BrowserContextOptions {
  /** Path, query and fragment of the page. Default: `/docs`. */
  readonly address?: string
  readonly prepare?: (context: BrowserContext) => Promise<unknown>
}

/** A mock, and a browser that reads its reference. */
export interface Reading {
  readonly server: PetstoreServer
  /** Opens the page; resolves once its operations are there, unless something else is to be waited for. */
  open(options?: ReferenceOptions, until?: string): Promise<Page>
}

/** What Chromium itself prints when an answer is a refusal. */
const REFUSALS = /^Failed to load resource: the server responded with a status of [45]\d\d /

/**
 * For a file of tests: one browser. A test ends by looking at what its pages did: no error, no warning, nothing that
 * their policy forbids, and nothing asked for outside of the mock.
 */
export function useReference(): { openReading(options?: ServerOptions): Promise<Reading> } {
  let browser: Browser
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: findChromium() as string, args: ['--no-sandbox'] })
  })
  afterAll(() => browser?.close())

  return {
    async openReading(serverOptions = {}) {
      const server = await startServer({ port: 0, ...serverOptions })
      onTestFinished(() => server.close())
      return {
        server,
        async open({ address = '/docs', prepare, ...options } = {}, until = '.opblock') {
          const context = await browser.newContext(options)
          const unreportedErrors = await watch(context, server.url)
          onTestFinished(async () => {
            await context.close()
            expect(unreportedErrors).toEqual([])
          })
          await prepare?.(context)
          const page = await context.newPage()
          await page.goto(server.url + address, { waitUntil: 'commit' })
          await page.locator(until).first().waitFor()
          return page
        },
      }
    },
  }
}

async function watch(context: BrowserContext, origin: string): Promise<string[]> {
  const unreportedErrors: string[] = []
  context.on('console', (message) => {
    if (!REFUSALS.test(message.text())) unreportedErrors.push(`${message.type()}: ${message.text()}`)
  })
  context.on('weberror', (error) => unreportedErrors.push(String(error.error())))
  context.on('request', (request) => {
    const isOwn = new URL(request.url()).origin === origin || request.url().startsWith('data:')
    if (!isOwn) unreportedErrors.push(request.url())
  })
  // From outside of the page, which allows no scripts of others.
  await context.addInitScript({ path: createRequire(import.meta.url).resolve('axe-core/axe.min.js') })
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      console.error(`forbidden by ${violatedDirective}: ${blockedURI}`)
    })
  })
  return unreportedErrors
}

/** The part of the page that shows an operation. */
export function operationOf(page: Page, id: string) {
  return page.locator(`.opblock[id$="-${id}"]`)
}

/** Opens an operation and its try-it panel. */
export async function openTryIt(page: Page, id: string) {
  const operation = operationOf(page, id)
  const summary = operation.locator('.opblock-summary-control')
  if ((await summary.getAttribute('aria-expanded')) === 'false') await summary.click()
  await operation.getByRole('button', { name: 'Try it out' }).click()
  return operation
}

/** What axe objects to: the rule, and where. */
export function findViolations(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: typeof import('axe-core') }
    const { violations } = await axe.run({ resultTypes: ['violations'] })
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
  })
}
