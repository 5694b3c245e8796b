import assert from 'node:assert/strict'
import { assertReceived } from 'petstore-mock/assertions'
import { setupPetstore } from 'petstore-mock/node'
import { adopt } from '../src/adoption.js'

const baseUrl = 'https://api.petstore.example'
const petstore = setupPetstore({ baseUrl, scenario: 'empty' })

Deno.test.beforeAll(() => petstore.listen())
Deno.test.afterEach(() => {
  petstore.reset()
  petstore.check()
})
Deno.test.afterAll(() => petstore.close())

Deno.test('orders a pet', async () => {
  const pet = petstore.data.pets.create({ stock: 3 })

  const id = await adopt(baseUrl, pet.id)

  assertReceived(petstore, 'createOrder', { body: { petId: pet.id } })
  assert.equal(petstore.data.orders.find(id).petId, pet.id)
  assert.equal(petstore.data.inventory.find(pet.id).quantity, 2)
})

Deno.test('does not order a pet that is out of stock', async () => {
  const pet = petstore.data.pets.create({ status: 'pending', stock: 0 })

  await assert.rejects(adopt(baseUrl, pet.id))

  assert.deepEqual(petstore.data.orders.all(), [])
})
