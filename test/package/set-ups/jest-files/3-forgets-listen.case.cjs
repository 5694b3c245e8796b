const { setupPetstore } = require('petstore-mock/node')

setupPetstore()

test('lists pets', async () => {
  await fetch('http://127.0.0.1:4010/pets')
})
