/**
 * Fuzzes the mock for as long as it is told to: `npm run fuzz -- --minutes 10`. Each round has a fresh seed, or begins at
 * the one that `--seed` names; `--part` keeps to one way of fuzzing, and `--path` leads to one case that failed before.
 * Run with --expose-gc it watches the memory as well.
 */
import { parseArgs } from 'node:util'
import { type PartName, partNames, runPart } from '../test/fuzz/parts.js'
import { createTally, type Tally } from '../test/fuzz/tally.js'

/** What may stay behind from one round to the end of all: caches and compiled code, no worlds. */
const MAX_GROWN_MB = 24

/** Nothing may hold up everybody else for longer. */
const MAX_MS = 100

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    seed: { type: 'string' },
    part: { type: 'string' },
    path: { type: 'string' },
  },
})

const end = Date.now() + Number(values.minutes) * 60_000
const parts = values.part === undefined ? partNames : partNames.filter((name) => name === values.part)
if (parts.length === 0 || Number.isNaN(end) || Number.isNaN(Number(values.seed ?? 0))) {
  console.error(`usage: npm run fuzz -- [--minutes n] [--seed n] [--part ${partNames.join('|')} [--path p]]`)
  process.exit(2)
}

let seed = values.seed === undefined ? freshSeed() : Number(values.seed)
process.on('uncaughtException', (error) =>
  giveUp(`With seed ${seed} something was thrown that nobody caught.\n${error.stack}`),
)
process.on('unhandledRejection', (error) =>
  giveUp(`With seed ${seed} something was rejected that nobody awaited.\n${String(error)}`),
)

const total = createTally()
const heaps: number[] = []
do {
  await playRound(seed)
  seed = values.seed === undefined ? freshSeed() : seed + 1
} while (Date.now() < end && values.path === undefined)
printTotal()

async function playRound(seed: number): Promise<void> {
  for (const part of parts) await playPart(part, seed)
  const heap = heapInMegabytes()
  if (heap === undefined) return
  heaps.push(heap)
  console.log(`  memory after it ${heap.toFixed(1)} MB`)
}

async function playPart(part: PartName, seed: number): Promise<void> {
  const tally = createTally()
  const from = process.hrtime.bigint()
  const report = await runPart(part, { seed, ...(values.path !== undefined && { path: values.path }) }, tally)
  const seconds = Number(process.hrtime.bigint() - from) / 1e9
  console.log(`seed ${seed}, ${part.padEnd(6)} ${describe(tally)} in ${seconds.toFixed(1)} s`)
  add(tally)
  if (report !== undefined) giveUp(report)
}

function add({ requests, statuses, slowest }: Tally): void {
  total.requests += requests
  for (const [status, times] of statuses) total.statuses.set(status, (total.statuses.get(status) ?? 0) + times)
  if (slowest.ms > total.slowest.ms) total.slowest = slowest
}

function describe({ requests, statuses }: Tally): string {
  const each = [...statuses].sort(([a], [b]) => a - b).map(([status, times]) => `${status || 'none'}×${times}`)
  return `${requests} requests: ${each.join(' ')}`
}

function printTotal(): void {
  const { ms, what } = total.slowest
  console.log(`\nNo promise was broken by ${describe(total)}`)
  console.log(`The slowest held the process up for ${ms.toFixed(1)} ms: ${what}`)
  if (ms > MAX_MS) giveUp(`Nothing may take longer than ${MAX_MS} ms.`)
  // The first rounds fill caches and have code compiled.
  const [, first, ...others] = heaps
  const last = others.at(-1)
  if (first === undefined || last === undefined) {
    console.log('Memory: not judged in fewer than three rounds')
    return
  }
  console.log(`Memory: ${first.toFixed(1)} MB after the second round, ${last.toFixed(1)} MB after the last`)
  if (last - first > MAX_GROWN_MB) giveUp(`The memory has grown by more than ${MAX_GROWN_MB} MB.`)
}

function heapInMegabytes(): number | undefined {
  if (globalThis.gc === undefined) return undefined
  globalThis.gc()
  globalThis.gc()
  return process.memoryUsage().heapUsed / 1_048_576
}

function freshSeed(): number {
  return Math.floor(Math.random() * 2 ** 31)
}

function giveUp(report: string): never {
  console.error(`\n${report}`)
  process.exit(1)
}
