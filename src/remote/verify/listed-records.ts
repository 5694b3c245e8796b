import { readIdOf } from '../../engine/resources/record-forms.js'
import type { ServiceResource } from '../../engine/resources/service-resource.js'
import { type Note, shorten } from '../differences.js'
import type { Fields } from './own-records.js'
import { contentOf, type JsonId } from './resources.js'

/** A record as a list should show it. */
export type Listed = Fields & { readonly id: JsonId }

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
