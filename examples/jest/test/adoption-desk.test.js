const { setupPetstore } = require('petstore-mock/jest')
const { createAdoptionDesk } = require('../src/adoption-desk')

const baseUrl = 'https://api.petstore.example'
const petstore = setupPetstore({ baseUrl })
const desk = createAdoptionDesk(baseUrl)

test('lists the pets of a category that can be adopted', async () => {
  const { id: categoryId } = petstore.data.categories.create({ name: 'Otters' })
  petstore.data.pets.create({ name: 'Zoe', categoryId })
  petstore.data.pets.create({ name: 'Bo', categoryId })
  petstore.data.pets.create({ name: 'Kim', categoryId, status: 'sold' })

  const pets = await desk.waiting('Otters')

  expect(pets.map(({ name }) => name)).toEqual(['Bo', 'Zoe'])
})

test('does not request pets of an unknown category', async () => {
  expect(await desk.waiting('Dragons')).toEqual([])

  expect(petstore.journal.entries()).toHaveLength(1)
  expect(petstore.journal.entries({ operation: 'listPets' })).toEqual([])
})

test('reserves a pet', async () => {
  const pet = petstore.data.pets.create({ stock: 1 })

  const order = await desk.adopt(pet.id)

  expect(petstore.data.orders.find(order.id)).toMatchObject({ petId: pet.id, quantity: 1, complete: false })
  expect(petstore.data.pets.find(pet.id)).toMatchObject({ status: 'pending' })
})

test('returns undefined when another customer was faster', async () => {
  const pet = petstore.data.pets.create({ status: 'pending' })

  expect(await desk.adopt(pet.id)).toBeUndefined()

  expect(petstore).toHaveReceived('createOrder', { status: 409, body: { petId: pet.id } })
})

test('retries when the service is temporarily unavailable', async () => {
  const pet = petstore.data.pets.create()
  petstore.override('createOrder', { status: 503, headers: { 'Retry-After': '0' } }, { times: 1 })

  const order = await desk.adopt(pet.id)

  expect(order).toMatchObject({ petId: pet.id })
  expect(petstore.journal.entries({ operation: 'createOrder' }).map(({ status }) => status)).toEqual([503, 201])
})

test('sets the ship date when a pet is handed over', async () => {
  const pet = petstore.data.pets.create({ stock: 1 })
  const { id } = petstore.data.orders.create({ petId: pet.id })
  petstore.clock.freeze()
  petstore.clock.set('2030-12-24T18:00:00Z')

  expect(await desk.handOver(id)).toMatchObject({ complete: true, shipDate: '2030-12-24T18:00:00.000Z' })

  expect(petstore.data.pets.find(pet.id)).toMatchObject({ status: 'sold' })
})

test('starts every test with the same data', () => {
  expect(petstore.data.categories.all().map(({ name }) => name)).not.toContain('Otters')
  expect(petstore.journal.total).toBe(0)
})
