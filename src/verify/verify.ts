import type { OperationId } from '../petstore/types.js'
import type { Check } from './check.js'
import { bodyChecks } from './checks/bodies.js'
import { categoryChecks } from './checks/categories.js'
import { identifierChecks } from './checks/identifiers.js'
import { inventoryChecks } from './checks/inventory.js'
import { listChecks } from './checks/lists.js'
import { orderChecks } from './checks/orders.js'
import { petChecks } from './checks/pets.js'
import { queryChecks } from './checks/queries.js'
import { requestChecks } from './checks/requests.js'
import { cleanUp } from './clean-up.js'
import { type Client, createClient } from './client.js'
import { createExchange, isGivenUp, SILENT, STOPPED } from './exchange.js'
import { createFindings, type Difference } from './findings.js'
import { createGuard } from './guard.js'
import { type Operations, readOperations } from './operations.js'
import { createOwnRecords, type LeftBehind } from './own-records.js'
import { isLocalMock, recognise } from './recognise.js'
import { createRecords, type Records } from './records.js'
import { createReport, NEEDS_WRITES, type Report, type Result } from './report.js'
import { type ChangedRecord, findChanged, takeSample } from './sample.js'
import { createSender, type Fetch } from './sender.js'

export interface VerifyOptions {
  /** An absolute address, without a slash at the end. */
  readonly baseUrl: string
  readonly fetch: Fetch
  /**
   * Whether verify may create records, and change and delete those. If not, only GET, HEAD and OPTIONS are sent, and
   * checks that need more are skipped. Default: only on a petstore-mock on this machine.
   */
  readonly allowWrites?: boolean | undefined
  /** Sent with every request. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** For each request. */
  readonly timeoutMs: number
  /** Ends the run early; what was created is deleted all the same. */
  readonly signal?: AbortSignal
}

/**
 * Runs every check of the contract against a service, one request at a time, and deletes what it created. It never
 * changes or deletes a record that it did not create: see `Guard`.
 */
export async function verifyService(options: VerifyOptions): Promise<Report> {
  const { baseUrl, signal } = options
  const operations = readOperations()
  const send = createSender(options)
  const recognised = await recognise(operations, (request) => send(request, signal), baseUrl).catch(
    (error: unknown) => {
      if (!signal?.aborted) throw error
    },
  )
  const allowWrites = options.allowWrites ?? (recognised !== undefined && isLocalMock(baseUrl, recognised))

  const findings = createFindings()
  const found: Difference[] = []
  let current = ''
  const onDifference = (difference: Difference): void => {
    found.push(difference)
    findings.add(difference, current)
  }
  const basePath = new URL(baseUrl).pathname.replace(/\/$/, '')
  const own = createOwnRecords()
  const exchange = createExchange({ send, signal, onDifference })
  const guard = createGuard({ exchange, own, basePath, allowWrites })
  const client = createClient({ operations, basePath, guard, findings, onDifference })
  const records = createRecords(client, own, allowWrites)
  const whySkipped = ({ needsWrites }: Check): string | undefined => {
    if (signal?.aborted) return STOPPED
    if (exchange.isSilent()) return SILENT
    return needsWrites && !allowWrites ? NEEDS_WRITES : undefined
  }

  const sample = allowWrites && !signal?.aborted ? await takeSample(createExchange({ send }), operations) : new Map()
  const results = new Map<OperationId, (readonly [string, Result])[]>()
  let leftBehind: LeftBehind[] = []
  let changed: ChangedRecord[] = []
  try {
    for (const check of listChecksOf(operations)) {
      const reason = whySkipped(check)
      current = `${check.operation} ${check.name}`
      found.length = 0
      const result = reason === undefined ? await runCheck(check, client, records, found) : skip(reason)
      results.set(check.operation, [...(results.get(check.operation) ?? []), [check.name, result]])
    }
  } finally {
    if (allowWrites) {
      const afterwards = createExchange({ send })
      leftBehind = await cleanUp(afterwards, own)
      changed = await findChanged(sample, afterwards, operations, own)
    }
  }
  const run = { baseUrl, wroteData: allowWrites, leftBehind, sampled: sample.size, changed }
  return createReport(operations, results, findings, run)
}

/** Simple requests first, so that a difference is shown by a simple one. */
function listChecksOf(operations: Operations): Check[] {
  return [
    ...queryChecks,
    ...categoryChecks,
    ...petChecks,
    ...inventoryChecks,
    ...orderChecks,
    ...listChecks(),
    ...bodyChecks,
    ...identifierChecks,
    ...requestChecks(operations),
  ]
}

const skip = (reason: string): Result => ({ outcome: 'skipped', reason })

/** A check passes if its own operation responds as expected. Others that it calls need not. */
async function runCheck(check: Check, client: Client, records: Records, found: readonly Difference[]): Promise<Result> {
  const hasFailed = (): boolean => found.some(({ operation }) => operation === check.operation)
  try {
    await check.run(client, records)
  } catch (error) {
    if (!isGivenUp(error)) throw error
    if (!hasFailed()) return skip(error.message)
  }
  return { outcome: hasFailed() ? 'failed' : 'passed' }
}
