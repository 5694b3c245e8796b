import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { type Carelessness, createCarelessService } from './careless-service.js'

/** Serves the careless service of the tests of `verify`, and returns its address. */
export async function serveCareless(careless: Carelessness): Promise<string> {
  const service = createCarelessService(careless)
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { method = 'GET', url } = request
    const answer = await service.fetch(`http://service${url}`, { method, ...(body !== '' && { body }) })
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
