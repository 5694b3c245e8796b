import type { Admin } from '../api.js'

/** A recorded request. `sandbox` is set in the list of all sandboxes, and empty for the main instance. */
export type ListedRequest = Admin['JournalEntry'] & { readonly sandbox?: string }

/** Identifies a request in the address: the id, after the sandbox in the list of all sandboxes. */
export function keyOf({ id, sandbox }: ListedRequest): string {
  return sandbox === undefined ? String(id) : `${sandbox}:${id}`
}

export interface RequestList {
  /** Oldest first. */
  readonly entries: readonly ListedRequest[]
  /** How many requests the mock has received. */
  readonly total: number
}
