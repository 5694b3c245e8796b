import type { Compare } from './sorted-list.js'

/** Puts records into groups by a value of theirs; a record without one is in no group. */
export type Grouping<R> = (record: R) => string | undefined

/** Which records a list shows, and in which order. Its keys name what the functions do, so that a list can be kept. */
export interface Selection<R> {
  /** Only the records of one group: found without looking at the others. */
  readonly group?: { readonly by: string; readonly value: string } | undefined
  readonly where?: { readonly key: string; readonly test: (record: R) => boolean } | undefined
  /** By id, ascending, where it is left out. */
  readonly order?: { readonly key: string; readonly compare: Compare<R> } | undefined
  /** Names the whole of it, once that is worked out. */
  readonly key?: string
}

/** The selection with its key, for one that is made more than once. */
export function toSelection<R>(selection: Selection<R>): Selection<R> {
  return { ...selection, key: selectionKey(selection) }
}

/** A condition may be about any text, so it comes last: nothing in it can be taken for something else. */
export function selectionKey<R>({ key, group, where, order }: Selection<R>): string {
  return key ?? `${group?.by ?? ''}/${group?.value ?? ''}/${order?.key ?? ''}/${where?.key ?? ''}`
}
