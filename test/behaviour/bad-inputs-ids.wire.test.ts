import { expect, it } from 'vitest'
import { describeEveryAdapter } from '../support/adapters.js'
import {
  expectAccepted,
  expectConsistent,
  expectRejectedUnchanged,
  openPair,
  type Sent,
} from '../support/bad-inputs.js'
import { forEachCase } from '../support/cases.js'
import { shop } from '../support/client.js'
import { STARTING_DATA } from '../support/operations.js'

const MAX = 9223372036854775807n
const MIN = -9223372036854775808n
const EVEN = 9007199254740992n
const ODD = 9007199254740993n

/** Requests with an id in the path, the name of the parameter, and the kind of record it identifies. */
const IN_PATHS: readonly (readonly [line: string, name: string, kind: string, sent?: Sent])[] = [
  ['GET /pets/ID', 'petId', 'pet'],
  ['DELETE /pets/ID', 'petId', 'pet'],
  ['PUT /pets/ID', 'petId', 'pet', { body: '{"name":"Ivy","categoryId":2}' }],
  ['PUT /categories/ID', 'categoryId', 'category', { body: '{"name":"Owls"}' }],
  ['PATCH /store/orders/ID', 'orderId', 'order', { body: '{"quantity":2}' }],
  ['PUT /store/inventory/ID', 'petId', 'pet', { body: '{"quantity":9}' }],
]

const IN_QUERIES: typeof IN_PATHS = [
  ['GET /pets?categoryId=ID', 'categoryId', 'category'],
  ['GET /store/orders?petId=ID', 'petId', 'pet'],
]

/** The first of each item is tried in every request. Most would be the id 1, which exists, if the mock repaired them. */
const MALFORMED: readonly (readonly [item: string, ids: readonly string[]])[] = [
  ['B1', ['abc', 'one', '1a', 'a1', '1n', '%231', '%221%22', '%5B1%5D', '1,2', '1;2', '%D9%A1']],
  ['B2', ['1.5', '.5', '-1.5', '1,5']],
  ['B3', ['1.0', '1.', '1.000', '-1.0']],
  ['B4', ['+1', '%2B1', '+0', '%2B%2B1']],
  ['B5', ['01', '001', '-01', '00']],
  ['B8', ['%201', '1%20', '%091', '1%0A', '%0D%0A1', '1%00', '%C2%A01', '1%E2%80%8B', '%EF%BB%BF1']],
  ['B12', ['9223372036854775808', '-9223372036854775809', '18446744073709551617', '99999999999999999999']],
  ['B13', ['1'.repeat(100), '9'.repeat(100), `-${'1'.repeat(100)}`, '1'.repeat(4000), `1${'0'.repeat(400)}`]],
  ['B14', ['NaN', 'Infinity', '-Infinity', 'null', 'undefined', 'true', 'false']],
  ['B15', ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '%5F%5Fproto__']],
  ['B17', ['1e0', '1E0', '10e-1', '1e%2B0', '0x1', '0b1', '0o1', '1_0']],
  ['B18', ['-0', '%2D0', '--1', '-', '%E2%88%921']],
]

const malformed = MALFORMED.flatMap(([item, ids]) =>
  ids.map((id, index) => [item, id, index === 0 ? [...IN_PATHS, ...IN_QUERIES] : IN_PATHS.slice(0, 1)] as const),
)

/** Valid ids that no record has. */
const UNUSED = [
  ['B6', '-1'],
  ['B7', '0'],
  ['B10', '9223372036854775807'],
  ['B10', '-9223372036854775808'],
  ['B10', '9007199254740992'],
  ['B10', '4294967297'],
  ['B10', '999999'],
] as const

/** For each id: a category, a pet in it and an order for that pet, all with that id. */
const startingDataOf = (...ids: readonly (number | bigint)[]) => ({
  fixtures: {
    ...shop(
      ids.map((id) => ({ id, categoryId: id, stock: 2 })),
      ids.map((id) => ({ id, petId: id, quantity: 1, complete: false })),
    ),
    categories: ids.map((id) => ({ id, name: `Category ${id}` })),
  },
})

const petOf = (id: bigint) => ({ id, name: `Pet ${id}`, categoryId: id, status: 'available' })
const orderOf = (id: bigint) => ({ id, petId: id, quantity: 1, complete: false })

