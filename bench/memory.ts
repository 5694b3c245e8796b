/**
 * Memory use: of a pet, a journal entry and an idle sandbox, measured in this process after garbage collection; and of the
 * built server, idle compared with raw node:http, and after many requests.
 */
import type { Petstore } from '../src/index.js'
import { createMock, createPetstore, expectStatus, loadDocument, toPlain } from './built.js'
import { BASELINE, PETSTORE_DOCUMENT } from './candidates.js'
import { mixedSteps } from './cases.js'
import { CONNECTIONS, startLoad } from './load.js'
import type { Mode, Outcome, Target } from './outcome.js'
import { builtCommand, type Command, pause, residentBytesOf, start } from './processes.js'
import { median } from './statistics.js'
import { count, megabytes, printTable, printTitle, ratio } from './table.js'

const PETS = { quick: 20_000, full: 100_000 }
const ENTRIES = 5000
const SANDBOXES = 200
const OWN = 5
const SPAWNS = { quick: 7, full: 15 }
const SETTLE_MS = 500
/** The numbers of requests after which the memory is measured. */
const REQUESTS = { quick: [20_000, 100_000, 200_000], full: [100_000, 500_000, 1_000_000] }
const MANY = { pets: 100_000, requests: 60_000 }
const BUILT = [builtCommand, '--port', '{port}', '--quiet']
const READ = toPlain('GET', '/pets?limit=20&status=available&sort=-name')

export async function measureMemory({ quick }: Mode): Promise<Outcome> {
  const sizes = await measureSizes(quick ? PETS.quick : PETS.full)
  printTitle('Memory', 'Memory use after garbage collection.')
  printTable(
    ['', 'bytes'],
    sizes.map(({ name, bytes }) => [name, count(bytes)]),
  )
  const idle = await measureIdle(quick ? SPAWNS.quick : SPAWNS.full)
  const used = await measureUse(quick ? REQUESTS.quick : REQUESTS.full)
  const many = await measureManyPets()
  return {
    figures: { sizes, idle: idle.figures, used: used.figures, many: many.value },
    targets: [...idle.targets, ...used.targets, many],
  }
}

// --- In this process ---

async function measureSizes(pets: number) {
  const kept: Petstore[] = []
  const keep = async (petstore: Petstore) => {
    await petstore.ready
    kept.push(petstore)
    return petstore
  }
  // The first mock loads shared modules.
  await keep(createPetstore({ pets: 100, orders: 0 }))
  const perPet = (await memoryOf(() => keep(createPetstore({ pets, orders: 0 })))) / pets
  const document = await loadDocument(PETSTORE_DOCUMENT)
  const createRecords = (count: number) =>
    keep(createMock({ document, sizes: { all: 0, pets: count } }) as unknown as Petstore)
  await createRecords(100)
  const perRecord = (await memoryOf(() => createRecords(pets))) / pets
  const journal = await keep(createPetstore({ journalSize: ENTRIES, journalBytes: 1e9 }))
  const perEntry = (await memoryOf(() => fillJournal(journal))) / ENTRIES
  const options = { seed: 2, pets: 10_000, maxSandboxes: 3 * SANDBOXES }
  const petstore = await keep(createPetstore(options))
  // Indexes of the starting data are created on first use, and shared.
  expectStatus(petstore, READ, 200)
  useSandbox(petstore, 'warm', 0)
  const each = async (writes: number) =>
    (await memoryOf(() => {
      for (let index = 0; index < SANDBOXES; index++) useSandbox(petstore, `${writes}-${index}`, writes)
    })) / SANDBOXES
  const read = await each(0)
  const written = await each(10)
  const own = await memoryOf(async () => {
    for (let index = 0; index < OWN; index++) expectStatus(await keep(createPetstore(options)), READ, 200)
  })
  return [
    { name: 'a pet, with its stock', bytes: perPet },
    { name: 'the same record of any document', bytes: perRecord },
    { name: `a journal entry, of ${count(ENTRIES)}`, bytes: perEntry },
    { name: 'a sandbox that has read, over 10,000 pets', bytes: read },
    { name: 'a sandbox that has written 10 pets', bytes: written },
    { name: 'a separate mock instead', bytes: own / OWN },
  ]
}

