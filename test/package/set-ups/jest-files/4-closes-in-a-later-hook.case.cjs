const { setupPetstore } = require('petstore-mock/node')

let petstore
beforeAll(() => {
  petstore = setupPetstore()
  petstore.listen()
})
afterAll(async () => {
  await new Promise(setImmediate)
  petstore.close()
})

test('lists pets', async () => {
  expect((await fetch('http://127.0.0.1:4010/pets')).status).toBe(200)
})
