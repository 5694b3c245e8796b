import type { IncomingMessage } from 'node:http'
import https from 'node:https'
import { text } from 'node:stream/consumers'
import { afterEach, expect, it } from 'vitest'
import { setupMock, setupPetstore } from '../../src/adapters/node/index.js'
import { runInScope } from '../../src/adapters/node/listeners.js'
import { library } from '../support/library.js'

const PETS = 'https://pets.example/v1'
const BOOKS = 'https://books.example'

const mocks: { close(): void }[] = []

afterEach(() => {
  for (const mock of mocks.splice(0)) mock.close()
})

async function listen(names: { pets?: string; books?: string } = {}) {
  const petstore = setupPetstore({ baseUrl: names.pets ?? PETS })
  const books = setupMock(library, { baseUrl: names.books ?? BOOKS })
  mocks.push(petstore, books)
  await Promise.all([petstore.ready, books.ready])
  petstore.listen()
  books.listen()
  return { petstore, books }
}

const titles = async (address: string) => (await (await fetch(address)).json()) as unknown

it('each service answers at its own base URL', async () => {
  const { petstore, books } = await listen()
  books.data.books?.create({ title: 'Emil' })
  expect(await titles(`${BOOKS}/books/3`)).toMatchObject({ id: 3, title: 'Emil' })
  expect(await (await fetch(`${PETS}/pets/1`)).json()).toMatchObject({ id: 1 })
  expect((await fetch(`${BOOKS}/pets/1`)).status).toBe(404)
  const fromModule = await new Promise<IncomingMessage>((resolve) => https.get(`${BOOKS}/books/1`, resolve))
  expect(JSON.parse(await text(fromModule))).toMatchObject({ title: 'Emma' })
  expect(petstore.journal.entries().map(({ operation }) => operation)).toEqual(['getPet'])
  expect(books.journal.entries().map(({ operation }) => operation)).toEqual(['getBook', undefined, 'getBook'])
})

it('below one host, the base path decides', async () => {
  await listen({ pets: 'https://api.example/shop', books: 'https://api.example/library' })
  expect((await fetch('https://api.example/shop/pets/1')).status).toBe(200)
  expect((await fetch('https://api.example/library/books/1')).status).toBe(200)
  expect((await fetch('https://api.example/library/pets/1')).status).toBe(404)
})

it('faults and resets of one service leave the other alone', async () => {
  const { petstore, books } = await listen()
  books.faults.add({ status: 503 })
  expect((await fetch(`${BOOKS}/books`)).status).toBe(503)
  expect((await fetch(`${PETS}/pets`)).status).toBe(200)
  petstore.reset()
  expect(books.faults.list()).toHaveLength(1)
})

it('a test that is isolated from others can use both', () =>
  runInScope(async () => {
    await listen()
    expect((await fetch(`${BOOKS}/books/1`)).status).toBe(200)
    expect((await fetch(`${PETS}/pets/1`)).status).toBe(200)
  }))
