import { expect, test as petstoreTest } from '../../../src/vitest/index.js'

const test = petstoreTest.extend('petstoreOptions', { baseUrl: 'https://api.petstore.example' })

/** The code under test, with a mistake: it ignores the quantity. */
async function orderPet(petId: number, _quantity: number): Promise<void> {
  const headers = { 'Content-Type': 'application/json' }
  const order = { method: 'POST', headers, body: JSON.stringify({ petId, quantity: 1 }) }
  await fetch('https://api.petstore.example/store/orders', order)
}

test('orders two units', async ({ petstore }) => {
  petstore.data.pets.create({ id: 900, stock: 5 })
  await orderPet(900, 2)
  expect(petstore).toHaveReceived('createOrder', { body: { quantity: 2 } })
})
