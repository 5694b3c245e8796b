import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { ARTEFACTS } from '../support/example.js'
import { settle, useShops } from '../support/example-shop.js'
import { addAxe, COLOR_SCHEMES, findViolationsIn } from './browser.js'

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

/** All pages, one after the other. */
const PATIENCE = 300_000

it.for(['desktop', 'phone'] as const)(
  'every page is accessible and fits, light and dark: %s',
  { timeout: PATIENCE },
  async (device) => {
    const { context, open } = await openShop({ ...DEVICES[device], reducedMotion: 'reduce' })
    await addAxe(context)
    const found: Record<string, string[]> = {}
    for (const { name, route, arrange, shows } of VIEWS) {
      // In a new tab, the shop has its starting data.
      const page = await open(route)
      await arrange?.(page)
      await page.getByText(shows).first().waitFor()
      await settle(page)
      for (const colorScheme of COLOR_SCHEMES) {
        const look = `${name}-${colorScheme}-${device}`
        found[look] = await findViolationsIn(page, colorScheme)
        await page.screenshot({ path: join(ARTEFACTS, `${look}.png`), fullPage: true })
      }
      await page.close()
    }
    const looks = VIEWS.flatMap(({ name }) => COLOR_SCHEMES.map((colorScheme) => `${name}-${colorScheme}-${device}`))
    expect(found).toEqual(Object.fromEntries(looks.map((look) => [look, []])))
  },
)
