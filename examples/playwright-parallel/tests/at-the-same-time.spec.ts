import type { PlaywrightWorkerArgs } from '@playwright/test'
import { expect, test } from './petstore-test'

const CUSTOMERS = ['Ada', 'Grace', 'Edsger']

/** Waits until all customers have reached this point. They register in a sandbox that no worker uses. */
async function waitForAll(playwright: PlaywrightWorkerArgs['playwright'], api: string, point: string): Promise<void> {
  const extraHTTPHeaders = { 'X-Petstore-Sandbox': `meeting-${point}` }
  const request = await playwright.request.newContext({ baseURL: api, extraHTTPHeaders })
  await request.post('/categories', { data: { name: 'I am here' } })
  const here = async () => (await (await request.get('/categories?name=I am here')).json()).length
  await expect.poll(here, { timeout: 50_000 }).toBe(CUSTOMERS.length)
  await request.dispose()
}

// No test gets past the entrance before all are running, and none checks its pet before all have created theirs.
for (const customer of CUSTOMERS) {
  test(`${customer} adds a dog while others do the same`, async ({ page, playwright, api, petstore }, { config }) => {
    // With fewer workers, a test would wait for one that starts only after it.
    test.skip(config.workers < CUSTOMERS.length, `needs ${CUSTOMERS.length} workers`)
    await page.goto('/')
    await page.getByLabel('Name').fill(`Dog of ${customer}`)

    await waitForAll(playwright, api, 'entrance')
    await page.getByRole('button', { name: 'Take in' }).click()
    const status = page.getByRole('status')
    await expect(status).toContainText('has moved in')
    await waitForAll(playwright, api, 'exit')

    // If they shared a sandbox, one of them would get this number and the others the next ones.
    expect(await status.textContent()).toBe(`Dog of ${customer} has moved in as number 73.`)
    expect(await petstore.received('createPet')).toBe(1)
    expect(await (await petstore.request.get('/pets?name=Dog of')).json()).toHaveLength(1)
  })
}
