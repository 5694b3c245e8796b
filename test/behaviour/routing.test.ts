import { expect, it } from 'vitest'
import { expectAnswer, expectError, expectUnchanged, openClient, readAnswer } from '../support/client.js'
import { describeDoors } from '../support/doors.js'
import { contractHeaders, fill, named, operation, operations, paths, send, WORLD } from '../support/http.js'

const UNKNOWN_PATHS = [
  '/',
  '/nope',
  '/pet',
  '/petss',
  '/store',
  '/store/',
  '/orders',
  '/inventory',
  '/store/pets',
  '/store/pets/1',
  '/v1/pets',
  '/pets/1/owner',
  '/pets/1/2',
  // Empty segments
  '//',
  '//pets',
  '//evil.example/pets',
  '///pets',
  '/pets//',
  '/pets//1',
  '/store//orders',
  '/store/orders//1',
  // Other cases
  '/PETS',
  '/Pets/1',
  '/Categories',
  '/store/Orders',
  '/STORE/inventory',
  // An encoded slash does not split a segment
  '/pets%2F1',
  '/pets%2f1',
  '/store%2Forders',
  '/%2Fpets',
  '/store%2Finventory/1',
  // Escapes are decoded once
  '/%2570ets',
  '/pets%252F1',
  // Nothing is cut off, trimmed or guessed
  '/pets%20',
  '/%20pets',
  '/pets%00',
  '/pets%3Flimit=1',
  '/pets%23',
  '/pets;v=1',
  '/pets.json',
  '/pets*',
  '/*',
  '/{petId}',
  '/__proto__',
  '/constructor',
  '/%ED%95%9C%EA%B5%AD',
]

const BROKEN_TARGETS = [
  '/pets/%zz',
  '/pets/%',
  '/pets/1%',
  '/pets/%1',
  '/pets/%g1',
  '/pets/%u0031',
  '/%zzets',
  '/pets%',
  '/store/orders/%zz',
  '/store/inventory/%f',
  '/categories/%%31',
  '/nope/%zz',
  '/%',
  '/nope%2/x',
  // Escapes that are no UTF-8: a lone byte, an overlong slash, a surrogate, beyond Unicode, one cut off
  '/pets/%FF',
  '/pets%c0%af1',
  '/pets/%ED%A0%80',
  '/pets/%F4%90%80%80',
  '/nope/%E2%82',
  '/pets?limit=%zz',
  '/pets?limit=%',
  '/pets?bogus=%zz',
  '/pets?%zz=1',
  '/pets?%',
  '/pets?name=%FF',
  '/pets?name=a&limit=5&%E2%82=1',
  '/store/orders?petId=1%',
  '/store/inventory/1?x=%2',
  '/nope?x=%zz',
  '/nope?%=1',
]

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

const offered = (path: string) => operations.filter((each) => each.path === path).map(({ method }) => method)
const refused = paths.flatMap((path) => METHODS.filter((method) => !offered(path).includes(method)))
const readable = operations.filter(({ method }) => method === 'GET')

/** The methods that an answer says are allowed, and those that the document offers on a path, in one order. */
const allowed = ({ headers }: { headers: Headers }) => headers.get('allow')?.split(', ').sort()
const expectedMethods = (path: string) => [...offered(path), 'HEAD', 'OPTIONS'].sort()

