import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { assertReceived } from 'petstore-mock/assertions'
import { setupPetstore } from 'petstore-mock/node'
import { createStockKeeper } from '../src/stock-keeper.js'

const baseUrl = 'https://api.petstore.example'
// Empty, so that a test sees only the data that it created.
const petstore = setupPetstore({ baseUrl, scenario: 'empty' })
const keeper = createStockKeeper(baseUrl)

before(() => petstore.listen())
afterEach(() => {
  petstore.reset()
  petstore.check()
})
after(() => petstore.close())

test('restocks pets that are running low, and leaves the rest', async () => {
  const rare = petstore.data.pets.create({ stock: 2 })
  const plenty = petstore.data.pets.create({ stock: 9 })

  assert.equal(await keeper.fillUp(5), 1)

  assert.equal(petstore.data.inventory.find(rare.id).quantity, 5)
  assert.equal(petstore.data.inventory.find(plenty.id).quantity, 9)
})

test('reads all pages', async () => {
  for (let count = 0; count < 120; count += 1) petstore.data.pets.create({ stock: 1 })

  assert.equal(await keeper.fillUp(2), 120)

  const pages = petstore.journal.entries({ operation: 'listInventory' })
  assert.deepEqual(
    pages.map(({ query }) => query.offset),
    [0, 50, 100],
  )
})

test('ships the open orders for a pet, with the current date', async () => {
  const pet = petstore.data.pets.create({ stock: 3 })
  petstore.data.orders.create({ petId: pet.id })
  petstore.data.orders.create({ petId: pet.id, complete: true })
  petstore.clock.freeze()
  petstore.clock.set('2030-12-24T18:00:00Z')

  assert.deepEqual(await keeper.ship(pet.id), ['2030-12-24T18:00:00.000Z'])

  assertReceived(petstore, 'updateOrder', { body: { complete: true } })
})

test('throws the error of the service when an order cannot be cancelled', async () => {
  const order = petstore.data.orders.create({ complete: true })

  await assert.rejects(keeper.cancel(order.id), { status: 409, code: 'ORDER_COMPLETE' })

  assert.ok(petstore.data.orders.find(order.id))
})

test('retries when the service is temporarily unavailable', async () => {
  const order = petstore.data.orders.create()
  petstore.override('deleteOrder', { status: 503, headers: { 'Retry-After': '0' } }, { times: 1 })

  await keeper.cancel(order.id)

  assert.equal(petstore.data.orders.find(order.id), undefined)
  const statuses = petstore.journal.entries({ operation: 'deleteOrder' }).map(({ status }) => status)
  assert.deepEqual(statuses, [503, 204])
})

test('uses no deprecated operation', async () => {
  const pet = petstore.data.pets.create()
  petstore.data.orders.create({ petId: pet.id })

  await keeper.fillUp(5)
  await keeper.ship(pet.id)

  const deprecated = petstore.lifecycleWarnings.filter(({ marker }) => marker === 'deprecated')
  assert.deepEqual(deprecated, [])
})
