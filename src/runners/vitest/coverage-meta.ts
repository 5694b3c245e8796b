import type { DeclaredOperation } from '../../document/contract/contract.js'
import { type Coverage, type OperationCoverage, sourceOf } from '../../engine/log/coverage.js'
import { hashText } from '../../lib/random.js'

/** vitest's `task`, whose metadata reaches the reporter in its own process. */
export interface TaskWithMeta {
  readonly meta: object
  readonly file?: object
}

/** How many requests of an operation got a status; 0 means no response. */
export interface CoverageCount {
  readonly operation: string
  readonly status: number
  readonly count: number
}

/** The requests of a test to one service. */
export interface RecordedCoverage {
  /** A hash of its operations. */
  readonly service: number
  readonly name: string | undefined
  /** What its document declares. Only once for each file of tests: it may be long. */
  readonly operations?: readonly DeclaredOperation[]
  readonly counts: readonly CoverageCount[]
}

interface CoverageMeta {
  petstoreCoverage?: readonly RecordedCoverage[]
}

/** The services whose operations were recorded on a test of each file. */
const describedIn = new WeakMap<object, Set<number>>()

/** The counts of each mock that are already recorded on a test. */
const recorded = new WeakMap<object, readonly CoverageCount[]>()

/**
 * Records a test's coverage for `petstore-mock/vitest/reporter`. The `test` of `petstore-mock/vitest` calls it; for a
 * mock that tests share, call it yourself: `afterEach(({ task }) => recordCoverage(task, petstore.coverage()))`. `name` is that
 * of the service, for a report with several.
 */
export function recordCoverage(task: TaskWithMeta, report: Coverage, name?: string): void {
  const meta: CoverageMeta = task.meta
  const counts = countNew(report)
  if (counts.length === 0) return
  const operations = report.operations.map(toDeclared)
  const service = hashText(JSON.stringify(operations))
  const described = describedIn.get(task.file ?? task) ?? new Set()
  describedIn.set(task.file ?? task, described)
  const recorded = { service, name, ...(!described.has(service) && { operations }), counts }
  described.add(service)
  meta.petstoreCoverage = [...recordedOn(meta), recorded]
}

export function recordedOn(meta: object): readonly RecordedCoverage[] {
  return (meta as CoverageMeta).petstoreCoverage ?? []
}

export function countsOf(meta: object): readonly CoverageCount[] {
  return recordedOn(meta).flatMap(({ counts }) => counts)
}

function toDeclared({ count: _, statuses, ...operation }: OperationCoverage): DeclaredOperation {
  return { ...operation, statuses: statuses.filter(({ declared }) => declared).map(({ status }) => status) }
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
