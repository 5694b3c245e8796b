import { describe, expect, it } from 'vitest'
import { toRoutedPath } from '../../src/http/base-address.js'
import { expectError, readResponse, shop } from '../support/client.js'
import { shareServer } from './share-server.js'

const server = await shareServer({ fixtures: shop([{ id: 1, name: 'Rex' }]) })

const send = async (path: string, init: RequestInit = {}) =>
  readResponse(await fetch(server.url + path, { redirect: 'manual', ...init }))

describe('a path that starts with a sandbox and a prefix', () => {
  it('reaches the sandbox, and references in the response start with the prefix', async () => {
    server.petstore.sandboxes.open('a').data.pets.update(1, { name: 'Only in a' })
    for (const prefix of ['', '/api', '/api/v1']) {
      const routed = (path: string) => toRoutedPath('a', prefix, prefix + path)
      expect((await send(routed('/pets/1'))).body).toMatchObject({ name: 'Only in a' })
      expect((await send(routed('/pets?limit=0'))).status).toBe(400)
      const headers = { 'Content-Type': 'application/json' }
      const created = await send(routed('/categories'), { method: 'POST', headers, body: '{"name":"New"}' })
      expect(created.headers.get('location')).toMatch(new RegExp(`^${prefix}/categories/\\d+$`))
    }
    expect(server.petstore.journal.total).toBe(0)
    expect(server.petstore.sandboxes.open('a').journal.entries()[0]).toMatchObject({ path: '/pets/1' })
  })

  it('wins over the headers that do the same', async () => {
    const headers = { 'X-Petstore-Sandbox': 'b', 'X-Forwarded-Prefix': '/other' }
    expect((await send('/@a:4/api/pets?limit=1', { headers })).headers.get('link') ?? '').not.toContain('/other')
    expect(server.petstore.sandboxes.list()).toMatchObject([{ name: 'a' }])
  })

  it.each([
    ['/@:0/pets', 'X-Petstore-Sandbox must be 1 to 64 letters'],
    ['/@a%20b:0/pets', 'X-Petstore-Sandbox must be 1 to 64 letters'],
    ['/@a:14//evil.example/', 'X-Forwarded-Prefix must be a path'],
    ['/@a:0/sandbox/b/pets', 'X-Petstore-Sandbox names "a" and the path names "b"'],
  ])('is rejected if it is invalid: %s', async (path, message) => {
    const response = await send(path)
    expect(response).toMatchObject({ status: 400, body: { message: expect.stringContaining(message) } })
    expect(server.petstore.sandboxes.list()).toEqual([])
  })

  it.each([
    '/@a/pets',
    '/@a:/pets',
    '/@a:x/pets',
    '/@a:0x/pets',
    '/@a:1000/pets',
    '/@a:3/api/pets',
    '/@a:1/__admin/health',
    '/@vite/client',
  ])('is an ordinary path if its length is missing or wrong: %s', async (path) => {
    expectError(await send(path), 404, 'ROUTE_NOT_FOUND')
    expect(server.petstore.sandboxes.list()).toEqual([])
  })

  it.each([
    ['/pets/2', '/@a:4/api/pets/2'],
    ['/api/pets/2', '/@a:4/api/pets/2'],
    ['/apiary', '/@a:4/api/apiary'],
    ['2', '2'],
    ['//other.example/pets', '//other.example/pets'],
    ['https://other.example/pets', 'https://other.example/pets'],
  ])('stays in the sandbox when it is redirected to %s', async (location, expected) => {
    const { petstore } = server
    petstore.sandboxes.open('a').override('getPet', { status: 302, headers: { location } }, { unchecked: true })
    expect((await send('/@a:4/api/pets/1')).headers.get('location')).toBe(expected)
    expect((await send('/sandbox/a/pets/1')).headers.get('location')).toBe(location)
  })
})
