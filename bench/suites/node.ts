import { afterAll, afterEach, beforeAll, test } from 'vitest'
import { setupPetstore } from '../built.js'
import { BASE, readAndCreate, registerTests } from './suite.js'

registerTests('petstore-mock/node with reset()', (title) => test(title, () => readAndCreate(fetch, BASE)))

const petstore = setupPetstore({ baseUrl: BASE })
beforeAll(() => petstore.listen())
afterEach(() => {
  petstore.reset()
  petstore.check()
})
afterAll(() => petstore.close())
