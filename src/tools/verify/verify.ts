import { loadContract } from '../../engine/mock/load-contract.js'
import { CannotCheck, CHANGED, NEEDS_WRITES, SILENT, STOPPED } from '../server/cannot-check.js'
import { connectToService } from '../server/connection.js'
import { createRequests } from '../server/document-requests.js'
import { isLocalMock, recogniseService } from '../server/recognise-service.js'
import type { ServiceOptions } from '../server/send-request.js'
import { type CalledOperation, createCaller } from './caller.js'
import { type ChangedRecord, watchRecords } from './changed-records.js'
import type { Check, Context } from './check.js'
import type { CheckedService } from './checked-service.js'
import { bodyChecks } from './checks/bodies.js'
import { queryChecks } from './checks/queries.js'
import { recordChecks } from './checks/records.js'
import { otherChecks, requestChecks } from './checks/requests.js'
import { cleanUp } from './clean-up.js'
import { createFindings } from './findings.js'
import { isListOperation, type Operations, readOperations } from './operations.js'
import { createOwnRecords, type LeftBehind } from './own-records.js'
import { createRecordFactory } from './record-factory.js'
import { type CheckResult, createReport, type Report } from './report.js'
import { createResources, type Resources } from './resources.js'
import { createWriteGuard } from './write-guard.js'

/** A service, with what it promises beside its document. */
export interface VerifiedService extends CheckedService {
  readonly promises?: Promises
}

export interface Promises {
  /** The checks of its own rules. They replace those of stored records for the same operations. */
  readonly rules: readonly Check[]
  /** Further ones. */
  checks(operations: Operations, resources: Resources): readonly Check[]
  /** Notes how a response differs from them. */
  compare(called: CalledOperation): void
}

export interface VerifyOptions extends ServiceOptions {
  /**
   * Whether verify may create records, and change and delete those. If not, only GET, HEAD and OPTIONS are sent, and
   * checks that need more are skipped. Default: only on a petstore-mock on this machine.
   */
  readonly allowWrites?: boolean | undefined
  /** Only these are checked. Default: all. */
  readonly operations?: readonly string[] | undefined
  /** The headers that are not compared, as in VERIFIED_HEADERS. */
  readonly ignoredHeaders?: readonly string[] | undefined
  /** Ends the run early; what was created is deleted all the same. */
  readonly signal?: AbortSignal
}

/**
 * Runs every check of the contract against a service, one request at a time, and deletes what it created. It writes only to
 * records that it created (see `createWriteGuard`), and no more after another record has changed.
 */
export async function verifyService(verified: VerifiedService, options: VerifyOptions): Promise<Report> {
  const { baseUrl, signal } = options
  await loadContract(verified.contract)
  const [operations, resources] = [readOperations(verified), createResources(verified)]
  const isChecked = (id: string): boolean => options.operations?.includes(id) ?? true
  const recognised = await recogniseService(verified, connectToService(options, signal), options).catch(
    (error: unknown) => {
      if (!signal?.aborted) throw error
    },
  )
  const allowWrites = options.allowWrites ?? (recognised !== undefined && isLocalMock(baseUrl, recognised))

  const findings = createFindings(options.ignoredHeaders)
  const own = createOwnRecords(resources)
  const basePath = new URL(baseUrl).pathname.replace(/\/$/, '')
  const service = connectToService(options, signal, findings.add)
  const known = { operations, resources, own, requests: createRequests(verified.contract, options.headers, own.marker) }
  const guard = createWriteGuard(service, known, basePath, allowWrites)
  const caller = createCaller(verified, known, basePath, guard, findings, verified.promises?.compare)
  const context: Context = { ...caller, ...createRecordFactory(caller, known, allowWrites) }
  const afterwards = connectToService(options)
  const watch = await watchRecords(afterwards, known, allowWrites && !signal?.aborted)
  let changed: ChangedRecord[] = []

  /** A check passes if its own operation responds as expected. Others that it calls need not. */
  async function runCheck({ operation, name, needsWrites, run }: Check): Promise<CheckResult> {
    const result = { operation, check: name }
    const skip = (reason: string): CheckResult => ({ ...result, outcome: 'skipped', reason })
    const hasFailed = (): boolean =>
      findings.of(operation).some(({ checks }) => checks.includes(`${operation} ${name}`))
    if (signal?.aborted) return skip(STOPPED)
    if (service.isSilent()) return skip(SILENT)
    if (needsWrites && !allowWrites) return skip(NEEDS_WRITES)
    if (needsWrites && changed.length > 0) return skip(CHANGED)
    findings.start(`${operation} ${name}`)
    const writes = guard.count()
    try {
      await run(context)
    } catch (error) {
      if (!(error instanceof CannotCheck)) throw error
      if (!hasFailed()) return skip(error.message)
    } finally {
      if (guard.count() > writes) changed = await watch.findChanged(operations.get(operation)?.resource)
    }
    return { ...result, outcome: hasFailed() ? 'failed' : 'passed' }
  }

  const results: CheckResult[] = []
  let leftBehind: LeftBehind[] = []
  try {
    const checks = checksOf(verified, operations, resources).filter(({ operation }) => isChecked(operation))
    for (const check of checks) results.push(await runCheck(check))
  } finally {
    if (allowWrites) {
      leftBehind = await cleanUp(afterwards, known, changed.length === 0 ? undefined : CHANGED)
      if (changed.length === 0) changed = await watch.findChanged()
    }
  }
  const run = { baseUrl, wroteData: allowWrites, leftBehind, sampled: watch.size, changed }
  return createReport(
    [...operations.values()].filter(({ id }) => isChecked(id)),
    results,
    findings,
    run,
  )
}

/** Simple requests first, so that a difference is shown by a simple one. */
function checksOf(
  { promises, isExact = false }: VerifiedService,
  operations: Operations,
  resources: Resources,
): Check[] {
  const all = [...operations.values()]
  const { rules = [] } = promises ?? {}
  const isReplaced = (check: Check): boolean => rules.some(({ operation }) => operation === check.operation)
  const checks = [
    ...queryChecks(all.filter(isListOperation)),
    ...recordChecks(resources.stored).filter((check) => !isReplaced(check)),
    ...rules,
    ...(promises?.checks(operations, resources) ?? []),
    ...bodyChecks(resources.all),
    ...requestChecks(all, isExact),
  ]
  const checked = new Set(checks.map(({ operation }) => operation))
  return [...checks, ...otherChecks(all.filter(({ id }) => !checked.has(id)))]
}
