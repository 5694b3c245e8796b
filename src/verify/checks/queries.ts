import { parseAnyId } from '../../lib/int64.js'
import type { OperationId } from '../../petstore/types.js'
import { type Check, reads } from '../check.js'
import type { CallResult, Client } from '../client.js'
import { compareIds, sortBy } from '../compare-page.js'

const LISTS = ['listPets', 'listCategories', 'listOrders', 'listInventory'] as const

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

const INVALID: readonly [OperationId, readonly string[]][] = [
  ['listPets', ['status=lost', 'status=available&status=', 'categoryId=abc', 'categoryId=01']],
  ['listCategories', ['sort=status']],
  ['listOrders', ['petId=1e2', 'petId=9223372036854775808', 'complete=yes', 'complete=1']],
  ['listInventory', ['sort=id', 'status=lost', 'maxQuantity=x', 'maxQuantity=1.5']],
]

/** Checks of lists that hold for whatever is in them. */
export const queryChecks: readonly Check[] = [
  ...INVALID.map(([operation, queries]) =>
    reads(operation, 'returns 400 for an invalid query', async ({ call }) => {
      for (const query of [...INVALID_PAGING, ...queries]) await call(operation, { query }, { code: 'INVALID_REQUEST' })
    }),
  ),

  ...LISTS.map((operation) =>
    reads(operation, 'returns an empty page if nothing matches', async (client, { marker }) => {
      const queries = {
        name: `nobody ${marker}`,
        categoryId: client.unknownId,
        petId: client.unknownId,
        maxQuantity: '-1',
      }
      const { queryParameters } = client.operations[operation].contract
      for (const [parameter, value] of Object.entries(queries)) {
        if (!queryParameters.some(({ name }) => name === parameter)) continue
        const response = await client.call(operation, { query: `${parameter}=${encodeURIComponent(value)}`, total: 0 })
        const { length } = itemsOf(response)
        if (length > 0) client.noteOn(operation, response)(`query ${parameter}`, 'no items', `${length} items`)
      }
    }),
  ),

  ...LISTS.map((operation) =>
    reads(operation, 'sorts by id in both directions, and keeps to the limit', async (client) => {
      const key = keyOf(operation)
      for (const [query, sort] of [
        ['limit=100', key],
        [`limit=100&sort=-${key}`, `-${key}`],
        ['limit=2', key],
        ['limit=2&offset=1', key],
      ] as const) {
        await expectSorted(client, operation, query, sort)
      }
    }),
  ),

  reads('listInventory', 'filters by status and quantity', async (client) => {
    for (const [query, allowed] of [
      ['limit=100&status=sold', ['sold']],
      ['limit=100&status=available&status=pending', ['available', 'pending']],
    ] as const) {
      const response = await client.call('listInventory', { query })
      for (const { status } of itemsOf(response)) {
        if (typeof status !== 'string' || (allowed as readonly string[]).includes(status)) continue
        client.noteOn('listInventory', response)('body /*/status', allowed.join(' or '), status)
      }
    }
    const response = await client.call('listInventory', { query: 'limit=100&maxQuantity=0' })
    for (const { quantity } of itemsOf(response)) {
      if (typeof quantity !== 'number' || quantity <= 0) continue
      client.noteOn('listInventory', response)('body /*/quantity', '0 or less', String(quantity))
    }
  }),

  reads('listInventory', 'sorts by quantity, and equal quantities by pet', async (client) => {
    for (const sort of ['quantity', '-quantity']) {
      await expectSorted(client, 'listInventory', `limit=100&sort=${sort}`, sort)
    }
  }),
]

const keyOf = (operation: OperationId): string => (operation === 'listInventory' ? 'petId' : 'id')

function itemsOf({ asExpected, value }: CallResult): Record<string, unknown>[] {
  if (!asExpected || !Array.isArray(value)) return []
  return value.filter((item) => typeof item === 'object' && item !== null)
}

async function expectSorted(client: Client, operation: OperationId, query: string, sort: string): Promise<void> {
  const response = await client.call(operation, { query })
  const items = itemsOf(response)
  const listed = items.flatMap((fields) => {
    const id = parseAnyId(fields[keyOf(operation)])
    return id === undefined ? [] : [{ id, fields }]
  })
  // An item without an id is a difference of its own.
  if (listed.length < items.length) return
  const [received, expected] = [listed, sortBy(listed, sort)].map((each) => each.map(({ id }) => id))
  compareIds('query sort', received ?? [], expected ?? [], client.noteOn(operation, response))
}
