import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { findChromium, hasChromium } from '../support/chromium.js'
import { runQuietly, setUpExample } from '../support/examples.js'
import { serveFolder } from '../support/static-server.js'

const canRun = hasChromium()
let project: string

beforeAll(async () => {
  project = await setUpExample('component-tests')
})

it('runs the example for component tests', async () => {
  expect(await runQuietly(project, ['test'])).toMatch(/Tests +9 passed \(9\)/)
  await runQuietly(project, ['run', 'types'])
})

it.skipIf(!canRun)('shows its stories in Storybook', async () => {
  expect(await runQuietly(project, ['run', 'storybook:build'])).toContain('build completed')

  const shown = await readStories(join(project, 'storybook-static'), {
    'pet-list--full': 'li',
    'pet-list--empty': 'p:not([role])',
    'pet-list--closed': '[role=alert] p',
  })
  expect(shown).toEqual({
    'pet-list--full': 'Acorn',
    'pet-list--empty': 'No pets are waiting for a home today.',
    'pet-list--closed': 'The shop is closed for a moment.',
  })
})

/** Opens stories of a built Storybook in the system's Chromium, and returns what each shows when it is ready. */
async function readStories(build: string, stories: Readonly<Record<string, string>>): Promise<object> {
  // Storybook has inline scripts, which the default policy forbids.
  const server = await serveFolder(build, '/', {})
  const browser = await chromium.launch({ executablePath: findChromium() ?? '', args: ['--no-sandbox'] })
  try {
    const shown: Record<string, string> = {}
    for (const [story, ready] of Object.entries(stories)) {
      const page = await browser.newPage()
      await page.goto(`${server.origin}/iframe.html?id=${story}&viewMode=story`)
      shown[story] = await page.locator('#storybook-root').locator(ready).first().innerText()
      await page.close()
    }
    return shown
  } finally {
    await browser.close()
    server.close()
  }
}
