/**
 * How the cost of a request grows with the catalogue: the same requests at 100 and at 100,000 pets, ours beside stock
 * @mswjs/data doing the same look-up, interleaved in one run. Prints microseconds and the growth factor.
 */
import { generateWorld } from '../src/fixtures/generate.js'
import { createPetstore, type Petstore } from '../src/index.js'
import { answer, createStockDatabase, median, seedStockDatabase, toPlain } from './support.js'

const SMALL = 100
const LARGE = 100_000
const ROUNDS = 7

interface Measure {
  readonly name: string
  /** One run of the measured work, at one size. */
  readonly small: () => void
  readonly large: () => void
  readonly repeat: number
}

const worlds = new Map([SMALL, LARGE].map((pets) => [pets, generateWorld({ categories: 10, pets, orders: pets }, 1)]))
const petstores = new Map([...worlds].map(([size, fixtures]) => [size, createPetstore({ fixtures })]))
const stock = new Map(
  [...worlds].map(([size, { pets }]) => {
    const database = createStockDatabase()
    seedStockDatabase(database, pets)
    return [size, database]
  }),
)

const measures: Measure[] = [
  ...requests('get the first pet', () => ['GET', '/pets/1']),
  ...requests('get the last pet', (size) => ['GET', `/pets/${size}`]),
  ...requests('page of 20', () => ['GET', '/pets?limit=20']),
  ...requests('page by status', () => ['GET', '/pets?limit=20&status=available']),
  ...requests('page by category', () => ['GET', '/pets?limit=5&categoryId=3']),
  ...requests('page from the middle', (size) => ['GET', `/pets?limit=20&offset=${size / 2}`]),
  ...requests('page sorted by name', () => ['GET', '/pets?limit=20&sort=-name']),
  ...requests('create a pet', () => ['POST', '/pets', '{"name":"Rex","categoryId":1}']),
  ...requests('restock a pet', () => ['PUT', '/store/inventory/1', '{"quantity":5}']),
  {
    name: 'stock @mswjs/data: find by id',
    repeat: 5,
    small: () => stock.get(SMALL)?.pet.findFirst({ where: { id: { equals: '1' } } }),
    large: () => stock.get(LARGE)?.pet.findFirst({ where: { id: { equals: '1' } } }),
  },
  {
    name: 'stock @mswjs/data: page by status',
    repeat: 5,
    small: () => stock.get(SMALL)?.pet.findMany({ where: { status: { equals: 'available' } }, take: 20 }),
    large: () => stock.get(LARGE)?.pet.findMany({ where: { status: { equals: 'available' } }, take: 20 }),
  },
]

const samples = new Map(measures.map(({ name }) => [name, { small: [] as number[], large: [] as number[] }]))
for (let round = 0; round <= ROUNDS; round++) {
  for (const { name, small, large, repeat } of measures) {
    const sample = { small: time(small, repeat), large: time(large, repeat) }
    // The first round warms up.
    if (round === 0) continue
    samples.get(name)?.small.push(sample.small)
    samples.get(name)?.large.push(sample.large)
  }
  for (const petstore of petstores.values()) petstore.reset()
}

console.log(`Node ${process.version}, ${process.platform} ${process.arch}, medians of ${ROUNDS} rounds, microseconds\n`)
console.log(
  `${'request'.padEnd(36)}${`${SMALL} pets`.padStart(12)}${`${LARGE} pets`.padStart(14)}${'growth'.padStart(10)}`,
)
for (const [name, { small, large }] of samples) {
  const [a, b] = [median(small), median(large)]
  console.log(
    `${name.padEnd(36)}${a.toFixed(1).padStart(12)}${b.toFixed(1).padStart(14)}${(b / a).toFixed(2).padStart(9)}x`,
  )
}

function requests(name: string, make: (size: number) => [method: string, target: string, body?: string]): Measure[] {
  const run = (size: number) => {
    const petstore = petstores.get(size) as Petstore
    const request = toPlain(...make(size))
    return () => {
      const { status } = answer(petstore, request)
      if (status >= 400) throw new Error(`${name} was answered with ${status}`)
    }
  }
  return [{ name, repeat: 2000, small: run(SMALL), large: run(LARGE) }]
}

function time(run: () => void, repeat: number): number {
  const startedAt = performance.now()
  for (let count = 0; count < repeat; count++) run()
  return ((performance.now() - startedAt) * 1000) / repeat
}
