import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { chromium } from 'playwright-core'
import { findChromium } from './chromium.js'

const TYPES: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }

/** Opens stories of a built Storybook in the system's Chromium, and returns what each shows when it is ready. */
export async function readStories(build: string, stories: Readonly<Record<string, string>>): Promise<object> {
  const server = createServer(async ({ url = '' }, response) => {
    const { pathname } = new URL(url, 'http://localhost')
    const content = await readFile(join(build, pathname)).catch(() => undefined)
    if (content === undefined) response.writeHead(404).end()
    else response.writeHead(200, { 'Content-Type': TYPES[extname(pathname)] ?? 'application/json' }).end(content)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const browser = await chromium.launch({ executablePath: findChromium() ?? '', args: ['--no-sandbox'] })
  try {
    const shown: Record<string, string> = {}
    for (const [story, ready] of Object.entries(stories)) {
      const page = await browser.newPage()
      await page.goto(`${address}/iframe.html?id=${story}&viewMode=story`)
      shown[story] = await page.locator('#storybook-root').locator(ready).first().innerText()
      await page.close()
    }
    return shown
  } finally {
    await browser.close()
    server.close()
    server.closeAllConnections()
  }
}
