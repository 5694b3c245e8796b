import { stringifyJson } from '../../lib/json.js'
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

type JournalEntry = Admin['JournalEntry']

/** The path and query for display. The journal has the query parsed, and without what cannot be parsed. */
export function targetOf({ path, query }: Pick<JournalEntry, 'path' | 'query'>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => [value].flat().map((item) => [name, toText(item)]))
  return pairs.length === 0 ? path : `${path}?${new URLSearchParams(pairs)}`
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : (stringifyJson(value) ?? '')
}

/**
 * Whether a recorded body is a JSON value. The journal records any other body as text, so a string can be either. It is a
 * JSON string only if the mock rejected it for its type.
 */
export function isJson({ response }: JournalEntry, { body, cut }: Admin['JournalMessage']): boolean {
  if (cut || typeof body !== 'string') return !cut
  return (response.body as { code?: unknown } | undefined)?.code === 'INVALID_REQUEST'
}

/** The text of a recorded body, if there is one. */
export function bodyText(entry: JournalEntry, message: Admin['JournalMessage']): string | undefined {
  if (message.body === undefined) return undefined
  return isJson(entry, message) ? stringifyJson(message.body) : String(message.body)
}

export interface SandboxJournal extends Pick<Admin['Sandbox'], 'name' | 'createdAt' | 'lastUsedAt'> {
  /** Oldest first. */
  readonly entries: readonly Admin['JournalEntry'][]
}

/**
 * Returns a function that merges the journals of all sandboxes, oldest request first, whenever they are loaded. The time of a
 * request is that of its sandbox's clock, which a test may have changed. So a request that was not there at the last load
 * comes after those that were. Within one load the time decides, as far as it is possible by the machine's clock.
 */
export function createMerger(): (journals: readonly SandboxJournal[]) => ListedRequest[] {
  let loads = 0
  /** The load in which each request was first there. */
  let firstLoads = new Map<string, number>()

  return (journals) => {
    loads += 1
    const placed = journals.flatMap(({ name: sandbox, createdAt, lastUsedAt, entries }) => {
      let time = createdAt
      return entries.map((entry) => {
        const possible = entry.at < lastUsedAt ? entry.at : lastUsedAt
        // Those of one sandbox stay in the order in which they arrived.
        if (possible > time) time = possible
        const listed = { ...entry, sandbox }
        const identity = identityOf(listed)
        return { listed, identity, time, load: firstLoads.get(identity) ?? loads }
      })
    })
    firstLoads = new Map(placed.map(({ identity, load }) => [identity, load]))
    const sorted = placed.sort((a, b) => a.load - b.load || (a.time === b.time ? 0 : a.time < b.time ? -1 : 1))
    return sorted.map(({ listed }) => listed)
  }
}
