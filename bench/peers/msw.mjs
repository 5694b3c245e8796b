/** @mswjs/http-middleware with the handlers that @mswjs/data generates. `node msw.mjs <port> <data file>` */
import { readFileSync } from 'node:fs'
import { drop, factory, primaryKey } from '@mswjs/data'
import { createServer } from '@mswjs/http-middleware'
import { HttpResponse, http } from 'msw'

const [port, file] = process.argv.slice(2)
const { pets } = JSON.parse(readFileSync(file, 'utf8'))

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

function seed() {
  drop(database)
  nextId = pets.length
  for (const { id, name, categoryId, status } of pets) {
    database.pet.create({ id: String(id), name, categoryId, status })
  }
}

seed()
const reset = http.post('/__reset', () => {
  seed()
  return new HttpResponse(null, { status: 200 })
})
createServer(reset, ...database.pet.toHandlers('rest', '')).listen(Number(port), '127.0.0.1')
