import { describe, expectTypeOf } from 'vitest'
import { createMock, defineService, type ServiceOf } from '../../src/index.js'
import { petstoreService } from '../../src/petstore/service.js'
import { createTest, expect } from '../../src/runners/vitest/index.js'
import { document } from '../support/library-document.js'

interface Book {
  id: number
  title: string
  borrower?: string
}

/** As openapi-typescript generates them. */
interface operations {
  getBook: {
    parameters: { path: { bookId: number } }
    responses: { 200: { content: { 'application/json': Book } } }
  }
  addBook: {
    parameters: object
    requestBody: { content: { 'application/json': { title: string } } }
    responses: { 201: { content: { 'application/json': Book } } }
  }
}

const library = defineService<ServiceOf<operations, { books: Book }>>({
  document,
  operations: {
    getBook({ path }, standard) {
      expectTypeOf(path.bookId).toBeNumber()
      return standard()
    },
  },
  scenarios: { default: { books: [{ id: 1, title: 'Emma' }] } },
})

/** A service whose handlers use the library. */
const desk = defineService<ServiceOf<operations, { books: Book }, { library: ServiceOf<operations, { books: Book }> }>>(
  {
    document,
    operations: {
      addBook({ services, body }, standard) {
        services.library.data.books.create({ title: body.title })
        // @ts-expect-error: it is no resource of the library
        services.library.data.films
        // @ts-expect-error: it is not among the services
        services.archive
        return standard()
      },
    },
    scenarios: { default: {} },
  },
)

const test = createTest({
  library: { service: library, baseUrl: 'https://books.example' },
  archive: { document, baseUrl: 'https://archive.example', scenario: 'empty' },
  shop: { service: petstoreService, baseUrl: 'https://pets.example', seed: 7 },
  kiosk: { document: 'spec/openapi.yaml', baseUrl: 'https://kiosk.example' },
  desk: { service: desk, baseUrl: 'https://desk.example' },
})

describe('each test has a mock of each service', () => {
  for (const title of ['in one test', 'in the next one, with new data']) {
    test(title, async ({ library, archive, shop, kiosk }) => {
      expect(library.data.books.create({ title: 'Emil' }).id).toBe(2)
      expect(await (await fetch('https://books.example/books/2')).json()).toMatchObject({ id: 2, title: 'Emil' })
      expect(await (await fetch('https://archive.example/books')).json()).toEqual([])
      expect((await fetch('https://pets.example/pets/1')).status).toBe(200)
      expect((await fetch('https://kiosk.example/pets/1')).status).toBe(200)
      for (const mock of [library, archive, shop, kiosk]) expect(mock.journal.total).toBe(1)
    })
  }

  test('whose handlers use the others', async ({ library }) => {
    const headers = { 'content-type': 'application/json' }
    await fetch('https://desk.example/books', { method: 'POST', body: '{"title":"Ulysses"}', headers })
    expect(library.data.books.all().map(({ title }) => title)).toEqual(['Emma', 'Ulysses'])
  })

  test('that reports what no service handles', async ({ library }) => {
    await expect(fetch('https://other.example/books')).rejects.toThrow()
    expect(() => library.check()).toThrow('https://other.example/books')
  })
})

describe('a mock knows the operations and records of its service', () => {
  test('and rejects a handler of an unknown operation', async () => {
    const misspelled = defineService<ServiceOf<operations>>({
      document,
      // @ts-expect-error A misspelled operation.
      operations: { getBuch: (_: unknown, standard: () => never) => standard() },
    })
    await expect(createMock(misspelled).ready).rejects.toThrow('Unknown operation "getBuch"')
  })

  test('so that mistakes do not compile', ({ library }) => {
    expectTypeOf(library.data.books.find(1)).toEqualTypeOf<Book | undefined>()
    // @ts-expect-error A misspelled field.
    expect(() => library.data.books.create({ titel: 'Emma' })).toThrow('titel')
    // @ts-expect-error A misspelled resource.
    expect(library.data.boooks).toBeUndefined()
    // @ts-expect-error A misspelled operation.
    expect(() => library.override('getBuch', { status: 503 })).toThrow('getBuch')
    // @ts-expect-error And one of a fault rule.
    expect(() => library.faults.add({ operation: 'getBuch', status: 503 })).toThrow('getBuch')
    // @ts-expect-error An id of another kind.
    expect(() => library.data.books.find({})).toThrow('An id must be')
  })
})

describe('the matchers know the operations of each service', () => {
  test('so that mistakes do not compile', async ({ library, archive }) => {
    await fetch('https://books.example/books/1')
    expect(library).toHaveReceived('getBook', { params: { bookId: 1 } })
    expect(archive).not.toHaveReceived('getBook', { params: { anything: 1 } })
    // @ts-expect-error A misspelled operation.
    expect(() => expect(library).toHaveReceived('getBuch')).toThrow('getBuch')
    // @ts-expect-error A misspelled parameter.
    expect(library).not.toHaveReceived('getBook', { params: { bukId: 1 } })
  })
})
