import { connect, expect, type PetstoreClient, test } from 'petstore-mock/playwright'

const CUSTOMERS = ['Ada', 'Grace', 'Edsger', 'Barbara']

/** Waits until all customers have reached this point. They register in a sandbox that no test uses. */
async function waitForAll({ baseUrl }: PetstoreClient, point: string): Promise<void> {
  const { categories } = connect(new URL('/', baseUrl), { sandbox: `${point}-${test.info().repeatEachIndex}` }).data
  await categories.create({ name: 'I am here' })
  const here = async () => (await categories.all()).filter(({ name }) => name === 'I am here').length
  await expect.poll(here, { timeout: 50_000 }).toBe(CUSTOMERS.length)
}

// No test gets past the entrance before all are running, and none checks its pet before all have created theirs.
for (const customer of CUSTOMERS) {
  test(`${customer} adds a dog while others do the same`, async ({ page, petstore }, { config }) => {
    // With fewer workers, a test would wait for one that starts only after it.
    test.skip(config.workers < CUSTOMERS.length, `needs ${CUSTOMERS.length} workers`)
    await page.goto('/')
    await page.getByLabel('Name').fill(`Dog of ${customer}`)

    await waitForAll(petstore, 'entrance')
    await page.getByRole('button', { name: 'Take in' }).click()
    const status = page.getByRole('status')
    await expect(status).toContainText('has moved in')
    await waitForAll(petstore, 'exit')

    // If they shared a sandbox, one of them would get this number and the others the next ones.
    expect(await status.textContent()).toBe(`Dog of ${customer} has moved in as number 73.`)
    await expect(petstore).toHaveReceivedTimes('createPet', 1)
    const dogs = (await petstore.data.pets.all()).filter(({ name }) => name.startsWith('Dog of'))
    expect(dogs).toHaveLength(1)
  })
}
