import { fileURLToPath } from 'node:url'
import type { Browser, Locator, Page } from 'playwright-core'
import { startServer } from '../../src/adapters/server/index.js'
import { serveFolder } from '../../test/support/static-server.js'
import { type Pixels, toIndexedPng } from './indexed-png.js'
import { PALETTES, SCHEMES, type Scheme } from './palette.js'
import { pictureFile } from './picture-file.js'

/** What both pages show at one moment. */
export interface Frame {
  readonly name: string
  /** The text that can be seen in the two pages, without what differs from run to run. */
  readonly text: string
  takePicture(scheme: Scheme): Promise<Buffer>
}

/** What the pictures show, as text: a picture depends on the fonts of the machine, its text does not. */
export const FRAMES_FILE = new URL('./dashboard-frames.txt', import.meta.url)

const SHOP = fileURLToPath(new URL('../../examples/playwright-parallel/shop/', import.meta.url))
const NOW = '2026-11-17T09:00:00Z'
const HEIGHT = 440
const APPLICATION = { width: 350, height: HEIGHT }
const DASHBOARD = { width: 550, height: HEIGHT }

/**
 * Plays a scene in a browser: a developer makes the next order fail in the dashboard, the application shows the error, and
 * trying again succeeds. `onFrame` is called at each of these moments. The pages must be built.
 */
export async function playScene(browser: Browser, onFrame: (frame: Frame) => Promise<void>): Promise<void> {
  const server = await startServer({ port: 0 })
  server.petstore.clock.set(NOW)
  server.petstore.clock.freeze()
  const shop = await serveFolder(SHOP, '/', {})
  const profile = await browser.newContext({ timezoneId: 'UTC', locale: 'en-GB', reducedMotion: 'reduce' })
  try {
    const application = await profile.newPage()
    await application.setViewportSize(APPLICATION)
    await application.route('**/api.json', (route) => route.fulfill({ json: server.url }))
    await application.goto(`${shop.origin}/`)
    const dashboard = await profile.newPage()
    await dashboard.setViewportSize(DASHBOARD)
    await dashboard.addInitScript(prepareDashboard)
    await dashboard.goto(`${server.url}/__admin/#/requests`)
    const composition = await profile.newPage()
    const show = async (name: string): Promise<void> => {
      const text = `== ${name}\n${await readText(application)}\n--\n${await readText(dashboard)}\n`
      const takePicture = (scheme: Scheme) => compose(composition, [application, dashboard], scheme)
      await onFrame({ name, text, takePicture })
    }
    await playSteps(application, dashboard, show)
  } finally {
    await profile.close()
    shop.close()
    await server.close()
  }
}

async function playSteps(application: Page, dashboard: Page, show: (name: string) => Promise<void>): Promise<void> {
  const order = () =>
    application
      .getByRole('button', { name: /^Order / })
      .first()
      .click()
  const isShown = (text: RegExp) => application.getByRole('status').filter({ hasText: text }).waitFor()
  const requests = dashboard.getByRole('table', { name: 'Requests' })
  const areListed = (count: number) =>
    requests
      .locator('tbody tr')
      .nth(count - 1)
      .waitFor()
  const notice = dashboard.getByText('The next createOrder will return 503.')

  await order()
  await isShown(/is yours/)
  // The list of pets, the order, and the list again.
  await areListed(3)
  await dashboard.getByRole('link', { name: '/store/orders' }).click()
  await dashboard.getByLabel('Fail with').selectOption('503')
  await dashboard.getByRole('button', { name: 'Make this fail next time' }).click()
  await notice.waitFor()
  await dashboard.getByText('Faults: 1').waitFor()
  await scrollTo(dashboard.getByRole('heading', { name: 'Request 2' }), 110)
  await show('fail')

  await order()
  await isShown(/503|unavailable|fault/i)
  await dashboard.goBack()
  // Without the message of the first frame.
  await dashboard.reload()
  await areListed(4)
  await dashboard.getByText('Live', { exact: true }).waitFor()
  await scrollTo(requests, 20)
  await show('error')

  await order()
  await isShown(/is yours/)
  await areListed(6)
  await show('retry')
}

