import { expect, it } from 'vitest'
import { createDocumentService } from '../../src/engine/mock/document-service.js'
import { verifyService } from '../../src/tools/verify/verify.js'
import { document } from '../support/library-document.js'
import { createLibraryService } from '../support/library-service.js'
import { differencesOf } from '../support/verify.js'

/** What the command does with `--document`. */
async function verifyLibrary(isCareless: boolean, allowWrites: boolean) {
  const service = createLibraryService(isCareless)
  const before = service.books()
  const { contract, resources, errorCodes, title } = createDocumentService(document)
  const verified = {
    description: `the service of "${title}"`,
    document,
    contract,
    resources,
    errorCodes,
  }
  const report = await verifyService(verified, {
    baseUrl: 'http://localhost',
    fetch: service.fetch,
    headers: [],
    timeoutMs: 60_000,
    allowWrites,
  })
  const own = service.books().filter(({ id }) => before.some((book) => book.id === id))
  return { report, before, own, differences: differencesOf(report), others: service.books().length - own.length }
}

it('finds nothing in a correct implementation, and leaves nothing behind', async () => {
  const { report, before, own, differences, others } = await verifyLibrary(false, true)
  expect(differences).toEqual([])
  expect(report).toMatchObject({ failed: 0, leftBehind: [], changed: [] })
  expect([own, others]).toEqual([before, 0])
})

it('finds what a careless one does with writes, and harms none of its own records', async () => {
  const { report, before, own, differences, others } = await verifyLibrary(true, true)
  expect(differences).toEqual(
    expect.arrayContaining([
      'addBook status 201→200',
      'listBooks status 404→200',
      'addBook status 400→200',
      'addBook status 415→200',
      'getBook status 400→200',
    ]),
  )
  expect([own, report.changed]).toEqual([before, []])
  // It could not be asked to delete what it has stored under ids of its own choice.
  expect(others).toBeGreaterThan(0)
  expect(report.leftBehind.length).toBeGreaterThanOrEqual(others)
})

it('finds what can be seen without writes', async () => {
  const { report, before, own, differences, others } = await verifyLibrary(true, false)
  expect(differences).toEqual(['listBooks status 404→200', 'getBook status 400→200', 'getBook status 404→200'])
  expect([own, others, report.wroteData]).toEqual([before, 0, false])
})
