import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { createMock, defineService, loadDocument } from 'petstore-mock'
import { setupMock } from 'petstore-mock/node'
import { lend } from '../lend.js'

const service = defineService({ document: await loadDocument(new URL('../library.yaml', import.meta.url)) })
const library = setupMock(service, { baseUrl: 'https://library.example', scenario: 'empty' })

before(async () => {
  await library.ready
  library.listen()
})
afterEach(() => library.reset())
after(() => library.close())

test('lends a book, which the library remembers', async () => {
  const emma = library.data.books.create({ title: 'Emma', authorId: 1 })
  assert.equal((await lend(emma.id, 'Ada')).borrower, 'Ada')
  assert.equal(library.data.books.find(emma.id).borrower, 'Ada')
})

test('gives the reason in the form that the document declares', async () => {
  await assert.rejects(lend(99, 'Ada'), /BOOK_NOT_FOUND/)
})

test('fails while the library is closed', async () => {
  const emma = library.data.books.create({ title: 'Emma', authorId: 1 })
  library.faults.add({ operation: 'changeBook', status: 503, times: 1 })
  await assert.rejects(lend(emma.id, 'Ada'))
  assert.equal((await lend(emma.id, 'Ada')).borrower, 'Ada')
})

test('starts with books of authors that exist, the same for each seed', async () => {
  const [one, other] = [createMock(service, { seed: 7 }), createMock(service, { seed: 7 })]
  await Promise.all([one.ready, other.ready])
  const authors = one.data.authors.all().map(({ id }) => id)
  assert.ok(one.data.books.all().every(({ authorId }) => authors.includes(authorId)))
  assert.deepEqual(one.data.books.all(), other.data.books.all())
})
