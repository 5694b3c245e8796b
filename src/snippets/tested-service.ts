import type { Reproduction } from '../engine/reproduction/reproduction.js'
import { specHash } from '../petstore/generated/spec-hash.js'

/** The variable for a mock: `petstore` for the built-in service. */
export type MockName = 'petstore' | 'mock'

export function mockNameOf(reproduction: Pick<Reproduction, 'specHash'>): MockName {
  return reproduction.specHash === specHash ? 'petstore' : 'mock'
}
