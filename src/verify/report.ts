import type { StoreOperationId } from '../contract/types.js'
import type { Catalogue } from './catalogue.js'
import type { Finding, Findings } from './findings.js'

export interface SkippedCheck {
  readonly check: string
  readonly reason: string
}

export interface OperationReport {
  readonly operation: StoreOperationId
  readonly method: string
  readonly path: string
  /** The checks that found nothing. */
  readonly passed: readonly string[]
  /** Each is told of once, however many checks ran into it. */
  readonly differences: readonly Finding[]
  readonly skipped: readonly SkippedCheck[]
}

export interface GroupReport {
  readonly name: string
  readonly operations: readonly OperationReport[]
}

/** How a service compares with the contract. */
export interface Report {
  readonly baseUrl: string
  /** Checks that found nothing, differences that were found, checks that could not or must not be made. */
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly groups: readonly GroupReport[]
  /** What was made and is still there, and why; the contract lets nobody delete a complete order. */
  readonly leftBehind: readonly string[]
}

export type Result =
  | { readonly outcome: 'passed' | 'failed' }
  | { readonly outcome: 'skipped'; readonly reason: string }

/** What became of each check of each operation. */
export type Results = ReadonlyMap<StoreOperationId, readonly (readonly [check: string, result: Result])[]>

export function createReport(
  baseUrl: string,
  catalogue: Catalogue,
  results: Results,
  findings: Findings,
  leftBehind: readonly string[],
): Report {
  const operations = [...catalogue.values()].map(({ id, method, path, group }) => {
    const own = results.get(id) ?? []
    return {
      group,
      report: {
        operation: id,
        method,
        path,
        passed: own.flatMap(([check, { outcome }]) => (outcome === 'passed' ? [check] : [])),
        differences: findings.of(id),
        skipped: own.flatMap(([check, result]) =>
          result.outcome === 'skipped' ? [{ check, reason: result.reason }] : [],
        ),
      },
    }
  })
  const count = (of: (report: OperationReport) => readonly unknown[]): number =>
    operations.reduce((sum, { report }) => sum + of(report).length, 0)
  const names = [...new Set(operations.map(({ group }) => group))]
  return {
    baseUrl,
    passed: count(({ passed }) => passed),
    failed: count(({ differences }) => differences),
    skipped: count(({ skipped }) => skipped),
    groups: names.map((name) => ({
      name,
      operations: operations.filter(({ group }) => group === name).map(({ report }) => report),
    })),
    leftBehind,
  }
}
