import type { JsonInt64 } from '../../lib/int64.js'
import { type Note, shorten } from '../differences.js'
import type { Fields } from './own-records.js'

/** A record as a list should show it. */
export type Listed = Fields & { readonly id: JsonInt64 }

/** Sorts as the contract says: a missing field comes last in both directions, and equal ones are sorted by id. */
export function sortBy(items: readonly Listed[], sort: string): Listed[] {
  const [key, sign] = sort.startsWith('-') ? [sort.slice(1), -1] : [sort, 1]
  return [...items].sort((one, other) => {
    const [a, b] = [one[key], other[key]] as (JsonInt64 | undefined)[]
    if (a === b) return compare(one.id, other.id)
    if (a === undefined || b === undefined) return a === undefined ? 1 : -1
    return compare(a, b) * sign
  })
}

const compare = (a: JsonInt64, b: JsonInt64): number => (a < b ? -1 : a > b ? 1 : 0)

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

/** The ids of a page's items in decimal digits; undefined if an item has none. */
export function idsOf(value: unknown, key = 'id'): string[] | undefined {
  if (!Array.isArray(value)) return undefined
  const ids = value.map((item) => (item as Fields | null)?.[key])
  return ids.every((id) => typeof id === 'number' || typeof id === 'bigint') ? ids.map(String) : undefined
}

function showIds(ids: readonly string[]): string {
  return ids.length === 0 ? 'no items' : `items ${shorten(ids.join(', '))}`
}
