/** An application on localhost, whose API is below a path of its own, and a mock on 127.0.0.1. */
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type APIResponse, expect, type Page } from '@playwright/test'
import { test as petstoreTest } from 'petstore-mock/playwright'

interface Site {
  readonly port: number
  /** The headers of the requests that it has received. */
  readonly received: IncomingHttpHeaders[]
}

const test = petstoreTest.extend<object, { site: Site }>({
  site: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from the pattern
    async ({}, use) => {
      const received: IncomingHttpHeaders[] = []
      const server = createServer(({ url, method, headers }, response) => {
        if (method !== 'OPTIONS') received.push(headers)
        response.setHeader('Content-Type', 'text/html')
        response.setHeader('Access-Control-Allow-Origin', '*')
        response.setHeader('Access-Control-Allow-Headers', 'authorization')
        if (url === '/without-referrer') response.setHeader('Referrer-Policy', 'no-referrer')
        response.end('<link rel="icon" href="data:,">Shop')
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      await use({ port: (server.address() as AddressInfo).port, received })
      server.closeAllConnections()
      server.close()
    },
    { scope: 'worker' },
  ],
  baseURL: ({ site }, use) => use(`http://localhost:${site.port}`),
  petstoreBaseUrl: ({ site }, use) => use(`http://127.0.0.1:${site.port}/api`),
  petstoreAppUrl: ({ site }, use) => use(`http://127.0.0.1:${site.port}`),
})

const get = (page: Page, path: string, headers: Record<string, string> = {}) =>
  page.evaluate(
    async ([path, headers]) => {
      const response = await fetch(path, { headers })
      return { status: response.status, text: await response.text() }
    },
    [path, headers] as const,
  )

test('passes: a page on localhost reaches a mock on 127.0.0.1, and its server gets the cookie', async ({
  page,
  context,
  petstore,
  site,
}) => {
  await page.goto('/')
  expect(await get(page, '/api/pets/1')).toMatchObject({ status: 200 })
  expect(await get(page, `http://[::1]:${site.port}/api/pets/1`)).toMatchObject({ status: 200 })
  await petstore.journal.waitFor('getPet', { times: 2 })
  for (const host of ['localhost', '127.0.0.1', '[::1]']) {
    const cookies = await context.cookies(`http://${host}:${site.port}`)
    expect(cookies.map(({ name }) => name)).toEqual(['petstore-sandbox'])
  }
})

test('passes: a redirect to another origin carries neither the sandbox nor a login', async ({
  page,
  petstore,
  site,
}) => {
  const location = `http://127.0.0.1:${site.port}/elsewhere`
  await petstore.override('getPet', { status: 302, headers: { Location: location } }, { unchecked: true })
  await page.goto('/')
  expect(await get(page, '/api/pets/1', { Authorization: 'Bearer secret' })).toMatchObject({ status: 200 })
  const headers = site.received.at(-1) ?? {}
  expect(headers.host).toBe(`127.0.0.1:${site.port}`)
  expect(Object.keys(headers)).not.toContain('x-petstore-sandbox')
  expect(Object.keys(headers)).not.toContain('x-forwarded-prefix')
  expect(Object.keys(headers)).not.toContain('authorization')
})

test('passes: a redirect to a path stays in the sandbox', async ({ page, petstore }) => {
  await petstore.data.categories.create({ name: 'Only here' })
  const headers = { Location: '/api/categories?name=Only%20here' }
  await petstore.override('getPet', { status: 307, headers }, { unchecked: true })
  await page.goto('/')
  expect((await get(page, '/api/pets/1')).text).toContain('"name":"Only here"')
})

test('passes: all contexts of a test belong to its sandbox', async ({
  browser,
  context,
  page,
  petstore,
  playwright,
  request,
  site,
}) => {
  await petstore.data.pets.update(1, { name: 'Only here' })
  const expectOwn = async (response: APIResponse) => expect(await response.json()).toMatchObject({ name: 'Only here' })
  await expectOwn(await request.get('/api/pets/1'))
  await expectOwn(await request.fetch(`http://[::1]:${site.port}/api/pets/1`))
  await expectOwn(await page.request.get('/api/pets/1'))
  await page.goto('/')
  const [sent] = await Promise.all([page.waitForRequest('**/api/pets/1'), get(page, '/api/pets/1')])
  await expectOwn(await context.request.fetch(sent))
  const requests = await playwright.request.newContext({ baseURL: `http://localhost:${site.port}/api/` })
  await expectOwn(await requests.get('pets/1'))
  await requests.dispose()
  const other = await browser.newContext()
  const otherPage = await other.newPage()
  const lonePage = await browser.newPage()
  for (const each of [otherPage, lonePage]) {
    await each.goto('/')
    expect((await get(each, '/api/pets/1')).text).toContain('"name":"Only here"')
    await expectOwn(await each.request.get('/api/pets/1'))
  }
  await lonePage.close()
  await other.close()
  const elsewhere = await request.get('/', { headers: { 'X-Own': '1' } })
  expect([elsewhere.status(), site.received.at(-1)?.['x-own']]).toEqual([200, '1'])
})

test('fails: a request that is refused', async ({ page }) => {
  await page.goto('/without-referrer')
  expect((await get(page, '/api/pets/1')).text).toContain('"id":1')
})
