/**
 * What an intercepted fetch costs: ours, one bare msw handler with a constant answer, and fifteen handlers as one writes
 * them by hand, in one run. A fetch function handed in, without interception, stands beside them.
 */
import { HttpResponse, http, type RequestHandler } from 'msw'
import { setupServer } from 'msw/node'
import { createPetstore } from '../src/index.js'
import { setupPetstore } from '../src/node/index.js'
import { median } from './support.js'

const BASE = 'https://petstore.test'
const PET = { id: 1, name: 'Rex', categoryId: 1, status: 'available' }
const ROUNDS = 15
const FETCHES = 300

interface Contender {
  readonly name: string
  /** Makes `fetch` ready, and returns it with how to end that. */
  start(): { fetch: typeof fetch; stop(): void }
}

const contenders: Contender[] = [
  {
    name: 'one bare msw handler, constant answer',
    start: () => intercepted([http.get(`${BASE}/pets/:petId`, () => HttpResponse.json(PET))]),
  },
  { name: 'petstore-mock/node', start: ours },
  { name: 'fifteen hand-written msw handlers', start: () => intercepted(handWritten()) },
  { name: 'petstore.fetch, no interception', start: inMemory },
]

const samples = new Map(contenders.map(({ name }) => [name, [] as number[]]))
for (let round = 0; round <= ROUNDS; round++) {
  for (const { name, start } of contenders) {
    const { fetch, stop } = start()
    const microseconds = await measure(fetch)
    stop()
    // The first round warms up.
    if (round > 0) samples.get(name)?.push(microseconds)
  }
}

const [reference] = contenders.map(({ name }) => median(samples.get(name) ?? []))
console.log(
  `GET /pets/1, µs each, one after the other; medians of ${ROUNDS} rounds of ${FETCHES}, Node ${process.version}\n`,
)
for (const [name, values] of samples) {
  const cost = median(values)
  console.log(
    `${name.padEnd(42)}${cost.toFixed(0).padStart(8)}${(cost / (reference as number)).toFixed(2).padStart(8)}x`,
  )
}

async function measure(fetch: (url: string) => Promise<Response>): Promise<number> {
  const startedAt = performance.now()
  for (let count = 0; count < FETCHES; count++) {
    const response = await fetch(`${BASE}/pets/1`)
    const pet = (await response.json()) as { id: number }
    if (pet.id !== 1) throw new Error(`answered ${response.status}`)
  }
  return ((performance.now() - startedAt) * 1000) / FETCHES
}

function ours() {
  const petstore = setupPetstore({ baseUrl: BASE })
  petstore.listen()
  return { fetch: globalThis.fetch, stop: () => petstore.close() }
}

function inMemory() {
  const petstore = createPetstore()
  return { fetch: petstore.fetch as typeof fetch, stop: () => {} }
}

function intercepted(handlers: RequestHandler[]) {
  const server = setupServer(...handlers)
  server.listen({ onUnhandledRequest: 'error' })
  return { fetch: globalThis.fetch, stop: () => server.close() }
}

/** Handlers for pets, categories and orders over a map each, the usual way, without any validation. */
function handWritten(): RequestHandler[] {
  return ['categories', 'store/orders', 'pets'].flatMap((kind) => {
    const records = new Map<number, object>([[1, PET]])
    const one = `${BASE}/${kind}/:id`
    const missing = () => HttpResponse.json({ code: 'NOT_FOUND', message: 'not found', status: 404 }, { status: 404 })
    return [
      http.get(`${BASE}/${kind}`, () => HttpResponse.json([...records.values()])),
      http.post(`${BASE}/${kind}`, async ({ request }) => {
        const record = { ...((await request.json()) as object), id: records.size + 1 }
        records.set(record.id, record)
        return HttpResponse.json(record, { status: 201 })
      }),
      http.get(one, ({ params }) => {
        const record = records.get(Number(params.id))
        return record === undefined ? missing() : HttpResponse.json(record)
      }),
      http.put(one, async ({ params, request }) => {
        const record = { ...((await request.json()) as object), id: Number(params.id) }
        records.set(record.id, record)
        return HttpResponse.json(record)
      }),
      http.delete(one, ({ params }) => {
        return records.delete(Number(params.id)) ? new HttpResponse(null, { status: 204 }) : missing()
      }),
    ]
  })
}
