import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { recordCoverage, setupPetstore } from '../../../src/runners/vitest/index.js'

const petstore = setupPetstore({ scenario: 'empty' })

beforeAll(() => petstore.listen())
afterEach(({ task }) => recordCoverage(task, petstore.coverage()))
afterAll(() => petstore.close())

it('reads pets', async () => {
  expect((await fetch('http://127.0.0.1:4010/pets')).status).toBe(200)
})

it('reads an unknown pet', async () => {
  expect((await fetch('http://127.0.0.1:4010/pets/1')).status).toBe(404)
})

it('reads orders', async () => {
  expect((await fetch('http://127.0.0.1:4010/store/orders')).status).toBe(200)
})
