/**
 * Fuzzes the mock for a given time: `npm run fuzz -- --minutes 10`. Each round has a random seed, or counts up from
 * `--seed`. `--part` selects one kind of fuzzing, and `--path` repeats one case that failed before. With `--document`, the mock
 * of any OpenAPI document is fuzzed, with requests made from it.
 */
import { parseArgs } from 'node:util'
import { createDocumentService } from '../src/engine/mock/load.js'
import { loadDocument } from '../src/index.js'
import { runDocument } from '../test/fuzz/documents.js'
import { partNames, runPart } from '../test/fuzz/parts.js'
import { createTally } from '../test/fuzz/tally.js'

/** The memory may grow by this much between the second round and the last, for caches and compiled code. */
const MAX_GROWTH_MB = 24

/** Sequences of requests in one round. */
const RUNS_OF_DOCUMENT = 50

/** No request may block the process for longer. The first to an operation of a document compiles its schemas. */
const MAX_BLOCKED_MS = { builtIn: 100, document: 1000 }

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    seed: { type: 'string' },
    part: { type: 'string' },
    path: { type: 'string' },
    document: { type: 'string' },
  },
})

const end = Date.now() + Number(values.minutes) * 60_000
const service = values.document === undefined ? undefined : createDocumentService(await loadDocument(values.document))
const parts = partNames.filter((name) => values.part === undefined || name === values.part)
let seed = Number(values.seed ?? randomSeed())
if (parts.length === 0 || Number.isNaN(end + seed)) {
  fail(`Usage: npm run fuzz -- [--minutes n] [--seed n] [--part ${partNames.join('|')} [--path p]] [--document file]`)
}
process.on('uncaughtException', (error) => fail(`With seed ${seed} an exception was not caught.`, error))
process.on('unhandledRejection', (error) => fail(`With seed ${seed} a rejection was not handled.`, error))

const tally = createTally()
const heaps: number[] = []
do {
  const round = { seed, ...(values.path !== undefined && { path: values.path }) }
  if (service) {
    await runDocument({ service, runs: RUNS_OF_DOCUMENT, ...round }, tally).catch((error) =>
      fail('A property is violated.', error),
    )
  } else {
    for (const part of parts) {
      await runPart(part, round, tally).catch((error) => fail(`Part ${part} violates a property.`, error))
    }
  }
  globalThis.gc?.()
  heaps.push(process.memoryUsage().heapUsed / 1_048_576)
  console.log(`seed ${seed}: ${tally.requests} requests so far, ${heaps.at(-1)?.toFixed(1)} MB`)
  seed = values.seed === undefined ? randomSeed() : seed + 1
} while (Date.now() < end && values.path === undefined)

const statuses = [...tally.statuses].sort(([a], [b]) => a - b).map(([status, times]) => `${status || 'none'}×${times}`)
console.log(`No property was violated. Responses: ${statuses.join(' ')}`)
const { ms, description } = tally.slowest
console.log(`The slowest blocked the process for ${ms.toFixed(1)} ms: ${description}`)
const maxMs = service ? MAX_BLOCKED_MS.document : MAX_BLOCKED_MS.builtIn
if (ms > maxMs) fail(`No request may block the process for longer than ${maxMs} ms.`)
// The first rounds fill caches and compile code.
const [, first = 0, ...later] = heaps
const growth = (later.at(-1) ?? first) - first
if (growth > MAX_GROWTH_MB) fail(`The memory has grown by ${growth.toFixed(1)} MB.`)

function randomSeed(): number {
  return Math.floor(Math.random() * 2 ** 31)
}

function fail(report: string, error?: unknown): never {
  console.error(report, error ?? '')
  process.exit(1)
}
