/**
 * The baseline: raw node:http. It always returns the same prepared response, after reading the whole request body.
 * `node baseline.mjs <port> [file with the response]`
 */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const PET = '{"id":1,"name":"Rex","categoryId":1,"status":"available"}'

const [port, file] = process.argv.slice(2)
const { status, headers, body } = file
  ? JSON.parse(readFileSync(file, 'utf8'))
  : { status: 200, headers: { 'Content-Type': 'application/json', 'Content-Length': PET.length }, body: PET }

const server = createServer((request, response) => {
  if (request.method === 'GET') {
    response.writeHead(200, headers)
    response.end(body)
    return
  }
  const parts = []
  request.on('data', (part) => parts.push(part))
  request.on('end', () => {
    Buffer.concat(parts)
    response.writeHead(status, headers)
    response.end(body)
  })
})
server.listen(Number(port), '127.0.0.1')
