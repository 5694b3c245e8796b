import { expect } from '@jest/globals'
import { type ExpectedRequest, petstoreMatchers } from 'petstore-mock/assertions'
import type {} from 'petstore-mock/jest'
import { type NodePetstore, setupPetstore } from 'petstore-mock/node'
import { registerInJest } from './jest-suite.js'
import { OPTIONS } from './suite.js'

expect.extend(petstoreMatchers)

type Operation = 'createPet' | 'deletePet'

registerInJest(
  setupPetstore(OPTIONS),
  (petstore: NodePetstore, operation: Operation, expected: ExpectedRequest<Operation>) =>
    expect(petstore).toHaveReceived(operation, expected),
)
