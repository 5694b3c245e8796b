import { createServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import { describe, expect, it, onTestFinished } from 'vitest'
import { contractHeaders, fillPath, operations, STARTING_DATA } from '../support/operations.js'
import { openConnection, openServer, toHttpText } from '../support/raw-connection.js'

// The items of the list of bad inputs that need a socket, as far as no other file here is about what they are about.

const HOST = 'Host: localhost'
const READS = operations.filter(({ method }) => method === 'GET').map(({ path }) => fillPath(path))
const OTHERS = ['/openapi.yaml', '/openapi.json', '/docs', '/__admin/', '/__admin/scenarios']

describe('HEAD', () => {
  it.each([...READS, ...OTHERS])('A16 has for %s the headers of GET, and not a byte of its body', async (path) => {
    const { port } = await openServer(STARTING_DATA)
    const wire = await openConnection(port)
    const ask = (method: string) => wire.send(toHttpText([`${method} ${path} HTTP/1.1`, HOST]))
    const { length } = await readPlain(port, path)
    ask('HEAD')
    const head = await wire.response('head')
    expect([head.status, Number(head.headers.get('content-length'))]).toEqual([200, length])
    // Were there a byte of a body, the next answer would not begin where it does.
    ask('HEAD')
    expect(contractHeaders(await wire.response('head'))).toEqual(contractHeaders(head))
  })

  it('A17 of a pet that is not there has no body, and the connection can be used on', async () => {
    const { port } = await openServer(STARTING_DATA)
    const wire = await openConnection(port)
    wire.send(toHttpText(['HEAD /pets/999999 HTTP/1.1', HOST]))
    const answer = await wire.response('head')
    expect(answer).toMatchObject({ status: 404, text: '' })
    expect(Number(answer.headers.get('content-length'))).toBeGreaterThan(0)
    wire.send(toHttpText(['GET /pets/1 HTTP/1.1', HOST, 'Connection: close']))
    expect(await wire.rest()).toMatchObject([{ status: 200, body: { id: 1 } }])
  })

  /** The length of what GET has to say, which is not always JSON. */
  async function readPlain(port: number, path: string): Promise<{ length: number }> {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`)
    expect(answer.status).toBe(200)
    return { length: (await answer.arrayBuffer()).byteLength }
  }
})

it('A23 names another server in its target, and that one never hears of it', async () => {
  let connections = 0
  const other = createServer((socket) => {
    connections += 1
    socket.destroy()
  })
  await new Promise<void>((resolve) => void other.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => void other.close(() => resolve())))
  const { port } = other.address() as { port: number }
  const server = await openServer(STARTING_DATA)
  const wire = await openConnection(server.port)
  // A loopback name is a name of this server, whatever the port: the answer is its own.
  wire.send(toHttpText([`GET http://127.0.0.1:${port}/pets/1 HTTP/1.1`, `Host: 127.0.0.1:${port}`]))
  expect(await wire.response()).toMatchObject({ status: 200, body: { id: 1, name: 'Rex' } })
  wire.send(toHttpText([`CONNECT 127.0.0.1:${port} HTTP/1.1`, `Host: 127.0.0.1:${port}`]))
  expect(await wire.rest()).toMatchObject([{ status: 405 }])
  expect(connections).toBe(0)
})

describe('a server on its default address', () => {
  const addresses = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, family }) => !internal && family === 'IPv4')
    .map(({ address }) => address)

  // Elsewhere only the first of 127.0.0.0/8 is an address of the machine.
  const others = process.platform === 'linux' ? ['127.0.0.2'] : []

  it.each([...addresses, ...others])('I9 cannot be reached at %s', async (address) => {
    const server = await openServer(STARTING_DATA)
    const reached = fetch(`http://${address}:${server.port}/pets`)
    await expect(reached).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } })
  })
})
