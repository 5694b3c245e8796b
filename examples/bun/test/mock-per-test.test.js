import { expect, test } from 'bun:test'
import { assertReceivedTimes } from 'petstore-mock/assertions'
import { setupPetstore } from 'petstore-mock/node'
import { adopt } from '../src/adoption.js'

const baseUrl = 'https://api.petstore.example'

/** A mock that listens until the end of the block, where it throws errors that the code under test has swallowed. */
function listen() {
  const petstore = setupPetstore({ baseUrl, scenario: 'empty' })
  petstore.listen()
  return petstore
}

test('tries again while the service is unavailable', async () => {
  using petstore = listen()
  const pet = petstore.data.pets.create({ stock: 1 })
  petstore.faults.add({ operation: 'createOrder', status: 503, times: 2 })

  await adopt(baseUrl, pet.id)

  assertReceivedTimes(petstore, 'createOrder', 3)
  expect(petstore.journal.entries().map(({ status }) => status)).toEqual([503, 503, 201])
})

test('fails if the connection breaks, and orders nothing', async () => {
  using petstore = listen()
  const pet = petstore.data.pets.create({ stock: 1 })
  petstore.faults.add({ operation: 'createOrder', kind: 'reset' })

  await expect(adopt(baseUrl, pet.id)).rejects.toThrow()

  expect(petstore.data.orders.all()).toEqual([])
})
