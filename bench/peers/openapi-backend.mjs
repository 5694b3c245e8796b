/** openapi-backend with its default validation and an array. `node openapi-backend.mjs <port> <document> <data file>` */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { OpenAPIBackend } from 'openapi-backend'

const [port, document, file] = process.argv.slice(2)
const load = () => JSON.parse(readFileSync(file, 'utf8')).pets
let pets = load()

const problem = (status, code, message) => ({ status, body: { code, message, status } })

const api = new OpenAPIBackend({
  definition: document,
  handlers: {
    getPet: ({ request }) => {
      const pet = pets.find(({ id }) => id === Number(request.params.petId))
      return pet ? { status: 200, body: pet } : problem(404, 'PET_NOT_FOUND', 'not found')
    },
    listPets: ({ request }) => {
      const { limit = 20, offset = 0, status } = request.query
      const matching = status ? pets.filter((pet) => [status].flat().includes(pet.status)) : pets
      return { status: 200, body: matching.slice(Number(offset), Number(offset) + Number(limit)) }
    },
    createPet: ({ request }) => {
      const pet = { id: pets.length + 1, ...request.requestBody }
      pets.push(pet)
      return { status: 201, body: pet }
    },
    validationFail: ({ validation }) => problem(400, 'INVALID_REQUEST', JSON.stringify(validation.errors)),
    notFound: () => problem(404, 'ROUTE_NOT_FOUND', 'not found'),
    notImplemented: () => problem(501, 'NOT_IMPLEMENTED', 'not implemented'),
  },
})
await api.init()

createServer(async (request, response) => {
  const parts = []
  for await (const part of request) parts.push(part)
  if (request.url === '/__reset') {
    pets = load()
    return response.end()
  }
  const { method, url, headers } = request
  const body = parts.length > 0 ? Buffer.concat(parts).toString() : undefined
  const result = await api.handleRequest({ method, path: url, headers, body })
  const text = JSON.stringify(result.body)
  response.writeHead(result.status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) })
  response.end(text)
}).listen(Number(port), '127.0.0.1')
