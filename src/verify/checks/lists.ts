import type { StoreOperationId } from '../../engine/contract/types.js'
import { compareIds, type Id, toJsonInt64 } from '../../lib/int64.js'
import { type Bench, Unable } from '../bench.js'
import { type Check, writes } from '../check.js'
import type { Differ } from '../differ.js'
import { bodyAspect } from '../findings.js'
import { judgeFields } from '../judge.js'
import { idsOf, judgeIds } from '../pages.js'
import { keep, type Stock } from '../stock.js'

/** Items of our own in one list, which a filter tells apart from what others have there. */
interface Shelf {
  /** The filter, and the parameter that does it. */
  readonly scope: string
  readonly by: string
  /** In the order of their ids. */
  readonly ids: readonly Id[]
  /** What the list says of each. */
  readonly fields: ReadonlyMap<string, Readonly<Record<string, unknown>>>
  /** What else may be asked of them: the parameter, the rest of the query, and the ids in the order of the answer. */
  readonly questions: readonly (readonly [by: string, query: string, ids: readonly Id[]])[]
}

type MakeShelf = (bench: Bench, stock: Stock) => Promise<Shelf>

/** What lists show, on data of our own, so that other clients do not matter. */
export function listChecks(): Check[] {
  return [
    ...checksOf('listPets', makePets),
    ...checksOf('listCategories', makeCategories),
    ...checksOf('listOrders', makeOrders),
  ]
}

function checksOf(operation: StoreOperationId, make: MakeShelf): Check[] {
  let made: (() => Promise<Shelf>) | undefined
  const shelfOf = (bench: Bench, stock: Stock): Promise<Shelf> => {
    made ??= keep(() => make(bench, stock))
    return made()
  }
  const askFor = async (
    bench: Bench,
    by: string,
    query: string,
    wanted: readonly Id[],
    total = wanted.length,
    fields: Shelf['fields'] = new Map(),
  ) => {
    const answer = await bench.call(operation, { query, total })
    const differ = bench.differ(operation, answer)
    const ids = answer.asExpected ? idsOf(answer.value) : undefined
    for (const [index, id] of ids?.entries() ?? []) {
      const at: Differ = (pointer, ...rest) => differ(bodyAspect(pointer), ...rest)
      judgeFields((answer.value as unknown[])[index], fields.get(id) ?? {}, at, '/*')
    }
    if (ids !== undefined) judgeIds(`query ${by}`, ids, wanted, differ)
    return ids
  }
  /** Where the filter does not work, or not everything is there, nothing can be said about the rest. */
  const scopeOf = async (bench: Bench, stock: Stock): Promise<Shelf> => {
    const shelf = await shelfOf(bench, stock)
    const shown = await askFor(bench, shelf.by, shelf.scope, shelf.ids, shelf.ids.length, shelf.fields)
    if (shown !== undefined && shown.join() !== shelf.ids.join()) {
      throw new Unable(`it needs the filter ${shelf.by}, which does not work`)
    }
    return shelf
  }
  return [
    writes(operation, 'filters and sorts', async (bench, stock) => {
      const { scope, questions } = await scopeOf(bench, stock)
      for (const [by, query, ids] of questions) await askFor(bench, by, `${scope}&${query}`, ids)
    }),

    writes(operation, 'shows one page after the other, with their total and links', async (bench, stock) => {
      const { scope, ids } = await scopeOf(bench, stock)
      const total = ids.length
      for (let offset = 0; offset < total; offset += 2) {
        const page = ids.slice(offset, offset + 2)
        await askFor(bench, offset === 0 ? 'limit' : 'offset', `${scope}&limit=2&offset=${offset}`, page, total)
      }
      await askFor(bench, 'limit', `${scope}&limit=2`, ids.slice(0, 2), total)
      await askFor(bench, 'offset', `${scope}&offset=1`, ids.slice(1), total)
      await askFor(bench, 'offset', `${scope}&offset=9007199254740991`, [], total)
      await askFor(bench, 'sort', `limit=2&${scope}&sort=-id`, ids.toReversed().slice(0, 2), total)
    }),
  ]
}

const sorted = (ids: readonly Id[]): Id[] => [...ids].sort(compareIds)

