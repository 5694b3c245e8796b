/** One test of everything that runs in a page, for the quick suite. The other browser tests go into the details. */
import { expect, it } from 'vitest'
import { shop } from '../support/client.js'
import { useAdapterSites } from './adapter-site.js'
import { useBrowser } from './browser.js'
import { requestRows, untilLive, useDashboards } from './dashboard.js'
import { openTryIt, useReference } from './reference.js'

const browser = useBrowser()
const sites = useAdapterSites(browser)
const dashboards = useDashboards(browser)
const references = useReference(browser)

it('the browser adapter handles requests to its base URL and no others, until it is reset', async () => {
  const { openPage, received } = await sites.openSite()
  const { start, fetch, page } = await openPage()
  expect(await start({ baseUrl: '/api' })).toBe('')
  expect((await fetch('/api/pets?limit=2')).text).toMatch(/^\[\{"id":1,/)
  const headers = { 'content-type': 'application/json' }
  const create = (body: string) => fetch('/api/pets', { method: 'POST', headers, body })
  expect(await create('{"name":"Rex","categoryId":1}')).toEqual({
    status: 201,
    text: '{"id":73,"name":"Rex","categoryId":1,"status":"available"}',
  })
  const unknown = await create('{"name":"Rex","categoryId":999}')
  expect([unknown.status, JSON.parse(unknown.text).code]).toEqual([422, 'UNKNOWN_CATEGORY'])
  expect((await fetch('/api/pets/1', { method: 'DELETE' })).status).toBe(204)
  expect((await fetch('/api/__admin/health')).text).toContain('"status":"ok"')
  expect((await fetch('/other/thing')).text).toContain('Adapter')
  expect(received).toEqual(['GET /other/thing'])

  await page.evaluate(() => window.page.get('petstore').reset())
  const statuses = [await fetch('/api/pets/1'), await fetch('/api/pets/73')].map(({ status }) => status)
  expect(statuses).toEqual([200, 404])
})

it('the dashboard shows requests as they arrive, and makes one fail the next time', async () => {
  const { open, send } = await dashboards.startMock()
  const page = await open()
  await untilLive(page)
  await page.getByText('No requests yet').waitFor()
  await send('GET', '/pets?limit=0&status=sold&status=pending')
  await send('POST', '/store/orders', { petId: 66 }, { prefer: 'code=429' })
  const rows = requestRows(page)
  await expect.poll(() => rows.count()).toBe(2)
  expect(await rows.nth(0).innerText()).toMatch(/429\s+POST\s+\/store\/orders\s*fault: error\s+createOrder\s+\d\d:/)
  expect(await rows.nth(1).innerText()).toMatch(
    /400\s+GET\s+\/pets\?limit=0&status=sold&status=pending\s*contract violation/,
  )

  await send('GET', '/pets/1')
  await page.getByRole('link', { name: '/pets/1' }).click()
  await page.getByLabel('Fail with').selectOption('429')
  await page.getByRole('button', { name: 'Make this fail' }).click()
  await page.getByText('The next getPet will return 429.').waitFor()
  expect([(await send('GET', '/pets/1')).status, (await send('GET', '/pets/1')).status]).toEqual([429, 200])

  await page.getByLabel('How long').selectOption('until I switch it off')
  await page.getByRole('button', { name: 'Make this fail' }).click()
  const switchOff = page.getByRole('button', { name: 'Switch off the failure' })
  await switchOff.waitFor()
  expect([(await send('GET', '/pets/1')).status, (await send('GET', '/pets/1')).status]).toEqual([429, 429])
  await switchOff.click()
  await switchOff.waitFor({ state: 'detached' })
  expect((await send('GET', '/pets/1')).status).toBe(200)
})

it('the reference lists the operations, and sends requests to the sandbox in the address', async () => {
  const { open, server } = await references.startMock({ fixtures: shop([{ id: 1, name: 'Rex' }]) })
  const page = await open({ address: '/sandbox/worker-1/docs' })
  expect(await page.locator('.opblock').count()).toBe(18)
  const createPet = await openTryIt(page, 'createPet')
  await createPet.getByRole('button', { name: 'Execute' }).click()
  const response = createPet.locator('.live-responses-table')
  await response.getByText('201').first().waitFor()
  expect(await createPet.locator('.request-url').innerText()).toContain(`${server.url}/sandbox/worker-1/pets`)
  expect(server.petstore.sandboxes.open('worker-1').data.pets.all()).toHaveLength(2)
  expect(server.petstore.data.pets.all()).toHaveLength(1)
})
