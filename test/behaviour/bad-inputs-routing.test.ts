import { expect, it } from 'vitest'
import { describeAdapters } from '../support/adapters.js'
import {
  type BadInput,
  expectAccepted,
  expectRejectedUnchanged,
  openPair,
  sendLine,
  sendToPair,
  withTitle,
} from '../support/bad-inputs.js'
import { expectResponse } from '../support/client.js'
import {
  contractHeaders,
  fillPath,
  operations,
  paths,
  STARTING_DATA,
  VALID_BODIES,
  withId,
} from '../support/operations.js'

const NO_ROUTE = '404 ROUTE_NOT_FOUND'
const INVALID = '400 INVALID_REQUEST'
const NO_METHOD = '405 METHOD_NOT_ALLOWED'

const [rex] = STARTING_DATA.fixtures.pets

/** Each is a path that something lenient could take for one of the document's. */
const UNKNOWN: readonly (readonly [item: string, paths: readonly string[]])[] = [
  ['A1', ['/nope', '/', '/pet', '/petss', '/store', '/orders', '/inventory', '/store/pets', '/store/pets/1']],
  ['A1', ['/v1/pets', '/pets/1/owner', '/pets/1/2', '/%ED%95%9C%EA%B5%AD', '/{petId}', '/*', '/pets*']],
  ['A1', ['/pets.json', '/pets;v=1', '/pets/1;v=1/x', '/__proto__', '/constructor', '/toString/1']],
  ['A2', [...paths.map((path) => `${fillPath(path)}/`), '/store/']],
  ['A3', ['/pets//1', '/pets//', '/store//orders', '/store/orders//1', '/store//inventory/1']],
  ['A4', ['//evil.example/pets', '//', '//pets', '///pets', '//pets/1', '//localhost/pets']],
  ['A5', ['/PETS', '/Pets/1', '/Categories', '/store/Orders', '/STORE/inventory', '/%50ets']],
  ['A7', ['/pets%2F1', '/pets%2f1', '/store%2Forders', '/%2Fpets', '/store%2Finventory/1', '/categories%2F1']],
  // Escapes are decoded once, and nothing is cut off or trimmed.
  ['A7', ['/%2570ets', '/pets%252F1', '/pets%20', '/%20pets', '/pets%00', '/pets%3Flimit=1', '/pets%23', '/pets%5C1']],
]

const unknown: BadInput[] = UNKNOWN.flatMap(([item, spelled]) =>
  spelled.map((path): BadInput => [`${item} ${path}`, `GET ${path}`, NO_ROUTE, 'there is no path "/']),
)

/** Not percent-encoded UTF-8: a sign, a byte, an overlong slash, a surrogate, beyond Unicode, one that is cut off. */
const brokenPaths: BadInput[] = [
  ...['/pets/%zz', '/pets/%', '/pets/1%', '/pets/%1', '/pets/%g1', '/pets/%u0031', '/%zzets', '/pets%', '/%'],
  ...['/store/orders/%zz', '/store/inventory/%f', '/categories/%%31', '/nope/%zz', '/nope%2/x'],
  ...['/pets/%FF', '/pets%c0%af1', '/pets/%ED%A0%80', '/pets/%F4%90%80%80', '/nope/%E2%82'],
].map((path) => [`A8 ${path}`, `GET ${path}`, INVALID, /^the path cannot be decoded: "[^"]*%/])

const ON_PET = 'DELETE, GET, HEAD, OPTIONS, PUT'

const refusedMethods: (readonly [title: string, line: string, allow: string])[] = [
  ['A18 a method that is known elsewhere', 'PATCH /store/inventory', 'GET, HEAD, OPTIONS'],
  ['A18 another such method', 'PUT /store/orders/1', 'DELETE, GET, HEAD, OPTIONS, PATCH'],
  ['A18 a method that nothing offers', 'PROPFIND /pets/1', ON_PET],
  ['A19 a collection to be deleted', 'DELETE /pets', 'GET, HEAD, OPTIONS, POST'],
  ['A19 other collections to be deleted', 'DELETE /categories', 'GET, HEAD, OPTIONS, POST'],
  ['A19 the orders to be deleted', 'DELETE /store/orders', 'GET, HEAD, OPTIONS, POST'],
  ['A19 a stock to be deleted', 'DELETE /store/inventory/1', 'GET, HEAD, OPTIONS, PUT'],
  ['A21 a POST to one pet', 'POST /pets/1', ON_PET],
  ['A21 a POST to one category', 'POST /categories/1', ON_PET],
]

