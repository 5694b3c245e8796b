import { expect, it, onTestFinished } from 'vitest'
import { SAMPLES } from './bytes.js'
import { openWatched, playBytes } from './on-server.js'
import { type PartName, partNames, runPart } from './parts.js'
import { createTally } from './tally.js'

/** Another seed is another set of requests: `npm run fuzz` tries them. The same one gives the same on any machine. */
const SEED = 20_260_331

/** Statuses that a run must have met to be worth its time; 0 is an answer that never came, as it was asked for. */
const MET: Record<PartName, number[]> = {
  memory: [0, 200, 201, 204, 400, 404, 405, 406, 409, 410, 413, 414, 415, 422, 500, 503],
  server: [200, 201, 204, 400, 403, 404, 405, 406, 409, 415, 421, 422, 500],
  wire: [200, 201, 204, 400, 404, 415, 421, 503, 505],
}

let sent = 0

it.each(partNames)(`keeps every promise, whatever is sent (%s, seed ${SEED})`, { timeout: 300_000 }, async (name) => {
  const tally = createTally()
  const report = await runPart(name, { seed: SEED }, tally)
  if (report !== undefined) expect.fail(report)
  expect(MET[name].filter((status) => !tally.statuses.has(status))).toStrictEqual([])
  sent += tally.requests
})

it('has sent enough for that to mean something', () => {
  expect(sent).toBeGreaterThanOrEqual(10_000)
})

it('starts from bytes that are answered as long as nothing is done to them', async () => {
  const server = await openWatched()
  onTestFinished(() => server.close())
  for (const from of Object.keys(SAMPLES)) {
    const tally = createTally()
    await playBytes(server, { from, mutations: [], cuts: [500] }, tally)
    const refused = [...tally.statuses.keys()].filter((status) => status >= 400 && status !== 503)
    expect(refused, from).toStrictEqual([])
  }
})
