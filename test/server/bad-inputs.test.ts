import { createServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import { describe, expect, it, onTestFinished } from 'vitest'
import { STARTING_DATA } from '../support/operations.js'
import { openConnection, toHttpText } from '../support/raw-connection.js'
import { shareServer } from './share-server.js'

// Items of the list of bad inputs that need a socket and fit into no other file.

const server = await shareServer(STARTING_DATA)
const { port } = server
const HOST = 'Host: localhost'

it('A17 HEAD of an unknown pet has no body, and the connection stays usable', async () => {
  const connection = await openConnection(port)
  connection.send(toHttpText(['HEAD /pets/999999 HTTP/1.1', HOST]))
  const response = await connection.response('head')
  expect(response).toMatchObject({ status: 404, text: '' })
  expect(Number(response.headers.get('content-length'))).toBeGreaterThan(0)
  connection.send(toHttpText(['GET /pets/1 HTTP/1.1', HOST, 'Connection: close']))
  expect(await connection.rest()).toMatchObject([{ status: 200, body: { id: 1 } }])
})

it('A23 a target with the address of another server is not forwarded', async () => {
  let connections = 0
  const other = createServer((socket) => {
    connections += 1
    socket.destroy()
  })
  await new Promise<void>((resolve) => void other.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => void other.close(() => resolve())))
  const { port } = other.address() as { port: number }
  const connection = await openConnection(server.port)
  // A loopback name stands for this server, whatever the port.
  connection.send(toHttpText([`GET http://127.0.0.1:${port}/pets/1 HTTP/1.1`, `Host: 127.0.0.1:${port}`]))
  expect(await connection.response()).toMatchObject({ status: 200, body: { id: 1, name: 'Rex' } })
  connection.send(toHttpText([`CONNECT 127.0.0.1:${port} HTTP/1.1`, `Host: 127.0.0.1:${port}`]))
  expect(await connection.rest()).toMatchObject([{ status: 405 }])
  expect(connections).toBe(0)
})

describe('a server on its default address', () => {
  const addresses = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, family }) => !internal && family === 'IPv4')
    .map(({ address }) => address)

  // Other systems use only 127.0.0.1.
  const others = process.platform === 'linux' ? ['127.0.0.2'] : []

  it.each([...addresses, ...others])('I9 cannot be reached at %s', async (address) => {
    await expect(openConnection(server.port, address)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })
})