/** Runs in the page. Messages stay long enough for a busy machine. */
function prepareDashboard(): void {
  localStorage.setItem('petstore-mock.welcomed', 'yes')
  const original = window.setTimeout
  const later = (act: TimerHandler, delay = 0) => original(act, delay < 1000 ? delay : 60 * delay)
  window.setTimeout = later as typeof setTimeout
}

/** Scrolls the page so that an element is this far below its upper edge. */
async function scrollTo(element: Locator, top: number): Promise<void> {
  await element.evaluate((node, distance) => scrollBy(0, node.getBoundingClientRect().top - distance), top)
}

async function readText(page: Page): Promise<string> {
  const texts = await page.evaluate(() => {
    const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const seen: string[] = []
    while (nodes.nextNode()) {
      const range = document.createRange()
      range.selectNode(nodes.currentNode)
      const { top, bottom, width } = range.getBoundingClientRect()
      const text = nodes.currentNode.textContent?.trim() ?? ''
      const isShown = nodes.currentNode.parentElement?.checkVisibility() && width > 1 && bottom > 0 && top < innerHeight
      if (text !== '' && isShown) seen.push(text)
    }
    return seen
  })
  // The number of headers depends on the browser.
  return texts
    .map((text) => text.replace(/^\d+(?:\.\d+)? ms$/, '… ms').replace(/^Headers \(\d+\)$/, 'Headers (…)'))
    .join('\n')
}

async function compose(page: Page, [application, dashboard]: readonly [Page, Page], scheme: Scheme): Promise<Buffer> {
  const pictures: string[] = []
  for (const each of [application, dashboard]) {
    await each.emulateMedia({ colorScheme: scheme })
    pictures.push((await each.screenshot({ animations: 'disabled', caret: 'hide' })).toString('base64'))
  }
  const { background, border, text } = PALETTES[scheme]
  const column = (title: string, picture = '') =>
    `<figure><figcaption>${title}</figcaption><img src="data:image/png;base64,${picture}"></figure>`
  await page.setContent(`<style>
    body { margin: 0; display: inline-flex; gap: 8px; background: ${background}; color: ${text}; font: 14px sans-serif }
    figure { margin: 0 } figcaption { padding: 4px 2px } img { display: block; border: 1px solid ${border} }
  </style>${column('Your application', pictures[0])}${column('Dashboard', pictures[1])}`)
  const screenshot = await page.locator('body').screenshot()
  return toIndexedPng(await decode(page, screenshot))
}

/** The browser knows how to read a PNG. */
async function decode(page: Page, png: Buffer): Promise<Pixels> {
  const pixels = await page.evaluate(
    async (source) => {
      const image = new Image()
      image.src = source
      await image.decode()
      const { width, height } = image
      const context = new OffscreenCanvas(width, height).getContext('2d') as OffscreenCanvasRenderingContext2D
      context.drawImage(image, 0, 0)
      const { data } = context.getImageData(0, 0, width, height)
      // Half a megapixel as an array of numbers would take seconds to get here.
      return { width, height, text: Array.from(data, (byte) => String.fromCharCode(byte)).join('') }
    },
    `data:image/png;base64,${png.toString('base64')}`,
  )
  return { ...pixels, data: Buffer.from(pixels.text, 'latin1') }
}

/** The pictures of the three frames by their path in the project, and their text, which a test compares. */
export async function recordDashboard(browser: Browser): Promise<{ pictures: Map<string, Buffer>; text: string }> {
  const pictures = new Map<string, Buffer>()
  const texts: string[] = []
  await playScene(browser, async ({ name, text, takePicture }) => {
    texts.push(text)
    for (const scheme of SCHEMES)
      pictures.set(pictureFile(`dashboard-${name}`, scheme, 'png'), await takePicture(scheme))
  })
  return { pictures, text: texts.join('\n') }
}
