import { expect, test } from 'petstore-mock/playwright'

const DOGS = [
  'Biscuit',
  'Crumb',
  'Waffle',
  'Pretzel',
  'Muffin',
  'Noodle',
  'Pickle',
  'Pepper',
  'Ginger',
  'Maple',
  'Basil',
]

// Every number is exact, so each of these tests fails if another one has changed its data.
for (const dog of DOGS) {
  test(`${dog} moves in and is sold`, async ({ page, petstore }) => {
    await page.goto('/')
    await expect(page).toHaveTitle('Dog shop (10)')
    await page.getByLabel('Name').fill(dog)
    await page.getByRole('button', { name: 'Take in' }).click()
    await expect(page.getByRole('status')).toHaveText(`${dog} has moved in as number 73.`)
    await expect(page).toHaveTitle('Dog shop (11)')

    await page.getByRole('button', { name: `Order ${dog}` }).click()
    await expect(page.getByRole('status')).toHaveText(`Order 121: ${dog} is yours.`)
    await expect(page).toHaveTitle('Dog shop (10)')
    await expect(petstore).toHaveReceivedTimes('createPet', 1, { body: { name: dog } })
    await expect(petstore).toHaveReceivedTimes('createOrder', 1, { status: 201 })
    expect(await petstore.data.inventory.find(73)).toMatchObject({ quantity: 0 })
  })
}
