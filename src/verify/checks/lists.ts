import { compareIds as byId, type Id, toJsonInt64 } from '../../lib/int64.js'
import type { OperationId } from '../../petstore/types.js'
import { type Check, writes } from '../check.js'
import type { Client } from '../client.js'
import { compareFields } from '../compare.js'
import { compareIds, idsOf } from '../compare-page.js'
import { CannotCheck } from '../exchange.js'
import { inBody } from '../findings.js'
import { lazy, type Records } from '../records.js'

type Fields = Readonly<Record<string, unknown>>

/** Records of ours in one list, which a filter separates from those of others. */
interface ListedRecords {
  /** The parameter that filters, and the query that has it. */
  readonly filter: string
  readonly query: string
  /** In ascending order. */
  readonly ids: readonly Id[]
  readonly fields: ReadonlyMap<string, Fields>
  /** Further queries: what each is about, its text, and the ids it must return. */
  readonly queries: readonly (readonly [about: string, query: string, ids: readonly Id[]])[]
}

type CreateRecords = (records: Records) => Promise<ListedRecords>

/** What lists return, checked with our own records, so that other clients cannot interfere. */
export function listChecks(): Check[] {
  return [
    ...checksOf('listPets', createPets),
    ...checksOf('listCategories', createCategories),
    ...checksOf('listOrders', createOrders),
  ]
}

function checksOf(operation: OperationId, create: CreateRecords): Check[] {
  let created: (() => Promise<ListedRecords>) | undefined

  async function expectPage(
    client: Client,
    [about, query, expected]: readonly [about: string, query: string, ids: readonly Id[]],
    total = expected.length,
    fields: ReadonlyMap<string, Fields> = new Map(),
  ): Promise<string[] | undefined> {
    const response = await client.call(operation, { query, total })
    const note = client.noteOn(operation, response)
    const ids = response.asExpected ? idsOf(response.value) : undefined
    for (const [index, id] of ids?.entries() ?? []) {
      compareFields((response.value as unknown[])[index], fields.get(id) ?? {}, inBody(note), '/*')
    }
    if (ids !== undefined) compareIds(`query ${about}`, ids, expected, note)
    return ids
  }

  /** If the filter does not work, the other queries cannot be checked. */
  async function requireListed(client: Client, records: Records): Promise<ListedRecords> {
    created ??= lazy(() => create(records))
    const listed = await created()
    const { filter, query, ids, fields } = listed
    const received = await expectPage(client, [filter, query, ids], ids.length, fields)
    if (received !== undefined && received.join() !== ids.join()) {
      throw new CannotCheck(`needs the filter ${filter}, which does not work`)
    }
    return listed
  }

  return [
    writes(operation, 'filters and sorts', async (client, records) => {
      const { query, queries } = await requireListed(client, records)
      for (const [about, further, ids] of queries) await expectPage(client, [about, `${query}&${further}`, ids])
    }),

    writes(operation, 'returns page by page, with the total and links', async (client, records) => {
      const { query, ids } = await requireListed(client, records)
      for (let offset = 0; offset < ids.length; offset += 2) {
        const about = offset === 0 ? 'limit' : 'offset'
        const page = ids.slice(offset, offset + 2)
        await expectPage(client, [about, `${query}&limit=2&offset=${offset}`, page], ids.length)
      }
      await expectPage(client, ['limit', `${query}&limit=2`, ids.slice(0, 2)], ids.length)
      await expectPage(client, ['offset', `${query}&offset=1`, ids.slice(1)], ids.length)
      await expectPage(client, ['offset', `${query}&offset=9007199254740991`, []], ids.length)
      await expectPage(client, ['sort', `limit=2&${query}&sort=-id`, ids.toReversed().slice(0, 2)], ids.length)
    }),
  ]
}

const sorted = (...ids: Id[]): Id[] => ids.sort(byId)

