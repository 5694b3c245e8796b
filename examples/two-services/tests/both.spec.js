import { expect } from 'petstore-mock/playwright'
import { test } from './services.js'

for (const customer of ['Ada', 'Grace', 'Edsger']) {
  test(`${customer} buys, and is billed`, async ({ page, shop, billing }) => {
    await page.goto('/')
    await page.getByRole('button').click()
    // Exact numbers: the tests run at the same time, and each has data of its own.
    await expect(page.getByRole('status')).toHaveText('Order 1, invoice 1 of 5')
    await expect(shop).toHaveReceivedTimes('order', 1)
    expect(await billing.data.invoices.all()).toEqual([{ id: 1, orderId: 1, total: 5 }])
  })
}

test('says when an order is not billed yet', async ({ page, shop, billing }) => {
  await billing.faults.add({ operation: 'listInvoices', status: 503, times: 1 })
  await page.goto('/')
  await page.getByRole('button').click()
  await expect(page.getByRole('status')).toHaveText('Order 1 is not billed yet.')
  expect(await shop.data.orders.all()).toHaveLength(1)
})
