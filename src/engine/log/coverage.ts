import type { DeclaredOperation } from '../../document/contract/contract.js'
import { oncePer } from '../../lib/functions.js'
import { shareBetweenBuilds } from '../../lib/share-between-builds.js'

/** Which operations and statuses of an OpenAPI document were exercised. */
export interface Coverage {
  /** Every operation, in the order of the document. */
  readonly operations: readonly OperationCoverage[]
  readonly summary: {
    readonly operations: CoverageShare
    /** Declared statuses only. */
    readonly statuses: CoverageShare
  }
}

export interface OperationCoverage extends Omit<DeclaredOperation, 'statuses'> {
  /** The number of requests. */
  readonly count: number
  /** The declared statuses, and returned ones that only `default` covers; ascending. */
  readonly statuses: readonly StatusCoverage[]
}

export interface StatusCoverage {
  readonly status: number
  readonly declared: boolean
  readonly count: number
}

export interface CoverageShare {
  readonly total: number
  readonly exercised: number
}

interface Counts {
  total: number
  readonly byStatus: Map<number, number>
}

/** Shared by all sandboxes. */
const namesOf = oncePer(
  (operations: readonly DeclaredOperation[]) => new Set(operations.map(({ operation }) => operation)),
)

export function createCoverage(operations: readonly DeclaredOperation[]) {
  /** Only for used operations, to save memory: every sandbox has a counter. */
  const counts = new Map<string, Counts>()
  const source = {}

  return {
    /** Ignores unknown operations. Status 0, which means no response, counts for the operation only. */
    record(operation: string, status: number, times = 1): void {
      let known = counts.get(operation)
      if (known === undefined) {
        if (!namesOf(operations).has(operation)) return
        known = { total: 0, byStatus: new Map() }
        counts.set(operation, known)
      }
      known.total += times
      if (status > 0) known.byStatus.set(status, (known.byStatus.get(status) ?? 0) + times)
    },
    report(): Coverage {
      const report = summarize(
        operations.map((operation) => {
          const known = counts.get(operation.operation)
          return known === undefined ? describeUnused(operation) : describe(operation, known)
        }),
      )
      sources.set(report, source)
      return report
    },
  }
}

const sources = shareBetweenBuilds('coverage', () => new WeakMap<Coverage, object>())

/** Identifies the counter behind a report. Later reports of a counter include the counts of earlier ones. */
export function sourceOf(report: Coverage): object | undefined {
  return sources.get(report)
}

function describe({ statuses, ...operation }: DeclaredOperation, counts: Counts): OperationCoverage {
  const { total, byStatus } = counts
  const known = [...new Set([...statuses, ...byStatus.keys()])].sort((a, b) => a - b)
  return {
    ...operation,
    count: total,
    statuses: known.map((status) => ({
      status,
      declared: statuses.includes(status),
      count: byStatus.get(status) ?? 0,
    })),
  }
}

/** Made once for all mocks: there is a report after every test, and a test uses few operations. */
function describeUnused(operation: DeclaredOperation): OperationCoverage {
  const known = unused.get(operation) ?? describe(operation, { total: 0, byStatus: new Map() })
  unused.set(operation, known)
  return known
}

const unused = new WeakMap<DeclaredOperation, OperationCoverage>()

function summarize(operations: readonly OperationCoverage[]): Coverage {
  const statuses = { total: 0, exercised: 0 }
  for (const operation of operations) {
    for (const { declared, count } of operation.statuses) {
      if (!declared) continue
      statuses.total += 1
      if (count > 0) statuses.exercised += 1
    }
  }
  return { operations, summary: { operations: shareOf(operations), statuses } }
}

/** The same report without some statuses. */
export function leaveOutStatuses({ operations }: Coverage, ignored: readonly number[]): Coverage {
  const isCounted = ({ status }: StatusCoverage) => !ignored.includes(status)
  return summarize(operations.map((each) => ({ ...each, statuses: each.statuses.filter(isCounted) })))
}

function shareOf(counted: readonly { readonly count: number }[]): CoverageShare {
  return { total: counted.length, exercised: counted.filter(({ count }) => count > 0).length }
}

/** 100 if there is nothing to exercise. */
export function percentOf({ total, exercised }: CoverageShare): number {
  return total === 0 ? 100 : (100 * exercised) / total
}
