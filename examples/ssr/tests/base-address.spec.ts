import { expect, test } from 'petstore-mock/playwright'

// The address of the API ends in /sandbox/fixed here, so all tests of this shop share one sandbox.
test('the page and the server see the same sandbox, named by the base address', async ({ page, petstore }) => {
  await petstore.reset()
  await petstore.data.pets.create({ name: 'Biscuit', categoryId: 1 })
  const rendered = await page.goto('/')
  expect(await rendered?.text()).toContain('<li>Biscuit</li>')
  await page.getByLabel('Name').fill('Crumb')
  await page.getByRole('button', { name: 'Take in' }).click()
  await expect(page.getByRole('status')).toHaveText('Crumb has moved in as number 74.')
})
