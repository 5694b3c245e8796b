/**
 * The cost of large data: generating, loading, and resetting after a test has written. For comparison, the usual way to
 * reset a plain @mswjs/data database, dropping and seeding it, is measured in the same run.
 */
import type { Fixture, Petstore } from '../src/index.js'
import { createPetstore, expectStatus, toPlain } from './built.js'
import type { Mode, Outcome } from './outcome.js'
import { createPlainDatabase, reseedPlainDatabase } from './plain-database.js'
import { median, time, timeAsync } from './statistics.js'
import { count, micros, printTable, printTitle } from './table.js'

const SIZES = { quick: { pets: 10_000, orders: 20_000 }, full: { pets: 100_000, orders: 200_000 } }
const LOADS = 3
const RESETS = 30
const PLAIN_RESETS = 15
const WRITES = [10, 100]
const SMALL = 100
const MAX_PERCENT = 1

export async function measureLargeData({ quick }: Mode): Promise<Outcome> {
  const sizes = { categories: 10, ...(quick ? SIZES.quick : SIZES.full) }
  printTitle('Large data', 'Microseconds of processor time, medians.')
  const { starting, loading } = await measureLoads(sizes)
  printTable(
    [`${count(sizes.pets)} pets, ${count(sizes.orders)} orders`, 'µs'],
    [
      ['generate and load', micros(starting)],
      ['load and check as fixtures', micros(loading)],
    ],
  )
  const small = await createReady({ pets: SMALL })
  const large = await createReady(sizes)
  const stores: [number, Petstore][] = [
    [SMALL, small],
    [sizes.pets, large],
  ]
  const rows = WRITES.flatMap((writes) =>
    stores.map(([size, petstore]) => ({
      name: `petstore.reset(), ${count(size)} pets`,
      writes,
      ...measureReset(
        () => write(petstore, writes),
        () => petstore.reset(),
        RESETS,
      ),
    })),
  )
  const [fewest = 0] = WRITES
  const all = [
    ...rows,
    { name: `@mswjs/data dropped and seeded, ${SMALL} pets`, writes: fewest, ...measurePlainDatabase(small) },
  ]
  printTable(
    ['reset', 'writes', 'µs to write', 'µs to reset'],
    all.map(({ name, writes, writing, resetting }) => [name, String(writes), micros(writing), micros(resetting)]),
  )
  const { resetting } = rows.at(-1) as (typeof rows)[number]
  const percent = (resetting / Math.min(loading, starting)) * 100
  const name = `reset after ${WRITES.at(-1)} writes to ${count(sizes.pets)} pets, % of loading them`
  return { figures: { sizes, starting, loading, rows: all }, targets: [{ name, value: percent, atMost: MAX_PERCENT }] }
}

async function createReady(options: Parameters<typeof createPetstore>[0]): Promise<Petstore> {
  const petstore = createPetstore(options)
  await petstore.ready
  return petstore
}

/** Custom fixtures are validated while they are loaded, generated data is not. */
async function measureLoads(sizes: { categories: number; pets: number; orders: number }) {
  const [starting, loading]: [number[], number[]] = [[], []]
  for (let round = 0; round < LOADS; round++) {
    let petstore: Petstore | undefined
    starting.push(
      await timeAsync(async () => {
        petstore = await createReady(sizes)
      }),
    )
    const fixtures = toFixture(petstore as Petstore)
    petstore = undefined
    loading.push(await timeAsync(() => createReady({ fixtures })))
  }
  return { starting: median(starting), loading: median(loading) }
}

/** All stored records have ids, although their type does not require them. */
function toFixture({ data }: Petstore): Fixture {
  const { categories, pets, inventory, orders } = data
  const fixture = { categories: categories.all(), pets: pets.all(), inventory: inventory.all(), orders: orders.all() }
  return fixture as Fixture
}

function measureReset(write: () => void, reset: () => void, rounds: number): { writing: number; resetting: number } {
  const samples = Array.from({ length: rounds + 1 }, () => ({ writing: time(write), resetting: time(reset) }))
  // The first round warms up.
  const kept = samples.slice(1)
  return { writing: median(kept.map(({ writing }) => writing)), resetting: median(kept.map((each) => each.resetting)) }
}

function measurePlainDatabase({ data }: Petstore) {
  const pets = data.pets.all()
  const database = createPlainDatabase()
  reseedPlainDatabase(database, pets)
  const [writes = 0] = WRITES
  const create = () => {
    for (let each = 1; each <= writes; each++) {
      database.pet.create({ id: String(pets.length + each), name: 'Rex', status: 'available' })
    }
  }
  return measureReset(create, () => reseedPlainDatabase(database, pets), PLAIN_RESETS)
}

function write(petstore: Petstore, times: number): void {
  const request = toPlain('POST', '/pets', '{"name":"Rex","categoryId":1}')
  for (let each = 0; each < times; each++) expectStatus(petstore, request, 201)
}
