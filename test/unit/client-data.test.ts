import { expect, it } from 'vitest'
import { connect } from '../../src/tools/client/index.js'

/** A client of a service with any resources. */
function connectTo(requests: string[]) {
  const fetch = async (url: string, { method = 'GET' }: RequestInit) => {
    requests.push(`${method} ${new URL(url).pathname}`)
    return Response.json([{ isbn: 'x' }], { headers: { 'X-Petstore-Mock': '1' } })
  }
  return connect('http://localhost:4010', { fetch }).data as unknown as Record<string | symbol, { all(): unknown }>
}

it('has the collections of any service', async () => {
  const requests: string[] = []
  const data = connectTo(requests)
  expect(await data.books?.all()).toEqual([{ isbn: 'x' }])
  expect(await data['a/b']?.all()).toEqual([{ isbn: 'x' }])
  expect(requests).toEqual(['GET /__admin/data/books', 'GET /__admin/data/a%2Fb'])
  expect(data.books).toBe(data.books)
})

it.each(['then', 'toString', 'constructor', '__proto__', Symbol.iterator])('has no collection %s', (name) => {
  expect(connectTo([])[name]).toBeUndefined()
})

it('can be the result of an async function', async () => {
  const data = connectTo([])
  expect((await Promise.resolve(data)).books).toBe(data.books)
})
