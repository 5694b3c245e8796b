import { expect } from '@jest/globals'
import { type ExpectedRequest, type PetstoreMatchers, petstoreMatchers } from 'petstore-mock/assertions'
import { type NodePetstore, setupPetstore } from 'petstore-mock/node'
import { registerInJest } from './jest-suite.js'
import { OPTIONS } from './suite.js'

declare module 'expect' {
  interface Matchers<R> extends PetstoreMatchers {}
}

expect.extend(petstoreMatchers)

type Operation = 'createPet' | 'deletePet'

registerInJest(
  setupPetstore(OPTIONS),
  (petstore: NodePetstore, operation: Operation, expected: ExpectedRequest<Operation>) =>
    expect(petstore).toHaveReceived(operation, expected),
)
