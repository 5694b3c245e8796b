import { build } from 'esbuild'
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { type Bench, requestRows, soon, untilLive, useDashboards } from '../support/dashboard.js'

const { openBench } = useDashboards()

/** An application that shows the dashboard in a shadow root, and counts what is listened to outside of it. */
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

/** On the origin of the mock, as an application is whose requests a worker answers. */
async function openApplication({ open, server }: Bench): Promise<Page> {
  const page = await open({
    async prepare(context) {
      await context.route('**/app', (route) => route.fulfill({ contentType: 'text/html', body: PAGE }))
      await context.route('**/app.js', (route) => route.fulfill({ contentType: 'text/javascript', body: script }))
    },
  })
  await page.goto(`${server.url}/app#basket`)
  await untilLive(page)
  return page
}

it('works inside the page of an application and leaves its address, title and looks alone', async () => {
  const bench = await openBench()
  const page = await openApplication(bench)
  await bench.send('GET', '/pets/1')
  await soon(() => requestRows(page).count()).toBe(1)
  await page.getByRole('button', { name: '/pets/1' }).click()
  await page.getByRole('heading', { name: 'Request 1' }).waitFor()
  await page.getByRole('button', { name: 'Data', exact: true }).click()
  await page.getByText('1 to 20 of 72').waitFor()
  await page.getByRole('button', { name: 'New pet' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click()
  await page.getByText('is missing').waitFor()
  await page.keyboard.press('Escape')
  expect(page.url()).toBe(`${bench.server.url}/app#basket`)
  expect(await page.title()).toBe('Shop')
  const colour = (selector: string) =>
    page.locator(selector).evaluate((element) => getComputedStyle(element).backgroundColor)
  expect(await colour('#buy')).toBe('rgb(255, 0, 0)')
  expect(await colour('.subtab[aria-current]')).toBe('rgb(15, 118, 110)')
})

it('switches to a sandbox inside the page of an application', async () => {
  const bench = await openBench()
  const page = await openApplication(bench)
  await page.getByRole('button', { name: 'Sandboxes' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('mine')
  await page.getByRole('button', { name: 'Open', exact: true }).click()
  await page.getByText('sandbox mine').first().waitFor()
  await untilLive(page)
  await bench.send('GET', '/sandbox/mine/pets/2')
  await page.getByRole('button', { name: 'Requests' }).click()
  await soon(() => page.locator('.path').allInnerTexts()).toEqual(['/pets/2'])
  expect(page.url()).toBe(`${bench.server.url}/app#basket`)
})

it('is closed by its application, and nothing of it is left', async () => {
  const bench = await openBench()
  const page = await openApplication(bench)
  const streams: string[] = []
  page.on('requestfailed', (request) => streams.push(new URL(request.url()).pathname))
  await page.getByRole('button', { name: 'Close' }).click()
  expect(await page.evaluate(() => window.application.closed)).toBe(1)
  await page.evaluate(() => window.application.unmount())
  await soon(() => streams).toEqual(['/__admin/events'])
  const left = await page.evaluate(() => {
    const { root, listening } = window.application
    return [root.childNodes.length, root.adoptedStyleSheets.length, document.adoptedStyleSheets.length, listening]
  })
  expect(left).toEqual([0, 0, 0, []])
})
