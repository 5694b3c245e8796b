import { type Coverage, type OperationCoverage, sourceOf } from '../engine/control/coverage.js'

/** vitest's `task`, whose metadata reaches the reporter in its own process. */
export interface TaskWithMeta {
  readonly meta: object
}

/** How many requests of an operation got a status; 0 means no response. */
export interface CoverageCount {
  readonly operation: string
  readonly status: number
  readonly count: number
}

interface CoverageMeta {
  petstoreCoverage?: readonly CoverageCount[]
}

/** The counts of each mock that are already recorded on a test. */
const recorded = new WeakMap<object, readonly CoverageCount[]>()

/**
 * Records a test's coverage for `petstore-mock/vitest/reporter`. The `test` of `petstore-mock/vitest` calls it; for a
 * mock that tests share, call it yourself: `afterEach(({ task }) => recordCoverage(task, petstore.coverage()))`.
 */
export function recordCoverage(task: TaskWithMeta, report: Coverage): void {
  const meta: CoverageMeta = task.meta
  const counts = countNew(report)
  if (counts.length > 0) meta.petstoreCoverage = [...countsOf(meta), ...counts]
}

export function countsOf(meta: object): readonly CoverageCount[] {
  return (meta as CoverageMeta).petstoreCoverage ?? []
}

/** A shared mock keeps counting, but each test gets only its own requests. */
function countNew(report: Coverage): CoverageCount[] {
  const counts = report.operations.flatMap(toCounts)
  const source = sourceOf(report)
  const previous = (source && recorded.get(source)) ?? []
  if (source !== undefined) recorded.set(source, counts)
  return counts
    .map(({ operation, status, count }) => {
      const before = previous.find((each) => each.operation === operation && each.status === status)
      return { operation, status, count: count - (before?.count ?? 0) }
    })
    .filter(({ count }) => count > 0)
}

function toCounts({ operation, count, statuses }: OperationCoverage): CoverageCount[] {
  const withResponse = statuses.reduce((sum, each) => sum + each.count, 0)
  const all = [{ status: 0, count: count - withResponse }, ...statuses]
  return all.filter((each) => each.count > 0).map((each) => ({ operation, status: each.status, count: each.count }))
}