function fillJournal(petstore: Petstore): void {
  const steps = mixedSteps.filter(({ target }) => !target.includes('{id}'))
  for (let index = 0; index < ENTRIES; index++) {
    const { method, target, body, status } = steps[index % steps.length] as (typeof steps)[number]
    expectStatus(petstore, toPlain(method, target, body), status)
  }
}

function useSandbox(petstore: Petstore, name: string, writes: number): void {
  const inSandbox = (request: typeof READ) => ({
    ...request,
    headers: { ...request.headers, 'x-petstore-sandbox': name },
  })
  expectStatus(petstore, inSandbox(READ), 200)
  const create = inSandbox(toPlain('POST', '/pets', '{"name":"Rex","categoryId":1}'))
  for (let index = 0; index < writes; index++) expectStatus(petstore, create, 201)
}

async function memoryOf(act: () => unknown): Promise<number> {
  const before = heap()
  await act()
  return heap() - before
}

function heap(): number {
  globalThis.gc?.()
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

// --- The built server ---

async function measureIdle(spawns: number): Promise<{ targets: Target[]; figures: unknown }> {
  const commands: Command[] = [{ args: [BASELINE, '{port}'] }, { args: BUILT }]
  const pairs: number[][] = []
  for (let round = 0; round < spawns; round++) {
    pairs.push([await idleBytes(commands[0] as Command), await idleBytes(commands[1] as Command)])
  }
  const [baseline = Number.NaN, own = Number.NaN] = [0, 1].map((index) => median(pairs.map((pair) => pair[index] ?? 0)))
  console.log(`Resident memory ${SETTLE_MS} ms after the first response, medians of ${spawns} spawns.\n`)
  printTable(
    ['', 'MB', 'ratio to the baseline'],
    [
      ['raw node:http', megabytes(baseline), ratio(1)],
      ['petstore-mock', megabytes(own), ratio(own / baseline)],
    ],
  )
  const target = { name: 'idle memory, times raw node:http', value: own / baseline, atMost: 1.4 }
  return { targets: Number.isNaN(target.value) ? [] : [target], figures: { baseline, own } }
}

async function idleBytes(command: Command): Promise<number> {
  const { pid, stop } = await start(command)
  await pause(SETTLE_MS)
  const bytes = residentBytesOf(pid) ?? Number.NaN
  await stop()
  return bytes
}

async function measureUse(marks: readonly number[]): Promise<{ targets: Target[]; figures: unknown }> {
  const server = await start({ args: BUILT, reportsMemory: true })
  const load = startLoad()
  const seen: { requests: number; rss: number; heap: number }[] = []
  let done = 0
  for (const mark of marks) {
    const order = { port: server.port, steps: mixedSteps, connections: CONNECTIONS, requests: mark - done }
    done += (await load.run(order)).requests
    const rss = residentBytesOf(server.pid) ?? Number.NaN
    const { heapUsed, external } = await server.memory()
    seen.push({ requests: done, rss, heap: heapUsed + external })
  }
  load.stop()
  await server.stop()
  console.log('The built server after many requests of all kinds, creates paired with deletes.\n')
  printTable(
    ['requests', 'resident MB', 'heap MB after garbage collection'],
    seen.map(({ requests, rss, heap }) => [count(requests), megabytes(rss), megabytes(heap)]),
  )
  const [first, , last] = seen as [(typeof seen)[0], (typeof seen)[0], (typeof seen)[0]]
  const name = `resident memory after ${count(marks.at(-1) ?? 0)} requests, ratio to that after ${count(marks[0] ?? 0)}`
  const note = `heap after garbage collection: ${ratio(last.heap / first.heap)}`
  return { targets: [{ name, value: last.rss / first.rss, atMost: 1.05, note }], figures: seen }
}

/** The server with many generated pets, after many requests. */
async function measureManyPets(): Promise<Target> {
  const server = await start({ args: [...BUILT, '--pets', String(MANY.pets)] })
  const load = startLoad()
  await load.run({ port: server.port, steps: mixedSteps, connections: CONNECTIONS, requests: MANY.requests })
  const value = (residentBytesOf(server.pid) ?? Number.NaN) / 1_048_576
  load.stop()
  await server.stop()
  return { name: `resident MB, ${count(MANY.pets)} pets, after ${count(MANY.requests)} requests`, value, atMost: 200 }
}
