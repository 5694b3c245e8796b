import type { Compare } from './sorted-list.js'

/** Which records a list has, and how they are sorted. The keys identify the functions, so that a list can be cached. */
export interface Selection<R, G extends string = string> {
  /** Only the records of one group, which is found without looking at the others. */
  readonly group?: { readonly by: G; readonly value: string } | undefined
  readonly where?: { readonly key: string; readonly test: (record: R) => boolean } | undefined
  /** Default: by id, ascending. */
  readonly sort?: { readonly key: string; readonly compare: Compare<R> } | undefined
}

/** The condition comes last because its key can hold any text, slashes included. */
export function selectionKey<R>({ group, where, sort }: Selection<R>): string {
  return `${group?.by ?? ''}/${group?.value ?? ''}/${sort?.key ?? ''}/${where?.key ?? ''}`
}
