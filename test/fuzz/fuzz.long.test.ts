import { expect, it } from 'vitest'
import { defineService } from '../../src/index.js'
import { isFullRun } from '../support/full-run.js'
import { styles } from '../support/styles-document.js'
import { SAMPLES } from './byte-mutations.js'
import { runDocument } from './documents.js'
import { runBytes } from './on-server.js'
import { type PartName, partNames, runPart } from './parts.js'
import { createTally } from './tally.js'

/** The same seed gives the same requests on any machine. `npm run fuzz` uses other seeds. */
const SEED = 20_260_331

/** Statuses that must occur in the full run; otherwise it is not varied enough. 0 is a simulated missing response. */
const EXPECTED_STATUSES: Record<PartName, number[]> = {
  memory: [0, 200, 201, 204, 400, 404, 405, 406, 409, 410, 413, 414, 415, 422, 500, 503],
  server: [200, 201, 204, 400, 403, 404, 405, 406, 409, 415, 421, 422, 500],
  wire: [200, 201, 204, 400, 404, 415, 421, 503, 505],
}

it.each(partNames)(`violates no property, whatever is sent (%s, seed ${SEED})`, { timeout: 300_000 }, async (name) => {
  const tally = createTally()
  await runPart(name, { seed: SEED, share: isFullRun ? 1 : 0.1 }, tally)
  expect(tally.requests).toBeGreaterThan(isFullRun ? 1000 : 100)
  const missing = EXPECTED_STATUSES[name].filter((status) => !tally.statuses.has(status))
  if (isFullRun) expect(missing).toStrictEqual([])
})

it('starts from bytes that are accepted without mutations', async () => {
  for (const [name, text] of Object.entries(SAMPLES)) {
    const tally = createTally()
    await runBytes({ text, cuts: [500] }, tally)
    const rejected = [...tally.statuses.keys()].filter((status) => status >= 400 && status !== 503)
    expect(rejected, name).toStrictEqual([])
  }
})

it('violates no property for the service of a document', { timeout: 300_000 }, async () => {
  const tally = createTally()
  await runDocument({ service: defineService({ document: styles }), seed: SEED, runs: isFullRun ? 300 : 30 }, tally)
  const expected = [200, 201, 204, 400, 404, 405]
  expect([...tally.statuses.keys()].sort((a, b) => a - b)).toEqual(expect.arrayContaining(expected))
})
