import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { serveCareless } from '../support/serve-careless.js'
import { useBrowser } from './browser.js'
import { untilLive, useDashboards } from './dashboard.js'

const dashboards = useDashboards(useBrowser())

/** What a page of the mock's origin gets. */
const send = ({ path, method = 'GET', body }: { path: string; method?: string; body?: string }) => {
  const headers = { 'Content-Type': 'application/json' }
  return fetch(path, { method, headers, ...(body && { body }) }).then(async (response) => ({
    status: response.status,
    text: await response.text(),
  }))
}

it('switches operations while a page is open, and finds what the real service does wrong', async () => {
  const upstream = await serveCareless({ createsJobs: true, deletesLater: true })
  const { open, server } = await dashboards.startMock({ upstream, fixtures: { pets: [], categories: [] } })
  const page = await open({ route: '/upstream' })
  await untilLive(page)
  const application = await page.context().newPage()
  await application.goto(`${server.url}/docs`)
  await application.evaluate('window.isSame = true')
  const get = (path: string) => application.evaluate(send, { path })

  expect((await get('/pets/1')).status).toBe(404)
  await page.getByRole('checkbox', { name: 'Pass getPet through' }).click()
  await expect.poll(() => server.petstore.upstream?.passed).toEqual(['getPet'])
  expect(await get('/pets/1')).toMatchObject({ status: 200, text: expect.stringContaining('Pet 1') })
  expect((await get('/sandbox/other/pets/1')).status).toBe(404)
  await page.getByRole('checkbox', { name: 'Pass getPet through' }).click()
  await expect.poll(() => server.petstore.upstream?.passed).toEqual([])
  expect((await get('/pets/1')).status).toBe(404)

  server.petstore.upstream?.pass('*')
  await page.getByText(/answers 18 of 18 operations/).waitFor()
  const body = JSON.stringify({ name: 'Rex', categoryId: 1 })
  const expected = [
    [await application.evaluate(send, { path: '/pets/1' }), []],
    [await application.evaluate(send, { path: '/pets', method: 'POST', body }), ['Status 202 is not declared.']],
    [await application.evaluate(send, { path: '/pets', method: 'POST', body: '{}' }), []],
    [await application.evaluate(send, { path: '/pets/1', method: 'DELETE' }), ['Status 202 is not declared.']],
    [await application.evaluate(send, { path: '/pets/99999' }), []],
  ] as const
  const entries = server.petstore.journal.entries().slice(-expected.length)
  expect(entries.map(({ status, upstream }) => [status, upstream?.violations ?? []])).toEqual(
    expected.map(([{ status }, violations]) => [status, violations]),
  )
  expect(entries[2]?.violations?.join()).toMatch(/name is missing/)

  await page.getByRole('link', { name: 'Requests', exact: true }).click()
  await page.getByRole('link', { name: '/pets/1' }).first().click()
  await page.getByText('Response: Status 202 is not declared.').waitFor()
  await page.getByText('upstream: answered').waitFor()
  expect(await application.evaluate('window.isSame')).toBe(true)
})

it('keeps switches where they were put while the mock is changed', async () => {
  const { open, server } = await dashboards.startMock({ upstream: await serveCareless({}) })
  const page = await open({ route: '/upstream' })
  await untilLive(page)
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/__admin/upstream', async (route) => {
    if (route.request().method() === 'PUT') await released
    await route.continue()
  })
  const getPet = page.getByRole('checkbox', { name: 'Pass getPet through' })
  await Promise.all([page.waitForRequest((request) => request.method() === 'PUT'), getPet.click()])
  const listPets = page.getByRole('checkbox', { name: 'Pass listPets through' })
  await Promise.all([page.waitForRequest((request) => request.method() === 'PUT'), listPets.click()])
  expect([await getPet.isChecked(), await listPets.isChecked()]).toEqual([true, true])
  release()
  await expect.poll(() => server.petstore.upstream?.passed.toSorted()).toEqual(['getPet', 'listPets'])
  await page.getByText(/answers 2 of 18 operations/).waitFor()
  expect([await getPet.isChecked(), await listPets.isChecked()]).toEqual([true, true])
})

it('switches two sandboxes in parallel, each in its own dashboard, while a page uses both', async () => {
  const upstream = await serveCareless({})
  const { open, server } = await dashboards.startMock({ upstream, fixtures: { pets: [], categories: [] } })
  const names = ['one', 'two']
  for (const name of names) server.petstore.sandboxes.open(name)
  const [one, two] = await Promise.all(
    names.map((name) => open({ prefix: `/sandbox/${name}`, route: '/upstream', newProfile: true })),
  )
  const application = await (one as Page).context().newPage()
  await application.goto(`${server.url}/docs`)
  await application.evaluate('window.isSame = true')
  /** The statuses of 20 requests to each sandbox at the same time: only the real service has pets. */
  const statuses = async () => {
    const paths = Array.from({ length: 40 }, (_, index) => `/sandbox/${names[index % 2]}/pets/${index}`)
    const sent = await application.evaluate(
      (all) => Promise.all(all.map(async (path) => (await fetch(path)).status)),
      paths,
    )
    return names.map((_, first) => [...new Set(sent.filter((_status, index) => index % 2 === first))])
  }
  const passed = () => names.map((name) => server.petstore.sandboxes.open(name).upstream?.passed)
  const click = (page?: Page) => page?.getByRole('checkbox', { name: 'Pass getPet through' }).click()

  expect(await statuses()).toEqual([[404], [404]])
  await click(one)
  await expect.poll(passed).toEqual([['getPet'], []])
  expect(await statuses()).toEqual([[200], [404]])
  await Promise.all([click(one), click(two)])
  await expect.poll(passed).toEqual([[], ['getPet']])
  expect(await statuses()).toEqual([[404], [200]])
  expect(server.petstore.upstream?.passed).toEqual([])
  expect(await application.evaluate('window.isSame')).toBe(true)
})
