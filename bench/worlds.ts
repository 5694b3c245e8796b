/**
 * What a large world costs: to generate, to load, to hold in memory, and to take back after a test has written to it.
 * Dropping and reseeding a stock @mswjs/data database stands beside it, in the same run, as the usual way to reset.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { drop } from '@mswjs/data'
import type { Fixture } from '../src/fixtures/format.js'
import { generateWorld } from '../src/fixtures/generate.js'
import { createPetstore, type Petstore, type PlainRequest } from '../src/index.js'
import { answer, createStockDatabase, median, seedStockDatabase, toPlain } from './support.js'

const SIZES = { categories: 10, pets: 100_000, orders: 200_000 }
const RECORDS = SIZES.categories + SIZES.pets + SIZES.orders
const WRITES = 100
const LOADS = 3
const RESETS = 15
const STOCK_PETS = 1000
const TARGET_PERCENT = 1

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

// Memory first, while the process has held nothing else. The world is generated inside, so no fixture stays behind.
const before = memory()
const petstore = createPetstore({ ...SIZES })
await petstore.ready
const after = memory()

const generating: number[] = []
const loading: number[] = []
const starting: number[] = []
let world: Fixture | undefined
for (let round = 0; round < LOADS; round++) {
  const generated = await time(() => {
    world = generateWorld(SIZES, 1)
  })
  const loaded = await time(() => createPetstore({ fixtures: world as Fixture }).ready)
  generating.push(generated)
  loading.push(loaded)
  world = undefined
  collect()
  starting.push(await time(() => createPetstore({ ...SIZES }).ready))
  collect()
}

const writing: number[] = []
const resetting: number[] = []
const reading: number[] = []
for (let round = 0; round <= RESETS; round++) {
  const wrote = await time(() => write(petstore, WRITES))
  const reset = await time(() => petstore.reset())
  // A reset that only put the work off would show here.
  const read = await time(() => expectStatus(petstore, 200, toPlain('GET', '/pets?limit=100&sort=-name')))
  // The first round warms up.
  if (round === 0) continue
  writing.push(wrote)
  resetting.push(reset)
  reading.push(read)
}

const stock = createStockDatabase()
const { pets: stockPets } = generateWorld({ categories: 10, pets: STOCK_PETS, orders: 0 }, 1)
const reseeding: number[] = []
seedStockDatabase(stock, stockPets)
for (let round = 0; round <= RESETS; round++) {
  const reseeded = await time(() => {
    drop(stock)
    seedStockDatabase(stock, stockPets)
  })
  if (round > 0) reseeding.push(reseeded)
}

const load = median(loading)
// Fixtures of one's own are checked while they are loaded, which a generated world is not: the faster one counts.
const start = median(starting)
const share = (median(resetting) / Math.min(load, start)) * 100
const perThousand = median(reseeding)
console.log(`Node ${process.version}, ${process.platform} ${process.arch}`)
console.log(`${count(SIZES.pets)} pets, ${count(SIZES.orders)} orders, ${SIZES.categories} categories\n`)
line('generate', ms(median(generating)), `median of ${LOADS}`)
line('load and check as fixtures', ms(load), `median of ${LOADS}, createPetstore until ready`)
line('generate and load unchecked', ms(start), `median of ${LOADS}, createPetstore with sizes until ready`)
line(
  'resident memory',
  `${mb(before.rss)} to ${mb(after.rss)} MB`,
  `${perRecord('rss')} bytes per record, with garbage`,
)
line('live heap', `${mb(before.heap)} to ${mb(after.heap)} MB`, `${perRecord('heap')} bytes per record`)
line(`${WRITES} writes`, ms(median(writing)), `median of ${RESETS}`)
line('reset after them', ms(median(resetting)), `median of ${RESETS}, worst ${ms(Math.max(...resetting))}`)
line('first sorted page after it', ms(median(reading)), `median of ${RESETS}`)
line(
  'reset, share of the faster load',
  `${share.toFixed(4)} %`,
  `target under ${TARGET_PERCENT} %: ${share < TARGET_PERCENT ? 'met' : 'MISSED'}`,
)
console.log('\nFor reference, stock @mswjs/data: drop everything and create it again')
line(`${count(STOCK_PETS)} pets`, ms(perThousand), `measured, median of ${RESETS}`)
line(
  `${count(RECORDS)} records`,
  ms((perThousand / STOCK_PETS) * RECORDS),
  'NOT measured: the line above times the number of records, as if cost grew no faster',
)

function write(target: Petstore, times: number): void {
  for (let index = 0; index < times; index++) {
    expectStatus(target, 201, toPlain('POST', '/pets', '{"name":"Rex","categoryId":1}'))
  }
}

function expectStatus(target: Petstore, expected: number, request: PlainRequest): void {
  const { status } = answer(target, request)
  if (status !== expected) throw new Error(`${request.method} ${request.path} was answered with ${status}`)
}

interface Memory {
  readonly rss: number
  readonly heap: number
}

/** Garbage is collected first; what the process keeps of its pages after that is still resident. */
function memory(): Memory {
  collect()
  const { rss, heapUsed, external } = process.memoryUsage()
  return { rss, heap: heapUsed + external }
}

function perRecord(kind: keyof Memory): string {
  return count(Math.round((after[kind] - before[kind]) / RECORDS))
}

async function time(act: () => void | Promise<void>): Promise<number> {
  const startedAt = performance.now()
  const acting = act()
  // Waiting for nothing would cost more than a reset does.
  if (acting) await acting
  return performance.now() - startedAt
}

function line(name: string, figure: string, note: string): void {
  console.log(`${name.padEnd(32)}${figure.padStart(18)}   ${note}`)
}

function ms(value: number): string {
  return `${value < 10 ? value.toFixed(3) : count(Math.round(value))} ms`
}

function mb(bytes: number): string {
  return (bytes / 1_000_000).toFixed(0)
}

function count(value: number): string {
  return value.toLocaleString('en')
}
