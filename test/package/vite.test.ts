import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { findChromium, hasChromium } from '../support/chromium.js'
import { testedBlocks } from '../support/docs-blocks.js'
import { installExample, runQuietly, setUpExample, startInExample } from '../support/examples.js'
import { findFreePort } from '../support/find-free-port.js'
import { isFullRun } from '../support/full-run.js'

let project: string

beforeAll(async () => {
  project = await setUpExample('vite-plugin')
  const script = join(project, 'src/main.tsx')
  writeFileSync(script, USE_IN_PAGE + readFileSync(script, 'utf8'))
})

/** Code of a page that uses the mock. */
const USE_IN_PAGE = `import { petstore } from 'petstore-mock/vite/page'

petstore?.data.pets.create({ name: 'Added by the page', categoryId: 1 })
`

it('compiles and builds, and the build contains nothing of the mock', async () => {
  await runQuietly(project, ['run', 'types'])
  await runQuietly(project, ['run', 'build'])
  const files = readdirSync(join(project, 'dist'), { recursive: true, withFileTypes: true })
  const texts = files
    .filter((file) => file.isFile())
    .map(({ name, parentPath }) => `${name} ${readFileSync(join(parentPath, name), 'utf8')}`)
  expect(texts.length).toBeGreaterThan(1)
  for (const text of texts) expect(text).not.toMatch(/petstore-mock|mockServiceWorker|\bmsw\b/i)
})

describe.skipIf(!hasChromium())('in development', () => {
  let browser: Browser

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: findChromium() ?? '', args: ['--no-sandbox'] })
  })
  afterAll(() => browser.close())

  it('gives the mock to the page and the console, mocks the first request, keeps data across a reload, and opens the dashboard with a key', async () => {
    const page = await openPage(browser, project)
    await page.getByText('Added by the page').first().waitFor()
    // In the console.
    expect(await page.evaluate('petstore.data.pets.all().at(-1).name')).toBe('Added by the page')
    await page.getByRole('button', { name: 'Add a pet' }).click()
    await page.getByText('Rex').first().waitFor()
    await page.reload()
    await page.getByText('Rex').first().waitFor()
    await page.keyboard.press('Alt+Shift+P')
    await page.getByRole('region', { name: 'petstore-mock dashboard' }).waitFor()
  })

  it.runIf(isFullRun)('works with Vite 7', async () => {
    // Without React, whose plugin needs Vite 8.
    const folder = await installExample('vite-plugin', 'vite-7', ({ devDependencies = {}, ...rest }) => {
      const { '@vitejs/plugin-react': _plugin, ...others } = devDependencies
      const allowScripts = { ...rest.allowScripts, esbuild: false }
      return { ...rest, allowScripts, devDependencies: { ...others, vite: '7' } }
    })
    const config = readFileSync(join(folder, 'vite.config.ts'), 'utf8')
      .replace(/import react.*\n/, '')
      .replace('react(), ', '')
    writeFileSync(join(folder, 'vite.config.ts'), config)
    const page = await openPage(browser, folder)
    await page.getByRole('listitem').first().waitFor()
    expect(await page.getByRole('listitem').count()).toBe(5)
  })

  it('shows the page of a service of your own, with its rules', async () => {
    const page = await openPage(browser, await setUpExample('shop-with-rules', 'shop-page'))
    await page.getByRole('button', { name: 'Kettle: 2 left' }).click()
    await page.getByText('Order 1: Kettle is yours.').waitFor()
    await page.getByRole('button', { name: 'Kettle: 1 left' }).click()
    await page.getByText('Order 2: Kettle is yours.').waitFor()
    expect(await page.getByRole('button').count()).toBe(0)
  })

  it('shows the page of docs/browser.md', async () => {
    const folder = await setUpExample('vite-plugin', 'new-page')
    rmSync(join(folder, 'vite.config.ts'))
    const names = ['vite.config.js', 'index.html', 'main.js']
    const files = testedBlocks('docs/browser.md', 'test/package/vite.test.ts')
    expect(files).toHaveLength(names.length)
    for (const [index, { code }] of files.entries()) writeFileSync(join(folder, names[index] as string), code)
    const page = await openPage(browser, folder)
    // The button is part of the HTML: it is there before the script that makes it work.
    await page.getByRole('listitem').first().waitFor()
    await page.getByRole('button', { name: 'Add a pet' }).click()
    await page.getByText('Rex').first().waitFor()
    await page.reload()
    await page.getByText('Rex').first().waitFor()
    expect(await page.getByRole('listitem').count()).toBe(5)
  })
})

const ENDED_BY_SIGTERM = 143

/** Enough for a page on a busy machine. */
const WAIT_MS = 60_000

/** Starts Vite and opens the page, which must not throw an error. */
async function openPage(browser: Browser, folder: string): Promise<Page> {
  const port = String(await findFreePort())
  const vite = startInExample(folder, process.execPath, [
    'node_modules/vite/bin/vite.js',
    '--port',
    port,
    '--strictPort',
  ])
  onTestFinished(() => vite.end(ENDED_BY_SIGTERM))
  await vite.printed(/petstore-mock: \/api in the page \(dashboard: Alt\+Shift\+P\)/)
  const page = await browser.newPage()
  page.setDefaultTimeout(WAIT_MS)
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(String(error)))
  onTestFinished(async () => {
    await page.close()
    expect(errors).toEqual([])
  })
  await page.goto(`http://localhost:${port}/`)
  return page
}
