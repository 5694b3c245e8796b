import { NEEDS_WRITES } from '../server/cannot-check.js'
import type { ChangedRecord } from './changed-records.js'
import type { Finding, Findings } from './findings.js'
import type { OperationInfo } from './operations.js'
import type { LeftBehind } from './own-records.js'

export interface SkippedCheck {
  readonly check: string
  readonly reason: string
}

export interface OperationReport {
  readonly operation: string
  readonly method: string
  readonly path: string
  /** The checks that found no difference. */
  readonly passed: readonly string[]
  /** The checks that found one. */
  readonly failed: readonly string[]
  /** What they found, each difference once. */
  readonly differences: readonly Finding[]
  readonly skipped: readonly SkippedCheck[]
  /** Fields of its responses that the OpenAPI document does not have. They are not differences: it does not forbid them. */
  readonly undeclared: readonly string[]
}

export interface GroupReport {
  readonly name: string
  readonly operations: readonly OperationReport[]
}

/** How a service compares with the contract. */
export interface Report {
  readonly baseUrl: string
  /** Whether verify was allowed to write to the service. */
  readonly wroteData: boolean
  /** How many checks passed, failed and were skipped: together, all of them. */
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  /** How many of the skipped checks need to write to the service. */
  readonly skippedWrites: number
  /** How many differences there are. A check fails if and only if there is one. */
  readonly differences: number
  readonly groups: readonly GroupReport[]
  /** What verify created and could not delete. */
  readonly leftBehind: readonly LeftBehind[]
  /** How many of the service's own records were compared before and after, and which of them changed. */
  readonly sampled: number
  readonly changed: readonly ChangedRecord[]
}

export interface CheckResult {
  readonly operation: string
  readonly check: string
  readonly outcome: 'passed' | 'failed' | 'skipped'
  /** Why it was skipped. */
  readonly reason?: string | undefined
}

/**
 * A check of one operation calls others as well. What it finds in those fails this check of theirs, so that there is a
 * failed check for every difference, and checks have the same names in every run.
 */
export const IN_OTHER_CHECKS = 'responds as expected in the checks of other operations'

/** The results of all checks by operation, with their differences, and counted. */
export function createReport(
  operations: readonly OperationInfo[],
  results: readonly CheckResult[],
  findings: Findings,
  run: Pick<Report, 'baseUrl' | 'wroteData' | 'leftBehind' | 'sampled' | 'changed'>,
): Report {
  const all = operations.map(({ id, method, path, group }) => {
    const differences = findings.of(id)
    const own = results.filter(({ operation }) => operation === id)
    const checks = [...own, resultInOthers(own, differences)]
    const having = (outcome: CheckResult['outcome']) => checks.filter((each) => each.outcome === outcome)
    const [passed = [], failed = []] = [having('passed'), having('failed')].map((each) =>
      each.map(({ check }) => check),
    )
    const skipped = having('skipped').map(({ check, reason = '' }) => ({ check, reason }))
    const undeclared = findings.undeclaredOf(id)
    return { group, report: { operation: id, method, path, passed, failed, differences, skipped, undeclared } }
  })
  const count = (of: (report: OperationReport) => readonly unknown[]): number =>
    all.reduce((sum, { report }) => sum + of(report).length, 0)
  return {
    ...run,
    passed: count(({ passed }) => passed),
    failed: count(({ failed }) => failed),
    skipped: count(({ skipped }) => skipped),
    skippedWrites: count(({ skipped }) => skipped.filter(({ reason }) => reason === NEEDS_WRITES)),
    differences: count(({ differences }) => differences),
    groups: [...new Set(all.map(({ group }) => group))].map((name) => ({
      name,
      operations: all.filter(({ group }) => group === name).map(({ report }) => report),
    })),
  }
}

/** The differences because of which a check of an operation failed. */
export function differencesOf({ operation, failed, differences }: OperationReport, check: string): Finding[] {
  if (check === IN_OTHER_CHECKS) return foundByOthers(operation, failed, differences)
  return differences.filter(({ checks }) => checks.includes(`${operation} ${check}`))
}

function foundByOthers(operation: string, failed: readonly string[], differences: readonly Finding[]): Finding[] {
  const own = failed.map((check) => `${operation} ${check}`)
  return differences.filter(({ checks }) => !checks.some((check) => own.includes(check)))
}

function resultInOthers(own: readonly CheckResult[], differences: readonly Finding[]): CheckResult {
  const [first] = own as [CheckResult]
  const failed = own.filter(({ outcome }) => outcome === 'failed').map(({ check }) => check)
  const others = { operation: first.operation, check: IN_OTHER_CHECKS }
  if (foundByOthers(first.operation, failed, differences).length > 0) return { ...others, outcome: 'failed' }
  // If all checks of an operation were skipped, the checks of others have not called it either.
  return own.every(({ outcome }) => outcome === 'skipped') ? { ...first, ...others } : { ...others, outcome: 'passed' }
}
