import { type Coverage, type OperationCoverage, sourceOf } from '../engine/control/coverage.js'

/** A test as far as it can carry something to a reporter, which runs in another process: vitest's `task`. */
export interface TaskWithMeta {
  readonly meta: object
}

/** Requests by operation and status, `getPet 404` say; a status of 0 is no answer. Never more than the document has. */
export type CoverageCounts = Readonly<Record<string, number>>

interface CoverageMeta {
  petstoreCoverage?: CoverageCounts
}

/** What was put on tests already, by the pet store that counted it. */
const recorded = new WeakMap<object, CoverageCounts>()

/**
 * Puts on a test what a pet store has counted since the last test that it was put on, for the reporter
 * `petstore-mock/vitest/reporter`. For those who share a pet store of their own:
 * `afterEach(({ task }) => recordCoverage(task, petstore.coverage()))`.
 */
export function recordCoverage(task: TaskWithMeta, report: Coverage): void {
  const meta: CoverageMeta = task.meta
  const counts = addCounts(countsOf(task.meta), countNew(report))
  if (Object.keys(counts).length > 0) meta.petstoreCoverage = counts
}

/** What a test carries. */
export function countsOf(meta: object): CoverageCounts {
  return (meta as CoverageMeta).petstoreCoverage ?? {}
}

export function addCounts(some: CoverageCounts, others: CoverageCounts): CoverageCounts {
  const sums: Record<string, number> = { ...some }
  for (const [key, count] of Object.entries(others)) sums[key] = (sums[key] ?? 0) + count
  return sums
}

/** Every count with what it counts. */
export function listCounts(counts: CoverageCounts): { operation: string; status: number; count: number }[] {
  return Object.entries(counts).map(([key, count]) => {
    const blank = key.lastIndexOf(' ')
    return { operation: key.slice(0, blank), status: Number(key.slice(blank + 1)), count }
  })
}

/** A pet store that several tests share counts on; each of them is to have its own requests only. */
function countNew(report: Coverage): CoverageCounts {
  const counts = Object.fromEntries(report.operations.flatMap(toCounts))
  const source = sourceOf(report)
  if (source === undefined) return counts
  const before = recorded.get(source) ?? {}
  recorded.set(source, counts)
  const increases = Object.entries(counts).map(([key, count]) => [key, count - (before[key] ?? 0)] as const)
  return Object.fromEntries(increases.filter(([, count]) => count > 0))
}

function toCounts({ operation, count, statuses }: OperationCoverage): [key: string, count: number][] {
  const answered = statuses.reduce((sum, each) => sum + each.count, 0)
  const all = [{ status: 0, count: count - answered }, ...statuses]
  return all.filter((each) => each.count > 0).map((each) => [`${operation} ${each.status}`, each.count])
}
