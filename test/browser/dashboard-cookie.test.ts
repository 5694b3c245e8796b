/** Browsers send a cookie to every port of a host, so the page of another server can set one that reaches the mock. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import { shop } from '../support/client.js'
import { useBrowser } from './browser.js'
import { confirm, untilLive, useDashboards } from './dashboard.js'
import { openTryIt, useReference } from './reference.js'

const browser = useBrowser()
const dashboards = useDashboards(browser)
const references = useReference(browser)

const fixtures = shop([{ id: 1, name: 'Rex' }])

/** Opens a page on another port of the same host, which sets the cookie. */
async function plant(page: Page, value: string): Promise<void> {
  const server = createServer((_, response) => {
    response.setHeader('Content-Type', 'text/html')
    response.end(`<script>document.cookie = 'petstore-sandbox=${value};path=/'</script>`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const other = await page.context().newPage()
  await other.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  expect(await other.evaluate(() => document.cookie)).toBe(`petstore-sandbox=${value}`)
  await other.close()
  server.close()
  server.closeAllConnections()
  onTestFinished(() => page.context().clearCookies())
}

it.each(['planted', 'not~valid'])('the dashboard of Main acts on Main with the cookie %s', async (cookie) => {
  const { open, server } = await dashboards.startMock({ fixtures })
  const { petstore } = server
  const planted = petstore.sandboxes.open('planted')
  for (const each of [petstore, planted]) each.data.pets.update(1, { name: 'Changed' })
  const page = await open({ route: '/state', newProfile: true, prepare: (blank) => plant(blank, cookie) })
  await untilLive(page)
  await page.getByRole('button', { name: 'Reset', exact: true }).click()
  await confirm(page, 'Reset')
  await expect.poll(() => petstore.data.pets.find(1)?.name).toBe('Rex')
  await page.getByRole('link', { name: 'Data', exact: true }).click()
  await page.getByRole('navigation', { name: 'Collections' }).getByRole('link', { name: 'Pets' }).click()
  await page.getByRole('button', { name: 'Delete pet 1' }).click()
  await confirm(page, 'Delete')
  await expect.poll(() => petstore.data.pets.all()).toEqual([])
  await page.getByRole('link', { name: 'Requests', exact: true }).click()
  await page.getByRole('link', { name: '/pets/1' }).click()
  await page.getByRole('button', { name: 'Send again' }).click()
  await page.getByText(/^Sent it again, without the secret cookie. Status: 404/).waitFor()
  expect(petstore.journal.total).toBe(2)
  expect(planted.data.pets.find(1)).toMatchObject({ name: 'Changed' })
  expect(planted.journal.total).toBe(0)
})

it('the dashboard of a sandbox acts on that sandbox', async () => {
  const { open, server } = await dashboards.startMock({ fixtures })
  const sandbox = server.petstore.sandboxes.open('a')
  const page = await open({
    route: '/data/pets',
    prefix: '/sandbox/a',
    newProfile: true,
    prepare: (blank) => plant(blank, 'planted'),
  })
  await page.getByRole('button', { name: 'Delete pet 1' }).click()
  await confirm(page, 'Delete')
  await expect.poll(() => sandbox.data.pets.all()).toEqual([])
  expect(server.petstore.sandboxes.list()).toMatchObject([{ name: 'a' }])
})

it.each(['planted', 'not~valid'])('the reference acts on the server itself with the cookie %s', async (cookie) => {
  const { open, server } = await references.startMock({ fixtures })
  const page = await open({ prepare: (blank) => plant(blank, cookie) })
  const createPet = await openTryIt(page, 'createPet')
  await createPet.getByRole('button', { name: 'Execute' }).click()
  await createPet.locator('.live-responses-table').getByText('201').first().waitFor()
  expect(server.petstore.data.pets.all()).toHaveLength(2)
  expect(server.petstore.sandboxes.list()).toEqual([])
  expect(await createPet.locator('.curl-command').innerText()).not.toContain('Sandbox')
})
