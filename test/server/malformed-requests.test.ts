import { describe, expect, it } from 'vitest'
import type { ServerOptions } from '../../src/adapters/server/index.js'
import { shop } from '../support/client.js'
import {
  exchange,
  expectBytesRejected,
  expectServerResponds,
  openConnection,
  openServer,
  toHttpText,
} from '../support/raw-connection.js'
import { shareServer } from './share-server.js'

const SHOP: ServerOptions = { fixtures: shop([{ id: 1, name: 'Rex' }], [{ id: 1, petId: 1 }]) }
const server = await shareServer(SHOP)
const HOST = 'Host: localhost'
const CLOSE = 'Connection: close'
const JSON_TYPE = 'Content-Type: application/json'
const PET = JSON.stringify({ name: 'Bo', categoryId: 1 })
const LENGTH = `Content-Length: ${PET.length}`
const CHUNKED = 'Transfer-Encoding: chunked'
const SIZE = PET.length.toString(16)
const IN_ONE_CHUNK = `${SIZE}\r\n${PET}\r\n0\r\n\r\n`

/** A request to create a pet. */
const create = (head: readonly string[], body: string, version = 'HTTP/1.1'): string =>
  toHttpText([`POST /pets ${version}`, HOST, JSON_TYPE, ...head], body)

