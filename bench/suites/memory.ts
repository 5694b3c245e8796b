import { afterEach, test } from 'vitest'
import { createPetstore } from '../built.js'
import { readAndCreate, registerTests } from './suite.js'

const petstore = createPetstore()

registerTests('petstore.fetch in memory', (title) => test(title, () => readAndCreate(petstore.fetch, '')))

afterEach(() => {
  petstore.reset()
  petstore.check()
})
