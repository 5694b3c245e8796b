import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { petstoreMatchers } from 'petstore-mock/assertions'
import { setupPetstore } from 'petstore-mock/node'
import { adopt } from '../src/adoption.js'

expect.extend(petstoreMatchers)

const baseUrl = 'https://api.petstore.example'
const petstore = setupPetstore({ baseUrl, scenario: 'empty' })

beforeAll(() => petstore.listen())
afterEach(() => {
  petstore.reset()
  petstore.check()
})
afterAll(() => petstore.close())

test('orders a pet', async () => {
  const pet = petstore.data.pets.create({ stock: 3 })

  const id = await adopt(baseUrl, pet.id)

  expect(petstore).toHaveReceived('createOrder', { body: { petId: pet.id } })
  expect(petstore.data.orders.find(id)).toMatchObject({ petId: pet.id, quantity: 1 })
  expect(petstore.data.inventory.find(pet.id).quantity).toBe(2)
})

test('does not order a pet that is out of stock', async () => {
  const pet = petstore.data.pets.create({ status: 'pending', stock: 0 })

  await expect(adopt(baseUrl, pet.id)).rejects.toThrow()

  expect(petstore.data.orders.all()).toEqual([])
})
