import { beforeAll, describe, expect, it } from 'vitest'
import type { ServerOptions } from '../../src/adapters/server/index.js'
import { useTemporaryCache } from '../support/adapter-tls.js'
import { shop } from '../support/client.js'
import { openSession, request } from '../support/http2-client.js'
import { exchange, openServer, toHttpText } from '../support/raw-connection.js'

beforeAll(useTemporaryCache)

const openHttps = (options: ServerOptions = {}) =>
  openServer({ fixtures: shop([{ id: 1, name: 'Rex' }]), https: true, ...options })

describe('the token of the admin API', () => {
  const TARGETS = [
    '/__admin/reset',
    '__admin/reset',
    'x__admin/reset',
    '//__admin/reset',
    '/%5f%5fadmin/reset',
    '%5f%5fadmin/reset',
    '/sandbox/a/__admin/reset',
    'sandbox/a/__admin/reset',
    '/./__admin/reset',
    '\\__admin/reset',
    '%2f__admin/reset',
    '?/__admin/reset',
    'http://localhost/__admin/reset',
    'http://localhost#/__admin/reset',
    'http:/__admin/reset',
    'x://localhost/__admin/reset',
    '*',
    '',
  ]

  const isRejected = (status: number | undefined) => status !== undefined && (status === 0 || status >= 400)

  it.each(TARGETS)('is required over HTTP/2 and HTTP/1.1, or the path matches nothing: "%s"', async (target) => {
    const server = await openHttps({ adminToken: 'kept-secret' })
    const session = openSession(server)
    for (const method of ['GET', 'POST']) {
      const path = method === 'GET' ? target.replace('reset', 'state') : target
      for (const scheme of ['https', 'http', 'x']) {
        const { status } = await request(session, path, { ':method': method, ':scheme': scheme, ':path': path })
        expect([scheme, method, isRejected(status)]).toEqual([scheme, method, true])
      }
      const head = [`${method} ${path} HTTP/1.1`, 'Host: localhost', 'Content-Length: 0', 'Connection: close']
      const [response] = await exchange(server.port, toHttpText(head))
      expect([method, isRejected(response?.status)]).toEqual([method, true])
    }
    expect((await request(session, '/pets/1')).status).toBe(200)
  })

  it('cannot be avoided with another :scheme, whatever the path', async () => {
    const session = openSession(await openHttps())
    for (const path of ['/pets', 'pets', '/__admin/health']) {
      expect(await request(session, path, { ':scheme': 'x' })).toMatchObject({ status: 400 })
    }
    const all = await request(session, '*', { ':method': 'OPTIONS' })
    expect(all).toMatchObject({ status: 204 })
  })
})

describe('a request over HTTP/2', () => {
  it('is rejected with 431 if it repeats a header too often, and may have many cookies', async () => {
    const session = openSession(await openHttps({ maxHeaders: 10 }))
    const statusFor = async (name: string) =>
      (await request(session, '/pets', { [name]: Array.from({ length: 15 }, (_, index) => `a=${index}`) })).status
    expect(await statusFor('x-a')).toBe(431)
    expect(await statusFor('cookie')).toBe(200)
  })
})
