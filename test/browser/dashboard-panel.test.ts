import { expect, it } from 'vitest'
import { useAdapterSites } from './adapter-site.js'

const { openSite } = useAdapterSites()

it('opens in an application’s page and shows the requests that the worker handles', async () => {
  const { start, page, fetch } = await (await openSite()).openPage()
  expect(await start({ baseUrl: '/api' })).toBe('')
  await page.evaluate(() => window.page.get('petstore').openDashboard())
  const panel = page.getByRole('region', { name: 'petstore-mock dashboard' })
  await panel.waitFor()
  await fetch('/api/pets/17')
  await panel.getByText('/pets/17').first().waitFor()
  // The application's own styles and address do not change.
  expect(await page.evaluate(() => [location.hash, document.adoptedStyleSheets.length])).toEqual(['', 0])
})

it('controls the mock of the page', async () => {
  const { start, page, fetch } = await (await openSite()).openPage()
  expect(await start({ baseUrl: '/api' })).toBe('')
  await page.evaluate(() => window.page.get('petstore').openDashboard())
  await fetch('/api/pets/1', {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: '{"name":"Max","categoryId":1}',
  })
  const panel = page.getByRole('region', { name: 'petstore-mock dashboard' })
  await panel.getByRole('navigation').getByRole('button', { name: 'State' }).click()
  await panel.getByRole('button', { name: 'Reset', exact: true }).click()
  await panel.getByRole('dialog').getByRole('button', { name: 'Reset' }).click()
  await expect.poll(async () => (await fetch('/api/pets/1')).text).not.toContain('Max')
})

it('closes with its button or with stop(), and opens again', async () => {
  const { start, page } = await (await openSite()).openPage()
  expect(await start({ baseUrl: '/api' })).toBe('')
  const panel = page.getByRole('region', { name: 'petstore-mock dashboard' })
  const open = () => page.evaluate(() => window.page.get('petstore').openDashboard())
  await Promise.all([open(), open()])
  await panel.waitFor()
  expect(await panel.count()).toBe(1)
  await panel.getByRole('button', { name: 'Close' }).click()
  await expect.poll(() => panel.count()).toBe(0)
  await open()
  await panel.waitFor()
  await page.evaluate(() => window.page.get('petstore').stop())
  await expect.poll(() => panel.count()).toBe(0)
})
