import { expect, test } from 'petstore-mock/playwright'

test.beforeEach(({ page }) => page.goto('/'))

test('shows the newest dogs', async ({ page }) => {
  await expect(page.getByRole('listitem')).toHaveCount(5)
  await expect(page).toHaveTitle('Dog shop (10)')
})

test('adds a dog', async ({ page, petstore }) => {
  await page.getByLabel('Name').fill('Biscuit')
  await page.getByRole('button', { name: 'Take in' }).click()

  await expect(page.getByRole('status')).toHaveText('Biscuit has moved in as number 73.')
  await expect(page.getByRole('listitem').first()).toContainText('Biscuit')
  await expect(petstore).toHaveReceived('createPet', { body: { name: 'Biscuit' }, status: 201 })
})

test('sells the last one', async ({ page, petstore }) => {
  await petstore.data.pets.create({ name: 'Biscuit', categoryId: 1 })
  await page.reload()
  await page.getByRole('button', { name: 'Order Biscuit' }).click()

  await expect(page.getByRole('status')).toHaveText('Order 121: Biscuit is yours.')
  await expect(page.getByRole('button', { name: 'Order Biscuit' })).toHaveCount(0)
})

test('says when another customer was faster', async ({ page, petstore }) => {
  await petstore.data.pets.create({ name: 'Biscuit', categoryId: 1 })
  await page.reload()
  await expect(page.getByRole('button', { name: 'Order Biscuit' })).toBeVisible()
  await petstore.data.orders.create({ petId: 73 })
  await page.getByRole('button', { name: 'Order Biscuit' }).click()

  await expect(page.getByRole('status')).toHaveText(/Pet 73/)
  await expect(petstore).toHaveReceivedTimes('createOrder', 1, { status: 409 })
})

test('shows an error while the service is down, and works when it is up again', async ({ page, petstore }) => {
  const message = 'Closed for stocktaking.'
  await petstore.faults.add({ operation: 'createPet', status: 503, message, times: 1 })
  await page.getByLabel('Name').fill('Biscuit')
  await page.getByRole('button', { name: 'Take in' }).click()
  await expect(page.getByRole('status')).toHaveText(message)

  await page.getByRole('button', { name: 'Take in' }).click()
  await expect(page.getByRole('status')).toHaveText('Biscuit has moved in as number 73.')
})
