/**
 * What going back costs after a test has written ten times, at 100 and at 100,000 pets; beside it the usual way, which
 * is to drop an @mswjs/data database of 100 pets and to seed it again.
 */
import { drop } from '@mswjs/data'
import { createPetstore, type Petstore } from '../src/index.js'
import { answer, createStockDatabase, median, seedStockDatabase, toPlain } from './support.js'

const WRITES = 10
const ROUNDS = 200

const sizes = [100, 100_000]
const petstores = await Promise.all(
  sizes.map(async (pets) => {
    const petstore = createPetstore({ seed: 2, pets, orders: pets })
    await petstore.ready
    return petstore
  }),
)

console.log(`Medians of ${ROUNDS} rounds, µs, Node ${process.version}\n`)
console.log(`${''.padEnd(44)}${`${WRITES} writes`.padStart(12)}${'going back'.padStart(12)}${'ratio'.padStart(9)}`)
for (const [index, petstore] of petstores.entries()) {
  const { writes, reset } = compare(
    () => write(petstore),
    () => petstore.reset(),
  )
  print(`petstore.reset(), ${sizes[index]?.toLocaleString('en')} pets`, writes, reset)
}

const pets = (petstores[0] as Petstore).data.pets.all()
const database = createStockDatabase()
seedStockDatabase(database, pets)
let nextId = pets.length
const stock = compare(
  () => {
    for (let count = 0; count < WRITES; count++) {
      nextId += 1
      database.pet.create({ id: String(nextId), name: 'Rex', status: 'available' })
    }
  },
  () => {
    drop(database)
    seedStockDatabase(database, pets)
  },
)
print('@mswjs/data dropped and seeded, 100 pets', stock.writes, stock.reset)

/** Interleaved, so that both see the same machine. */
function compare(write: () => void, reset: () => void): { writes: number; reset: number } {
  const samples = { writes: [] as number[], reset: [] as number[] }
  for (let round = 0; round < ROUNDS; round++) {
    samples.writes.push(time(write))
    samples.reset.push(time(reset))
  }
  return { writes: median(samples.writes), reset: median(samples.reset) }
}

function write(petstore: Petstore): void {
  for (let count = 0; count < WRITES; count++) {
    const { status } = answer(petstore, toPlain('POST', '/pets', '{"name":"Rex","categoryId":1}'))
    if (status !== 201) throw new Error(`createPet was answered with ${status}`)
  }
}

function time(act: () => void): number {
  const startedAt = performance.now()
  act()
  return (performance.now() - startedAt) * 1000
}

function print(name: string, writes: number, reset: number): void {
  const columns = [
    writes.toFixed(0).padStart(12),
    reset.toFixed(1).padStart(12),
    (reset / writes).toFixed(2).padStart(9),
  ]
  console.log(`${name.padEnd(44)}${columns.join('')}`)
}