const makePets: MakeShelf = async ({ word }, stock) => {
  const [one, other] = [await stock.category(), await stock.category()]
  const fields = new Map<string, Readonly<Record<string, unknown>>>()
  const make = async (suffix: string, status: 'available' | 'pending' | 'sold', categoryId = one.id): Promise<Id> => {
    const name = `Shelf ${word} ${suffix}`
    const { id } = await stock.pet({ name, status, categoryId })
    fields.set(id, { name, categoryId: toJsonInt64(categoryId), status })
    return id
  }
  const d = await make('d', 'available')
  const a = await make('a', 'pending')
  const e = await make('e', 'available')
  const b = await make('b', 'sold')
  const c = await make('c', 'available', other.id)
  const here = sorted([d, a, e, b])
  const [available, all] = [sorted([d, e, c]), sorted([d, a, e, b, c])]
  const inCategories = compareIds(one.id, other.id) < 0 ? [...here, c] : [c, ...here]
  const inOther = compareIds(one.id, other.id) < 0 ? [c, ...here] : [...here, c]
  return {
    by: 'name',
    scope: `name=${encodeURIComponent(`sHELF ${word.toUpperCase()} `)}`,
    ids: all,
    fields,
    questions: [
      ['categoryId', `categoryId=${one.id}`, here],
      ['categoryId', `categoryId=${other.id}`, [c]],
      ['status', 'status=available', available],
      ['status', 'status=pending&status=sold', sorted([a, b])],
      ['sort', 'sort=id', all],
      ['sort', 'sort=-id', all.toReversed()],
      ['sort', 'sort=name', [a, b, c, d, e]],
      ['sort', 'sort=-name', [e, d, c, b, a]],
      ['sort', 'sort=status', [...available, a, b]],
      ['sort', 'sort=-status', [b, a, ...available]],
      ['sort', 'sort=categoryId', inCategories],
      ['sort', 'sort=-categoryId', inOther],
    ],
  }
}

const makeCategories: MakeShelf = async ({ word }, stock) => {
  const fields = new Map<string, Readonly<Record<string, unknown>>>()
  const make = async (suffix: string, description?: string): Promise<Id> => {
    const name = `Shelf ${word} ${suffix}`
    const { id } = await stock.category({ name, ...(description !== undefined && { description }) })
    fields.set(id, { name, description })
    return id
  }
  const b = await make('b', 'first')
  const c = await make('c')
  const a = await make('a', 'second')
  const all = sorted([a, b, c])
  return {
    by: 'name',
    scope: `name=${encodeURIComponent(`sHELF ${word.toUpperCase()} `)}`,
    ids: all,
    fields,
    questions: [
      ['sort', 'sort=-id', all.toReversed()],
      ['sort', 'sort=name', [a, b, c]],
      ['sort', 'sort=-name', [c, b, a]],
      // What has no value comes last, either way.
      ['sort', 'sort=description', [b, a, c]],
      ['sort', 'sort=-description', [a, b, c]],
    ],
  }
}

const makeOrders: MakeShelf = async (_, stock) => {
  const pet = await stock.pet({ stock: 20 })
  const petId = toJsonInt64(pet.id)
  const fields = new Map<string, Readonly<Record<string, unknown>>>()
  const make = async (quantity: number, shipDate?: string): Promise<Id> => {
    const id = await stock.order({ petId, quantity, ...(shipDate !== undefined && { shipDate }) })
    fields.set(id, { petId, quantity, shipDate, complete: false })
    return id
  }
  const three = await make(3, '2026-02-10T08:00:00.000Z')
  const one = await make(1)
  const two = await make(2, '2026-02-09T08:00:00.000Z')
  const another = await make(1)
  const all = sorted([three, one, two, another])
  const ones = sorted([one, another])
  return {
    by: 'petId',
    scope: `petId=${pet.id}`,
    ids: all,
    fields,
    questions: [
      ['complete', 'complete=false', all],
      ['complete', 'complete=true', []],
      ['sort', 'sort=-id', all.toReversed()],
      ['sort', 'sort=quantity', [...ones, two, three]],
      ['sort', 'sort=-quantity', [three, two, ...ones]],
      ['sort', 'sort=shipDate', [two, three, ...ones]],
      ['sort', 'sort=-shipDate', [three, two, ...ones]],
      ['sort', 'sort=-complete', all],
      ['sort', 'sort=-petId', all],
    ],
  }
}
