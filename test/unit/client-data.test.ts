import { expect, it } from 'vitest'
import { readAdminRequest, toAdminRequest } from '../../src/engine/admin/request.js'
import { adminOperations } from '../../src/generated/engine/admin/admin-operations.js'
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

it.each(Object.keys(adminOperations) as (keyof typeof adminOperations)[])(
  'writes and reads the path of %s',
  (operation) => {
    const [, template = ''] = adminOperations[operation].split(' ')
    const names = Array.from(template.matchAll(/\{(\w+)\}/g), ([, name]) => name)
    const path = Object.fromEntries(names.map((name) => [name, `${name}/é`]))
    const { method, target } = toAdminRequest(operation, { path, query: { a: 'x y', b: undefined } })
    expect(target).toMatch(/^[!-~]+\?a=x%20y$/)
    const sent = Object.fromEntries(names.map((name) => [name, encodeURIComponent(`${name}/é`)]))
    expect(readAdminRequest({ method, path: target.replace('?a=x%20y', '') })).toEqual({ operation, path: sent })
  },
)

it.each(['.', '..'])('has a record %s in its own path', (recordId) => {
  const { target } = toAdminRequest('getRecord', { path: { collection: 'books', recordId } })
  expect(new URL(target, 'http://x').pathname).toBe(`/__admin/data/books/${'%252E'.repeat(recordId.length)}`)
})

it('knows no operation for another request', () => {
  expect(readAdminRequest({ method: 'GET', path: '/__admin/faults/1' })).toBeUndefined()
})
