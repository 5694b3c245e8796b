import { HttpResponse, http, type RequestHandler } from 'msw'
import { setupServer } from 'msw/node'
import { createPetstore, setupPetstore } from './built.js'

const PET = { id: 1, name: 'Rex', categoryId: 1, status: 'available' }

/** A way to respond to the requests of a process. */
export interface Interception {
  readonly name: string
  /** Sets up `fetch`, and returns it with a function that stops the interception. */
  start(base: string): { fetch(url: string): Promise<Response>; stop(): void }
}

/** The others are compared with the first. */
export const interceptions: readonly Interception[] = [
  {
    name: 'one msw handler, constant response',
    start: (base) => intercept([http.get(`${base}/pets/:petId`, () => HttpResponse.json(PET))]),
  },
  { name: 'petstore-mock/node', start: interceptWithOurs },
  { name: 'fifteen typical msw handlers', start: (base) => intercept(createHandlers(base)) },
  { name: 'petstore.fetch, no interception', start: () => ({ fetch: createPetstore().fetch, stop: () => {} }) },
]

function interceptWithOurs(baseUrl: string) {
  const petstore = setupPetstore({ baseUrl })
  petstore.listen()
  return { fetch: globalThis.fetch, stop: () => petstore.close() }
}

function intercept(handlers: RequestHandler[]) {
  const server = setupServer(...handlers)
  server.listen({ onUnhandledRequest: 'error' })
  return { fetch: globalThis.fetch, stop: () => server.close() }
}

/** Typical handlers for pets, categories and orders, each with a map, without validation. */
function createHandlers(base: string): RequestHandler[] {
  return ['categories', 'store/orders', 'pets'].flatMap((kind) => {
    const records = new Map<number, object>([[1, PET]])
    const one = `${base}/${kind}/:id`
    const missing = () => HttpResponse.json({ code: 'NOT_FOUND', message: 'not found', status: 404 }, { status: 404 })
    return [
      http.get(`${base}/${kind}`, () => HttpResponse.json([...records.values()])),
      http.post(`${base}/${kind}`, async ({ request }) => {
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
