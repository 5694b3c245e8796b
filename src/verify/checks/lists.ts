import { toJsonInt64 } from '../../lib/int64.js'
import type { OperationId } from '../../petstore/types.js'
import { type Check, writes } from '../check.js'
import type { Client } from '../client.js'
import { compareFields } from '../compare.js'
import { compareIds, idsOf, type Listed, sortBy } from '../compare-page.js'
import { CannotCheck } from '../exchange.js'
import { inBody } from '../findings.js'
import type { Fields } from '../own-records.js'
import { lazy, type Records } from '../records.js'

/** Records of ours in one list. */
interface OwnList {
  /** The query that excludes the records of others, and the parameter that does. */
  readonly query: string
  readonly parameter: string
  readonly records: readonly Listed[]
  /** Further filters, and which records they keep. */
  readonly filters: readonly (readonly [parameter: string, query: string, keeps: (fields: Fields) => boolean])[]
}

/** Checks of lists with our own records, so that other clients cannot interfere. */
export function listChecks(): Check[] {
  return [
    ...checksOf('listPets', createPets),
    ...checksOf('listCategories', createCategories),
    ...checksOf('listOrders', createOrders),
  ]
}

function checksOf(operation: OperationId, create: (records: Records) => Promise<OwnList>): Check[] {
  let createOnce: (() => Promise<OwnList>) | undefined

  async function expectPage(
    client: Client,
    parameter: string,
    query: string,
    expected: readonly Listed[],
    total = expected.length,
  ): Promise<boolean> {
    const response = await client.call(operation, { query, total })
    const note = client.noteOn(operation, response)
    const ids = response.asExpected ? idsOf(response.value) : undefined
    if (ids === undefined) return true
    for (const [index, id] of ids.entries()) {
      const fields = expected.find((each) => each.id === id)?.fields ?? {}
      compareFields((response.value as unknown[])[index], fields, inBody(note), '/*')
    }
    return compareIds(
      `query ${parameter}`,
      ids,
      expected.map(({ id }) => id),
      note,
    )
  }

  async function requireList(client: Client, records: Records): Promise<OwnList> {
    createOnce ??= lazy(() => create(records))
    const list = await createOnce()
    if (await expectPage(client, list.parameter, list.query, sortBy(list.records, 'id'))) return list
    throw new CannotCheck(`needs the filter ${list.parameter}, which does not work`)
  }

  return [
    writes(operation, 'filters and sorts', async (client, records) => {
      const { query, records: listed, filters } = await requireList(client, records)
      for (const [parameter, filter, keeps] of filters) {
        const kept = listed.filter(({ fields }) => keeps(fields))
        await expectPage(client, parameter, `${query}&${filter}`, sortBy(kept, 'id'))
      }
      for (const sort of client.operations[operation].sorts) {
        await expectPage(client, 'sort', `${query}&sort=${sort}`, sortBy(listed, sort))
      }
    }),

    writes(operation, 'returns page by page, with the total and links', async (client, records) => {
      const { query, records: listed } = await requireList(client, records)
      const sorted = sortBy(listed, 'id')
      const total = sorted.length
      for (let offset = 0; offset < total; offset += 2) {
        const parameter = offset === 0 ? 'limit' : 'offset'
        const page = sorted.slice(offset, offset + 2)
        await expectPage(client, parameter, `${query}&limit=2&offset=${offset}`, page, total)
      }
      await expectPage(client, 'limit', `${query}&limit=2`, sorted.slice(0, 2), total)
      await expectPage(client, 'offset', `${query}&offset=1`, sorted.slice(1), total)
      await expectPage(client, 'offset', `${query}&offset=9007199254740991`, [], total)
      await expectPage(client, 'sort', `limit=2&${query}&sort=-id`, sortBy(listed, '-id').slice(0, 2), total)
    }),
  ]
}

/** The filter by name ignores case. */
const nameQuery = ({ marker }: Records): string => `name=${encodeURIComponent(`LISTED ${marker.toUpperCase()} `)}`

async function createPets(records: Records): Promise<OwnList> {
  const [one, other] = [await records.category(), await records.category()]
  const listed: Listed[] = []
  for (const [suffix, status, category] of [
    ['d', 'available', one],
    ['a', 'pending', one],
    ['e', 'available', one],
    ['b', 'sold', one],
    ['c', 'available', other],
  ] as const) {
    const name = `Listed ${records.marker} ${suffix}`
    const { id } = await records.pet({ name, status, categoryId: category.id })
    listed.push({ id, fields: { name, status, categoryId: toJsonInt64(category.id) } })
  }
  const inCategory = ({ id }: typeof one) => {
    return ['categoryId', `categoryId=${id}`, ({ categoryId }: Fields) => categoryId === toJsonInt64(id)] as const
  }
  return {
    query: nameQuery(records),
    parameter: 'name',
    records: listed,
    filters: [
      inCategory(one),
      inCategory(other),
      ['status', 'status=available', ({ status }) => status === 'available'],
      ['status', 'status=pending&status=sold', ({ status }) => status !== 'available'],
    ],
  }
}

async function createCategories(records: Records): Promise<OwnList> {
  const listed: Listed[] = []
  for (const [suffix, description] of [['b', 'first'], ['c'], ['a', 'second']]) {
    const name = `Listed ${records.marker} ${suffix}`
    const { id } = await records.category({ name, ...(description !== undefined && { description }) })
    listed.push({ id, fields: { name, description } })
  }
  return { query: nameQuery(records), parameter: 'name', records: listed, filters: [] }
}

async function createOrders(records: Records): Promise<OwnList> {
  const pet = await records.pet({ stock: 2_000_000_000 })
  const petId = toJsonInt64(pet.id)
  // Some of the orders must not have a date, so their quantities mark them as ours.
  const [low, middle, high] = [records.quantity(), records.quantity(), records.quantity()].sort((a, b) => a - b)
  const listed: Listed[] = []
  for (const [quantity, shipDate] of [
    [high, '2026-02-10T08:00:00.000Z'],
    [low, undefined],
    [middle, '2026-02-09T08:00:00.000Z'],
    [low, undefined],
  ] as const) {
    const id = await records.order({ petId, quantity, shipDate })
    listed.push({ id, fields: { petId, quantity, shipDate, complete: false } })
  }
  return {
    query: `petId=${pet.id}`,
    parameter: 'petId',
    records: listed,
    filters: [
      ['complete', 'complete=false', () => true],
      ['complete', 'complete=true', () => false],
    ],
  }
}
