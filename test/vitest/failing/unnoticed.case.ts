import { expect, test as petstoreTest } from '../../../src/vitest/index.js'

const BASE = 'https://petstore.test'
const test = petstoreTest.extend({ petstoreOptions: { baseUrl: BASE, failOn: ['deprecated'] as const } })

/** Code under test that hides every failure. */
async function swallow(path: string): Promise<void> {
  await fetch(path).catch(() => {})
}

test('a request that nobody handles', async ({ petstore }) => {
  await swallow('https://elsewhere.invalid/things?token=abc')
  expect(petstore.journal.total).toBe(0)
})

test('an override outside the document', async ({ petstore }) => {
  petstore.override('listPets', () => ({ status: 200, body: [{ id: 1, name: 5, categoryId: 1 } as never] }))
  await swallow(`${BASE}/pets`)
})

test('a deprecated operation', async ({ petstore }) => {
  await swallow(`${BASE}/pets/1`)
  expect(petstore.journal.total).toBe(1)
})

test('nothing wrong', async ({ petstore }) => {
  await swallow(`${BASE}/pets`)
  expect(petstore).toHaveReceived('listPets')
})
