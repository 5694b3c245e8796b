import type { Page } from '@playwright/test'
import { expect, test } from 'petstore-mock/playwright'

const API = 'https://api.petstore.example/v1'

/** A page of an application whose service has another origin. */
test.beforeEach(async ({ page }) => {
  await page.route('https://shop.example/', (route) => route.fulfill({ contentType: 'text/html', body: 'Shop' }))
  await page.goto('https://shop.example/')
})

const send = (page: Page, method: string, url: string, body?: object) =>
  page.evaluate(
    async ([method, url, body]) => {
      const headers = { 'Content-Type': 'application/json' }
      const response = await fetch(url, { method, ...(body && { headers, body: JSON.stringify(body) }) })
      return { status: response.status, body: await response.json() }
    },
    [method, url, body] as const,
  )

for (const name of ['Ada', 'Grace', 'Edsger', 'Barbara']) {
  test(`passes: ${name} has a mock of her own`, async ({ page, petstore }) => {
    const { body } = await send(page, 'POST', `${API}/pets`, { name, categoryId: 1 })
    expect(body).toMatchObject({ id: 2, name })
    await expect(petstore).toHaveReceived('createPet', { body: { name: expect.stringMatching(/^[A-Z]/) } })
    await expect(petstore).not.toHaveReceived('createPet', { body: { name: 'Nobody' } })
    await expect(petstore).toHaveNoContractViolations()
    expect(await petstore.data.pets.all()).toHaveLength(2)
  })
}

test('passes: waits for a request', async ({ page, petstore }) => {
  await page.evaluate((url) => void setTimeout(() => fetch(url), 300), `${API}/pets/1`)
  await expect(petstore).toHaveReceivedTimes('getPet', 1, { params: { petId: 1 } })
})

test('passes: a page can follow references', async ({ page }) => {
  const next = await page.evaluate(async (url) => (await fetch(url)).headers.get('link'), `${API}/pets?limit=1`)
  expect(next).toContain('</v1/pets?')
})

test('passes: a fault breaks the connection', async ({ page, petstore }) => {
  await petstore.faults.add({ operation: 'getPet', kind: 'reset' })
  await expect(send(page, 'GET', `${API}/pets/1`)).rejects.toThrow('Failed to fetch')
})

test('passes: other origins do not see the sandbox', async ({ page, petstore }) => {
  const seen: Record<string, string>[] = []
  await page.route('https://other.example/**', async (route) => {
    seen.push(await route.request().allHeaders())
    await route.fulfill({ json: {}, headers: { 'Access-Control-Allow-Origin': '*' } })
  })
  await send(page, 'GET', 'https://other.example/v1/pets')
  expect(seen).toHaveLength(1)
  expect(Object.keys(seen[0] ?? {})).not.toContain('x-petstore-sandbox')
  await expect(petstore).toHaveReceivedTimes('listPets', 0)
})

test('passes: the server of the application gets a cookie, and other hosts do not', async ({ context, petstore }) => {
  const [cookie, ...others] = await context.cookies('https://shop.example/cart')
  expect(petstore.baseUrl).toContain(`/sandbox/${cookie?.value}`)
  expect([cookie?.name, others]).toEqual(['petstore-sandbox', []])
  const elsewhere = ['https://other.example/', 'https://api.petstore.example/', 'https://my.shop.example/']
  expect(await context.cookies(elsewhere)).toEqual([])
})

test('fails: an expectation', async ({ page, petstore }) => {
  await send(page, 'GET', `${API}/pets/1`)
  await expect(petstore).toHaveReceived('createOrder')
})

test('fails: a fault that was never applied', async ({ petstore }) => {
  await petstore.faults.add({ operation: 'getPet', status: 503 })
})
