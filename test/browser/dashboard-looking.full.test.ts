import { expect, it } from 'vitest'
import { type MockWithDashboard, untilLive, useDashboards } from './dashboard.js'

const { startMock } = useDashboards()

const KINDS = ['error', 'delay', 'timeout', 'reset', 'truncate', 'malformed', 'slow'] as const

/** Each view, and a text that it shows when it is loaded. */
const VIEWS = {
  '/requests': '/pets/1',
  '/requests/1': 'Send again',
  '/requests?sandboxes=all': '/pets/2',
  '/data/pets': '1 to 20 of 72',
  '/data/pets/17': 'All pets',
  '/data/categories': '10 records',
  '/data/orders': '1 to 20 of 120',
  '/data/inventory': '1 to 20 of 72',
  '/state': 'Starting data',
  '/faults': '7 active rules',
  '/coverage': '18 operations',
  '/sandboxes': '1 request, last used',
} as const

/** Of the page's time, in which it reads some values again every few seconds. An hour for all views of both instances. */
const MS_PER_VIEW = 3_600_000 / (2 * Object.keys(VIEWS).length)

/** Everything that looking could change, of the main instance and of its sandbox. */
async function record({ send }: MockWithDashboard): Promise<string[]> {
  const paths = ['/faults', '/overrides', '/journal', '/coverage', '/state', '/snapshots']
  const read = async (path: string) => (await send('GET', path, undefined, { 'X-Petstore-Peek': 'true' })).text()
  const instances = ['/__admin', '/sandbox/a/__admin']
  return Promise.all(['/__admin/sandboxes', ...instances.flatMap((base) => paths.map((path) => base + path))].map(read))
}

it('shows every view and changes nothing in an hour, whatever faults and delays are active', async () => {
  const mock = await startMock()
  for (const path of ['/pets/1', '/sandbox/a/pets/2']) await mock.send('GET', path)
  for (const instance of [mock.server.petstore, mock.server.petstore.sandboxes.open('a')]) {
    for (const kind of KINDS) {
      const rule = kind === 'timeout' ? { kind } : { kind, delayMs: 5000 }
      instance.faults.add({ ...rule, times: 1 })
    }
  }
  const before = await record(mock)
  const page = await mock.open({ prepare: (blank) => blank.clock.install() })
  for (const prefix of ['', '/sandbox/a']) {
    for (const [route, shows] of Object.entries(VIEWS)) {
      await page.goto(`${mock.server.url}${prefix}/__admin/?${encodeURIComponent(route)}#${route}`)
      await untilLive(page)
      await page
        .locator('main')
        .getByText(route === '/requests' && prefix ? '/pets/2' : shows)
        .first()
        .waitFor()
      await page.clock.runFor(MS_PER_VIEW)
    }
  }
  expect(await record(mock)).toEqual(before)
})