/** As Allow lists them, in one order. */
const sorted = (list: string | null) => list?.split(', ').sort().join(', ')

describeAdapters('routing of bad inputs', (adapter) => {
  it.each(withTitle(unknown))('%s is no route', async (_, input) => {
    const { headers } = await expectRejectedUnchanged(await openPair(adapter), input)
    expect(headers.has('location')).toBe(false)
  })

  it.each([
    ['/%70ets', '/pets'],
    ['/%70%65%74%73?limit=3', '/pets?limit=3'],
    ['/%73tore/%6Frders', '/store/orders'],
    ['/store/%69nventory/%32', '/store/inventory/2'],
    ['/%63ategories/1', '/categories/1'],
    ['/pets?%6Cimit=%33', '/pets?limit=3'],
    ['/pets?', '/pets'],
    ['/pets?&&limit=3&', '/pets?limit=3'],
  ])('A6 %s is the same as %s', async (spelled, plain) => {
    const pair = await openPair(adapter)
    const expected = await pair.api.get(plain)
    const response = await expectAccepted(pair, `GET ${spelled}`, 200, expected.body)
    expect(contractHeaders(response)).toEqual(contractHeaders(expected))
  })

  it.each(withTitle(brokenPaths))('%s has a broken escape', async (_, input) => {
    await expectRejectedUnchanged(await openPair(adapter), input)
  })

  it.each([
    ['of one segment', `/${'x'.repeat(7999)}`],
    ['of four thousand segments', '/x'.repeat(4000)],
    ['of escapes', `/${'%3C'.repeat(2666)}`],
    ['with a query', `/nope?${'x'.repeat(7994)}`],
    ['that begins like a route', `/pets/1/${'x'.repeat(7992)}`],
  ])('A10 8,000 characters %s are no route', async (_, path) => {
    await expectRejectedUnchanged(await openPair(adapter), [
      _,
      `GET ${path}`,
      NO_ROUTE,
      /there is no path "\/(x|%3C|nope|pets)/,
    ])
  })

  it.each(withId(operations.filter(({ method }) => method === 'GET')))(
    'A16 HEAD of %s is its GET without a body',
    async (_, { path }) => {
      const pair = await openPair(adapter)
      const full = await sendLine(pair.api.mock, `GET ${fillPath(path)}`)
      const head = await sendToPair(pair, `HEAD ${fillPath(path)}`)
      expect([head.status, head.text]).toEqual([200, ''])
      expect(contractHeaders(head)).toEqual(contractHeaders(full))
      expect(head.headers.get('content-length')).toBe(String(new TextEncoder().encode(full.text).length))
    },
  )

  it.each([
    ['/pets/999999', 404, {}],
    ['/store/orders/999999', 404, {}],
    ['/nope', 404, {}],
    ['/pets/abc', 400, {}],
    ['/pets?limit=0', 400, {}],
    ['/pets?limit=%zz', 400, {}],
    ['/categories', 406, { Accept: 'text/html' }],
  ])('A17 HEAD %s is a %i without a body, and the next request is answered', async (path, status, headers) => {
    const pair = await openPair(adapter)
    const full = await sendLine(pair.api.mock, `GET ${path}`, { headers })
    const head = await sendToPair(pair, `HEAD ${path}`, { headers })
    expect([head.status, head.text]).toEqual([status, ''])
    expect(contractHeaders(head)).toEqual(contractHeaders(full))
    expect(head.headers.get('content-length')).toBe(String(new TextEncoder().encode(full.text).length))
    await expectAccepted(pair, 'GET /pets/1', 200, rex)
  })

  it.each(refusedMethods)('%s: %s is not offered', async (title, line, allow) => {
    const [method = ''] = line.split(' ')
    const response = await expectRejectedUnchanged(await openPair(adapter), [
      title,
      line,
      NO_METHOD,
      ` does not take ${method}: `,
    ])
    expect(sorted(response.headers.get('allow'))).toBe(allow)
  })

  it('A24 a method that is named elsewhere does not count', async () => {
    const pair = await openPair(adapter)
    const names = ['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override']
    const headers = Object.fromEntries(names.map((name) => [name, 'DELETE']))
    const created = { id: 4, ...VALID_BODIES.createPet }
    const body = JSON.stringify(VALID_BODIES.createPet)
    await expectAccepted(pair, 'POST /pets?_method=DELETE', 201, created, { headers, body })
    await expectAccepted(pair, 'GET /pets/1?_method=DELETE&method=DELETE', 200, rex, { headers })
    expectResponse(await pair.api.get('/pets/1'), 200, rex)
  })
})
