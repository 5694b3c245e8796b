import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { type PetstoreServer, type ServerOptions, startServer } from '../../src/adapters/server/index.js'
import { addAxe, useBrowser, watchContext } from './dashboard.js'

export interface ReferenceOptions extends BrowserContextOptions {
  /** Path, query and fragment of the page. Default: `/docs`. */
  readonly address?: string
  readonly prepare?: (context: BrowserContext) => Promise<unknown>
}

/** A mock, and a browser that shows its reference. */
export interface MockWithReference {
  readonly server: PetstoreServer
  /** Opens the page and waits for its operations, or for another selector. */
  open(options?: ReferenceOptions, selector?: string): Promise<Page>
}

/** For a test file: starts one browser. Every test fails if its pages do something unexpected: see `watchContext`. */
export function useReference(): { startMock(options?: ServerOptions): Promise<MockWithReference> } {
  const browser = useBrowser()
  return {
    async startMock(serverOptions = {}) {
      const server = await startServer({ port: 0, ...serverOptions })
      onTestFinished(() => server.close())
      return {
        server,
        async open({ address = '/docs', prepare, ...options } = {}, selector = '.opblock') {
          const context = await browser().newContext(options)
          watchContext(context, server.url)
          await addAxe(context)
          await reportPolicyViolations(context)
          await prepare?.(context)
          const page = await context.newPage()
          await page.goto(server.url + address, { waitUntil: 'commit' })
          await page.locator(selector).first().waitFor()
          return page
        },
      }
    },
  }
}

async function reportPolicyViolations(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      console.error(`forbidden by ${violatedDirective}: ${blockedURI}`)
    })
  })
}

/** The part of the page that shows an operation. */
export function operationOf(page: Page, id: string) {
  return page.locator(`.opblock[id$="-${id}"]`)
}

/** Opens an operation and its "Try it out" panel. */
export async function openTryIt(page: Page, id: string) {
  const operation = operationOf(page, id)
  const summary = operation.locator('.opblock-summary-control')
  if ((await summary.getAttribute('aria-expanded')) === 'false') await summary.click()
  await operation.getByRole('button', { name: 'Try it out' }).click()
  return operation
}
