import fc from 'fast-check'
import { MUTATED, type Mutated, mutate } from './byte-mutations.js'
import { runInMemory } from './in-memory.js'
import { openRecordingServer, runBytes, runOnServer } from './on-server.js'
import { FailedRequest, type Sequence, sequences } from './requests.js'
import type { Tally } from './tally.js'

/** One kind of fuzzing: its cases, and how to run them. */
interface Part<Case> {
  readonly cases: fc.Arbitrary<Case>
  /** The number of cases in the test, which takes less than a minute. */
  readonly runs: number
  /** Formats a case for the report. */
  print(failed: Case, error: unknown): string
  open(): Promise<{ run(each: Case, tally: Tally): Promise<void>; close(): Promise<void> }>
}

function part<Case>(given: Part<Case>): Part<unknown> {
  return given as Part<unknown>
}

const nothingToClose = async () => {}

export const PARTS = {
  memory: part<Sequence>({
    cases: sequences(60, true),
    runs: 360,
    print: printSequence,
    open: async () => ({ run: runInMemory, close: nothingToClose }),
  }),
  server: part<Sequence>({
    cases: sequences(30, false),
    runs: 120,
    print: printSequence,
    open: async () => ({ run: runOnServer, close: nothingToClose }),
  }),
  wire: part<Mutated>({
    cases: MUTATED,
    runs: 1000,
    print: (mutated) => `${JSON.stringify(mutated)}\nbytes: ${escaped(mutate(mutated))}`,
    async open() {
      const server = await openRecordingServer()
      return { run: (each, tally) => runBytes(server, each, tally), close: server.close }
    },
  }),
} satisfies Record<string, Part<unknown>>

export type PartName = keyof typeof PARTS

export const partNames = Object.keys(PARTS) as PartName[]

/** Omits the requests after the one that failed. */
function printSequence({ options, requests }: Sequence, error: unknown): string {
  const sent = error instanceof FailedRequest ? requests.slice(0, error.requests) : requests
  return `options: ${JSON.stringify(options)}\n${sent.map((request) => JSON.stringify(request)).join('\n')}`
}

/** Bytes as a JavaScript string literal. */
function escaped(bytes: Uint8Array): string {
  const text = JSON.stringify(Buffer.from(bytes).toString('latin1'))
  return text.replaceAll(/[\u007f-\u00ff]/g, (each) => `\\x${each.charCodeAt(0).toString(16)}`)
}

/** The error with its stack trace. */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  return cause instanceof Error ? `${error.message}:\n${cause.stack}` : (error.stack ?? error.message)
}

export interface Round {
  readonly seed: number
  readonly runs?: number
  /** The path to one case, from a report. */
  readonly path?: string
}

/** The maximum number of attempts to shrink a failing case. */
const MAX_ATTEMPTS = 400

/** Runs one kind of fuzzing. Returns the report of a failure, with the smallest case found. */
export async function runPart(name: PartName, round: Round, tally: Tally): Promise<string | undefined> {
  const { cases, runs, print, open } = PARTS[name] as Part<unknown>
  const { run, close } = await open()
  let attempts = 0
  let hasFailed = false
  const property = fc.asyncProperty(cases, async (each) => {
    if (hasFailed && ++attempts > MAX_ATTEMPTS) return
    try {
      await run(each, tally)
    } catch (error) {
      hasFailed = true
      throw error
    }
  })
  try {
    const { seed, path } = round
    const found = await fc.check(property, { seed, numRuns: round.runs ?? runs, ...(path !== undefined && { path }) })
    if (!found.failed) return undefined
    const [smallest] = found.counterexample as [unknown]
    const again = `npm run fuzz -- --part ${name} --seed ${seed} --path ${found.counterexamplePath}`
    const error = found.errorInstance
    return [
      `Fuzzing (part ${name}, seed ${seed}) found a case that violates a property.`,
      ...['', print(smallest, error), ''],
      describeError(error),
      ...['', `To repeat: ${again}`],
    ].join('\n')
  } finally {
    await close()
  }
}
