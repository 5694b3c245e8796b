import { expect, it } from 'vitest'
import { describeEveryAdapter } from '../support/adapters.js'
import {
  type BadInput,
  expectAccepted,
  expectAllRejected,
  expectConsistent,
  expectRejectedUnchanged,
  openPair,
  type Pair,
  sendLine,
  sendToPair,
} from '../support/bad-inputs.js'
import { forEachCase } from '../support/cases.js'
import { expectResponse } from '../support/client.js'
import { contractHeaders, fillPath, operations, paths, STARTING_DATA, VALID_BODIES } from '../support/operations.js'

const NO_ROUTE = '404 ROUTE_NOT_FOUND'
const INVALID = '400 INVALID_REQUEST'
const NO_METHOD = '405 METHOD_NOT_ALLOWED'

const [rex] = STARTING_DATA.fixtures.pets

/** Paths that a lenient server might accept as one of the OpenAPI document's. */
const UNKNOWN: readonly (readonly [item: string, paths: readonly string[]])[] = [
  ['A1', ['/nope', '/', '/pet', '/petss', '/store', '/orders', '/inventory', '/store/pets', '/store/pets/1']],
  ['A1', ['/v1/pets', '/pets/1/owner', '/pets/1/2', '/%ED%95%9C%EA%B5%AD', '/{petId}', '/*', '/pets*']],
  ['A1', ['/pets.json', '/pets;v=1', '/pets/1;v=1/x', '/__proto__', '/constructor', '/toString/1']],
  ['A2', [...paths.map((path) => `${fillPath(path)}/`), '/store/']],
  ['A3', ['/pets//1', '/pets//', '/store//orders', '/store/orders//1', '/store//inventory/1']],
  ['A4', ['//evil.example/pets', '//', '//pets', '///pets', '//pets/1', '//localhost/pets']],
  ['A5', ['/PETS', '/Pets/1', '/Categories', '/store/Orders', '/STORE/inventory', '/%50ets']],
  ['A7', ['/pets%2F1', '/pets%2f1', '/store%2Forders', '/%2Fpets', '/store%2Finventory/1', '/categories%2F1']],
  // Percent-encoding is decoded once, and nothing is trimmed.
  ['A7', ['/%2570ets', '/pets%252F1', '/pets%20', '/%20pets', '/pets%00', '/pets%3Flimit=1', '/pets%23', '/pets%5C1']],
]

const unknown: BadInput[] = UNKNOWN.flatMap(([item, unknownPaths]) =>
  unknownPaths.map((path): BadInput => [`${item} ${path}`, `GET ${path}`, NO_ROUTE, 'Unknown path "/']),
)

/** Paths that are not percent-encoded UTF-8: bad escapes, and bytes that are not a character. */
const undecodable: BadInput[] = [
  ...['/pets/%zz', '/pets/%', '/pets/1%', '/pets/%1', '/pets/%g1', '/pets/%u0031', '/%zzets', '/pets%', '/%'],
  ...['/store/orders/%zz', '/store/inventory/%f', '/categories/%%31', '/nope/%zz', '/nope%2/x'],
  ...['/pets/%FF', '/pets%c0%af1', '/pets/%ED%A0%80', '/pets/%F4%90%80%80', '/nope/%E2%82'],
].map((path) => [`A8 ${path}`, `GET ${path}`, INVALID, /^The path cannot be decoded: "[^"]*%/])

const ON_PET = 'DELETE, GET, HEAD, OPTIONS, PUT'

const otherMethods: (readonly [title: string, line: string, allow: string])[] = [
  ['A18 a method of other paths', 'PATCH /store/inventory', 'GET, HEAD, OPTIONS'],
  ['A18 another method of other paths', 'PUT /store/orders/1', 'DELETE, GET, HEAD, OPTIONS, PATCH'],
  ['A18 an unknown method', 'PROPFIND /pets/1', ON_PET],
  ['A19 deleting all pets', 'DELETE /pets', 'GET, HEAD, OPTIONS, POST'],
  ['A19 deleting all orders', 'DELETE /store/orders', 'GET, HEAD, OPTIONS, POST'],
  ['A19 deleting an inventory entry', 'DELETE /store/inventory/1', 'GET, HEAD, OPTIONS, PUT'],
  ['A21 a POST to one pet', 'POST /pets/1', ON_PET],
]

