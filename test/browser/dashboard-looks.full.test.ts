import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { addAxe, findViolations } from './browser.js'
import { type MockWithDashboard, untilLive, useDashboards } from './dashboard.js'
import { takePictures } from './pictures.js'

const { startMock } = useDashboards()

/** Sends requests so that every panel has something to show. */
async function fill({ send }: MockWithDashboard): Promise<void> {
  await send('POST', '/__admin/faults', { operation: 'createOrder', status: 503, times: 1 })
  await send('POST', '/__admin/faults', { path: '/pets*', method: 'DELETE', kind: 'slow', delayMs: [200, 900] })
  await send('POST', '/__admin/faults', { status: 500, enabled: false, match: { headers: { 'X-Note': 'a' } } })
  await send('POST', '/__admin/overrides', { operation: 'getOrder', status: 404, headers: { 'X-Note': 'a' }, times: 1 })
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
  'requests of all sandboxes': { route: '/requests?sandboxes=all', shows: '/nowhere' },
  'one request': {
    route: '/requests/8',
    arrange: (page) => page.getByText('Copy as…').click(),
    shows: 'Up to request',
  },
  'no matching requests': { route: '/requests?text=nothing', shows: 'No matching requests' },
  pets: { route: '/data/pets', shows: '1 to 20 of 73' },
  categories: { route: '/data/categories', shows: '10 records' },
  orders: { route: '/data/orders', shows: 'Order' },
  inventory: { route: '/data/inventory', shows: '73 records' },
  'one pet': { route: '/data/pets/17', shows: 'Pet 17' },
  'an error': { route: '/data/pets/999', shows: '404 RECORD_NOT_FOUND' },
  'a form': {
    route: '/data/orders',
    async arrange(page) {
      await page.getByRole('button', { name: 'New order' }).click()
      await page.getByRole('dialog').getByLabel('Pet').fill('999')
      await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click()
    },
    shows: '422 UNKNOWN_PET',
  },
  state: { route: '/state', shows: 'before-checkout' },
  'a confirmation': {
    route: '/state',
    arrange: (page) => page.getByRole('button', { name: 'Reset', exact: true }).click(),
    shows: 'Snapshots and coverage are kept',
  },
  faults: {
    route: '/faults',
    async arrange(page) {
      for (const summary of await page.locator('form summary').all()) await summary.click()
      await page.getByText('Response', { exact: true }).click()
    },
    shows: 'Response of override 1',
  },
  'a fault rule': {
    route: '/faults',
    async arrange(page) {
      await page.getByRole('button', { name: 'Edit rule 3' }).click()
      await page.getByRole('dialog').getByLabel('Match').fill('{query}')
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    },
    shows: 'this is not valid JSON',
  },
  coverage: { route: '/coverage', shows: 'deprecated, ends' },
  sandboxes: { route: '/sandboxes', shows: '1 request, last used' },
}

describe('the dashboard', () => {
  it('is accessible and not too wide in every view', { timeout: 600_000 }, async () => {
    const mock = await startMock()
    await fill(mock)
    const page = await mock.open({ firstVisit: true, prepare: addAxe })
    await page.getByText('A mock of Pet Store API').waitFor()
    const found: Record<string, string[]> = {}
    const inspect = async (view: string) => {
      found[view] = await findViolations(page)
      await takePictures(page, 'dashboard', view)
    }
    await inspect('welcome')
    await page.getByRole('button', { name: 'Got it' }).click()
    for (const [name, { route, shows, arrange }] of Object.entries(VIEWS)) {
      await page.goto(`${mock.server.url}/__admin/?${encodeURIComponent(name)}#${route}`)
      await untilLive(page)
      await arrange?.(page)
      await page.getByText(shows).or(page.getByLabel(shows)).first().waitFor()
      await inspect(name)
    }
    const clean = Object.fromEntries(Object.keys(found).map((name) => [name, []]))
    expect(found).toEqual(clean)
  })

  it('has a link to its main content, with visible focus', async () => {
    const mock = await startMock()
    const page = await mock.open()
    await untilLive(page)
    await page.keyboard.press('Tab')
    const skip = page.getByRole('button', { name: 'Skip to main content' })
    expect(await skip.evaluate((button) => button === document.activeElement)).toBe(true)
    expect(await skip.evaluate((button) => getComputedStyle(button).outlineStyle)).toBe('solid')
  })
})