describeEveryAdapter('bad ids', (adapter) => {
  it('accepts only the canonical decimal notation of an int64', async () => {
    const pair = await openPair(adapter)
    await forEachCase(malformed, async ([item, id, requests]) => {
      for (const [line, name, , sent] of requests) {
        const mentioning = new RegExp(`parameter ${name} must be a 64-bit integer in plain decimal digits, but is "`)
        await expectRejectedUnchanged(pair, [item, line.replace('ID', id), '400 INVALID_REQUEST', mentioning, sent])
      }
    })
    await expectConsistent(pair.api)
  })

  it('G7 returns 404 for an unused id in a path, and an empty list for one in a query', async () => {
    const pair = await openPair(adapter)
    await forEachCase(UNUSED, async ([item, id]) => {
      for (const [line, , kind, sent] of IN_PATHS) {
        const error = `404 ${kind.toUpperCase()}_NOT_FOUND`
        const mentioning = `No ${kind} has the id ${id}.`
        await expectRejectedUnchanged(pair, [item, line.replace('ID', id), error, mentioning, sent])
      }
      for (const [line] of IN_QUERIES) await expectAccepted(pair, line.replace('ID', id), 200, [])
    })
    await expectConsistent(pair.api)
  })

  it.each([EVEN, ODD])('B9 %d is not confused with its neighbour', async (id) => {
    const pair = await openPair(adapter, startingDataOf(EVEN, ODD))
    const { text } = await expectAccepted(pair, `GET /pets/${id}`, 200, petOf(id))
    expect(text).toBe(`{"id":${id},"name":"Pet ${id}","categoryId":${id},"status":"available"}`)
    await expectAccepted(pair, `GET /pets?categoryId=${id}`, 200, [petOf(id)])
    await expectAccepted(pair, `GET /store/orders?petId=${id}`, 200, [orderOf(id)])
    await expectAccepted(pair, `GET /store/inventory/${id}`, 200, { petId: id, quantity: 2, status: 'available' })
    await expectAccepted(pair, `DELETE /store/orders/${id}`, 204)
    await expectAccepted(pair, `DELETE /pets/${id}`, 204)
    const other = id === EVEN ? ODD : EVEN
    await expectAccepted(pair, 'GET /pets', 200, [petOf(other)])
    await expectAccepted(pair, 'GET /store/orders', 200, [orderOf(other)])
  })

  it.each([MAX, MIN, -ODD])('B11 %d is returned digit for digit', async (id) => {
    const pair = await openPair(adapter, startingDataOf(id))
    const { text } = await expectAccepted(pair, `GET /pets/${id}`, 200, petOf(id))
    expect(text).toContain(`"id":${id},`)
    expect((await expectAccepted(pair, 'GET /pets', 200, [petOf(id)])).text).toContain(`"id":${id},`)
    expect((await expectAccepted(pair, `GET /store/orders/${id}`, 200, orderOf(id))).text).toContain(`"petId":${id},`)
    const ordered = { ...orderOf(id), id: 1 }
    await expectAccepted(pair, 'POST /store/orders', 201, ordered, { body: `{"petId":${id}}` })
  })

  it('B11 9223372036854775807 can be assigned, and no id above it', async () => {
    const pair = await openPair(adapter, startingDataOf(1, MAX - 1n))
    for (const [id, location] of [
      [MAX, '/pets/9223372036854775807'],
      [2, '/pets/2'],
    ] as const) {
      const pet = { id, name: 'New', categoryId: 1, status: 'available' }
      const { headers } = await expectAccepted(pair, 'POST /pets', 201, pet, { body: '{"name":"New","categoryId":1}' })
      expect(headers.get('location')).toBe(location)
      await expectAccepted(pair, `GET ${location}`, 200, pet)
    }
  })

  it('B16 percent-encoding in an id is decoded once', async () => {
    const pair = await openPair(adapter)
    await expectAccepted(pair, 'GET /pets/%31', 200, STARTING_DATA.fixtures.pets[0])
    await expectAccepted(pair, 'GET /store/orders/%31', 200, STARTING_DATA.fixtures.orders[0])
    await expectAccepted(pair, 'GET /categories/%31', 200, STARTING_DATA.fixtures.categories[0])
    const mentioning = 'path parameter petId must be'
    await expectRejectedUnchanged(pair, ['B16', 'GET /pets/%2531', '400 INVALID_REQUEST', mentioning])
  })
})
