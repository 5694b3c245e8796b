import fc from 'fast-check'
import { expect, it } from 'vitest'
import { findFailures, oddDocument } from '../support/odd-documents.js'

// More of them: odd-documents.long.test.ts.
it('a document with mistakes at random places is served, or refused with reasons', async () => {
  const property = fc.asyncProperty(oddDocument, async (document) => {
    expect(await findFailures(document)).toEqual([])
  })
  await fc.assert(property, { numRuns: 20 })
})
