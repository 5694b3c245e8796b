import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { ARTEFACTS } from '../support/example.js'
import { settle, useShops } from '../support/example-shop.js'

const { openShop } = useShops()

/** A page, and the steps to the state to check. */
interface View {
  readonly name: string
  readonly route: string
  readonly shows: string
  arrange?(page: Page): Promise<void>
}

async function useControls(page: Page) {
  await page.getByText('Mock controls').click()
  await page.getByRole('button', { name: 'Make the next request fail (503)' }).click()
}

const VIEWS: readonly View[] = [
  { name: 'browse', route: '/', shows: '1 to 12 of 72' },
  { name: 'browse-filtered', route: '/?category=6&status=available&sort=name', shows: '1 to 5 of 5' },
  { name: 'browse-empty', route: '/?name=nobody', shows: 'Nobody fits that description' },
  {
    name: 'browse-error',
    route: '/nowhere',
    async arrange(page) {
      await useControls(page)
      await page.getByRole('link', { name: 'See all pets' }).click()
    },
    shows: 'The store is taking a short break.',
  },
  { name: 'pet', route: '/pets/66', shows: 'In stock' },
  {
    name: 'pet-ordered',
    route: '/pets/69',
    arrange: (page) => page.getByRole('button', { name: 'Place order' }).click(),
    shows: 'is placed:',
  },
  {
    name: 'pet-refused',
    route: '/pets/71',
    async arrange(page) {
      await page.getByLabel('Quantity').fill('99')
      await page.getByRole('button', { name: 'Place order' }).click()
    },
    shows: 'We do not have that many.',
  },
  { name: 'pet-sold', route: '/pets/72', shows: 'They have found a home.' },
  { name: 'pet-unknown', route: '/pets/4711', shows: 'We do not know this pet' },
  { name: 'orders', route: '/orders', shows: '120 orders' },
  { name: 'orders-complete', route: '/orders?show=complete', shows: '96 orders' },
  { name: 'not-found', route: '/nowhere', shows: 'This page has wandered off' },
  { name: 'mock-controls', route: '/nowhere', arrange: useControls, shows: 'One request will be answered with 503.' },
]

const DEVICES = {
  desktop: { viewport: { width: 1280, height: 900 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 },
}

const LOOKS = (['light', 'dark'] as const).flatMap((colorScheme) =>
  (['desktop', 'phone'] as const).map((device) => ({ colorScheme, device })),
)

/** The violations that axe reports: rule and location. */
function findViolations(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: typeof import('axe-core') }
    const { violations } = await axe.run({ resultTypes: ['violations'] })
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
  })
}

/** Whether the page is wider than the window. */
const isTooWide = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)

/** All pages, one after the other. */
const PATIENCE = 300_000

it.for(LOOKS)(
  'every page is accessible and fits: $colorScheme, $device',
  { timeout: PATIENCE },
  async ({ colorScheme, device }) => {
    const { context, open } = await openShop({ ...DEVICES[device], colorScheme, reducedMotion: 'reduce' })
    // As an init script, because the page's policy forbids foreign scripts.
    await context.addInitScript({ path: createRequire(import.meta.url).resolve('axe-core/axe.min.js') })
    const found: Record<string, string[]> = {}
    for (const { name, route, arrange, shows } of VIEWS) {
      // In a new tab, the shop has its starting data.
      const page = await open(route)
      await arrange?.(page)
      await page.getByText(shows).first().waitFor()
      await settle(page)
      found[name] = await findViolations(page)
      if (await isTooWide(page)) found[name].push('wider than the window')
      await page.screenshot({ path: join(ARTEFACTS, `${name}-${colorScheme}-${device}.png`), fullPage: true })
      await page.close()
    }
    expect(found).toEqual(Object.fromEntries(VIEWS.map(({ name }) => [name, []])))
  },
)
