import { expect, test } from 'petstore-mock/playwright'

// Each of these tests would see the others' dogs, or get another number, if they shared their data.
for (const name of ['Ada', 'Grace', 'Edsger', 'Barbara', 'Frances', 'Alan']) {
  test(`${name}'s dog is rendered by the server, and another one added by the page`, async ({ page, petstore }) => {
    await petstore.data.pets.create({ name: `Dog of ${name}`, categoryId: 1 })
    const rendered = await page.goto('/')
    expect(await rendered?.text()).toContain(`<li>Dog of ${name}</li>`)

    await page.getByLabel('Name').fill(`Puppy of ${name}`)
    await page.getByRole('button', { name: 'Take in' }).click()
    await expect(page.getByRole('status')).toHaveText(`Puppy of ${name} has moved in as number 74.`)

    const again = await page.reload()
    expect(await again?.text()).toContain(`<li>Puppy of ${name}</li><li>Dog of ${name}</li>`)
    await expect(petstore).toHaveReceivedTimes('listPets', 2)
    await expect(petstore).toHaveReceivedTimes('createPet', 1)
  })
}

test('shows an error while the service is down for the server', async ({ page, petstore }) => {
  await petstore.faults.add({ operation: 'listPets', status: 503, message: 'Closed for stocktaking.', times: 1 })
  await page.goto('/')
  await expect(page.getByRole('alert')).toHaveText('Closed for stocktaking.')
  await page.reload()
  await expect(page.getByRole('listitem')).toHaveCount(5)
})
