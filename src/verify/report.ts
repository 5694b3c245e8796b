import type { StoreOperationId } from '../engine/contract/types.js'
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
  /** The checks that found nothing, and those that found something. */
  readonly passed: readonly string[]
  readonly failed: readonly string[]
  /** What they found. Each is told of once, however many checks ran into it. */
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
  /** Checks that found nothing, that found something, and that could not or must not be made: together, all of them. */
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  /** What was found, each counted once; there is one where a check has failed, and only there. */
  readonly differences: number
  readonly groups: readonly GroupReport[]
  /** What was made and is still there, and why; the contract lets nobody delete a complete order. */
  readonly leftBehind: readonly string[]
}

export type Result =
  | { readonly outcome: 'passed' | 'failed' }
  | { readonly outcome: 'skipped'; readonly reason: string }

/** What became of each check of each operation. */
export type Results = ReadonlyMap<StoreOperationId, readonly (readonly [check: string, result: Result])[]>

/**
 * A check is about one operation and asks others on its way. What it finds in those fails this one of theirs, so that
 * nothing is found without a check that failed, and every check has the same name whether it fails or not.
 */
export const ON_THE_WAY = 'answers as it should where other operations are checked'

export function createReport(
  baseUrl: string,
  catalogue: Catalogue,
  results: Results,
  findings: Findings,
  leftBehind: readonly string[],
): Report {
  const operations = [...catalogue.values()].map(({ id, method, path, group }) => {
    const differences = findings.of(id)
    const own = results.get(id) ?? []
    const all = [...own, [ON_THE_WAY, onTheWay(id, own, differences)] as const]
    const namesOf = (outcome: Result['outcome']) =>
      all.flatMap(([check, result]) => (result.outcome === outcome ? [check] : []))
    const skipped = all.flatMap(([check, result]) =>
      result.outcome === 'skipped' ? [{ check, reason: result.reason }] : [],
    )
    const [passed, failed] = [namesOf('passed'), namesOf('failed')]
    return { group, report: { operation: id, method, path, passed, failed, differences, skipped } }
  })
  const count = (of: (report: OperationReport) => readonly unknown[]): number =>
    operations.reduce((sum, { report }) => sum + of(report).length, 0)
  const names = [...new Set(operations.map(({ group }) => group))]
  return {
    baseUrl,
    passed: count(({ passed }) => passed),
    failed: count(({ failed }) => failed),
    skipped: count(({ skipped }) => skipped),
    differences: count(({ differences }) => differences),
    groups: names.map((name) => ({
      name,
      operations: operations.filter(({ group }) => group === name).map(({ report }) => report),
    })),
    leftBehind,
  }
}

/** The differences that made a check of an operation fail. */
export function differencesOf({ operation, failed, differences }: OperationReport, check: string): Finding[] {
  const own = differences.filter(({ checks }) => checks.includes(`${operation} ${check}`))
  return check === ON_THE_WAY ? metByOthers(operation, failed, differences) : own
}

function metByOthers(operation: string, failed: readonly string[], differences: readonly Finding[]): Finding[] {
  const known = failed.map((check) => `${operation} ${check}`)
  return differences.filter(({ checks }) => !checks.some((check) => known.includes(check)))
}

function onTheWay(
  operation: string,
  own: readonly (readonly [string, Result])[],
  differences: readonly Finding[],
): Result {
  const failed = own.flatMap(([check, { outcome }]) => (outcome === 'failed' ? [check] : []))
  if (metByOthers(operation, failed, differences).length > 0) return { outcome: 'failed' }
  // Where none of its own checks was made, it was not asked by others either, or not to the end.
  const [[, first] = []] = own
  return first?.outcome === 'skipped' && own.every(([, { outcome }]) => outcome === 'skipped')
    ? first
    : { outcome: 'passed' }
}
