const { setupPetstore } = require('petstore-mock/jest')

const url = 'https://api.petstore.example'
const petstore = setupPetstore({ baseUrl: url, scenario: 'single' })

for (const round of [1, 2]) {
  test(`starts with the same data, round ${round}`, async () => {
    expect(petstore.data.pets.all()).toHaveLength(1)
    petstore.data.pets.create()
    await fetch(`${url}/pets`)
    expect(petstore).toHaveReceivedTimes('listPets', 1)
  })
}

test('fails for an error that the code under test has caught', async () => {
  await fetch('https://elsewhere.example/').catch(() => {})
})

test('fails once for an error that nobody has caught', async () => {
  await fetch('https://elsewhere.example/')
})

test('is not affected by the tests before it', () => {
  expect(petstore.journal.total).toBe(0)
})
