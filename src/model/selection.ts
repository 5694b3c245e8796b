import type { Compare } from './sorted-list.js'

/** Puts records into groups by a value of theirs; a record without one is in no group. */
export type Grouping<R> = (record: R) => string | undefined

/** Which records a list shows, and in which order. Its keys name what the functions do, so that a list can be kept. */
export interface Selection<R> {
  /** Only the records of one group: found without looking at the others. */
  readonly group?: { readonly by: string; readonly value: string }
  readonly where?: { readonly key: string; readonly test: (record: R) => boolean }
  /** By id, ascending, where it is left out. */
  readonly order?: { readonly key: string; readonly compare: Compare<R> }
}

export function selectionKey<R>({ group, where, order }: Selection<R>): string {
  return JSON.stringify([group?.by, group?.value, where?.key, order?.key])
}
