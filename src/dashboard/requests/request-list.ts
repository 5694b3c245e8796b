import type { Admin } from '../api.js'

/** A recorded request. `sandbox` is set in the list of all sandboxes, and empty for the root. */
export type ListedRequest = Admin['JournalEntry'] & { readonly sandbox?: string }

/** Identifies a request in the address: the id, after the sandbox in the list of all sandboxes. */
export function keyOf({ id, sandbox }: ListedRequest): string {
  return sandbox === undefined ? String(id) : `${sandbox}:${id}`
}

export interface RequestList {
  /** Whether it is the list of all sandboxes. */
  readonly isAll: boolean
  /** Oldest first. */
  readonly entries: readonly ListedRequest[]
  /** How many requests were recorded since the last reset, or since the journal was cleared. */
  readonly total: number
}

/** Ids restart when the journal is cleared, so that only the time tells two requests apart. */
export function identityOf(entry: ListedRequest): string {
  return `${keyOf(entry)} ${entry.at}`
}

/** That the list has only a part of the requests, for the end of their number. */
export function describePart({ isAll, entries, total }: RequestList): string {
  if (entries.length === 0 || entries.length === total) return ''
  return isAll ? ' · the newest of each sandbox are listed' : ` · the newest ${entries.length} are listed`
}

/** How many requests were recorded since the list was paused, as text: with a plus if more may have been. */
export function countNew(paused: RequestList, current: RequestList | undefined): string {
  const known = new Set(paused.entries.map(identityOf))
  const { entries = [], total = 0 } = current ?? {}
  const count = entries.filter((entry) => !known.has(identityOf(entry))).length
  return count === entries.length && count < total ? `${count}+` : String(count)
}
