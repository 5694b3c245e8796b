import { expect, it } from 'vitest'
import { shop } from '../support/client.js'
import { exchange, toHttpText } from '../support/raw-connection.js'
import { shareServer } from './share-server.js'

const server = await shareServer({ fixtures: shop([{ id: 1 }]), allowHost: ['shop.example'] })

/** The sandboxes that exist after a request with a cookie for two applications. */
async function sandboxesAfter(target: string, host: string): Promise<string[]> {
  const head = [
    `GET ${target} HTTP/1.1`,
    `Host: ${host}`,
    'Connection: close',
    'Cookie: session=1; petstore-sandbox=a; b=2',
  ]
  const [response] = await exchange(server.port, toHttpText(head))
  expect(response).toMatchObject({ status: 200 })
  return server.petstore.sandboxes.list().map(({ name }) => name)
}

it.each(['localhost', '127.0.0.1:4010', '[::1]:4010', 'LOCALHOST'])('a cookie names a sandbox on %s', async (host) => {
  expect(await sandboxesAfter('/pets/1', host)).toEqual(['a'])
})

it('a cookie names no sandbox on another host', async () => {
  server.petstore.faults.add({ status: 503, match: { headers: { cookie: 'session=1; petstore-sandbox=a; b=2' } } })
  expect(await sandboxesAfter('/pets/1', 'shop.example')).toEqual([])
  expect(await sandboxesAfter('http://shop.example/pets/1', 'localhost')).toEqual([])
  expect(server.petstore.journal.total).toBe(2)
})

it('other cookies are not changed on another host', async () => {
  server.petstore.override('getPet', { status: 500 }, { match: { headers: { cookie: 'session=1; b=2' } } })
  const head = [
    'GET /pets/1 HTTP/1.1',
    'Host: shop.example',
    'Connection: close',
    'Cookie: session=1; petstore-sandbox=a; b=2',
  ]
  expect(await exchange(server.port, toHttpText(head))).toMatchObject([{ status: 500 }])
})
