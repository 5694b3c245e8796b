import { expect, test } from '../../../src/runners/vitest/index.js'

test('reads pets', async ({ petstore }) => {
  expect((await fetch('http://127.0.0.1:4010/pets')).status).toBe(200)
  expect((await fetch('http://127.0.0.1:4010/pets/1')).status).toBe(200)
  expect(petstore).toHaveReceived('getPet')
})

test('sends an invalid limit', async () => {
  expect((await fetch('http://127.0.0.1:4010/pets?limit=0')).status).toBe(400)
})

test('sends nothing', () => {})
