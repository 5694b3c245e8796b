import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { BASE, PET } from './suite.js'

/** No more than the tests need. */
const pets = new Map<number, object>([[1, PET]])
const server = setupServer(
  http.get(`${BASE}/pets/:petId`, ({ params }) => {
    const pet = pets.get(Number(params.petId))
    return pet === undefined ? HttpResponse.json({ code: 'PET_NOT_FOUND' }, { status: 404 }) : HttpResponse.json(pet)
  }),
  http.post(`${BASE}/pets`, async ({ request }) => {
    const pet = { ...((await request.json()) as object), id: pets.size + 1 }
    pets.set(pet.id, pet)
    return HttpResponse.json(pet, { status: 201 })
  }),
)

/** Makes the tests of a file get their responses from handlers as a user would write them. */
export function useHandlers(): void {
  beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
  afterEach(() => {
    pets.clear()
    pets.set(1, PET)
    server.resetHandlers()
  })
  afterAll(() => server.close())
}
