import { describe, expect, it, vi } from 'vitest'
import type { RequestRecord } from '../../src/adapters/server/index.js'
import type { PlainResponse } from '../../src/index.js'
import { shop } from '../support/client.js'
import {
  closeIdleServer,
  expectServerResponds,
  openConnection,
  openServer,
  toHttpText,
} from '../support/raw-connection.js'

const fixtures = shop([{ id: 1, name: 'Rex' }])
const GET = toHttpText(['GET /pets/1 HTTP/1.1', 'Host: localhost'])
const HEAD = toHttpText(['HEAD /pets/1 HTTP/1.1', 'Host: localhost'])
const UNKNOWN_HOST = toHttpText(['GET /pets/1 HTTP/1.1', 'Host: elsewhere.example'])

const FAILURES: [how: string, fail: () => unknown, message: string][] = [
  [
    'throws',
    () => {
      throw new RangeError('of the callback')
    },
    'of the callback',
  ],
  ['rejects', () => Promise.reject(new RangeError('of the callback')), 'of the callback'],
  [
    'throws something odd',
    () => {
      throw Object.create(null)
    },
    'onRequest threw [object Object]',
  ],
]

describe('onRequest', () => {
  it.each(FAILURES)('that %s does not affect responses, and makes check throw', async (_, onRequest, message) => {
    const server = await openServer({ fixtures, onRequest })
    const connection = await openConnection(server.port)
    for (const [bytes, status] of [
      [GET, 200],
      [UNKNOWN_HOST, 421],
      [GET, 200],
    ] as const) {
      connection.send(bytes)
      expect((await connection.response()).status).toBe(status)
      await vi.waitFor(() => expect(() => server.petstore.check()).toThrow(message), { timeout: 30_000 })
    }
    await closeIdleServer(server)
  })
})

describe('a response that cannot be written', () => {
  const UNWRITABLE: [what: string, response: PlainResponse][] = [
    ['a header', { status: 200, headers: { 'X-A': '\u0001' }, body: '{}' }],
    ['a trailer', { status: 200, headers: { Trailer: 'X-A', 'Content-Length': '2' }, body: '{}' }],
    ['a status', { status: 1000, headers: {}, body: '{}' }],
    ['a slow body', { status: 200, headers: { 'X-A': '\u0001' }, body: '{}', delivery: { kind: 'slow', overMs: 1 } }],
    ['a stream', { status: 200, headers: { 'X-A': '\u0001' }, stream: () => () => {} }],
  ]

  for (const later of [false, true]) {
    it.each(UNWRITABLE)(
      `becomes a 500 and makes check throw: %s (${later ? 'asynchronous' : 'synchronous'})`,
      async (_, response) => {
        const records: RequestRecord[] = []
        const server = await openServer({ fixtures, onRequest: (record) => records.push(record) })
        const { handle } = server.petstore
        const outcome = { response, trace: {} }
        server.petstore.handle = () => (later ? Promise.resolve(outcome) : outcome)
        const connection = await openConnection(server.port)
        connection.send(GET)
        const sent = await connection.response()
        expect(sent.body).toEqual({ code: 'INTERNAL_ERROR', message: expect.any(String), status: 500 })
        expect(sent.status).toBe(500)
        expect(() => server.petstore.check()).toThrow()
        connection.send(HEAD)
        expect((await connection.response('head')).status).toBe(500)
        expect(() => server.petstore.check()).toThrow()
        expect(records).toMatchObject([
          { status: 500, code: 'INTERNAL_ERROR', failure: expect.any(Error) },
          { status: 500, code: 'INTERNAL_ERROR', failure: expect.any(Error) },
        ])
        server.petstore.handle = handle
        connection.send(GET)
        expect((await connection.response()).status).toBe(200)
      },
    )
  }

  it('closes the connection and makes check throw if its head was sent', async () => {
    const server = await openServer({ fixtures })
    const { handle } = server.petstore
    server.petstore.handle = () => ({
      response: {
        status: 200,
        headers: {},
        stream(write) {
          write('a')
          throw new RangeError('in the middle')
        },
      },
      trace: {},
    })
    await expect(server.fetch('/pets/1').then((response) => response.text())).rejects.toThrow()
    expect(() => server.petstore.check()).toThrow(new RangeError('in the middle'))
    server.petstore.handle = handle
    await expectServerResponds(server)
  })
})
