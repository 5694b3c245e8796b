import { build } from 'esbuild'
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { type MockWithDashboard, requestRows, untilLive, useDashboards } from './dashboard.js'

const { startMock } = useDashboards()

/** An application that shows the dashboard in a shadow root, and records the event listeners outside it. */
const APPLICATION = `
import { mountDashboard } from './src/dashboard/mount.js'
const listening = []
for (const target of [window, document]) {
  const { addEventListener, removeEventListener } = target
  target.addEventListener = (type, ...rest) => { listening.push(type); addEventListener.call(target, type, ...rest) }
  target.removeEventListener = (type, ...rest) => {
    const index = listening.indexOf(type)
    if (index >= 0) listening.splice(index, 1)
    removeEventListener.call(target, type, ...rest)
  }
}
const host = document.getElementById('host')
const root = host.attachShadow({ mode: 'open' })
let closed = 0
const unmount = mountDashboard(root, { base: '/', onClose: () => { closed += 1 } })
window.application = { unmount, listening, root, get closed() { return closed } }
`

const PAGE = `<!doctype html><html lang="en"><head><title>Shop</title><style>button { background: rgb(255, 0, 0) }</style>
</head><body><h1>Shop</h1><button id="buy">Buy</button><div id="host"></div><script src="/app.js"></script></body></html>`

declare global {
  interface Window {
    application: { unmount(): void; readonly listening: string[]; readonly root: ShadowRoot; readonly closed: number }
  }
}

let script: string

beforeAll(async () => {
  const { outputFiles } = await build({
    stdin: { contents: APPLICATION, resolveDir: process.cwd(), loader: 'js' },
    bundle: true,
    write: false,
    format: 'iife',
    logLevel: 'silent',
  })
  script = outputFiles[0]?.text ?? ''
})

/** Serves the application from the mock's origin, as if a service worker handled its requests. */
async function openApplication({ open, server }: MockWithDashboard): Promise<Page> {
  const page = await open({
    async prepare(blank) {
      await blank.route('**/app', (route) => route.fulfill({ contentType: 'text/html', body: PAGE }))
      await blank.route('**/app.js', (route) => route.fulfill({ contentType: 'text/javascript', body: script }))
    },
  })
  await page.goto(`${server.url}/app#basket`)
  await untilLive(page)
  return page
}

it('works in an application’s page without changing its address, title and styles', async () => {
  const mock = await startMock()
  const page = await openApplication(mock)
  await mock.send('GET', '/pets/1')
  await expect.poll(() => requestRows(page).count()).toBe(1)
  await page.getByRole('button', { name: '/pets/1' }).click()
  await page.getByRole('heading', { name: 'Request 1' }).waitFor()
  await page.getByRole('button', { name: 'Data', exact: true }).click()
  await page.getByText('1 to 20 of 72').waitFor()
  await page.getByRole('button', { name: 'New pet' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click()
  const category = page.getByRole('dialog').getByLabel('Category')
  expect(await category.evaluate((input: HTMLInputElement) => input.validity.valueMissing)).toBe(true)
  await page.keyboard.press('Escape')
  expect(page.url()).toBe(`${mock.server.url}/app#basket`)
  expect(await page.title()).toBe('Shop')
  const color = (selector: string) =>
    page.locator(selector).evaluate((element) => getComputedStyle(element).backgroundColor)
  expect(await color('#buy')).toBe('rgb(255, 0, 0)')
  expect(await color('.button[aria-current]')).toBe('rgb(15, 118, 110)')
})

it('switches to a sandbox inside an application’s page', async () => {
  const mock = await startMock()
  const page = await openApplication(mock)
  await page.getByRole('button', { name: 'Sandboxes' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('mine')
  await page.getByRole('button', { name: 'Open', exact: true }).click()
  await page.getByText('sandbox mine').first().waitFor()
  await untilLive(page)
  await mock.send('GET', '/sandbox/mine/pets/2')
  await expect.poll(() => page.locator('.path').allInnerTexts()).toEqual(['/pets/2'])
  await mock.send('GET', '/pets/1')
  await page.getByLabel('Sandbox').selectOption('All sandboxes (requests)')
  await expect.poll(() => page.locator('.path').allInnerTexts()).toEqual(['/pets/1', '/pets/2'])
  await page.getByRole('button', { name: '/pets/1' }).click()
  await page.getByRole('heading', { name: 'Request 1' }).waitFor()
  await page.getByLabel('Sandbox').selectOption('Main')
  await expect.poll(() => page.locator('.path').allInnerTexts()).toEqual(['/pets/1'])
  expect(await page.getByRole('heading', { name: 'Request 1' }).count()).toBe(0)
  expect(await page.locator('th.sandbox').count()).toBe(0)
  expect(page.url()).toBe(`${mock.server.url}/app#basket`)
})

it('is removed by its application without leaving anything behind', async () => {
  const mock = await startMock()
  const page = await openApplication(mock)
  const streams: string[] = []
  page.on('requestfailed', (request) => streams.push(new URL(request.url()).pathname))
  await page.getByRole('button', { name: 'Close' }).click()
  expect(await page.evaluate(() => window.application.closed)).toBe(1)
  await page.evaluate(() => window.application.unmount())
  await expect.poll(() => streams).toEqual(['/__admin/events'])
  const left = await page.evaluate(() => {
    const { root, listening } = window.application
    return [root.childNodes.length, root.adoptedStyleSheets.length, document.adoptedStyleSheets.length, listening]
  })
  expect(left).toEqual([0, 0, 0, []])
})
