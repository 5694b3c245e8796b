import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { type ServerOptions, startServer } from '../../src/adapters/server/index.js'
import { serve } from '../support/serve.js'

/** A mock in front of the service at an address, which is closed when the test has finished. */
export async function startFront(upstream: string, options: Partial<ServerOptions> = {}) {
  const front = await startServer({ port: 0, upstream, pass: ['*'], ...options })
  onTestFinished(() => front.close().catch(() => {}))
  return front
}

/** A service that answers every connection with these bytes, or as the function does. Returns its address. */
export async function startRaw(answer: string | ((socket: Socket) => void)): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('data', () => (typeof answer === 'string' ? socket.end(answer) : answer(socket)))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A service in Node. Returns its address, and the requests that it has received. */
export async function startService(handle: (request: IncomingMessage, response: ServerResponse, body: string) => void) {
  const requests: IncomingMessage[] = []
  const url = await serve(async (request, response) => {
    requests.push(request)
    handle(request, response, await text(request))
  })
  return { url, requests }
}

export const PET = { id: 1, name: 'Rex', categoryId: 1, status: 'available' }

export const sendPet = (_request: IncomingMessage, response: ServerResponse) => {
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(PET))
}

/** Node 20 has no Promise.withResolvers. */
export function createResolvers() {
  let resolve = (_value?: unknown): void => {}
  const promise = new Promise((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}