describe('a request line', () => {
  it.each([
    ['A9 with dot segments in its path', 'GET /pets/../store/orders HTTP/1.1'],
    ['A9 with dot segments above the root', 'GET /../pets HTTP/1.1'],
    ['with a path after an asterisk', 'GET */pets HTTP/1.1'],
    ['with an asterisk for another method than OPTIONS', 'GET * HTTP/1.1'],
    ['with another scheme', 'GET ftp://localhost/pets HTTP/1.1'],
  ])('%s is rejected with 404', async (_, line) => {
    await expectBytesRejected(server, toHttpText([line, HOST, CLOSE]), 404, 'ROUTE_NOT_FOUND')
  })

  it.each([
    ['path', `GET /${'a'.repeat(20_000)} HTTP/1.1`],
    ['query', `GET /pets?${'a=b&'.repeat(5_000)} HTTP/1.1`],
  ])('A11 with a %s of 20,000 characters is rejected with 431', async (_, line) => {
    await expectBytesRejected(server, toHttpText([line, HOST]), 431, 'HEADERS_TOO_LARGE')
  })

  it.each([
    ['A20 with an unknown method', 'FOO /pets HTTP/1.1'],
    ['A20 with a method in lower case', 'get /pets HTTP/1.1'],
    ['with a space in its path', 'GET /pets /1 HTTP/1.1'],
    ['with a control character in its path', 'GET /pets\x1b[31m HTTP/1.1'],
    ['with a byte beyond ASCII in its path', 'GET /pets\x9b HTTP/1.1'],
    ['with another protocol', 'GET /pets ICE/1.0'],
    ['of binary data', '\x16\x03\x01\x02\x00\x01'],
  ])('%s is rejected with 400', async (_, line) => {
    await expectBytesRejected(server, toHttpText([line, HOST]), 400, 'BAD_REQUEST')
  })

  it.each([' HTTP/2.0', ' HTTP/0.9', ' HTTP/1.2', ' HTTP/3.0', ''])(
    'A22 with the version "%s" is rejected with 505 and reaches no operation',
    async (version) => {
      const operations: unknown[] = []
      const server = await openServer({ ...SHOP, onRequest: ({ operation }) => operations.push(operation) })
      const bytes = toHttpText([`POST /pets${version}`, HOST, CLOSE, JSON_TYPE, LENGTH], PET)
      expect(await exchange(server.port, bytes)).toMatchObject([{ status: 505 }])
      expect(operations.filter((operation) => operation !== undefined)).toStrictEqual([])
      await expectBytesRejected(server, bytes, 505, 'VERSION_NOT_SUPPORTED')
    },
  )

  it('with the HTTP/2 preface is rejected with 400', async () => {
    await expectBytesRejected(server, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 'BAD_REQUEST')
  })

  it('A14 with TRACE is rejected with the allowed methods, without echoing the request', async () => {
    const bytes = toHttpText(['TRACE /pets HTTP/1.1', HOST, CLOSE, 'X-Secret: hush-hush', 'Cookie: hush-hush'])
    const response = await expectBytesRejected(server, bytes, 405, 'METHOD_NOT_ALLOWED', 'TRACE')
    expect(response.headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS')
    expect(JSON.stringify([...response.headers]) + response.text).not.toContain('hush-hush')
  })

  it.each(['example:443', 'localhost:80', 'evil.example'])('A15 with CONNECT %s is rejected', async (authority) => {
    const bytes = toHttpText([`CONNECT ${authority} HTTP/1.1`, `Host: ${authority}`], create([LENGTH], PET))
    const response = await expectBytesRejected(server, bytes, 405, 'METHOD_NOT_ALLOWED')
    expect(response.headers.has('allow')).toBe(true)
  })
})

describe('headers', () => {
  it('D14 of 20 KB are rejected with 431', async () => {
    await expectBytesRejected(server, create([LENGTH, `X-Long: ${'a'.repeat(20_000)}`], PET), 431, 'HEADERS_TOO_LARGE')
  })

  it.each([
    ['D19 with a space before the colon', ['X-Odd : 1']],
    ['D19 with a space before the colon of Content-Length', ['Content-Length : 5']],
    ['D19 with a folded line', ['X-Odd: 1', ' 2']],
    ['D19 with a NUL in a value', ['X-Odd: a\0b']],
    ['with a bare CR', ['X-Odd: a\rb: c']],
  ])('%s are rejected with 400', async (_, head) => {
    await expectBytesRejected(server, create([LENGTH, ...head], PET), 400, 'BAD_REQUEST')
  })

  it('D9 with an unsupported expectation are rejected with 417', async () => {
    await expectBytesRejected(
      server,
      create([LENGTH, CLOSE, 'Expect: banana'], PET),
      417,
      'EXPECTATION_FAILED',
      '100-continue',
    )
  })
})

describe('framing', () => {
  it.each([
    ['D16 by a length and chunks', ['Content-Length: 4', CHUNKED]],
    ['D16 by chunks and a length', [CHUNKED, 'Content-Length: 4']],
  ])('%s is rejected, and the smuggled request does not run', async (_, head) => {
    const seen: string[] = []
    const server = await openServer({ ...SHOP, onRequest: ({ method, target }) => seen.push(`${method} ${target}`) })
    const hidden = toHttpText(['DELETE /store/orders/1?hidden HTTP/1.1', HOST])
    await expectBytesRejected(server, create(head, `0\r\n\r\n${hidden}`), 400, 'BAD_REQUEST')
    expect(seen.filter((request) => request.includes('hidden'))).toStrictEqual([])
  })

  it.each([
    ['D17 by two lengths that differ', [LENGTH, 'Content-Length: 5']],
    ['D17 by two lengths that are equal', [LENGTH, LENGTH]],
    ['D24 by a negative length', ['Content-Length: -1']],
    ['D24 by a hexadecimal length', ['Content-Length: 0x5']],
    ['D24 by a length of 30 digits', [`Content-Length: ${'9'.repeat(30)}`]],
    ['by a coding that is not chunked', ['Transfer-Encoding: identity']],
    ['by chunks that are not the last coding', ['Transfer-Encoding: chunked, gzip']],
    ['by an empty coding', ['Transfer-Encoding:']],
    ['by chunks and an empty coding', [CHUNKED, 'Transfer-Encoding:']],
    ['by chunks and a trailing comma', ['Transfer-Encoding: chunked,']],
  ])('%s is rejected with 400', async (_, head) => {
    await expectBytesRejected(server, create(head, PET), 400, 'BAD_REQUEST')
  })

  it.each([
    ['D18 by a chunk size that is not a number', `zz\r\n${PET}\r\n0\r\n\r\n`],
    ['D18 by a chunk size too large for any number', `${'f'.repeat(17)}\r\n${PET}\r\n0\r\n\r\n`],
    ['D18 by a chunk longer than its size', `${SIZE}\r\n${PET} \r\n0\r\n\r\n`],
    ['D18 by a chunk extension of 20 KB', `${SIZE};${'a'.repeat(20_000)}\r\n${PET}\r\n0\r\n\r\n`],
  ])('%s is rejected with 400', async (_, body) => {
    await expectBytesRejected(server, create([CHUNKED], body), 400, 'BAD_REQUEST')
  })

  it('D26 by chunks is rejected in HTTP/1.0', async () => {
    await expectBytesRejected(server, create([CHUNKED], IN_ONE_CHUNK, 'HTTP/1.0'), 400, 'BAD_REQUEST')
  })

  it('by chunks of an unsupported coding is rejected with 501', async () => {
    const bytes = create(['Transfer-Encoding: gzip, chunked', CLOSE], IN_ONE_CHUNK)
    await expectBytesRejected(server, bytes, 501, 'NOT_IMPLEMENTED', 'gzip')
  })
})

it('responds to the request before malformed bytes, and runs nothing after them', async () => {
  const connection = await openConnection(server.port)
  connection.send(toHttpText(['GET /pets/1 HTTP/1.1', HOST], `garbage\r\n\r\n${create([LENGTH], PET)}`))
  expect(await connection.rest()).toMatchObject([
    { status: 200, body: { id: 1 } },
    { status: 400, body: { code: 'BAD_REQUEST' } },
  ])
  expect((await server.fetch('/pets')).headers.get('x-total-count')).toBe('1')
  await expectServerResponds(server)
})

it.each([
  ['garbage', 'garbage\r\n\r\n', [201, 400]],
  ['headers that are too large', toHttpText(['GET / HTTP/1.1', HOST, `X: ${'a'.repeat(20_000)}`]), [201, 431]],
  ['a tunnel', toHttpText(['CONNECT a:1 HTTP/1.1', 'Host: a:1']), [201, 405]],
])('sends the delayed response to a request before rejecting %s', async (_, bytes, statuses) => {
  server.petstore.faults.add({ operation: 'createPet', delayMs: 100 })
  const responses = await exchange(server.port, create([LENGTH], PET) + bytes)
  expect(responses.map(({ status }) => status)).toStrictEqual(statuses)
})
