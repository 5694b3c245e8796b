import { request } from 'node:http'
import { expect, it } from 'vitest'
import { requestRows, untilLive, useDashboards } from './dashboard.js'

const { startMock } = useDashboards()

const MARKUP = '<img src=x onerror="alert(1)"><script>alert(2)</script>'
const STYLE = '"><style>*{display:none}</style><svg onload=alert(3)>'

/** Sends a path unchanged; fetch would normalize it. */
function sendRaw(port: number, path: string, headers: Record<string, string>): Promise<void> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ port, host: '127.0.0.1', path, headers }, (incoming) => {
      incoming.resume()
      incoming.on('end', resolve)
    })
    outgoing.on('error', reject)
    outgoing.end()
  })
}

it('I6 hostile paths, queries, headers and bodies are shown as text', async () => {
  const { open, send, server } = await startMock()
  const page = await open()
  await untilLive(page)
  const query = new URLSearchParams({ [MARKUP]: STYLE, name: 'javascript:alert(4)' })
  await sendRaw(server.port, `/pets/"><svg/onload=alert(5)>?${query}`, { 'x-note': MARKUP, 'user-agent': STYLE })
  await send('POST', '/pets', { name: MARKUP, categoryId: 1, [STYLE]: '__proto__', __proto__: null })
  await send('POST', '/pets', MARKUP)
  await expect.poll(() => requestRows(page).count()).toBe(3)
  expect(await requestRows(page).nth(2).innerText()).toContain('/pets/"><svg/onload=alert(5)>')

  await page.getByRole('link', { name: 'svg/onload' }).click()
  const detail = page.getByRole('region', { name: 'Request 1' })
  await detail.getByText('Headers').first().click()
  await expect.poll(() => detail.locator('dl.headers').first().innerText()).toContain(MARKUP)
  await page.goto(`${server.url}/__admin/#/requests/2`)
  await expect.poll(() => page.getByLabel('Request body').innerText()).toContain(JSON.stringify(MARKUP))
  await expect.poll(() => page.getByLabel('Response body').innerText()).toContain(JSON.stringify(MARKUP))
  await page.goto(`${server.url}/__admin/#/requests/3`)
  await expect.poll(() => page.getByLabel('Request body').innerText()).toBe(MARKUP)
  expect(await page.locator('main img, main script, main svg, main style').count()).toBe(0)
})

it('I6 hostile names of records are shown as text in tables, records and forms', async () => {
  const { open, send } = await startMock({ scenario: 'empty' })
  await send('POST', '/categories', { name: MARKUP, description: STYLE })
  await send('POST', '/pets', { name: STYLE, categoryId: 1 })
  const page = await open({ route: '/data/categories' })
  await page.getByRole('cell', { name: MARKUP, exact: true }).waitFor()
  await page.getByRole('button', { name: 'Edit Category 1' }).click()
  expect(await page.getByRole('dialog').getByLabel('Name').inputValue()).toBe(MARKUP)
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Pets', exact: true }).first().click()
  await page.getByRole('cell', { name: MARKUP }).waitFor()
  await page.getByRole('link', { name: '1', exact: true }).click()
  await page.getByText(STYLE).waitFor()
  expect(await page.locator('main img, main script, main svg, main style').count()).toBe(0)
})

it('I6 hostile addresses of the dashboard are shown as text, and can be left', async () => {
  const { open } = await startMock()
  const page = await open({ route: `/data/pets/${encodeURIComponent(MARKUP)}` })
  await page.getByRole('heading', { name: `Pet ${MARKUP}` }).waitFor()
  await page.getByText('422 INVALID_DATA').waitFor()
  await page.evaluate(
    (hash) => {
      location.hash = hash
    },
    `/requests/${encodeURIComponent(STYLE)}?text=${encodeURIComponent(MARKUP)}`,
  )
  await expect.poll(() => page.getByLabel('Search').inputValue()).toBe(MARKUP)
  await page.getByRole('heading', { name: `Request ${STYLE}` }).waitFor()
  await page.getByRole('link', { name: 'Close' }).click()
  await page.getByText('No requests yet').or(page.getByText('No matching requests')).waitFor()
})

it('I6 hostile fault rules and error messages are shown as text', async () => {
  const { open, send } = await startMock()
  const path = '/pets/<img src=x onerror=alert(6)>'
  expect((await send('POST', '/__admin/faults', { path, status: 500, message: MARKUP })).status).toBe(201)
  await send('POST', '/__admin/faults', { operation: 'createCategory', status: 500, code: 'X', message: MARKUP })
  const page = await open({ route: '/faults' })
  await page.getByText(path).waitFor()
  await page.getByRole('link', { name: 'Data', exact: true }).click()
  await page.getByRole('link', { name: 'Categories' }).click()
  await page.getByRole('button', { name: 'New category' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Birds')
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click()
  await page.getByText(MARKUP).waitFor()
  expect(await page.locator('main img, main script, main svg, main style').count()).toBe(0)
})

it('a deeply nested body and a very long one are shown', async () => {
  const { open, send } = await startMock()
  await send('POST', '/pets', `${'['.repeat(30_000)}${']'.repeat(30_000)}`)
  await send('POST', '/pets', JSON.stringify({ name: 'x'.repeat(200_000), categoryId: 1 }))
  const page = await open({ route: '/requests/1' })
  await page.getByLabel('Request body').waitFor()
  await page.getByRole('link', { name: '/pets' }).first().click()
  await page.getByRole('heading', { name: 'Request 2' }).waitFor()
  await page.getByText('This is its beginning').first().waitFor()
})
