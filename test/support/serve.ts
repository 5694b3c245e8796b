import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo, Server } from 'node:net'
import { onTestFinished } from 'vitest'

/** Serves something other than the mock until the test has finished. Returns the address. */
export async function serve(served: RequestListener | (Server & { closeAllConnections(): void })): Promise<string> {
  const server = typeof served === 'function' ? createServer(served) : served
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
