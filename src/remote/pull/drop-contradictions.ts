import { runNow } from '../../lib/steps.js'
import type { Fixture } from '../../petstore/fixtures/format.js'
import { findFixtureProblems, LIST_NAMES, type ListName } from '../../petstore/fixtures/lists.js'
import type { RecordFilter } from './record-filter.js'

/**
 * Leaves out records that contradict others, until the fixture loads. A service need not follow the rules of our store: if
 * a pet contradicts its inventory entry or an order, the pet is kept.
 */
export function dropContradictions(fixture: Fixture, { leaveOut }: RecordFilter): Fixture {
  for (;;) {
    const problems = runNow(findFixtureProblems(fixture, 'on', () => 0))
    if (problems.length === 0) return fixture
    const bad: Record<ListName, Set<number>> = {
      categories: new Set(),
      pets: new Set(),
      inventory: new Set(),
      orders: new Set(),
    }
    for (const { entry, message } of problems) {
      if (entry === undefined) throw new Error(message)
      const { list, index, text } = entry
      if (!bad[list].has(index)) leaveOut(list, fixture[list][index], text)
      bad[list].add(index)
    }
    const rest = LIST_NAMES.map((list) => [list, fixture[list].filter((_, index) => !bad[list].has(index))])
    fixture = Object.fromEntries(rest) as Fixture
  }
}
