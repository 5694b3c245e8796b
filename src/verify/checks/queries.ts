import { compareIds, parseId } from '../../lib/int64.js'
import type { OperationId } from '../../petstore/types.js'
import { type Check, reads } from '../check.js'
import type { CallResult, Client } from '../client.js'
import { idsOf } from '../compare-page.js'

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

  reads('listPets', 'returns an empty page if nothing matches', async (client, { marker }) => {
    await expectEmpty(client, 'listPets', 'name', `name=nobody%20${marker}`)
    await expectEmpty(client, 'listPets', 'categoryId', `categoryId=${client.unknownId}`)
  }),
  reads('listCategories', 'returns an empty page if nothing matches', async (client, { marker }) => {
    await expectEmpty(client, 'listCategories', 'name', `name=nobody%20${marker}`)
  }),
  reads('listOrders', 'returns an empty page if nothing matches', async (client) => {
    await expectEmpty(client, 'listOrders', 'petId', `petId=${client.unknownId}`)
  }),
  reads('listInventory', 'returns an empty page if nothing matches', async (client) => {
    await expectEmpty(client, 'listInventory', 'maxQuantity', 'maxQuantity=-1')
  }),

  ...(['listPets', 'listCategories', 'listOrders', 'listInventory'] as const).map((operation) =>
    reads(operation, 'sorts by id in both directions, and keeps to the limit', async (client) => {
      const key = operation === 'listInventory' ? 'petId' : 'id'
      for (const [query, direction] of [
        ['limit=100', 1],
        [`limit=100&sort=-${key}`, -1],
        ['limit=2', 1],
        ['limit=2&offset=1', 1],
      ] as const) {
        const response = await client.call(operation, { query })
        const ids = idsOf(response.value, key)?.map(parseId)
        if (response.asExpected) expectSorted(client, operation, response, ids, (a, b) => direction * compareIds(a, b))
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
    for (const [query, direction] of [
      ['limit=100&sort=quantity', 1],
      ['limit=100&sort=-quantity', -1],
    ] as const) {
      const response = await client.call('listInventory', { query })
      const ids = idsOf(response.value, 'petId')?.map(parseId)
      const quantities = itemsOf(response).map(({ quantity }) => quantity)
      if (!response.asExpected || !ids || quantities.some((quantity) => typeof quantity !== 'number')) continue
      const rows = ids.map((id, index) => ({ id, quantity: quantities[index] as number }))
      expectSorted(client, 'listInventory', response, rows, (a, b) => {
        return direction * (a.quantity - b.quantity) || (a.id && b.id ? compareIds(a.id, b.id) : 0)
      })
    }
  }),
]

async function expectEmpty(client: Client, operation: OperationId, by: string, query: string): Promise<void> {
  const response = await client.call(operation, { query, total: 0 })
  const items = itemsOf(response).length
  if (items > 0) client.noteOn(operation, response)(`query ${by}`, 'no items', `${items} items`)
}

function itemsOf({ asExpected, value }: CallResult): Record<string, unknown>[] {
  if (!asExpected || !Array.isArray(value)) return []
  return value.filter((item) => typeof item === 'object' && item !== null)
}

function expectSorted<T>(
  client: Client,
  operation: OperationId,
  response: CallResult,
  items: readonly (T | undefined)[] = [],
  compare: (a: T, b: T) => number,
): void {
  const index = items.findIndex((item, place) => {
    const previous = items[place - 1]
    return item !== undefined && previous !== undefined && compare(previous, item) > 0
  })
  if (index < 0) return
  client.noteOn(operation, response)('query sort', 'sorted items', `item ${index} sorts before item ${index - 1}`)
}
