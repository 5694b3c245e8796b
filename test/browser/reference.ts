import type { Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { type ServerOptions, startServer } from '../../src/adapters/server/index.js'
import { useBrowser, watchPage } from './browser.js'

/** For a test file. Every test fails if its pages do something unexpected: see `watchPage`. */
export function useReference(browser = useBrowser()) {
  return {
    async startMock(serverOptions: ServerOptions = {}) {
      const server = await startServer({ port: 0, ...serverOptions })
      onTestFinished(() => server.close())

      /** Opens the page at this path, and waits for its operations, or for another selector. */
      async function open({ address = '/docs', prepare }: OpenOptions = {}, selector = '.opblock'): Promise<Page> {
        const page = await browser.openPage()
        watchPage(page, server.url)
        await reportPolicyViolations(page)
        await prepare?.(page)
        await page.goto(server.url + address, { waitUntil: 'commit' })
        await page.locator(selector).first().waitFor()
        return page
      }
      return { server, open }
    },
  }
}

interface OpenOptions {
  readonly address?: string
  /** Runs before the page is opened. */
  readonly prepare?: (page: Page) => Promise<unknown>
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
