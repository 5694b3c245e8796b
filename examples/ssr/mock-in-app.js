// Loaded before the shop with `node --import`: the mock lives in the shop's own process. One option makes it follow the
// sandbox of the request that the shop is handling.
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { setupPetstore } from 'petstore-mock/node'

const { API, MOCK_PORT = '4011' } = process.env

const petstore = setupPetstore({
  baseUrl: API,
  followSandboxes: true,
  requireSandbox: true,
  onUnhandledRequest: 'bypass',
})
petstore.listen()

// Pages and tests run in other processes. They reach the same mock here.
const server = createServer(async (request, response) => {
  const { method, url, headers } = request
  const body = (await text(request)) || undefined
  const result = await petstore.fetch(url, { method, headers, body })
  result.headers.set('Access-Control-Allow-Origin', '*')
  response.writeHead(result.status, Object.fromEntries(result.headers)).end(await result.text())
})
server.listen(Number(MOCK_PORT), '127.0.0.1')
