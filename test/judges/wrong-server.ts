import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Running } from './tools.js'

const HEADERS = {
  'content-type': 'application/json',
  'x-petstore-mock': '0.1.0',
  deprecation: '@1767225600',
  sunset: 'Thu, 05 Dec 2030 00:00:00 GMT',
  link: '</docs#getPet>; rel="deprecation"',
}

/** A server that violates the contract on purpose, to check that a judge reports it. */
export async function startWrongServer(): Promise<Running> {
  const server = createServer(({ url }, response) => {
    const respond = (status: number, body: unknown, headers: Record<string, string> = HEADERS) =>
      response.writeHead(status, headers).end(JSON.stringify(body))
    // Well-formed, but the document does not declare this response.
    if (url === '/pets/418') return respond(418, { code: 'TEAPOT', message: 'short and stout', status: 418 })
    if (url === '/pets/2') {
      const { sunset: _, ...headers } = HEADERS
      return respond(200, { id: 2, name: 'Clover', categoryId: 1 }, headers)
    }
    if (url === '/pets/3') return respond(404, { code: 'PET_NOT_FOUND' })
    return respond(200, { id: 1, categoryId: 1, status: 'available' })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
