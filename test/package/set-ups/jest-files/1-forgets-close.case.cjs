const { setupPetstore } = require('petstore-mock/node')

const petstore = setupPetstore()
beforeAll(() => petstore.listen())

test('lists pets', async () => {
  const response = await fetch('http://127.0.0.1:4010/pets')
  expect(response.status).toBe(200)
})
