import type { Admin } from '../api.js'
import { identityOf, type ListedRequest } from './request-list.js'

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
