import type { BrowserContext } from '@playwright/test'
import { expect, test } from 'petstore-mock/playwright'

// The one that the fixture sets.
test.beforeEach(({ context }) => context.clearCookies())

const WAYS: Record<string, (context: BrowserContext, sandbox: string, url: string) => Promise<void>> = {
  'the header': (context, sandbox) => context.setExtraHTTPHeaders({ 'X-Petstore-Sandbox': sandbox }),
  'baggage, as tracing libraries send it': (context, sandbox) =>
    context.setExtraHTTPHeaders({ baggage: `userId=alice, petstore-sandbox=${sandbox};ttl=1` }),
  'a cookie': (context, sandbox, url) => context.addCookies([{ name: 'petstore-sandbox', value: sandbox, url }]),
}

for (const [way, name] of Object.entries(WAYS)) {
  test(`the page and the server see the same sandbox, named by ${way}`, async ({
    context,
    page,
    petstore,
    baseURL,
  }) => {
    await name(context, new URL(petstore.baseUrl).pathname.replace('/sandbox/', ''), String(baseURL))
    await petstore.data.pets.create({ name: 'Biscuit', categoryId: 1 })
    const rendered = await page.goto('/')
    expect(await rendered?.text()).toContain('<li>Biscuit</li>')
    await page.getByLabel('Name').fill('Crumb')
    await page.getByRole('button', { name: 'Take in' }).click()
    await expect(page.getByRole('status')).toHaveText('Crumb has moved in as number 74.')
  })
}

test('a request of the server that names no sandbox is rejected, and named', async ({ page }) => {
  const rendered = await page.goto('/')
  expect(rendered?.status()).toBe(502)
  await expect(page.getByRole('alert')).toContainText('GET "/pets" does not name a sandbox')
})
