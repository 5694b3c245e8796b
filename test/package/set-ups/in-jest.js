import { expect } from '@jest/globals'
import { petstoreMatchers } from 'petstore-mock/assertions'
import { setupPetstore } from 'petstore-mock/node'
import { registerInJest } from './jest-suite.js'
import { OPTIONS } from './suite.js'

expect.extend(petstoreMatchers)

registerInJest(setupPetstore(OPTIONS), (petstore, operation, expected) =>
  expect(petstore).toHaveReceived(operation, expected),
)
