/**
 * The processor time of the same vitest suite, 300 tests with two requests each, with different ways to respond to them.
 * In every round all of them run, in another order, and each is divided by the suite with msw handlers of that round; the
 * median over the rounds counts.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Mode, Outcome } from './outcome.js'
import { here } from './processes.js'
import { median } from './statistics.js'
import { count, printTable, printTitle, ratio } from './table.js'

const ROUNDS = { quick: 3, full: 9 }
const HANDLERS = 'hand-written msw handlers'
const FIXTURE = 'petstore-mock/vitest'
const VARIANTS = [
  'a stub of fetch',
  'petstore.fetch in memory',
  HANDLERS,
  'the same with an empty fixture',
  'petstore-mock/node with reset()',
  FIXTURE,
]

/** Microseconds of each variant. */
type Round = ReadonlyMap<string, number>

export async function measureSuites({ quick }: Mode): Promise<Outcome> {
  const rounds = Array.from({ length: quick ? ROUNDS.quick : ROUNDS.full }, (_, round) => runSuites(round + 1))
  const rows = VARIANTS.map((variant) => ({
    variant,
    millis: median(rounds.map((round) => find(round, variant))) / 1000,
    times: median(rounds.map((round) => find(round, variant) / find(round, HANDLERS))),
  }))
  printTitle(
    'Suites',
    `Milliseconds of processor time for 300 tests with two requests each, medians of ${rounds.length} rounds.`,
  )
  printTable(
    ['', 'ms', `times ${HANDLERS}`],
    rows.map(({ variant, millis, times }) => [variant, count(millis), ratio(times)]),
  )
  const value = rows.find(({ variant }) => variant === FIXTURE)?.times ?? Number.NaN
  return {
    figures: rows,
    targets: [{ name: `a suite with ${FIXTURE}, times one with msw handlers`, value, atMost: 1.1 }],
  }
}

function find(round: Round, variant: string): number {
  const micros = round.get(variant)
  if (micros === undefined) throw new Error(`The suite "${variant}" did not run.`)
  return micros
}

/** Runs each suite once, in an order that depends on the seed. */
function runSuites(seed: number): Round {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-mock-suites-'))
  const file = join(folder, 'figures.jsonl')
  const vitest = [here('../node_modules/vitest/vitest.mjs'), 'run', '--config', here('suites/vitest.config.ts')]
  const order = ['--sequence.shuffle.files', `--sequence.seed=${seed}`]
  try {
    execFileSync(process.execPath, [...vitest, ...order], { env: { ...process.env, BENCH_FIGURES: file } })
    const lines = readFileSync(file, 'utf8').trim().split('\n')
    return new Map(lines.map((line) => JSON.parse(line)).map(({ variant, micros }) => [variant, micros]))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
