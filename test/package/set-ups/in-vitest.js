import { petstoreMatchers } from 'petstore-mock/assertions'
import { setupPetstore } from 'petstore-mock/node'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { OPTIONS } from './suite.js'
import { registerInVitest } from './vitest-suite.js'

expect.extend(petstoreMatchers)

const petstore = setupPetstore(OPTIONS)
beforeAll(() => petstore.listen())
afterEach(() => {
  petstore.reset()
  petstore.check()
})
afterAll(() => petstore.close())

registerInVitest('petstore-mock/node', (title, act) => test(title, () => act(petstore)))
