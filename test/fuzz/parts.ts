import fc from 'fast-check'
import { WIRE_CASES } from './byte-mutations.js'
import { runInMemory } from './in-memory.js'
import { runBytes, runOnServer } from './on-server.js'
import { sequences } from './requests.js'
import type { Tally } from './tally.js'

/** The kinds of fuzzing. */
const PARTS = {
  memory: { runs: 360, property: (tally: Tally) => property(sequences(60, true), tally, runInMemory) },
  server: { runs: 120, property: (tally: Tally) => property(sequences(30, false), tally, runOnServer) },
  wire: { runs: 1000, property: (tally: Tally) => property(WIRE_CASES, tally, runBytes) },
}

export type PartName = keyof typeof PARTS

export const partNames = Object.keys(PARTS) as PartName[]

function property<Case>(
  cases: fc.Arbitrary<Case>,
  tally: Tally,
  run: (each: Case, tally: Tally) => Promise<void>,
): fc.IAsyncProperty<unknown> {
  return fc.asyncProperty(cases, (each) => run(each, tally)) as fc.IAsyncProperty<unknown>
}

export interface Round {
  readonly seed: number
  /** How much of the whole part to run, which takes less than a minute. Default: 1. */
  readonly share?: number
  /** The path to one case, from a report. */
  readonly path?: string
}

/** Less than the time limit of a test. A failing case is not shrunk any further afterwards. */
const MAX_MS = 280_000

/** Runs one kind of fuzzing. Throws an error with the smallest case found, and with the seed and path that repeat it. */
export async function runPart(name: PartName, { seed, share = 1, path }: Round, tally: Tally): Promise<void> {
  const { runs, property } = PARTS[name]
  await fc.assert(property(tally), {
    seed,
    numRuns: Math.ceil(runs * share),
    interruptAfterTimeLimit: MAX_MS,
    markInterruptAsFailure: true,
    ...(path !== undefined && { path }),
  })
}
