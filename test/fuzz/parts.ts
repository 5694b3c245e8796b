import fc from 'fast-check'
import { MUTATED, type Mutated, mutate } from './bytes.js'
import { playInMemory } from './in-memory.js'
import { openWatched, playBytes, playOnServer } from './on-server.js'
import { BrokenPromise, type Sequence, sequences } from './requests.js'
import type { Tally } from './tally.js'

/** One way of fuzzing: what is sent, and what is done with it. */
interface Part<Case> {
  readonly cases: fc.Arbitrary<Case>
  /** How many cases a run within a minute has time for. */
  readonly runs: number
  /** How a case reads in a report. */
  print(failed: Case, error: unknown): string
  open(): Promise<{ play(each: Case, tally: Tally): Promise<void>; close(): Promise<void> }>
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
    open: async () => ({ play: playInMemory, close: nothingToClose }),
  }),
  server: part<Sequence>({
    cases: sequences(30, false),
    runs: 60,
    print: printSequence,
    open: async () => ({ play: playOnServer, close: nothingToClose }),
  }),
  wire: part<Mutated>({
    cases: MUTATED,
    runs: 1000,
    print: (mutated) => `${JSON.stringify(mutated)}\nbytes: ${escaped(mutate(mutated))}`,
    async open() {
      const server = await openWatched()
      return { play: (each, tally) => playBytes(server, each, tally), close: server.close }
    },
  }),
} satisfies Record<string, Part<unknown>>

export type PartName = keyof typeof PARTS

export const partNames = Object.keys(PARTS) as PartName[]

/** Without the requests after the one that failed. */
function printSequence({ options, requests }: Sequence, error: unknown): string {
  const played = error instanceof BrokenPromise ? requests.slice(0, error.requests) : requests
  return `options: ${JSON.stringify(options)}\n${played.map((asked) => JSON.stringify(asked)).join('\n')}`
}

/** Bytes as a string of JavaScript. */
function escaped(bytes: Uint8Array): string {
  const text = JSON.stringify(Buffer.from(bytes).toString('latin1'))
  return text.replaceAll(/[\u007f-\u00ff]/g, (each) => `\\x${each.charCodeAt(0).toString(16)}`)
}

/** With where it was thrown: the reader has the code of the fuzzing and of the mock at hand. */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  return cause instanceof Error ? `${error.message}:\n${cause.stack}` : (error.stack ?? error.message)
}

export interface Round {
  readonly seed: number
  readonly runs?: number
  /** The way to one case, as a report gives it. */
  readonly path?: string
}

/** Beyond so many attempts at a smaller case, the one there is must do. */
const MAX_ATTEMPTS = 400

/** Plays a part of the fuzzing. What comes back is the report of a failure, with a case as small as could be found. */
export async function runPart(name: PartName, round: Round, tally: Tally): Promise<string | undefined> {
  const { cases, runs, print, open } = PARTS[name] as Part<unknown>
  const { play, close } = await open()
  let attempts = 0
  let hasFailed = false
  const property = fc.asyncProperty(cases, async (each) => {
    if (hasFailed && ++attempts > MAX_ATTEMPTS) return
    try {
      await play(each, tally)
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
      `The fuzzing (part ${name}, seed ${seed}) has found a case that breaks a promise.`,
      ...['', print(smallest, error), ''],
      describeError(error),
      ...['', `Once more: ${again}`],
    ].join('\n')
  } finally {
    await close()
  }
}
