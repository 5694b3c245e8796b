import { expect, it } from 'vitest'
import { type Adapter, adapters, describeAdapters } from '../support/adapters.js'
import {
  type BadInput,
  expectAccepted,
  expectRejectedUnchanged,
  lineOf,
  openPair,
  sendLine,
  sendToPair,
  withTitle,
} from '../support/bad-inputs.js'
import { expectResponse, openClient } from '../support/client.js'
import { operations, STARTING_DATA, withId } from '../support/operations.js'

const [rex, mia, tom] = STARTING_DATA.fixtures.pets

/** Names that no operation declares: with brackets, in other letters, of the prototype, of another operation. */
const UNDECLARED: readonly (readonly [item: string, names: readonly string[]])[] = [
  ['C1', ['bogus', 'Limit', 'limit ', '__proto__', 'constructor', 'orderId', '']],
  ['C4', ['limit[]', 'limit[0]', 'status[]']],
]

const onEveryOperation = UNDECLARED.flatMap(([item, names]) =>
  withId(operations).map(([id, operation]) => [item, id, operation, names] as const),
)

const spell = encodeURIComponent

/** Rows for one parameter: each query is refused with a message that names it. */
function refused(item: string, path: string, name: string, ...queries: string[]): BadInput[] {
  return queries.map((query) => [
    `${item} ${path}?${query.slice(0, 60)}`,
    `GET ${path}?${query}`,
    '400 INVALID_REQUEST',
    new RegExp(`^query parameter ${name} must be `),
  ])
}

const values = (name: string, ...spelled: string[]) => spelled.map((value) => `${name}=${value}`)

const invalid: BadInput[] = [
  ...refused('C2', '/pets', 'limit', 'limit=1&limit=2', 'limit=1&limit=1', 'limit=1&bogus=1&%6Cimit=2'),
  ...refused('C2', '/pets', 'categoryId', 'categoryId=2&categoryId=2'),
  ...refused('C2', '/store/inventory', 'maxQuantity', 'maxQuantity=1&maxQuantity=2'),
  ...refused('C2', '/categories', 'sort', 'sort=id&sort=name'),
  ...refused('C3', '/pets', 'limit', 'limit=', 'limit', 'limit&offset=1', 'bogus=1&limit=&more=2'),
  ...refused('C3', '/store/orders', 'petId', 'petId=', 'petId'),
  ...refused('C3', '/store/orders', 'complete', 'complete=', 'complete'),
  ...refused('C3', '/categories', 'sort', 'sort=', 'sort'),
  ...refused('C5', '/pets', 'limit', 'limit=0', 'limit=-1', 'limit=-9007199254740991'),
  ...refused('C6', '/pets', 'limit', 'limit=101', 'limit=1000'),
  ...refused('C6', '/store/orders', 'limit', 'limit=101'),
  ...refused('C6', '/categories', 'offset', 'offset=9007199254740992'),
  ...refused('C7', '/pets', 'limit', 'limit=99999999999999999999', 'limit=18446744073709551617'),
  ...refused('C7', '/pets', 'limit', `limit=${'1'.repeat(4000)}`),
  ...refused(
    'C7',
    '/store/inventory',
    'maxQuantity',
    'maxQuantity=9007199254740992',
    'maxQuantity=-99999999999999999999',
  ),
  ...refused(
    'C8',
    '/pets',
    'limit',
    ...values('limit', '1e1', '0x10', '05', '5.0', '%2B5', '%205', '5%20', '+5', '5+'),
  ),
  ...refused(
    'C8',
    '/pets',
    'limit',
    ...values('limit', '5%0A', '5%00', '1_0', '5n', '%EF%BC%95', '%D9%A5', '0b1', '5.'),
  ),
  ...refused('C8', '/pets', 'offset', ...values('offset', '1e1', '00', '-0', '1.0', '%2B1')),
  ...refused('C9', '/pets', 'offset', ...values('offset', '-1', '-20', '-9223372036854775808')),
  ...refused('C9', '/store/inventory', 'offset', 'offset=-1'),
  ...refused('C11', '/pets', 'status', ...values('status', 'Available', 'SOLD', 'availabl', 'available%20', '%20sold')),
  ...refused('C11', '/pets', 'status', 'status=sold,pending', 'status=sold&status=Pending', 'status=__proto__'),
  ...refused('C11', '/store/inventory', 'status', ...values('status', 'Available', 'toString', '0')),
  ...refused('C11', '/store/orders', 'complete', ...values('complete', 'True', 'TRUE', '1', '0', 'yes', 'null')),
  ...refused('C11', '/pets', 'sort', ...values('sort', 'Name', 'colour', '--id', '+id', 'id,name', '__proto__', '-')),
  ...refused('C12', '/pets', 'status', 'status=', 'status', 'status=sold&status='),
  ...refused('C12', '/store/inventory', 'status', 'status='),
  ...refused('C13', '/store/orders', 'complete', 'complete=true&complete=false', 'complete=true&complete=true'),
  ...refused('C15', '/pets', 'limit', ...values('limit', 'NaN', 'Infinity', '-Infinity', 'true', 'null', 'undefined')),
  ...refused('C15', '/pets', 'limit', ...values('limit', '%7B%7D', '%5B1%5D', '%221%22', '$(id)', '%7B%7B1%7D%7D')),
  ...refused('C16', '/pets', 'limit', ...values('limit', '5,6', '5;6', '5%2C6', '5%266', '5..6', '5%7C6')),
  ...refused('C16', '/pets', 'categoryId', ...values('categoryId', '1,2', '1%202')),
]

