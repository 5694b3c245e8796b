import { expect } from 'petstore-mock/vitest'
import { createShopClient } from '../src/shop-client.js'
import { baseUrl, test } from './petstore-test.js'

const client = createShopClient(baseUrl)

test('lists a category across its pages', async ({ petstore }) => {
  const category = petstore.data.categories.create({ name: 'Otters' })
  const created = Array.from({ length: 25 }, () => petstore.data.pets.create({ categoryId: category.id }))

  const listed = await client.pets(Number(category.id))

  expect(listed).toEqual(created)
  expect(petstore).toHaveReceivedTimes('listPets', 3)
  expect(petstore).toHaveReceived('listPets', { query: { categoryId: category.id, offset: 20 } })
})

test('places an order, which reduces the stock', async ({ petstore }) => {
  const pet = petstore.data.pets.create({ stock: 3 })

  const order = await client.order(Number(pet.id), 2)

  expect(order).toMatchObject({ petId: pet.id, quantity: 2, complete: false })
  expect(petstore.data.inventory.find(pet.id)).toMatchObject({ quantity: 1 })
  expect(petstore).toHaveReceived('createOrder', { body: { petId: pet.id, quantity: 2 } })
  expect(petstore).toHaveNoContractViolations()
})

test('throws the error of the service when an order is rejected', async ({ petstore }) => {
  const pet = petstore.data.pets.create({ stock: 1 })

  await expect(client.order(Number(pet.id), 2)).rejects.toMatchObject({ status: 409, code: 'INSUFFICIENT_STOCK' })

  expect(petstore).toHaveReceivedTimes('createOrder', 1)
  expect(petstore.data.inventory.find(pet.id)).toMatchObject({ quantity: 1 })
})

test('retries when the service is temporarily unavailable', async ({ petstore }) => {
  const pet = petstore.data.pets.create({ stock: 1 })
  petstore.override('createOrder', { status: 503, headers: { 'Retry-After': '0' } }, { times: 1 })

  const order = await client.order(Number(pet.id), 1)

  expect(petstore.data.orders.find(order.id)).toEqual(order)
  expect(petstore.journal.entries({ operation: 'createOrder' }).map(({ status }) => status)).toEqual([503, 201])
})

test('gives up when the service stays down', async ({ petstore }) => {
  const pet = petstore.data.pets.create()
  petstore.override('createOrder', { status: 503, headers: { 'Retry-After': '0' } })

  await expect(client.order(Number(pet.id), 1)).rejects.toMatchObject({ status: 503 })

  expect(petstore).toHaveReceivedTimes('createOrder', 3, { body: { petId: pet.id } })
})

test('sets the ship date when an order is completed', async ({ petstore }) => {
  const { id } = petstore.data.orders.create({ complete: false })
  petstore.clock.freeze()
  petstore.clock.set('2030-12-24T18:00:00Z')

  const order = await client.ship(Number(id))

  expect(order).toMatchObject({ complete: true, shipDate: '2030-12-24T18:00:00.000Z' })
})

// These run at the same time and at the same address, but each test has its own mock.
test.concurrent.for(['Ada', 'Grace'])('%s buys the last one', async (_customer, { petstore }) => {
  const pet = petstore.data.pets.create({ stock: 1 })

  await client.order(Number(pet.id), 1)

  expect(petstore.data.pets.find(pet.id)).toMatchObject({ status: 'pending' })
  expect(petstore).toHaveReceivedTimes('createOrder', 1)
})
