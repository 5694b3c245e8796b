/**
 * How the cost of an operation grows with the number of pets: the same work with data of several sizes, in process, and
 * the throughput cases on the server. The sizes alternate in every round and the medians count, so that noise affects all
 * sizes equally. Plain @mswjs/data is measured for comparison.
 */
import { factory, primaryKey } from '@mswjs/data'
import { createPetstore, expectStatus, toPlain } from './built.js'
import { findPets, type Operation, operations, REPEAT, type Row, type Sized } from './growth-operations.js'
import { measureOnServer } from './growth-server.js'
import type { Mode, Outcome } from './outcome.js'
import { median, time } from './statistics.js'
import { count, micros, printTable, printTitle, ratio } from './table.js'

const SIZES = { quick: [100, 10_000, 100_000], full: [100, 10_000, 100_000, 1_000_000] }
const ROUNDS = { quick: 40, full: 80 }
/** Rounds before measuring. */
const WARM_UP = 15
const MAX_ORDERS = 100_000
const PLAIN_SIZES = [100, 10_000]
const PLAIN_ROUNDS = 20
/** The target is about the cost of a request to the server. */
const TARGET_SIZES = [100, 100_000]

export async function measureGrowth({ quick }: Mode): Promise<Outcome> {
  const sizes = quick ? SIZES.quick : SIZES.full
  const first: number[][] = []
  const allSizes: Sized[] = []
  for (const size of sizes) {
    const { sized, firstPages } = await createSized(size)
    allSizes.push(sized)
    first.push(firstPages)
  }
  const rows = measureAll(allSizes, quick ? ROUNDS.quick : ROUNDS.full)
  const plain = measurePlainDatabase()
  const onServer = await measureOnServer(TARGET_SIZES, quick)
  printTitle('Growth', 'Microseconds of processor time each, medians; in brackets the ratio to the cost at 100 pets.')
  const header = ['', ...sizes.map((size) => `${count(size)} pets`)]
  printTable(header, rows.map(toCells))
  console.log('The first page with a new filter or sort order scans all pets, once:\n')
  printTable(
    header,
    ['first filtered page', 'first sorted page'].map((name, index) =>
      toCells({ name, costs: first.map((pages) => pages[index] as number) }),
    ),
  )
  printTable(['for comparison', ...PLAIN_SIZES.map((size) => `${count(size)} pets`)], plain.map(toCells))
  printTable(['on the server', ...TARGET_SIZES.map((size) => `${count(size)} pets`)], onServer.map(toCells))
  const worst = worstOf(onServer, 1)
  const inProcess = worstOf(rows, sizes.indexOf(TARGET_SIZES.at(-1) as number))
  return {
    figures: { sizes, rows, first, plain, onServer },
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
    time(() => expectStatus(petstore, toPlain('GET', target), 200)),
  )
  const removable = findPets(petstore, size, 'DELETE', (id) => [`/pets/${id}`])
  const sellable = findPets(petstore, size, 'POST', (id) => ['/store/orders', `{"petId":${id},"quantity":1}`])
  return { sized: { size, petstore, removable, sellable }, firstPages }
}

function measureAll(allSizes: readonly Sized[], rounds: number): Row[] {
  const samples = new Map<Operation, number[][]>(operations.map((each) => [each, allSizes.map(() => [])]))
  const turns = [...samples]
  for (let round = -WARM_UP; round < rounds; round++) {
    for (const [operation, ofSizes] of turns) {
      for (const [index, sized] of allSizes.entries()) {
        const cost = operation.measure(sized, operation.repeat ?? REPEAT)
        if (round >= 0) ofSizes[index]?.push(cost)
      }
    }
    // Rotates the order, because garbage is collected at regular intervals, at about the same point of a round.
    turns.push(...turns.splice(0, 1))
  }
  return [...samples].map(([{ name }, ofSizes]) => ({ name, costs: ofSizes.map(median) }))
}

function measurePlainDatabase(): Row[] {
  const databases = PLAIN_SIZES.map((size) => {
    const database = factory({ pet: { id: primaryKey(String), name: String, status: String } })
    for (let index = 0; index < size; index++) {
      const status = index % 2 === 0 ? 'available' : 'sold'
      database.pet.create({ id: String(index + 1), name: `Pet ${index}`, status })
    }
    return database
  })
  const measure = (act: (database: (typeof databases)[number]) => void) =>
    databases.map((database) => median(Array.from({ length: PLAIN_ROUNDS }, () => time(() => act(database)))))
  return [
    {
      name: 'plain @mswjs/data: find by id',
      costs: measure(({ pet }) => pet.findFirst({ where: { id: { equals: '1' } } })),
    },
    {
      name: 'plain @mswjs/data: filtered page',
      costs: measure(({ pet }) => pet.findMany({ where: { status: { equals: 'available' } }, take: 20 })),
    },
  ]
}

function toCells({ name, costs }: Row): string[] {
  const [base] = costs as [number]
  return [name, ...costs.map((cost, index) => (index === 0 ? micros(cost) : `${micros(cost)} (${ratio(cost / base)})`))]
}
