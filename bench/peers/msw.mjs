/**
 * @mswjs/http-middleware with the handlers that @mswjs/data generates, or with typical handlers that use a map.
 * `node msw.mjs <port> <data file> data|handlers`
 */
import { readFileSync } from 'node:fs'
import { drop, factory, primaryKey } from '@mswjs/data'
import { createServer } from '@mswjs/http-middleware'
import { HttpResponse, http } from 'msw'

const [port, file, kind] = process.argv.slice(2)
const { pets } = JSON.parse(readFileSync(file, 'utf8'))

createServer(...(kind === 'data' ? withData() : withMap())).listen(Number(port), '127.0.0.1')

function withData() {
  let nextId = 0
  const database = factory({
    pet: {
      id: primaryKey(() => {
        nextId += 1
        return String(nextId)
      }),
      name: String,
      categoryId: Number,
      status: String,
    },
  })
  const seed = () => {
    drop(database)
    nextId = pets.length
    for (const { id, name, categoryId, status } of pets) {
      database.pet.create({ id: String(id), name, categoryId, status })
    }
  }
  seed()
  return [createReset(seed), ...database.pet.toHandlers('rest', '')]
}

function withMap() {
  const records = new Map()
  const seed = () => {
    records.clear()
    for (const pet of pets) records.set(pet.id, pet)
  }
  seed()
  return [
    createReset(seed),
    http.get('/pets/:petId', ({ params }) => {
      const pet = records.get(Number(params.petId))
      return pet ? HttpResponse.json(pet) : HttpResponse.json({ message: 'not found' }, { status: 404 })
    }),
    http.get('/pets', ({ request }) => {
      const { searchParams } = new URL(request.url)
      const matching = [...records.values()].filter(({ status }) => status === searchParams.get('status'))
      return HttpResponse.json(matching.slice(0, Number(searchParams.get('limit'))))
    }),
    http.post('/pets', async ({ request }) => {
      const pet = { ...(await request.json()), id: records.size + 1 }
      records.set(pet.id, pet)
      return HttpResponse.json(pet, { status: 201 })
    }),
  ]
}

function createReset(seed) {
  return http.post('/__reset', () => {
    seed()
    return new HttpResponse(null, { status: 200 })
  })
}
