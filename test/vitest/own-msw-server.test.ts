import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { expect, test as petstoreTest } from '../../src/runners/vitest/index.js'
import { shop } from '../support/client.js'

const BASE = 'https://petstore.test'
const server = setupServer(http.get('https://rates.test/eur', () => HttpResponse.text('1.1')))
const test = petstoreTest.extend('petstoreOptions', { baseUrl: BASE, fixtures: shop([{ id: 1 }]), server })

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
beforeEach(() => server.resetHandlers())
afterAll(() => server.close())

for (const name of ['Ada', 'Kim', 'Lou']) {
  test.concurrent(`reaches the mock of its test, and the user’s own msw server: ${name}`, async ({ petstore }) => {
    petstore.data.pets.update(1, { name })
    const responses = await Promise.all([`${BASE}/pets/1`, 'https://rates.test/eur'].map((url) => fetch(url)))
    const texts = await Promise.all(responses.map((response) => response.text()))
    expect(JSON.parse(texts[0] as string)).toMatchObject({ name })
    expect(texts[1]).toBe('1.1')
    expect(petstore.journal.total).toBe(1)
  })
}
