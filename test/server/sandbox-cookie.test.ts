import { expect, it } from 'vitest'
import { shop } from '../support/client.js'
import { exchange, toHttpText } from '../support/raw-connection.js'
import { shareServer } from './share-server.js'

const server = await shareServer({ fixtures: shop([{ id: 1 }]), allowHost: ['shop.example'] })

const COOKIE = 'session=1; petstore-sandbox=a; b=2'

/** Sends a cookie for two applications. Returns the status, and the sandboxes that exist afterwards. */
async function send(target: string, host: string): Promise<[status: number | undefined, ...sandboxes: string[]]> {
  const head = [`GET ${target} HTTP/1.1`, `Host: ${host}`, 'Connection: close', `Cookie: ${COOKIE}`]
  const [response] = await exchange(server.port, toHttpText(head))
  return [response?.status, ...server.petstore.sandboxes.list().map(({ name }) => name)]
}

it.each(['localhost', '127.0.0.1:4010', '[::1]:4010', 'LOCALHOST'])('a cookie names a sandbox on %s', async (host) => {
  expect(await send('/pets/1', host)).toEqual([200, 'a'])
})

it('a cookie names no sandbox on another host', async () => {
  server.petstore.faults.add({ status: 503, match: { headers: { cookie: COOKIE } } })
  expect(await send('/pets/1', 'shop.example')).toEqual([200])
  expect(await send('http://shop.example/pets/1', 'localhost')).toEqual([200])
  expect(server.petstore.journal.total).toBe(2)
})

it('other cookies are not changed on another host', async () => {
  server.petstore.override('getPet', { status: 500 }, { match: { headers: { cookie: 'session=1; b=2' } } })
  expect(await send('/pets/1', 'shop.example')).toEqual([500])
})
