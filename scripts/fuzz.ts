/**
 * Fuzzes the mock for a given time: `npm run fuzz -- --minutes 10`. Each round has a random seed, or counts up from
 * `--seed`. `--part` selects one kind of fuzzing, and `--path` repeats one case that failed before.
 * With --expose-gc it also checks the memory.
 */
import { parseArgs } from 'node:util'
import { type PartName, partNames, runPart } from '../test/fuzz/parts.js'
import { createTally, type Tally } from '../test/fuzz/tally.js'

/** The memory may grow by this much between the second round and the last, for caches and compiled code. */
const MAX_GROWTH_MB = 24

/** No request may block the process for longer. */
const MAX_BLOCKED_MS = 100

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
  console.error(`Usage: npm run fuzz -- [--minutes n] [--seed n] [--part ${partNames.join('|')} [--path p]]`)
  process.exit(2)
}

let seed = values.seed === undefined ? randomSeed() : Number(values.seed)
process.on('uncaughtException', (error) => fail(`With seed ${seed} an exception was not caught.\n${error.stack}`))
process.on('unhandledRejection', (error) => fail(`With seed ${seed} a rejection was not handled.\n${String(error)}`))

const total = createTally()
const heaps: number[] = []
do {
  await runRound(seed)
  seed = values.seed === undefined ? randomSeed() : seed + 1
} while (Date.now() < end && values.path === undefined)
printTotal()

async function runRound(seed: number): Promise<void> {
  for (const part of parts) await runOnePart(part, seed)
  const heap = heapInMegabytes()
  if (heap === undefined) return
  heaps.push(heap)
  console.log(`  memory afterwards ${heap.toFixed(1)} MB`)
}

async function runOnePart(part: PartName, seed: number): Promise<void> {
  const tally = createTally()
  const from = process.hrtime.bigint()
  const report = await runPart(part, { seed, ...(values.path !== undefined && { path: values.path }) }, tally)
  const seconds = Number(process.hrtime.bigint() - from) / 1e9
  console.log(`seed ${seed}, ${part.padEnd(6)} ${describe(tally)} in ${seconds.toFixed(1)} s`)
  add(tally)
  if (report !== undefined) fail(report)
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
  const { ms, description } = total.slowest
  console.log(`\nNo property was violated by ${describe(total)}`)
  console.log(`The slowest blocked the process for ${ms.toFixed(1)} ms: ${description}`)
  if (ms > MAX_BLOCKED_MS) fail(`No request may block the process for longer than ${MAX_BLOCKED_MS} ms.`)
  // The first rounds fill caches and compile code.
  const [, first, ...others] = heaps
  const last = others.at(-1)
  if (first === undefined || last === undefined) {
    console.log('Memory: not checked in fewer than three rounds')
    return
  }
  console.log(`Memory: ${first.toFixed(1)} MB after the second round, ${last.toFixed(1)} MB after the last`)
  if (last - first > MAX_GROWTH_MB) fail(`The memory has grown by more than ${MAX_GROWTH_MB} MB.`)
}

function heapInMegabytes(): number | undefined {
  if (globalThis.gc === undefined) return undefined
  globalThis.gc()
  globalThis.gc()
  return process.memoryUsage().heapUsed / 1_048_576
}

function randomSeed(): number {
  return Math.floor(Math.random() * 2 ** 31)
}

function fail(report: string): never {
  console.error(`\n${report}`)
  process.exit(1)
}
