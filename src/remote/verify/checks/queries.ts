import { parseAnyId, toJsonInt64 } from '../../../lib/int64.js'
import type { OperationId } from '../../../petstore/types.js'
import { objectsIn } from '../../service-response.js'
import type { CallResult } from '../caller.js'
import { type Check, type Context, reads } from '../check.js'
import { expectIds, type Listed, sortBy } from '../listed-records.js'

const INVALID_PAGING = [
  'limit=0',
  'limit=101',
  'limit=-1',
  'limit=abc',
  'limit=1.5',
  'limit=',
  'limit=1&limit=2',
  'offset=-1',
  'offset=abc',
  'sort=colour',
  'sort=',
  'sort=%2Bid',
]

/** Each list, what its items are called, and queries that only this list must reject. */
const LISTS = [
  ['listPets', 'pets', 'status=lost', 'status=available&status=', 'categoryId=abc', 'categoryId=01'],
  ['listCategories', 'categories', 'sort=status'],
  ['listOrders', 'orders', 'petId=1e2', 'petId=9223372036854775808', 'complete=yes', 'complete=1'],
  ['listInventory', 'entries', 'sort=id', 'status=lost', 'maxQuantity=x', 'maxQuantity=1.5'],
] as const

/** Checks of lists that hold for whatever is in them. */
export const queryChecks: readonly Check[] = [
  ...LISTS.map(([operation, items]) =>
    reads(operation, `returns a page of ${items}`, async ({ call }) => {
      await call(operation, { query: 'limit=100' })
      await call(operation, {})
    }),
  ),

  ...LISTS.map(([operation, , ...queries]) =>
    reads(operation, 'returns 400 for an invalid query', async ({ call }) => {
      for (const query of [...INVALID_PAGING, ...queries]) await call(operation, { query }, { code: 'INVALID_REQUEST' })
    }),
  ),

  ...LISTS.map(([operation]) =>
    reads(operation, 'returns an empty page if nothing matches', async (context) => {
      const { unknownId, marker } = context
      const queries = { name: `missing ${marker}`, categoryId: unknownId, petId: unknownId, maxQuantity: '-1' }
      const { queryParameters } = context.operations[operation].contract
      for (const [parameter, value] of Object.entries(queries)) {
        if (!queryParameters.some(({ name }) => name === parameter)) continue
        const response = await context.call(operation, { query: `${parameter}=${encodeURIComponent(value)}`, total: 0 })
        const { length } = itemsOf(response)
        if (length > 0) context.noteOn(operation, response)(`query ${parameter}`, 'no items', `${length} items`)
      }
    }),
  ),

  ...LISTS.map(([operation]) =>
    reads(operation, 'sorts by id in both directions, and keeps to the limit', async (context) => {
      const key = keyOf(operation)
      for (const [query, sort] of [
        ['limit=100', key],
        [`limit=100&sort=-${key}`, `-${key}`],
        ['limit=2', key],
        ['limit=2&offset=1', key],
      ] as const) {
        await expectSorted(context, operation, query, sort)
      }
    }),
  ),

  reads('listInventory', 'filters by status and quantity', async ({ call, noteOn }) => {
    for (const [query, name, expected, isWrong] of [
      ['status=sold', 'status', 'sold', isStatusOtherThan('sold')],
      ['status=available&status=pending', 'status', 'available or pending', isStatusOtherThan('available', 'pending')],
      ['maxQuantity=0', 'quantity', '0 or less', (value: unknown) => typeof value === 'number' && value > 0],
    ] as const) {
      const response = await call('listInventory', { query: `limit=100&${query}` })
      for (const { [name]: value } of itemsOf(response)) {
        if (isWrong(value)) noteOn('listInventory', response)(`body /*/${name}`, expected, String(value))
      }
    }
  }),

  reads('listInventory', 'sorts by quantity, and equal quantities by pet', async (context) => {
    for (const sort of ['quantity', '-quantity']) {
      await expectSorted(context, 'listInventory', `limit=100&sort=${sort}`, sort)
    }
  }),
]

const isStatusOtherThan =
  (...statuses: string[]) =>
  (value: unknown): boolean =>
    typeof value === 'string' && !statuses.includes(value)

const keyOf = (operation: OperationId): string => (operation === 'listInventory' ? 'petId' : 'id')

const itemsOf = ({ asExpected, value }: CallResult) => (asExpected ? objectsIn(value) : [])

async function expectSorted(context: Context, operation: OperationId, query: string, sort: string): Promise<void> {
  const response = await context.call(operation, { query })
  const items = itemsOf(response)
  const listed = items.flatMap((fields): Listed[] => {
    const id = parseAnyId(fields[keyOf(operation)])
    return id === undefined ? [] : [{ ...fields, id: toJsonInt64(id) }]
  })
  // An item without an id is a difference of its own.
  if (listed.length < items.length) return
  const received = listed.map(({ id }) => String(id))
  expectIds('query sort', received, sortBy(listed, sort), context.noteOn(operation, response))
}
