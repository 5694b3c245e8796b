/** The matchers with the types of `@jest/globals`. */
import { expect, test } from '@jest/globals'
import { setupPetstore } from 'petstore-mock/jest'

const petstore = setupPetstore()

test('has typed matchers', async () => {
  expect(petstore).toHaveReceived('createPet', { body: { name: 'Rex' } })
  expect(petstore).not.toHaveReceivedTimes('listPets', 2)
  expect(petstore.sandboxes.open('a')).toHaveNoContractViolations()
  // @ts-expect-error an operation that does not exist
  expect(petstore).toHaveReceived('createPets')
  // @ts-expect-error not a mock
  expect(1).toHaveReceived('createPet')
})
