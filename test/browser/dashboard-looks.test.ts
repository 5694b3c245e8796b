import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { type Bench, requestRows, soon, untilLive, useDashboards } from '../support/dashboard.js'

const { openBench } = useDashboards()

/** Something of everything, so that every panel has something to show. */
async function fill({ send }: Bench): Promise<void> {
  await send('POST', '/__admin/faults', { operation: 'createOrder', status: 503, times: 1 })
  await send('POST', '/__admin/faults', { path: '/pets*', method: 'DELETE', kind: 'slow', delayMs: [200, 900] })
  for (const path of ['/pets?limit=3&status=sold', '/pets/17', '/pets/999', '/pets?limit=0', '/nowhere']) {
    await send('GET', path)
  }
  await send('GET', '/categories', undefined, { prefer: 'code=429' })
  await send('POST', '/store/orders', { petId: 66 })
  await send('POST', '/pets', { name: 'Juniper', categoryId: 2 })
  await send('POST', '/__admin/snapshots', { name: 'before-checkout' })
  await send('GET', '/sandbox/checkout-tests/pets')
}

interface View {
  readonly route: string
  readonly shows: string
  arrange?(page: Page): Promise<void>
}

const VIEWS: Readonly<Record<string, View>> = {
  requests: { route: '/requests', shows: '/nowhere' },
  'one request': { route: '/requests/8', shows: 'Body of the answer' },
  'nothing found': { route: '/requests?text=nothing', shows: 'Nothing fits the filters' },
  pets: { route: '/data/pets', shows: '1 to 20 of 73' },
  categories: { route: '/data/categories', shows: '10 records' },
  orders: { route: '/data/orders', shows: 'Order' },
  inventory: { route: '/data/inventory', shows: '73 records' },
  'one pet': { route: '/data/pets/17', shows: 'Pet 17' },
  'a refusal': { route: '/data/pets/999', shows: 'there is no pet' },
  'a form': {
    route: '/data/pets',
    async arrange(page) {
      await page.getByRole('button', { name: 'New pet' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click()
    },
    shows: 'is missing',
  },
  world: { route: '/world', shows: 'before-checkout' },
  'a question': {
    route: '/world',
    arrange: (page) => page.getByRole('button', { name: 'Reset to the start' }).click(),
    shows: 'start over',
  },
  faults: {
    route: '/faults',
    arrange: (page) => page.getByText('More:').click(),
    shows: 'lets its answer drip',
  },
  coverage: { route: '/coverage', shows: 'deprecated, sunset' },
  sandboxes: { route: '/sandboxes', shows: 'checkout-tests' },
}

const LOOKS = (['light', 'dark'] as const).flatMap((colorScheme) =>
  [1280, 360].map((width) => ({ colorScheme, width })),
)

/** What axe objects to: the rule, and where. */
function findViolations(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: typeof import('axe-core') }
    const { violations } = await axe.run({ resultTypes: ['violations'] })
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
  })
}

const isTooWide = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)

describe('Every panel', () => {
  it.for(LOOKS)(
    'is accessible and fits: $colorScheme, $width wide',
    { timeout: 300_000 },
    async ({ colorScheme, width }) => {
      const bench = await openBench()
      await fill(bench)
      const page = await bench.open({
        colorScheme,
        firstVisit: true,
        viewport: { width, height: 800 },
        reducedMotion: 'reduce',
        // From outside of the page, which allows no scripts of others.
        prepare: (context) =>
          context.addInitScript({ path: createRequire(import.meta.url).resolve('axe-core/axe.min.js') }),
      })
      const look = async () => [...(await findViolations(page)), ...((await isTooWide(page)) ? ['too wide'] : [])]
      await page.getByText('three things to try').or(page.getByText('A pet store that only pretends')).first().waitFor()
      const found: Record<string, string[]> = { welcome: await look() }
      await page.getByRole('button', { name: 'Got it' }).click()
      for (const [name, { route, shows, arrange }] of Object.entries(VIEWS)) {
        await page.goto(`${bench.server.url}/__admin/?${encodeURIComponent(name)}#${route}`)
        await untilLive(page)
        await arrange?.(page)
        await page.getByText(shows).or(page.getByLabel(shows)).first().waitFor()
        found[name] = await look()
      }
      const clean = Object.fromEntries(Object.keys(found).map((name) => [name, []]))
      expect(found).toEqual(clean)
    },
  )

  it('is reached by keyboard, and the focus is seen', async () => {
    const bench = await openBench()
    await bench.send('GET', '/pets/1')
    const page = await bench.open()
    await soon(() => requestRows(page).count()).toBe(1)
    await page.keyboard.press('Tab')
    const skip = page.getByRole('button', { name: 'Skip to the panel' })
    expect(await skip.evaluate((button) => button === document.activeElement)).toBe(true)
    expect(await skip.evaluate((button) => getComputedStyle(button).outlineStyle)).toBe('solid')
    await page.keyboard.press('Enter')
    const reached: string[] = []
    for (let presses = 0; presses < 12 && !reached.includes('/pets/1'); presses += 1) {
      await page.keyboard.press('Tab')
      reached.push(await page.evaluate(() => document.activeElement?.textContent ?? ''))
    }
    expect(reached).toContain('Pause')
    expect(reached.at(-1)).toBe('/pets/1')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Request 1' }).waitFor()
  })
})

it('weighs at most 60 KB, all of it together and compressed', async () => {
  const sizes = ['dashboard.html', 'dashboard.css', 'dashboard.js'].map(
    (file) => gzipSync(readFileSync(new URL(`../../dist/pages/${file}`, import.meta.url))).length,
  )
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(60 * 1024)
})
