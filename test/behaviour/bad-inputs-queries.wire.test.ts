import { expect, it } from 'vitest'
import { describeEveryAdapter } from '../support/adapters.js'
import {
  type BadInput,
  expectAccepted,
  expectAllRejected,
  expectConsistent,
  expectRejectedUnchanged,
  lineOf,
  openPair,
  resetPair,
  sendLine,
  sendToPair,
} from '../support/bad-inputs.js'
import { combine, forEachCase, sampleFor } from '../support/cases.js'
import { expectResponse, withoutAdapter } from '../support/client.js'
import { operations, STARTING_DATA } from '../support/operations.js'

const [rex, mia, tom] = STARTING_DATA.fixtures.pets

/** Names that no operation declares. Some come from the object prototype or from other operations. */
const UNDECLARED: readonly (readonly [item: string, names: readonly string[]])[] = [
  ['C1', ['bogus', 'Limit', 'limit ', '__proto__', 'constructor', 'orderId', '']],
  ['C4', ['limit[]', 'limit[0]', 'status[]']],
]

const undeclaredOnEveryOperation = UNDECLARED.flatMap(([item, names]) =>
  operations.map((operation) => [item, operation, names] as const),
)

/** Queries that are rejected with a message that names the parameter. */
function rejected(item: string, path: string, name: string, ...queries: string[]): BadInput[] {
  return queries.map((query) => [
    `${item} ${path}?${query.slice(0, 60)}`,
    `GET ${path}?${query}`,
    '400 INVALID_REQUEST',
    new RegExp(`^query parameter ${name} must be `),
  ])
}

const values = (name: string, ...texts: string[]) => texts.map((value) => `${name}=${value}`)

const invalid: BadInput[] = [
  ...rejected('C2', '/pets', 'limit', 'limit=1&limit=2', 'limit=1&limit=1', 'limit=1&bogus=1&%6Cimit=2'),
  ...rejected('C2', '/pets', 'categoryId', 'categoryId=2&categoryId=2'),
  ...rejected('C2', '/store/inventory', 'maxQuantity', 'maxQuantity=1&maxQuantity=2'),
  ...rejected('C2', '/categories', 'sort', 'sort=id&sort=name'),
  ...rejected('C3', '/pets', 'limit', 'limit=', 'limit', 'limit&offset=1', 'bogus=1&limit=&more=2'),
  ...rejected('C3', '/store/orders', 'petId', 'petId=', 'petId'),
  ...rejected('C3', '/store/orders', 'complete', 'complete=', 'complete'),
  ...rejected('C3', '/categories', 'sort', 'sort=', 'sort'),
  ...rejected('C5', '/pets', 'limit', 'limit=0', 'limit=-1', 'limit=-9007199254740991'),
  ...rejected('C6', '/pets', 'limit', 'limit=101', 'limit=1000'),
  ...rejected('C6', '/store/orders', 'limit', 'limit=101'),
  ...rejected('C6', '/categories', 'offset', 'offset=9007199254740992'),
  ...rejected('C7', '/pets', 'limit', 'limit=99999999999999999999', 'limit=18446744073709551617'),
  ...rejected('C7', '/pets', 'limit', `limit=${'1'.repeat(4000)}`),
  ...rejected(
    'C7',
    '/store/inventory',
    'maxQuantity',
    'maxQuantity=9007199254740992',
    'maxQuantity=-99999999999999999999',
  ),
  ...rejected(
    'C8',
    '/pets',
    'limit',
    ...values('limit', '1e1', '0x10', '05', '5.0', '%2B5', '%205', '5%20', '+5', '5+'),
  ),
  ...rejected(
    'C8',
    '/pets',
    'limit',
    ...values('limit', '5%0A', '5%00', '1_0', '5n', '%EF%BC%95', '%D9%A5', '0b1', '5.'),
  ),
  ...rejected('C8', '/pets', 'offset', ...values('offset', '1e1', '00', '-0', '1.0', '%2B1')),
  ...rejected('C9', '/pets', 'offset', ...values('offset', '-1', '-20', '-9223372036854775808')),
  ...rejected('C9', '/store/inventory', 'offset', 'offset=-1'),
  ...rejected(
    'C11',
    '/pets',
    'status',
    ...values('status', 'Available', 'SOLD', 'availabl', 'available%20', '%20sold'),
  ),
  ...rejected('C11', '/pets', 'status', 'status=sold,pending', 'status=sold&status=Pending', 'status=__proto__'),
  ...rejected('C11', '/store/inventory', 'status', ...values('status', 'Available', 'toString', '0')),
  ...rejected('C11', '/store/orders', 'complete', ...values('complete', 'True', 'TRUE', '1', '0', 'yes', 'null')),
  ...rejected('C11', '/pets', 'sort', ...values('sort', 'Name', 'colour', '--id', '+id', 'id,name', '__proto__', '-')),
  ...rejected('C12', '/pets', 'status', 'status=', 'status', 'status=sold&status='),
  ...rejected('C12', '/store/inventory', 'status', 'status='),
  ...rejected('C13', '/store/orders', 'complete', 'complete=true&complete=false', 'complete=true&complete=true'),
  ...rejected('C15', '/pets', 'limit', ...values('limit', 'NaN', 'Infinity', '-Infinity', 'true', 'null', 'undefined')),
  ...rejected('C15', '/pets', 'limit', ...values('limit', '%7B%7D', '%5B1%5D', '%221%22', '$(id)', '%7B%7B1%7D%7D')),
  ...rejected('C16', '/pets', 'limit', ...values('limit', '5,6', '5;6', '5%2C6', '5%266', '5..6', '5%7C6')),
  ...rejected('C16', '/pets', 'categoryId', ...values('categoryId', '1,2', '1%202')),
]

