import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isFullRun } from '../support/full-run.js'
import { findFailures, oddDocument } from '../support/odd-documents.js'

it('documents with mistakes at random places are served, or refused with reasons', { timeout: 1_200_000 }, async () => {
  const property = fc.asyncProperty(oddDocument, async (document) => {
    expect(await findFailures(document)).toEqual([])
  })
  await fc.assert(property, { numRuns: isFullRun ? 1500 : 60 })
})
