import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { type Carelessness, createCarelessService } from '../support/careless-service.js'
import { useBrowser } from './browser.js'
import { untilLive, useDashboards } from './dashboard.js'

const dashboards = useDashboards(useBrowser())

/** Serves the careless service of the tests of `verify`, and returns its address. */
async function serveCareless(careless: Carelessness): Promise<string> {
  const service = createCarelessService(careless)
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { method = 'GET', url } = request
    const answer = await service.fetch(`http://service${url}`, { method, ...(body !== '' && { body }) })
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

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