/** Queries that are not percent-encoded UTF-8, on known and unknown paths. */
const undecodable: BadInput[] = [
  ...['/pets?limit=%zz', '/pets?limit=%', '/pets?bogus=%zz', '/pets?%zz=1', '/pets?%', '/pets?name=%FF'],
  ...['/pets?name=a&limit=5&%E2%82=1', '/pets?name=%ED%A0%80', '/store/orders?petId=1%', '/store/inventory/1?x=%2'],
  ...['/nope?x=%zz', '/nope?%=1', '/categories?name=%c0%af'],
].map((path) => [`C14 ${path}`, `GET ${path}`, '400 INVALID_REQUEST', /^The query cannot be decoded: "[^"]*%/])

describeEveryAdapter('bad queries', (adapter) => {
  it('ignores undeclared parameters', async () => {
    const pair = await openPair(adapter)
    await forEachCase(sampleFor(adapter, undeclaredOnEveryOperation), async ([, operation, names]) => {
      const { line, sent } = lineOf(operation)
      resetPair(pair)
      const plain = await sendLine(withoutAdapter(pair.api.mock), line, sent)
      resetPair(pair)
      const query = [...names, ...names].map((name) => `${encodeURIComponent(name)}=${operation.id}`).join('&')
      const response = await sendToPair(pair, `${line}?${query}`, sent)
      expectResponse(response, operation.success, plain.body)
      expect(response.headers.get('link')).toBe(plain.headers.get('link'))
      await expectConsistent(pair.api)
    })
  })

  it('rejects undeclared parameters in strict mode', async () => {
    const pair = await openPair(adapter, { ...STARTING_DATA, strict: true })
    const names = UNDECLARED.flatMap(([, each]) => each)
    await forEachCase(
      combine(adapter, operations, () => names),
      async ([, name, operation]) => {
        const { line, sent } = lineOf(operation)
        const mentioning = `query parameter ${/^\w+$/.test(name) ? name : JSON.stringify(name)} is unknown. `
        const target = `${line}?${encodeURIComponent(name)}=1`
        await expectRejectedUnchanged(pair, ['C1 C4', target, '400 INVALID_REQUEST', mentioning, sent])
      },
    )
    await forEachCase(operations, async (operation) => {
      resetPair(pair)
      const { line, sent } = lineOf(operation)
      expect((await sendToPair(pair, line, sent)).status).toBe(operation.success)
      await expectConsistent(pair.api)
    })
  })

  it('rejects invalid values', () => expectAllRejected(adapter, invalid))

  it('rejects queries that cannot be decoded', () => expectAllRejected(adapter, undecodable))

  it('C10 an offset past the end returns an empty list', async () => {
    const pair = await openPair(adapter)
    await forEachCase([3, 4, 100, 4_294_967_296, 9007199254740991], async (offset) => {
      const { headers } = await expectAccepted(pair, `GET /pets?offset=${offset}`, 200, [])
      expect(headers.get('x-total-count')).toBe('3')
    })
  })

  it('C13 several values of status match any of them', async () => {
    const pair = await openPair(adapter)
    await forEachCase(
      [
        ['status=sold&status=pending', [mia, tom]],
        ['status=pending&status=sold&status=sold', [mia, tom]],
        ['status=available&status=sold&status=pending', [rex, mia, tom]],
        ['status=available', [rex]],
      ] as const,
      async ([query, pets]) => {
        const { headers } = await expectAccepted(pair, `GET /pets?${query}`, 200, pets)
        expect(headers.get('x-total-count')).toBe(String(pets.length))
      },
    )
  })

  it('C17 rejects thousands of parameters', async () => {
    const pair = await openPair(adapter)
    for (const [count, error, mentioning] of [
      [5000, '414 URI_TOO_LONG', /path and query have \d+ characters/],
      [4000, '400 INVALID_REQUEST', /query has 4001 parameters/],
    ] as const) {
      await forEachCase(['/pets', '/pets/1', '/store/orders', '/nope'], (path) =>
        expectRejectedUnchanged(pair, ['C17', `GET ${path}?limit=5&${'z&'.repeat(count)}`, error, mentioning]),
      )
    }
    await expectConsistent(pair.api)
  })

  it('C17 ignores 250 undeclared parameters, and does not repeat them in Link', async () => {
    const pair = await openPair(adapter)
    const plain = await pair.api.get('/pets?limit=1')
    const response = await expectAccepted(pair, `GET /pets?limit=1&${'z&'.repeat(250)}`, 200, [rex])
    expect(response.headers.get('link')).toBe(plain.headers.get('link'))
  })
})
