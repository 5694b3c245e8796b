import type { PlaywrightWorkerArgs } from '@playwright/test'
import { expect, test } from './petstore-test'

const CUSTOMERS = ['Ada', 'Grace', 'Edsger']

/** Waits until all customers have come to a place. They note themselves in a sandbox that is none of the workers'. */
async function meet(playwright: PlaywrightWorkerArgs['playwright'], api: string, place: string): Promise<void> {
  const extraHTTPHeaders = { 'X-Petstore-Sandbox': `meeting-${place}` }
  const request = await playwright.request.newContext({ baseURL: api, extraHTTPHeaders })
  await request.post('/categories', { data: { name: 'I am here' } })
  const here = async () => (await (await request.get('/categories?name=I am here')).json()).length
  await expect.poll(here, { timeout: 50_000 }).toBe(CUSTOMERS.length)
  await request.dispose()
}

// No test passes the first meeting before all of them run, and none looks at its pet before all have theirs.
for (const customer of CUSTOMERS) {
  test(`${customer} takes a dog in while others do the same`, async ({ page, playwright, api, petstore }, {
    config,
  }) => {
    // With fewer workers each would wait for somebody who comes only after it.
    test.skip(config.workers < CUSTOMERS.length, `needs ${CUSTOMERS.length} workers`)
    await page.goto('/')
    await page.getByLabel('Name').fill(`Dog of ${customer}`)

    await meet(playwright, api, 'entrance')
    await page.getByRole('button', { name: 'Take in' }).click()
    const status = page.getByRole('status')
    await expect(status).toContainText('has moved in')
    await meet(playwright, api, 'exit')

    // In a store that they shared, one of them would get this number and the others the next ones.
    expect(await status.textContent()).toBe(`Dog of ${customer} has moved in as number 73.`)
    expect(await petstore.received('createPet')).toBe(1)
    expect(await (await petstore.request.get('/pets?name=Dog of')).json()).toHaveLength(1)
  })
}
