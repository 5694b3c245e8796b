import { expect, test } from 'bun:test'
import { createPetstore } from 'petstore-mock'
import { petstoreMatchers } from 'petstore-mock/assertions'
import { request } from 'undici'
import { cases, expectFromNetwork } from './interception.js'

for (const [name, run] of Object.entries(cases)) test(name, run)

test('undici, which Bun replaces with its own, is not intercepted', () =>
  expectFromNetwork(async (url) => ({ text: await (await request(url)).body.text() })))

test('the matchers work in expect', async () => {
  expect.extend(petstoreMatchers)
  const petstore = createPetstore()
  await petstore.fetch('/pets?limit=3&offset=1')
  expect(petstore).toHaveReceived('listPets', { query: { limit: 3 } })
  expect(petstore).toHaveReceived('listPets', { query: { limit: 3n, offset: expect.any(Number) } })
  expect(petstore).toHaveReceivedTimes('listPets', 1)
  expect(petstore).not.toHaveReceived('listPets', { query: { limit: 4 } })
  expect(petstore).toHaveNoContractViolations()
  const fail = () => expect(petstore).toHaveReceived('listPets', { query: { limit: 4 } })
  expect(fail).toThrow('- Expected: {"query":{"limit":4}}')
})
