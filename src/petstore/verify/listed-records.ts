import { readIdOf } from '../../engine/resources/record-forms.js'
import type { ServiceResource } from '../../engine/resources/service-resource.js'
import { type Note, shorten } from '../../tools/server/differences.js'
import type { JsonId } from '../../tools/server/document-requests.js'
import type { Context } from '../../tools/verify/check.js'
import type { ListOperation } from '../../tools/verify/operations.js'
import type { Fields } from '../../tools/verify/own-records.js'
import { contentOf, itemsIn } from '../../tools/verify/resources.js'

/** A record as a list should show it. */
export type Listed = Fields & { readonly id: JsonId }

/** The values of the parameter that a list is sorted by. */
export const sortsOf = ({ contract, resource }: ListOperation) =>
  (contract.queryParameters.find(({ name }) => name === resource.list?.sort)?.schema.enum ?? []) as readonly string[]

/** Sorts as the contract says: a missing field comes last in both directions, and equal ones are sorted by id. */
export function sortBy(items: readonly Listed[], sort: string): Listed[] {
  const [key, sign] = sort.startsWith('-') ? [sort.slice(1), -1] : [sort, 1]
  return [...items].sort((one, other) => {
    const [a, b] = [one[key], other[key]] as (JsonId | undefined)[]
    if (a === b) return compare(one.id, other.id)
    if (a === undefined || b === undefined) return a === undefined ? 1 : -1
    return compare(a, b) * sign
  })
}

const compare = (a: JsonId, b: JsonId): number => (a < b ? -1 : a > b ? 1 : 0)

/** Notes a difference unless a page has exactly these items in this order. Returns whether it has. */
export function expectIds(
  aspect: string,
  received: readonly string[],
  expected: readonly Listed[],
  note: Note,
): boolean {
  const ids = expected.map(({ id }) => String(id))
  const isEqual = received.join() === ids.join()
  if (!isEqual) note(aspect, showIds(ids), showIds(received))
  return isEqual
}

/** The ids of a page's items; undefined if an item has none. */
export function idsOf(resource: ServiceResource, body: unknown): string[] | undefined {
  const items = contentOf(resource, 'list', body)
  if (!Array.isArray(items)) return undefined
  const ids = items.map((item) => readIdOf(resource, item))
  return ids.every((id) => id !== undefined) ? ids : undefined
}

function showIds(ids: readonly string[]): string {
  return ids.length === 0 ? 'no items' : `items ${shorten(ids.join(', '))}`
}

/** Notes a difference unless the items of a page are sorted as the query says. */
export async function expectSorted(
  context: Pick<Context, 'call' | 'noteOn'>,
  { id, resource }: Pick<ListOperation, 'id' | 'resource'>,
  query: string,
  sort: string,
): Promise<void> {
  const response = await context.call(id, { query })
  const items = response.asExpected ? itemsIn(resource, response.value) : []
  const listed = items.flatMap((fields): Listed[] => {
    const key = readIdOf(resource, fields)
    return key === undefined ? [] : [{ ...fields, id: resource.ids.toJson(key) }]
  })
  // An item without an id is a difference of its own.
  if (listed.length < items.length) return
  const received = listed.map((each) => String(each.id))
  expectIds('query sort', received, sortBy(listed, sort), context.noteOn(id, response))
}
