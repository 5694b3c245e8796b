import { describe, expect, it } from 'vitest'
import { type Adapter, adapters } from '../support/adapters.js'
import { openClient } from '../support/client.js'
import { contractHeaders } from '../support/operations.js'

type Step = readonly [method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>]

const LONG = 'x'.repeat(300)

/** Reads, writes and errors of every kind, each in the state that the previous ones have left. */
const SCRIPT: readonly Step[] = [
  ['GET', '/pets'],
  ['GET', '/pets?limit=3&offset=6&sort=-name'],
  ['GET', '/%70ets/%31'],
  ['HEAD', '/pets/1'],
  ['HEAD', '/store/orders?limit=2'],
  ['GET', '/store/orders?complete=false&sort=-shipDate'],
  ['GET', '/store/inventory?maxQuantity=1&limit=5'],
  ['GET', '/openapi.yaml'],
  ['GET', '/openapi.json'],
  ['OPTIONS', '/pets'],
  ['POST', '/categories', { name: 'Owls 🦉', description: 'Été' }],
  ['POST', '/categories', { name: '', spare: 1 }, { 'Content-Type': 'application/json; charset=UTF-8' }],
  ['PUT', '/categories/11', { name: 'Night owls' }],
  ['DELETE', '/categories/12'],
  ['POST', '/pets', { name: 'Hedwig\u0000<b>', categoryId: 11 }],
  ['POST', '/pets', '{"name":"Exact","categoryId":11.0,"status":"sold"}'],
  ['POST', '/pets', { name: 'Nobody', categoryId: 999999 }],
  ['PUT', '/pets/73', { name: 'Errol', categoryId: 11, status: 'pending' }],
  ['PUT', '/pets/73', { name: 'Errol', categoryId: 11, status: 'sold' }],
  ['GET', '/pets/73'],
  ['DELETE', '/pets/2'],
  ['DELETE', '/pets/74'],
  ['DELETE', '/pets/74'],
  ['PUT', '/store/inventory/73', { quantity: 5 }],
  ['POST', '/store/orders', { petId: 73, quantity: 2 }],
  ['POST', '/store/orders', { petId: 73, quantity: 9 }],
  ['POST', '/store/orders', {}],
  ['POST', '/store/orders', { petId: 73, complete: true }],
  ['PATCH', '/store/orders/121', { quantity: 1, shipDate: '2026-05-01T01:00:00+02:00' }],
  ['PATCH', '/store/orders/121', { complete: true }],
  ['PATCH', '/store/orders/122', { shipDate: null }],
  ['DELETE', '/store/orders/121'],
  ['GET', '/store/orders?petId=73'],
  ['GET', '/store/inventory/73'],
  ['GET', '/nope'],
  ['GET', '/pets/%zz'],
  ['GET', '/pets?limit=0'],
  ['GET', `/pets?sort=${LONG}`],
  ['DELETE', '/pets'],
  ['GET', '/pets', undefined, { Accept: 'text/html' }],
  ['POST', '/pets', 'name=Rex', { 'Content-Type': 'application/x-www-form-urlencoded' }],
  ['PATCH', '/store/orders/1', '{}', { 'Content-Encoding': 'gzip' }],
  ['POST', '/pets', { name: LONG, categoryId: 1 }],
  ['POST', '/pets', ''],
  ['POST', '/pets', '{"name":"Rex",'],
  ['GET', '/pets?limit=100'],
]

/** Sends the requests of the script; returns the parts of the responses that the contract determines. */
async function play(adapter: Adapter): Promise<object[]> {
  const { mock } = await openClient(adapter, { maxBodyBytes: 250 })
  mock.petstore.clock.freeze()
  mock.petstore.clock.set('2026-06-01T12:00:00Z')
  const responses: object[] = []
  for (const [method, path, body, headers] of SCRIPT) {
    const sent = typeof body === 'string' ? body : JSON.stringify(body)
    const response = await mock.fetch(path, {
      method,
      headers: { ...(sent !== undefined && { 'Content-Type': 'application/json' }), ...headers },
      ...(sent !== undefined && { body: sent }),
    })
    const { status } = response
    responses.push({
      request: `${method} ${path}`,
      status,
      headers: contractHeaders(response),
      body: await response.text(),
    })
  }
  return responses
}

describe('all adapters', () => {
  it.each(adapters.map((adapter) => [adapter.name, adapter] as const))(
    'return the same responses: %s',
    async (_, adapter) => {
      const [first] = adapters
      const expected = await play(first as Adapter)
      expect(await play(adapter)).toEqual(expected)
      const statuses = new Set(expected.map((response) => (response as { status: number }).status))
      expect([...statuses].sort()).toEqual([200, 201, 204, 400, 404, 405, 406, 409, 413, 415, 422])
      expect(expected).toHaveLength(SCRIPT.length)
    },
  )
})
