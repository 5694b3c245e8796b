import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import { findChromium } from '../support/chromium.js'
import { openServer } from '../support/raw-connection.js'

/** A browser with an extension that has one page and no permissions, and the extension's origin. */
async function openExtension(): Promise<{ context: BrowserContext; origin: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'extension-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const manifest = { manifest_version: 3, name: 'Shop', version: '1.0', background: { service_worker: 'worker.js' } }
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest))
  writeFileSync(join(folder, 'worker.js'), '')
  writeFileSync(join(folder, 'page.html'), '<title>Shop</title>')
  const context = await chromium.launchPersistentContext('', {
    executablePath: findChromium() ?? '',
    args: ['--no-sandbox', '--headless=new', `--disable-extensions-except=${folder}`, `--load-extension=${folder}`],
    headless: false,
  })
  onTestFinished(() => context.close())
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'))
  return { context, origin: new URL(worker.url()).href.replace(/\/worker\.js$/, '') }
}

it('a page of an extension reads the API only if --cors names its origin', async () => {
  const { context, origin } = await openExtension()
  expect(origin).toMatch(/^chrome-extension:\/\/[a-p]{32}$/)
  const [allowing, other] = [await openServer({ cors: [origin] }), await openServer()]
  const page = await context.newPage()
  await page.goto(`${origin}/page.html`)
  const read = (address: string) =>
    page.evaluate((url) => fetch(url).then(({ status }) => String(status), String), address)
  expect(await read(`${allowing.url}/pets/1`)).toBe('200')
  expect(await read(`${other.url}/pets/1`)).toBe('TypeError: Failed to fetch')
})