/** Not percent-encoded UTF-8, wherever the path leads. */
const brokenQueries: BadInput[] = [
  ...['/pets?limit=%zz', '/pets?limit=%', '/pets?bogus=%zz', '/pets?%zz=1', '/pets?%', '/pets?name=%FF'],
  ...['/pets?name=a&limit=5&%E2%82=1', '/pets?name=%ED%A0%80', '/store/orders?petId=1%', '/store/inventory/1?x=%2'],
  ...['/nope?x=%zz', '/nope?%=1', '/categories?name=%c0%af'],
].map((path) => [`C14 ${path}`, `GET ${path}`, '400 INVALID_REQUEST', /^the query cannot be decoded: "[^"]*%/])

describeAdapters('bad queries', (adapter) => {
  it.each(onEveryOperation)('%s undeclared parameters are ignored by %s', async (_, id, operation, names) => {
    const pair = await openPair(adapter)
    const { line, sent } = lineOf(operation)
    const plain = await sendLine((await openClient(adapters[0] as Adapter, STARTING_DATA)).mock, line, sent)
    const query = [...names, ...names].map((name) => `${spell(name)}=${id}`).join('&')
    const response = await sendToPair(pair, `${line}?${query}`, sent)
    expectResponse(response, operation.success, plain.body)
    expect(response.headers.get('link')).toBe(plain.headers.get('link'))
  })

  it.each(onEveryOperation)('%s undeclared parameters are refused by %s where it is strict', async (...row) => {
    const [item, , operation, names] = row
    const pair = await openPair(adapter, { ...STARTING_DATA, strict: true })
    const { line, sent } = lineOf(operation)
    for (const name of names) {
      const naming = `query parameter ${/^\w+$/.test(name) ? name : JSON.stringify(name)} is not known here`
      await expectRejectedUnchanged(pair, [item, `${line}?${spell(name)}=1`, '400 INVALID_REQUEST', naming, sent])
    }
    expect((await sendToPair(pair, line, sent)).status).toBe(operation.success)
  })

  it.each(withTitle(invalid))('%s', async (_, input) => {
    await expectRejectedUnchanged(await openPair(adapter), input)
  })

  it.each([3, 4, 100, 4_294_967_296, 9007199254740991])('C10 an offset of %i is past the end', async (offset) => {
    const { headers } = await expectAccepted(await openPair(adapter), `GET /pets?offset=${offset}`, 200, [])
    expect(headers.get('x-total-count')).toBe('3')
  })

  it.each([
    ['status=sold&status=pending', [mia, tom]],
    ['status=pending&status=sold&status=sold', [mia, tom]],
    ['status=available&status=sold&status=pending', [rex, mia, tom]],
    ['status=available', [rex]],
  ])('C13 %s asks for both', async (query, pets) => {
    const { headers } = await expectAccepted(await openPair(adapter), `GET /pets?${query}`, 200, pets)
    expect(headers.get('x-total-count')).toBe(String(pets.length))
  })

  it.each(withTitle(brokenQueries))('%s', async (_, input) => {
    await expectRejectedUnchanged(await openPair(adapter), input)
  })

  it.each<[count: number, refusal: string, naming: RegExp]>([
    [5000, '414 URI_TOO_LONG', /path and query have \d+ characters/],
    [4000, '400 INVALID_REQUEST', /query has 4001 parameters/],
  ])('C17 %i parameters are too many', async (count, refusal, naming) => {
    const pair = await openPair(adapter)
    for (const path of ['/pets', '/pets/1', '/store/orders', '/nope']) {
      await expectRejectedUnchanged(pair, ['C17', `GET ${path}?limit=5&${'z&'.repeat(count)}`, refusal, naming])
    }
  })

  it('C17 two hundred and fifty parameters are ignored, and Link does not repeat them', async () => {
    const pair = await openPair(adapter)
    const plain = await pair.api.get('/pets?limit=1')
    const response = await expectAccepted(pair, `GET /pets?limit=1&${'z&'.repeat(250)}`, 200, [rex])
    expect(response.headers.get('link')).toBe(plain.headers.get('link'))
  })
})
