import { findFixtureProblems } from '../../engine/data/check.js'
import type { FixtureFormat } from '../../engine/data/format.js'
import { runNow } from '../../lib/steps.js'
import type { PulledFixture } from './listed-resources.js'
import type { RecordFilter } from './record-filter.js'

/**
 * Leaves out records that contradict others, until the fixture loads. A service need not follow the rules of our mock: if
 * a record contradicts its entry in a view or one that refers to it, the record is kept.
 */
export function dropContradictions(
  fixture: PulledFixture,
  format: FixtureFormat,
  { leaveOut }: RecordFilter,
): PulledFixture {
  for (;;) {
    const problems = runNow(findFixtureProblems(fixture, format, 'on', () => 0))
    if (problems.length === 0) return fixture
    const bad = new Map<string, Set<number>>(Object.keys(fixture).map((name) => [name, new Set()]))
    for (const { entry, message } of problems) {
      const resource = format.resources.find(({ name }) => name === entry?.list)
      const indexes = bad.get(entry?.list ?? '')
      if (entry === undefined || resource === undefined || indexes === undefined) throw new Error(message)
      const { list, index, text } = entry
      if (!indexes.has(index)) leaveOut(resource, fixture[list]?.[index], text)
      indexes.add(index)
    }
    const rest = Object.entries(fixture).map(([name, records]) => [
      name,
      records.filter((_, index) => !bad.get(name)?.has(index)),
    ])
    fixture = Object.fromEntries(rest)
  }
}
