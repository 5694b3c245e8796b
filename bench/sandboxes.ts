/**
 * What a sandbox weighs that was used once to read, once to write ten pets, and not since; over a world of 10,000 pets,
 * and beside it a pet store of its own for each, which is the other way to keep parallel tests apart. And what the
 * journal holds after many more requests than it keeps.
 */
import type { Petstore } from '../src/index.js'
import { answer, toPlain } from './support.js'

const PETS = 10_000
const SANDBOXES = 200
const OWN = 5
const REQUESTS = 100_000

// As it is published: what runs TypeScript as it is gives every function a name of its own, which weighs.
const { createPetstore }: typeof import('../src/index.js') = await import(
  new URL('../dist/index.js', import.meta.url).href
)

const collect = globalThis.gc
if (collect === undefined) throw new Error('run it with node --expose-gc')

const options = { seed: 2, pets: PETS, maxSandboxes: 2 * SANDBOXES }
const petstore = createPetstore(options)
await petstore.ready
// Indexes of the starting state are made at their first use, and are everybody's.
const read = toPlain('GET', '/pets?limit=20&status=available&sort=-name')
answer(petstore, read)
use('warm', false)

console.log(`A world of ${PETS.toLocaleString('en')} pets, Node ${process.version}\n`)
const idle = measure(SANDBOXES, (index) => use(`read-${index}`, false))
const written = measure(SANDBOXES, (index) => use(`written-${index}`, true))
const kept: Petstore[] = []
const own = await measureLater(OWN, async () => {
  const each = createPetstore(options)
  await each.ready
  answer(each, read)
  kept.push(each)
})
print('a sandbox that has read', idle, own)
print('a sandbox that has written 10 pets', written, own)
print('a pet store of its own', own, own)

console.log(`\nThe journal after ${REQUESTS.toLocaleString('en')} requests, and as many again`)
const busy = createPetstore()
const get = toPlain('GET', '/pets/1')
const ask = (count: number) => {
  for (let each = 0; each < count; each++) answer(busy, get)
}
// Until it is full, and everything is compiled that is going to be.
ask(REQUESTS)
const before = heap()
ask(REQUESTS)
const grown = heap() - before
const { total, evicted } = busy.journal
console.log(`  kept ${busy.journal.entries().length}, total ${total}, evicted ${evicted}`)
console.log(`  memory since the first half: ${(grown / 1024).toFixed(0)} KB`)

function use(name: string, writes: boolean): void {
  const header = { 'x-petstore-sandbox': name }
  const send = (method: string, target: string, body?: string) => {
    const request = toPlain(method, target, body)
    answer(petstore, { ...request, headers: { ...request.headers, ...header } })
  }
  send('GET', '/pets?limit=20&status=available&sort=-name')
  for (let count = 0; writes && count < 10; count++) send('POST', '/pets', '{"name":"Rex","categoryId":1}')
}

function measure(count: number, act: (index: number) => void): number {
  const before = heap()
  for (let index = 0; index < count; index++) act(index)
  return (heap() - before) / count
}

async function measureLater(count: number, act: () => Promise<void>): Promise<number> {
  const before = heap()
  for (let index = 0; index < count; index++) await act()
  return (heap() - before) / count
}

function heap(): number {
  collect?.()
  collect?.()
  return process.memoryUsage().heapUsed
}

function print(name: string, bytes: number, reference: number): void {
  console.log(
    `  ${name.padEnd(38)}${`${(bytes / 1024).toFixed(1)} KB`.padStart(14)}${(bytes / reference).toFixed(4).padStart(10)}`,
  )
}
