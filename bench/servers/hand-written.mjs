/**
 * What a developer writes instead of using a mock: node:http, a Map, and a few checks. It keeps no journal.
 * `node hand-written.mjs <port> <file with the starting data>`
 */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const STATUSES = ['available', 'pending', 'sold']

const [port, file] = process.argv.slice(2)
const starting = JSON.parse(readFileSync(file, 'utf8')).pets
let pets
let nextId
reset()

function reset() {
  pets = new Map(starting.map((pet) => [pet.id, pet]))
  nextId = Math.max(...pets.keys()) + 1
}

function send(response, status, body, headers) {
  const text = JSON.stringify(body)
  const type = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }
  response.writeHead(status, { ...type, ...headers })
  response.end(text)
}

function reject(response, status, message) {
  send(response, status, { message, status })
}

function list(response, query) {
  const limit = Number(query.get('limit') ?? 20)
  const offset = Number(query.get('offset') ?? 0)
  const status = query.get('status')
  if (!Number.isInteger(limit) || limit < 1 || limit > 100) return reject(response, 400, 'limit must be 1 to 100')
  if (!Number.isInteger(offset) || offset < 0) return reject(response, 400, 'offset must be 0 or more')
  const found = [...pets.values()].filter((pet) => status === null || pet.status === status)
  send(response, 200, found.slice(offset, offset + limit), { 'X-Total-Count': String(found.length) })
}

function create(response, text) {
  let body
  try {
    body = JSON.parse(text)
  } catch {
    return reject(response, 400, 'The body is not JSON')
  }
  const { name, categoryId, status = 'available' } = body
  if (typeof name !== 'string' || name.length > 100) return reject(response, 400, 'name must be a string')
  if (!Number.isInteger(categoryId)) return reject(response, 400, 'categoryId must be an integer')
  if (!STATUSES.includes(status)) return reject(response, 400, `status must be one of ${STATUSES.join(', ')}`)
  const pet = { id: nextId, name, categoryId, status, stock: 1 }
  nextId += 1
  pets.set(pet.id, pet)
  send(response, 201, pet, { Location: `/pets/${pet.id}` })
}

const server = createServer((request, response) => {
  const [path, query = ''] = request.url.split('?')
  if (request.method === 'GET') {
    if (path === '/pets') return list(response, new URLSearchParams(query))
    const pet = pets.get(Number(/^\/pets\/(\d+)$/.exec(path)?.[1]))
    return pet === undefined ? reject(response, 404, 'No such pet') : send(response, 200, pet)
  }
  const parts = []
  request.on('data', (part) => parts.push(part))
  request.on('end', () => {
    if (path !== '/reset') return create(response, Buffer.concat(parts).toString())
    reset()
    send(response, 200, {})
  })
})
server.listen(Number(port), '127.0.0.1')