describeDoors('routing', (door) => {
  it('is tried on every path of the document', () => {
    expect(paths).toHaveLength(8)
    expect(operations).toHaveLength(18)
    expect(readable).toHaveLength(8)
    expect(refused).toHaveLength(22)
  })

  it.each(UNKNOWN_PATHS)('answers 404 for the unknown path %s', async (path) => {
    const { open } = await openClient(door)
    const answer = await readAnswer(await open.fetch(path, { redirect: 'manual' }))
    expectError(answer, 404, 'ROUTE_NOT_FOUND')
    expect(answer.headers.has('location')).toBe(false)
  })

  it.each(paths)('answers 404 for %s with a slash at its end', async (path) => {
    const { open } = await openClient(door, WORLD)
    expectError(await readAnswer(await open.fetch(`${fill(path)}/`)), 404, 'ROUTE_NOT_FOUND')
  })

  it.each([...METHODS, 'OPTIONS'])('answers 404 for %s on an unknown path', async (method) => {
    const { open } = await openClient(door)
    expectError(await readAnswer(await open.fetch('/nope', { method })), 404, 'ROUTE_NOT_FOUND')
  })

  it('names an unknown path in the message, however long it is, with at most 200 characters of it', async () => {
    const { open } = await openClient(door)
    const answer = await readAnswer(await open.fetch(`/${'x'.repeat(5000)}`))
    expectError(answer, 404, 'ROUTE_NOT_FOUND', 'xxx')
    expect(answer.text).not.toContain('x'.repeat(201))
  })

  it.each([
    ['/%70ets', '/pets'],
    ['/%70%65%74%73?limit=3', '/pets?limit=3'],
    ['/pets/%31', '/pets/1'],
    ['/%73tore/%6Frders', '/store/orders'],
    ['/store/%69nventory/%32', '/store/inventory/2'],
    ['/pets?%6Cimit=%33', '/pets?limit=3'],
    ['/pets?', '/pets'],
    ['/pets?&&limit=3&', '/pets?limit=3'],
  ])('answers %s as it answers %s', async (spelled, plain) => {
    const { open } = await openClient(door)
    const answer = await readAnswer(await open.fetch(spelled))
    const expected = await readAnswer(await open.fetch(plain))
    expectAnswer(answer, 200, expected.body)
    expect(contractHeaders(answer)).toEqual(contractHeaders(expected))
  })

  it.each(BROKEN_TARGETS)('answers 400 for the broken escape in %s', async (target) => {
    const { open } = await openClient(door)
    const place = target.includes('?') ? /query/ : /path/
    expectError(await readAnswer(await open.fetch(target)), 400, 'INVALID_REQUEST', place)
  })

  it.each(named(readable))('answers HEAD like the GET of %s, without a body', async (_, get) => {
    const { open } = await openClient(door, WORLD)
    const full = await send(open, get)
    const bytes = (await full.arrayBuffer()).byteLength
    const head = await send(open, get, { method: 'HEAD' })
    expect(head.status).toBe(200)
    expect(contractHeaders(head)).toEqual(contractHeaders(full))
    expect(head.headers.get('content-length')).toBe(String(bytes))
    expect((await head.arrayBuffer()).byteLength).toBe(0)
  })

  it.each([
    ['/pets/999999', 404, {}],
    ['/store/orders/999999', 404, {}],
    ['/pets/abc', 400, {}],
    ['/pets?limit=0', 400, {}],
    ['/pets?limit=%zz', 400, {}],
    ['/categories', 406, { Accept: 'text/html' }],
    ['/nope', 404, {}],
  ])('answers HEAD %s with the status %i and no body', async (path, status, headers) => {
    const { open } = await openClient(door)
    const full = await open.fetch(path, { headers })
    const bytes = (await full.arrayBuffer()).byteLength
    const head = await open.fetch(path, { method: 'HEAD', headers })
    expect(head.status).toBe(status)
    expect(contractHeaders(head)).toEqual(contractHeaders(full))
    expect(head.headers.get('content-length')).toBe(String(bytes))
    expect((await head.arrayBuffer()).byteLength).toBe(0)
    expect((await open.fetch('/pets/1')).status).toBe(200)
  })

  it.each(paths)('answers OPTIONS on %s with the methods it takes', async (path) => {
    const { open } = await openClient(door, WORLD)
    const response = await open.fetch(fill(path), { method: 'OPTIONS' })
    expect(response.status).toBe(204)
    expect(allowed(response)).toEqual(expectedMethods(path))
    expect(await response.text()).toBe('')
  })

  it.each(paths)('answers 405 on %s for every method it does not take, and changes nothing', async (path) => {
    const { open } = await openClient(door, WORLD)
    const others = [...METHODS, 'PROPFIND'].filter((method) => !offered(path).includes(method))
    await expectUnchanged(open, async () => {
      for (const method of others) {
        const answer = await readAnswer(await open.fetch(fill(path), { method }))
        expectError(answer, 405, 'METHOD_NOT_ALLOWED', method)
        expect(allowed(answer)).toEqual(expectedMethods(path))
      }
    })
  })

  it.each([
    ['PATCH', '/store/inventory', ['GET', 'HEAD', 'OPTIONS']],
    ['DELETE', '/pets', ['GET', 'HEAD', 'OPTIONS', 'POST']],
    ['POST', '/pets/1', ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PUT']],
    ['PUT', '/store/orders/1', ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH']],
    ['DELETE', '/store/inventory/1', ['GET', 'HEAD', 'OPTIONS', 'PUT']],
  ])('answers 405 for %s %s', async (method, path, methods) => {
    const { open } = await openClient(door)
    const answer = await expectUnchanged(open, async () => readAnswer(await open.fetch(path, { method })))
    expectError(answer, 405, 'METHOD_NOT_ALLOWED')
    expect(allowed(answer)).toEqual(methods)
  })

  it('judges a request by its own method, not by one that it names elsewhere', async () => {
    const { open } = await openClient(door, WORLD)
    const headers = { 'X-HTTP-Method-Override': 'DELETE', 'X-HTTP-Method': 'DELETE', 'X-Method-Override': 'DELETE' }
    const created = await send(open, operation('createPet'), { headers, query: '_method=DELETE' })
    expect(created.status).toBe(201)
    const read = await open.fetch('/pets/1?_method=DELETE', { headers })
    expect(read.status).toBe(200)
    expect((await open.fetch('/pets/1')).status).toBe(200)
  })
})
