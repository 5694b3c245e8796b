import { expect, test as petstoreTest } from '../../../src/vitest/index.js'

const BASE = 'https://petstore.test'
const test = petstoreTest.extend({ petstoreOptions: { baseUrl: BASE, failOn: ['deprecated'] as const } })

/** Code under test that swallows every error. */
async function fetchQuietly(url: string): Promise<void> {
  await fetch(url).catch(() => {})
}

test('an unhandled request', async ({ petstore }) => {
  await fetchQuietly('https://elsewhere.invalid/things?token=abc')
  expect(petstore.journal.total).toBe(0)
})

test('an override that violates the OpenAPI document', async ({ petstore }) => {
  petstore.override('listPets', () => ({ status: 200, body: [{ id: 1, name: 5, categoryId: 1 } as never] }))
  await fetchQuietly(`${BASE}/pets`)
})

test('a deprecated operation', async ({ petstore }) => {
  await fetchQuietly(`${BASE}/pets/1`)
  expect(petstore.journal.total).toBe(1)
})

test('no error', async ({ petstore }) => {
  await fetchQuietly(`${BASE}/pets`)
  expect(petstore).toHaveReceived('listPets')
})
