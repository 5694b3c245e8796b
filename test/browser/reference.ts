import type { Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { type PetstoreServer, type ServerOptions, startServer } from '../../src/adapters/server/index.js'
import { useBrowser, watchPage } from './browser.js'

export interface ReferenceOptions {
  /** Path, query and fragment of the page. Default: `/docs`. */
  readonly address?: string
  /** Runs before the page is opened. */
  readonly prepare?: (page: Page) => Promise<unknown>
}

/** A mock, and a browser that shows its reference. */
export interface MockWithReference {
  readonly server: PetstoreServer
  /** Opens the page and waits for its operations, or for another selector. */
  open(options?: ReferenceOptions, selector?: string): Promise<Page>
}

/** For a test file. Every test fails if its pages do something unexpected: see `watchPage`. */
export function useReference(browser = useBrowser()): {
  startMock(options?: ServerOptions): Promise<MockWithReference>
} {
  return {
    async startMock(serverOptions = {}) {
      const server = await startServer({ port: 0, ...serverOptions })
      onTestFinished(() => server.close())
      return {
        server,
        async open({ address = '/docs', prepare } = {}, selector = '.opblock') {
          const page = await browser.openPage()
          watchPage(page, server.url)
          await reportPolicyViolations(page)
          await prepare?.(page)
          await page.goto(server.url + address, { waitUntil: 'commit' })
          await page.locator(selector).first().waitFor()
          return page
        },
      }
    },
  }
}

async function reportPolicyViolations(page: Page): Promise<void> {
  await page.addInitScript(() => {
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
