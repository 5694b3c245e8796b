import { loadContract } from '../../engine/load-contract.js'
import { CannotCheck, NEEDS_WRITES, SILENT, STOPPED } from '../cannot-check.js'
import { connectToService } from '../connection.js'
import { isLocalMock, recogniseService } from '../recognise-service.js'
import type { ServiceOptions } from '../send-request.js'
import { createCaller } from './caller.js'
import { type ChangedRecord, findChangedRecords, readSample } from './changed-records.js'
import type { Check, Context } from './check.js'
import type { CheckedService } from './checked-service.js'
import { bodyChecks } from './checks/bodies.js'
import { identifierChecks } from './checks/identifiers.js'
import { listChecks, type OwnLists } from './checks/lists.js'
import { queryChecks } from './checks/queries.js'
import { recordChecks } from './checks/records.js'
import { requestChecks } from './checks/requests.js'
import { cleanUp } from './clean-up.js'
import { createFindings } from './findings.js'
import { isListOperation, type Operations, readOperations } from './operations.js'
import { createOwnRecords, type LeftBehind } from './own-records.js'
import { createRecordFactory } from './record-factory.js'
import { type CheckResult, createReport, type Report } from './report.js'
import { createResources, type Resources } from './resources.js'
import { createWriteGuard } from './write-guard.js'

/** A service with the checks that only it has. */
export interface VerifiedService extends CheckedService {
  /** What its OpenAPI document does not say. They replace the checks of stored records for the same operations. */
  readonly checks: readonly Check[]
  /** Records for the checks of lists, where the ones that verify creates by itself do not fit. */
  readonly lists?: OwnLists
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
 * Runs every check of the contract against a service, one request at a time, and deletes what it created. It never
 * changes or deletes a record that it did not create: see `createWriteGuard`.
 */
export async function verifyService(verified: VerifiedService, options: VerifyOptions): Promise<Report> {
  const { baseUrl, signal } = options
  await loadContract(verified.contract)
  const [operations, resources] = [readOperations(verified), createResources(verified)]
  const isChecked = (id: string): boolean => options.operations?.includes(id) ?? true
  const recognised = await recogniseService(verified, connectToService(options, signal), baseUrl).catch(
    (error: unknown) => {
      if (!signal?.aborted) throw error
    },
  )
  const allowWrites = options.allowWrites ?? (recognised !== undefined && isLocalMock(baseUrl, recognised))

  const findings = createFindings(options.ignoredHeaders)
  const own = createOwnRecords(resources)
  const basePath = new URL(baseUrl).pathname.replace(/\/$/, '')
  const service = connectToService(options, signal, findings.add)
  const guard = createWriteGuard(service, resources, own, basePath, allowWrites)
  const caller = createCaller(verified, resources, operations, basePath, guard, findings)
  const context: Context = { ...caller, ...createRecordFactory(caller, own, allowWrites) }

  /** A check passes if its own operation responds as expected. Others that it calls need not. */
  async function runCheck({ operation, name, needsWrites, run }: Check): Promise<CheckResult> {
    const result = { operation, check: name }
    const skip = (reason: string): CheckResult => ({ ...result, outcome: 'skipped', reason })
    const hasFailed = (): boolean =>
      findings.of(operation).some(({ checks }) => checks.includes(`${operation} ${name}`))
    if (signal?.aborted) return skip(STOPPED)
    if (service.isSilent()) return skip(SILENT)
    if (needsWrites && !allowWrites) return skip(NEEDS_WRITES)
    findings.start(`${operation} ${name}`)
    try {
      await run(context)
    } catch (error) {
      if (!(error instanceof CannotCheck)) throw error
      if (!hasFailed()) return skip(error.message)
    }
    return { ...result, outcome: hasFailed() ? 'failed' : 'passed' }
  }

  const sample = allowWrites && !signal?.aborted ? await readSample(connectToService(options), resources) : new Map()
  const results: CheckResult[] = []
  let leftBehind: LeftBehind[] = []
  let changed: ChangedRecord[] = []
  try {
    const checks = checksOf(verified, operations, resources).filter(({ operation }) => isChecked(operation))
    for (const check of checks) results.push(await runCheck(check))
  } finally {
    if (allowWrites) {
      const afterwards = connectToService(options)
      leftBehind = await cleanUp(afterwards, resources, own)
      changed = await findChangedRecords(sample, afterwards, resources, own)
    }
  }
  const run = { baseUrl, wroteData: allowWrites, leftBehind, sampled: sample.size, changed }
  return createReport(
    Object.values(operations).filter(({ id }) => isChecked(id)),
    results,
    findings,
    run,
  )
}

/** Simple requests first, so that a difference is shown by a simple one. */
function checksOf(
  { checks: own, lists: ownLists = {}, onlyDocument = false }: VerifiedService,
  operations: Operations,
  { all, stored }: Resources,
): Check[] {
  const lists = Object.values(operations).filter(isListOperation)
  const isReplaced = (check: Check): boolean => own.some(({ operation }) => operation === check.operation)
  return [
    ...queryChecks(lists),
    ...recordChecks(stored).filter((check) => !isReplaced(check)),
    ...own,
    ...listChecks(lists, ownLists),
    ...bodyChecks(all),
    ...identifierChecks(lists, all),
    ...requestChecks(operations, onlyDocument),
  ]
}
