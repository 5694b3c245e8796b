/**
 * Takes the pictures of the dashboard that the README shows. Needs Chromium, and the port 4010, which they show.
 * Usage: `npm run pictures`, which builds first.
 */
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { startServer } from '../src/adapters/server/index.js'
import { findChromium } from '../test/support/chromium.js'

const executablePath = findChromium()
if (executablePath === undefined) throw new Error('Chromium was not found. Install it, or set CHROMIUM_PATH.')

const server = await startServer()
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
try {
  server.petstore.faults.add({ operation: 'listOrders', status: 503, times: 1 })
  await send('POST', '/pets', { name: 'Rex', categoryId: 1 })
  await send('GET', '/pets?name=Rex')
  await send('POST', '/store/orders', { petId: 73 })
  await send('POST', '/store/orders', { petId: 73 })
  await send('GET', '/store/orders?petId=73')
  const page = await browser.newPage({
    viewport: { width: 900, height: 570 },
    locale: 'en-GB',
    reducedMotion: 'reduce',
  })
  await page.addInitScript(() => localStorage.setItem('petstore-mock.welcomed', 'yes'))
  await page.goto(`${server.url}/__admin/#/requests`)
  await page.getByText('Live', { exact: true }).waitFor()
  await page.getByText('fault: error').waitFor()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    const path = fileURLToPath(new URL(`../docs/pictures/dashboard-${colorScheme}.png`, import.meta.url))
    await page.screenshot({ path, animations: 'disabled' })
  }
} finally {
  await browser.close()
  await server.close()
}

async function send(method: string, path: string, body?: object): Promise<void> {
  const init = body && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
  await fetch(server.url + path, { method, ...init })
}
