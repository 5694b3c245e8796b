import type { StoreOperationId } from '../../engine/contract/types.js'
import { compareIds, parseId } from '../../lib/int64.js'
import type { Bench, Outcome } from '../bench.js'
import { type Check, reads } from '../check.js'
import { idsOf } from '../pages.js'

const PAGING = [
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

const REFUSED: readonly [StoreOperationId, readonly string[]][] = [
  ['listPets', [...PAGING, 'status=lost', 'status=available&status=', 'categoryId=abc', 'categoryId=01']],
  ['listCategories', [...PAGING, 'sort=status']],
  ['listOrders', [...PAGING, 'petId=1e2', 'petId=9223372036854775808', 'complete=yes', 'complete=1']],
  ['listInventory', [...PAGING, 'sort=id', 'status=lost', 'maxQuantity=x', 'maxQuantity=1.5']],
]

/** Lists as they are, whatever is in them: each answer must fit together by itself. */
export const queryChecks: readonly Check[] = [
  ...REFUSED.map(([operation, queries]) =>
    reads(operation, 'answers 400 for a query that breaks the document', async ({ call }) => {
      for (const query of queries) await call(operation, { query }, { code: 'INVALID_REQUEST' })
    }),
  ),

  reads('listPets', 'is empty where nothing matches', async (bench) => {
    await expectNothing(bench, 'listPets', 'name', `name=nobody%20${bench.word}`)
    await expectNothing(bench, 'listPets', 'categoryId', `categoryId=${bench.unknownId}`)
  }),
  reads('listCategories', 'is empty where nothing matches', async (bench) => {
    await expectNothing(bench, 'listCategories', 'name', `name=nobody%20${bench.word}`)
  }),
  reads('listOrders', 'is empty where nothing matches', async (bench) => {
    await expectNothing(bench, 'listOrders', 'petId', `petId=${bench.unknownId}`)
  }),
  reads('listInventory', 'is empty where nothing matches', async (bench) => {
    await expectNothing(bench, 'listInventory', 'maxQuantity', 'maxQuantity=-1')
  }),

  ...(['listPets', 'listCategories', 'listOrders', 'listInventory'] as const).map((operation) =>
    reads(operation, 'sorts upwards and downwards by id, and shows no more than the limit', async (bench) => {
      const key = operation === 'listInventory' ? 'petId' : 'id'
      for (const [query, direction] of [
        ['limit=100', 1],
        [`limit=100&sort=-${key}`, -1],
        ['limit=2', 1],
        ['limit=2&offset=1', 1],
      ] as const) {
        const answer = await bench.call(operation, { query })
        const ids = idsOf(answer.value, key)?.map(parseId)
        if (answer.asExpected) expectSorted(bench, operation, answer, ids, (a, b) => direction * compareIds(a, b))
      }
    }),
  ),

  reads('listInventory', 'filters by status and quantity', async (bench) => {
    for (const [query, allowed] of [
      ['limit=100&status=sold', ['sold']],
      ['limit=100&status=available&status=pending', ['available', 'pending']],
    ] as const) {
      const answer = await bench.call('listInventory', { query })
      for (const { status } of itemsOf(answer)) {
        if (typeof status !== 'string' || (allowed as readonly string[]).includes(status)) continue
        bench.differ('listInventory', answer)('body /*/status', allowed.join(' or '), status)
      }
    }
    const answer = await bench.call('listInventory', { query: 'limit=100&maxQuantity=0' })
    for (const { quantity } of itemsOf(answer)) {
      if (typeof quantity !== 'number' || quantity <= 0) continue
      bench.differ('listInventory', answer)('body /*/quantity', '0 or less', String(quantity))
    }
  }),

  reads('listInventory', 'sorts by quantity, and by pet where that is the same', async (bench) => {
    for (const [query, direction] of [
      ['limit=100&sort=quantity', 1],
      ['limit=100&sort=-quantity', -1],
    ] as const) {
      const answer = await bench.call('listInventory', { query })
      const ids = idsOf(answer.value, 'petId')?.map(parseId)
      const quantities = itemsOf(answer).map(({ quantity }) => quantity)
      if (!answer.asExpected || !ids || quantities.some((quantity) => typeof quantity !== 'number')) continue
      const rows = ids.map((id, index) => ({ id, quantity: quantities[index] as number }))
      expectSorted(bench, 'listInventory', answer, rows, (a, b) => {
        return direction * (a.quantity - b.quantity) || (a.id && b.id ? compareIds(a.id, b.id) : 0)
      })
    }
  }),
]

async function expectNothing(bench: Bench, operation: StoreOperationId, by: string, query: string): Promise<void> {
  const answer = await bench.call(operation, { query, total: 0 })
  const items = itemsOf(answer).length
  if (items > 0) bench.differ(operation, answer)(`query ${by}`, 'no items', `${items} items`)
}

function itemsOf({ asExpected, value }: Outcome): Record<string, unknown>[] {
  if (!asExpected || !Array.isArray(value)) return []
  return value.filter((item) => typeof item === 'object' && item !== null)
}

function expectSorted<T>(
  bench: Bench,
  operation: StoreOperationId,
  answer: Outcome,
  items: readonly (T | undefined)[] | undefined,
  compare: (a: T, b: T) => number,
): void {
  const index = items?.findIndex((item, place) => {
    const before = items[place - 1]
    return item !== undefined && before !== undefined && compare(before, item) > 0
  })
  if (index === undefined || index < 0) return
  const differ = bench.differ(operation, answer)
  differ('query sort', 'items in the order that was asked for', `item ${index} before item ${index - 1}`)
}