const sortList = (list: string | null) => list?.split(', ').sort().join(', ')

describeEveryAdapter('bad paths and methods', (adapter) => {
  it('returns 404 for an unknown path, and does not redirect', () =>
    expectAllRejected(adapter, unknown, ({ headers }) => expect(headers.has('location')).toBe(false)))

  it('A6 decodes percent-encoded paths and queries', async () => {
    const pair = await openPair(adapter)
    await forEachCase(
      [
        ['/%70ets', '/pets'],
        ['/%70%65%74%73?limit=3', '/pets?limit=3'],
        ['/store/%69nventory/%32', '/store/inventory/2'],
        ['/pets?%6Cimit=%33', '/pets?limit=3'],
        ['/pets?', '/pets'],
        ['/pets?&&limit=3&', '/pets?limit=3'],
      ] as const,
      async ([encoded, plain]) => {
        const expected = await pair.api.get(plain)
        const response = await expectAccepted(pair, `GET ${encoded}`, 200, expected.body)
        expect(contractHeaders(response)).toEqual(contractHeaders(expected))
      },
    )
  })

  it('rejects paths that cannot be decoded', () => expectAllRejected(adapter, undecodable))

  it('A10 returns 404 for an unknown path of 8,000 characters', () =>
    expectAllRejected(
      adapter,
      [
        `/${'x'.repeat(7999)}`,
        '/x'.repeat(4000),
        `/${'%3C'.repeat(2666)}`,
        `/nope?${'x'.repeat(7994)}`,
        `/pets/1/${'x'.repeat(7992)}`,
      ].map((path) => [`A10 ${path}`, `GET ${path}`, NO_ROUTE, /Unknown path "\/(x|%3C|nope|pets)/]),
    ))

  it('A16 HEAD returns the headers of GET without a body', async () => {
    const pair = await openPair(adapter)
    await forEachCase(
      operations.filter(({ method }) => method === 'GET'),
      ({ path }) => expectHeadLikeGet(pair, fillPath(path), 200),
    )
  })

  it('A17 HEAD returns the error headers of GET without a body, and the next request succeeds', async () => {
    const pair = await openPair(adapter)
    await forEachCase(
      [
        ['/store/orders/999999', 404, {}],
        ['/nope', 404, {}],
        ['/pets/abc', 400, {}],
        ['/pets?limit=0', 400, {}],
        ['/categories', 406, { Accept: 'text/html' }],
      ] as [string, number, Record<string, string>][],
      async ([path, status, headers]) => {
        await expectHeadLikeGet(pair, path, status, headers)
        await expectAccepted(pair, 'GET /pets/1', 200, rex)
      },
    )
  })

  it('returns 405 and the allowed methods for any other method', async () => {
    const pair = await openPair(adapter)
    await forEachCase(otherMethods, async ([title, line, allow]) => {
      const [method = ''] = line.split(' ')
      const mentioning = `${method} is not allowed on "`
      const { headers } = await expectRejectedUnchanged(pair, [title, line, NO_METHOD, mentioning])
      expect(sortList(headers.get('allow'))).toBe(allow)
    })
    await expectConsistent(pair.api)
  })

  it('A24 ignores headers and parameters that name another method', async () => {
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

async function expectHeadLikeGet(
  pair: Pair,
  path: string,
  status: number,
  headers: Record<string, string> = {},
): Promise<void> {
  const get = await sendLine(pair.api.mock, `GET ${path}`, { headers })
  const head = await sendToPair(pair, `HEAD ${path}`, { headers })
  expect([head.status, head.text]).toEqual([status, ''])
  expect(contractHeaders(head)).toEqual(contractHeaders(get))
  expect(head.headers.get('content-length')).toBe(String(new TextEncoder().encode(get.text).length))
}