/** The filter by name ignores case. */
const nameQuery = ({ marker }: Records): string => `name=${encodeURIComponent(`LISTED ${marker.toUpperCase()} `)}`

const createPets: CreateRecords = async (records) => {
  const [one, other] = [await records.category(), await records.category()]
  const fields = new Map<string, Fields>()
  const create = async (suffix: string, status: 'available' | 'pending' | 'sold', categoryId = one.id): Promise<Id> => {
    const name = `Listed ${records.marker} ${suffix}`
    const { id } = await records.pet({ name, status, categoryId })
    fields.set(id, { name, categoryId: toJsonInt64(categoryId), status })
    return id
  }
  const d = await create('d', 'available')
  const a = await create('a', 'pending')
  const e = await create('e', 'available')
  const b = await create('b', 'sold')
  const c = await create('c', 'available', other.id)
  const inOne = sorted(d, a, e, b)
  const [available, all] = [sorted(d, e, c), sorted(d, a, e, b, c)]
  const upAndDown = [
    [...inOne, c],
    [c, ...inOne],
  ]
  const [byCategory = [], byCategoryDown = []] = byId(one.id, other.id) < 0 ? upAndDown : upAndDown.toReversed()
  return {
    filter: 'name',
    query: nameQuery(records),
    ids: all,
    fields,
    queries: [
      ['categoryId', `categoryId=${one.id}`, inOne],
      ['categoryId', `categoryId=${other.id}`, [c]],
      ['status', 'status=available', available],
      ['status', 'status=pending&status=sold', sorted(a, b)],
      ['sort', 'sort=id', all],
      ['sort', 'sort=-id', all.toReversed()],
      ['sort', 'sort=name', [a, b, c, d, e]],
      ['sort', 'sort=-name', [e, d, c, b, a]],
      ['sort', 'sort=status', [...available, a, b]],
      ['sort', 'sort=-status', [b, a, ...available]],
      ['sort', 'sort=categoryId', byCategory],
      ['sort', 'sort=-categoryId', byCategoryDown],
    ],
  }
}

const createCategories: CreateRecords = async (records) => {
  const fields = new Map<string, Fields>()
  const create = async (suffix: string, description?: string): Promise<Id> => {
    const name = `Listed ${records.marker} ${suffix}`
    const { id } = await records.category({ name, ...(description !== undefined && { description }) })
    fields.set(id, { name, description })
    return id
  }
  const b = await create('b', 'first')
  const c = await create('c')
  const a = await create('a', 'second')
  const all = sorted(a, b, c)
  return {
    filter: 'name',
    query: nameQuery(records),
    ids: all,
    fields,
    queries: [
      ['sort', 'sort=-id', all.toReversed()],
      ['sort', 'sort=name', [a, b, c]],
      ['sort', 'sort=-name', [c, b, a]],
      // A record without the field comes last in both directions.
      ['sort', 'sort=description', [b, a, c]],
      ['sort', 'sort=-description', [a, b, c]],
    ],
  }
}

const createOrders: CreateRecords = async (records) => {
  const pet = await records.pet({ stock: 2_000_000_000 })
  const petId = toJsonInt64(pet.id)
  const fields = new Map<string, Fields>()
  const create = async (quantity: number, shipDate?: string): Promise<Id> => {
    const id = await records.order({ petId, quantity, shipDate })
    fields.set(id, { petId, quantity, shipDate, complete: false })
    return id
  }
  // Large quantities mark the orders as ours, since some of them must not have a date.
  const [low = 0, middle = 0, high = 0] = [1, 2, 3].map(records.quantity).sort((a, b) => a - b)
  const three = await create(high, '2026-02-10T08:00:00.000Z')
  const one = await create(low)
  const two = await create(middle, '2026-02-09T08:00:00.000Z')
  const another = await create(low)
  const all = sorted(three, one, two, another)
  const ones = sorted(one, another)
  return {
    filter: 'petId',
    query: `petId=${pet.id}`,
    ids: all,
    fields,
    queries: [
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
