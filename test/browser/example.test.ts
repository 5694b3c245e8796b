import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { findChromium } from '../support/chromium.js'
import { ARTEFACTS, BASE } from '../support/example.js'
import { serveFolder } from '../support/static-server.js'
import { addAxe, findViolations } from './browser.js'

/** Blocks all host names and proxies. */
const BLOCK_NETWORK = ['--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1', '--no-proxy-server']

/** Printed by Chromium for an error response. */
const ERROR_RESPONSE = /^Failed to load resource: the server responded with a status of (409|503) /

let browser: Browser
beforeAll(async () => {
  browser = await chromium.launch({ executablePath: findChromium() ?? '', args: BLOCK_NETWORK })
})
afterAll(() => browser?.close())

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })
const names = (page: Page) => page.getByRole('region', { name: 'Pets' }).getByRole('heading', { level: 3 })
const mainNav = (page: Page, name: string) => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name })

async function expectStock(page: Page, quantity: number): Promise<void> {
  const value = page.getByRole('term').filter({ hasText: 'In stock' }).locator('xpath=../dd')
  await expect.poll(() => value.innerText()).toBe(String(quantity))
}

async function expectCount(page: Page, text: string): Promise<void> {
  await page.getByRole('main').getByRole('status').getByText(text, { exact: true }).waitFor()
}

async function order(page: Page, quantity: number): Promise<void> {
  await page.getByLabel('Quantity').fill(String(quantity))
  await page.getByRole('button', { name: 'Place order' }).click()
}

/** Waits until a page has no pending requests: msw's worker forwards those of a page that is left to the server. */
async function settle(page: Page): Promise<void> {
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
}

async function reload(page: Page): Promise<void> {
  await settle(page)
  await page.reload()
}

/** What pages print, and the origins they send requests to. */
function watch(context: BrowserContext): { problems: string[]; origins: Set<string> } {
  const problems: string[] = []
  const origins = new Set<string>()
  context.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !ERROR_RESPONSE.test(message.text())) {
      problems.push(message.text())
    }
  })
  context.on('weberror', (error) => problems.push(String(error.error())))
  context.on('request', (request) => origins.add(new URL(request.url()).origin))
  return { problems, origins }
}

it('works without a network and under a path: browsing, ordering, a failure, a reload, a reset', async () => {
  const server = await serveFolder(join(inject('example'), 'dist'), BASE)
  const context = await browser.newContext()
  const { problems, origins } = watch(context)
  await addAxe(context)
  const page = await context.newPage()
  const violations: string[] = []
  const look = async (name: string) => {
    await settle(page)
    await page.screenshot({ path: join(ARTEFACTS, `${name}.png`), fullPage: true })
    violations.push(...(await findViolations(page)))
    await page.setViewportSize({ width: 1280, height: 800 })
  }

  // The list: pages, filters and order.
  await page.goto(`${server.origin}${BASE}`)
  await expectCount(page, '1 to 12 of 72')
  await page.getByRole('link', { name: 'Next page' }).click()
  await expectCount(page, '13 to 24 of 72')
  await page.getByLabel('Category').selectOption('Goldfish')
  await page.getByRole('checkbox', { name: 'Available' }).check()
  await page.getByLabel('Sort by').selectOption('Name, A to Z')
  await expect.poll(() => names(page).allInnerTexts()).toEqual(['Amber', 'Bruno', 'Copper', 'Goldie', 'Puddle'])
  await look('browse')

  // A pet: more than the stock is rejected.
  await page.getByRole('link', { name: 'Copper' }).click()
  await heading(page, 'Copper').waitFor()
  await expectStock(page, 20)
  await order(page, 21)
  await page.getByRole('alert').getByText('We do not have that many.').waitFor()
  await order(page, 5)
  await page.getByText('Order 121 is placed: 5 × Copper.').waitFor()
  await expectStock(page, 15)
  await look('pet')

  // A failure: nothing is ordered, and the next try succeeds.
  await page.getByText('Mock controls').click()
  await page.getByRole('button', { name: 'Make the next request fail (503)' }).click()
  await order(page, 2)
  await page.getByRole('alert').getByText('The store is taking a short break.').waitFor()
  await expectStock(page, 15)
  await order(page, 2)
  await page.getByText('Order 122 is placed: 2 × Copper.').waitFor()
  await expectStock(page, 13)

  // A reload keeps the data, in this tab only.
  await reload(page)
  await expectStock(page, 13)
  const other = await context.newPage()
  await other.goto(`${server.origin}${BASE}#/pets/66`)
  await expectStock(other, 20)
  await settle(other)

  // The orders: cancelling one restores the stock.
  await mainNav(page, 'Orders').click()
  await expectCount(page, '122 orders')
  await look('orders')
  await page.getByRole('button', { name: 'Cancel order 122' }).click()
  await page.getByText('Order 122 is cancelled.').waitFor()
  await heading(page, 'Order 122').waitFor({ state: 'detached' })
  await page
    .getByRole('listitem')
    .filter({ has: heading(page, 'Order 121') })
    .getByRole('link')
    .click()
  await expectStock(page, 15)

  // A reset restores the starting data, also after a reload.
  await page.getByText('Mock controls').click()
  await page.getByRole('button', { name: 'Reset the store' }).click()
  await expectStock(page, 20)
  await reload(page)
  await expectStock(page, 20)

  await settle(page)
  await context.close()
  server.close()
  expect(violations).toEqual([])
  expect(problems).toEqual([])
  expect([...origins]).toEqual([server.origin])
  expect(server.received.filter((path) => !path.startsWith(BASE) || path.startsWith(`${BASE}api`))).toEqual([])
})
