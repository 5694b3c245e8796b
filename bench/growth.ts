/**
 * How the cost of an operation grows with the catalogue: the same work in worlds of several sizes, in process, and what
 * the throughput measures on the server. The sizes take turns in every round and the medians count, so that no size has
 * the quieter machine. Stock @mswjs/data stands beside it.
 */
import { createPetstore, expectAnswer, toPlain } from './built.js'
import { measureOnServer } from './growth-on-server.js'
import { findPets, type Operation, operations, REPEAT, type Row, type Sized } from './growth-operations.js'
import type { Mode, Outcome } from './outcome.js'
import { median, time } from './statistics.js'
import { createStockDatabase, seedStockDatabase } from './stock.js'
import { count, micros, printTable, printTitle, ratio } from './table.js'

const SIZES = { quick: [100, 10_000, 100_000], full: [100, 10_000, 100_000, 1_000_000] }
const ROUNDS = { quick: 40, full: 80 }
/** Rounds that only warm up. */
const WARM_UP = 15
const MAX_ORDERS = 100_000
const STOCK_SIZES = [100, 10_000]
const STOCK_ROUNDS = 20
/** The target speaks of what a request to the server costs. */
const TARGET_SIZES = [100, 100_000]

export async function measureGrowth({ quick }: Mode): Promise<Outcome> {
  const sizes = quick ? SIZES.quick : SIZES.full
  const first: number[][] = []
  const worlds: Sized[] = []
  for (const size of sizes) {
    const { sized, firstPages } = await createSized(size)
    worlds.push(sized)
    first.push(firstPages)
  }
  const rows = measureAll(worlds, quick ? ROUNDS.quick : ROUNDS.full)
  const stock = measureStock()
  const onServer = await measureOnServer(TARGET_SIZES, quick)
  printTitle('Growth', 'Microseconds of processor time each, medians; in brackets times the cost at 100 pets.')
  const header = ['', ...sizes.map((size) => `${count(size)} pets`)]
  printTable(header, rows.map(toCells))
  console.log(
    'The first page of a filter or an order that nobody has asked for before passes over the catalogue, once:\n',
  )
  printTable(
    header,
    ['first filtered page', 'first sorted page'].map((name, index) =>
      toCells({ name, costs: first.map((pages) => pages[index] as number) }),
    ),
  )
  printTable(['for comparison', ...STOCK_SIZES.map((size) => `${count(size)} pets`)], stock.map(toCells))
  printTable(['on the server', ...TARGET_SIZES.map((size) => `${count(size)} pets`)], onServer.map(toCells))
  const worst = worstOf(onServer, 1)
  const inProcess = worstOf(rows, sizes.indexOf(TARGET_SIZES.at(-1) as number))
  return {
    figures: { sizes, rows, first, stock, onServer },
    targets: [
      {
        name: '100 to 100,000 pets, growth of a request to the server',
        value: worst.value,
        atMost: 1.15,
        note: `worst: ${worst.name}; in process, of ${rows.length} operations: ${inProcess.name}, ${ratio(inProcess.value)}`,
      },
    ],
  }
}

function worstOf(rows: readonly Row[], at: number): { name: string; value: number } {
  const growths = rows.map(({ name, costs }) => ({ name, value: (costs[at] as number) / (costs[0] as number) }))
  return growths.reduce((most, each) => (each.value > most.value ? each : most))
}

async function createSized(size: number): Promise<{ sized: Sized; firstPages: number[] }> {
  const petstore = createPetstore({ pets: size, orders: Math.min(size, MAX_ORDERS) })
  await petstore.ready
  const firstPages = ['/pets?limit=20&status=available', '/pets?limit=20&sort=-name'].map((target) =>
    time(() => expectAnswer(petstore, toPlain('GET', target), 200)),
  )
  const removable = findPets(petstore, size, 'DELETE', (id) => [`/pets/${id}`])
  const sellable = findPets(petstore, size, 'POST', (id) => ['/store/orders', `{"petId":${id},"quantity":1}`])
  return { sized: { size, petstore, removable, sellable }, firstPages }
}

function measureAll(worlds: readonly Sized[], rounds: number): Row[] {
  const samples = new Map<Operation, number[][]>(operations.map((each) => [each, worlds.map(() => [])]))
  const turns = [...samples]
  for (let round = -WARM_UP; round < rounds; round++) {
    for (const [operation, ofSizes] of turns) {
      for (const [index, world] of worlds.entries()) {
        const cost = operation.measure(world, operation.repeat ?? REPEAT)
        if (round >= 0) ofSizes[index]?.push(cost)
      }
    }
    // Each begins once: garbage is collected every so many rounds, at much the same place of one.
    turns.push(...turns.splice(0, 1))
  }
  return [...samples].map(([{ name }, ofSizes]) => ({ name, costs: ofSizes.map(median) }))
}

function measureStock(): Row[] {
  const databases = STOCK_SIZES.map((size) => {
    const database = createStockDatabase()
    const pets = Array.from({ length: size }, (_, index) => ({
      ...{ id: index + 1, name: `Pet ${index}`, categoryId: 1 },
      status: index % 2 === 0 ? ('available' as const) : ('sold' as const),
    }))
    seedStockDatabase(database, pets)
    return database
  })
  const measure = (act: (database: (typeof databases)[number]) => void) =>
    databases.map((database) => median(Array.from({ length: STOCK_ROUNDS }, () => time(() => act(database)))))
  return [
    {
      name: 'stock @mswjs/data: find by id',
      costs: measure(({ pet }) => pet.findFirst({ where: { id: { equals: '1' } } })),
    },
    {
      name: 'stock @mswjs/data: filtered page',
      costs: measure(({ pet }) => pet.findMany({ where: { status: { equals: 'available' } }, take: 20 })),
    },
  ]
}

function toCells({ name, costs }: Row): string[] {
  const [base] = costs as [number]
  return [name, ...costs.map((cost, index) => (index === 0 ? micros(cost) : `${micros(cost)} (${ratio(cost / base)})`))]
}
