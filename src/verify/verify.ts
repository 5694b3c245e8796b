import type { StoreOperationId } from '../engine/contract/types.js'
import type { Id } from '../lib/int64.js'
import { type Bench, createBench, Unable } from './bench.js'
import { type Catalogue, readCatalogue } from './catalogue.js'
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
import { createFindings, type Difference } from './findings.js'
import type { Maker } from './made.js'
import { recognise } from './recognise.js'
import { createReport, type Report, type Result } from './report.js'
import { createSender, type Fetch, NoAnswer } from './sender.js'
import { createStock, type Stock } from './stock.js'

export interface VerifyOptions {
  /** An absolute address, without a slash at its end. */
  readonly baseUrl: string
  readonly fetch: Fetch
  /** Sends only GET, HEAD and OPTIONS, and leaves out the checks that need more. */
  readonly readOnly: boolean
  /** Sent with every request. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** For each request. */
  readonly timeoutMs: number
  /** Ends the run early; what was made is removed all the same. */
  readonly signal?: AbortSignal
}

/** After so many requests in a row that nobody answered, the rest would only take time. */
const MOST_UNANSWERED = 3

/** Runs every check of the contract against a service, one request after the other, and removes what it made. */
export async function verifyService(options: VerifyOptions): Promise<Report> {
  const { baseUrl, readOnly, signal } = options
  const catalogue = readCatalogue()
  const send = createSender(options)
  await recognise(catalogue, (request) => send(request, signal), baseUrl).catch((error: unknown) => {
    // What is stopped this early has nothing to say but that.
    if (!signal?.aborted) throw error
  })

  const findings = createFindings()
  const made = new Map<Maker, Set<Id>>()
  const met: Difference[] = []
  let current = ''
  let unanswered = 0
  const bench = createBench({
    catalogue,
    basePath: new URL(baseUrl).pathname.replace(/\/$/, ''),
    findings,
    onDifference(difference) {
      met.push(difference)
      findings.add(difference, current)
    },
    onMade: (maker, id) => void made.set(maker, (made.get(maker) ?? new Set()).add(id)),
    async send(request) {
      unanswered += 1
      const answer = await send(request, signal).catch((error: unknown) => {
        throw signal?.aborted ? new Unable(STOPPED) : error
      })
      unanswered = 0
      return answer
    },
  })
  const stock = createStock(bench, readOnly)
  const results = new Map<StoreOperationId, (readonly [string, Result])[]>()
  const whyNot = ({ reads }: Check): string | undefined => {
    if (signal?.aborted) return STOPPED
    if (unanswered >= MOST_UNANSWERED) return 'the service no longer answers'
    return reads || !readOnly ? undefined : 'it would change data'
  }
  let leftBehind: string[] = []
  try {
    for (const check of checksOf(catalogue)) {
      const reason = whyNot(check)
      current = `${check.operation} ${check.name}`
      met.length = 0
      const result = reason === undefined ? await run(check, bench, stock, met) : skip(reason)
      results.set(check.operation, [...(results.get(check.operation) ?? []), [check.name, result]])
    }
  } finally {
    leftBehind = await cleanUp(made, catalogue, send)
  }
  return createReport(baseUrl, catalogue, results, findings, leftBehind)
}

/** Simple things first, so that a difference is shown by a simple request. */
function checksOf(catalogue: Catalogue): Check[] {
  return [
    ...queryChecks,
    ...categoryChecks,
    ...petChecks,
    ...inventoryChecks,
    ...orderChecks,
    ...listChecks(),
    ...bodyChecks,
    ...identifierChecks,
    ...requestChecks(catalogue),
  ]
}

const STOPPED = 'the run was stopped'

const skip = (reason: string): Result => ({ outcome: 'skipped', reason })

/** A check passes where its own operation gave no cause for complaint; others may have on the way. */
async function run(check: Check, bench: Bench, stock: Stock, met: readonly Difference[]): Promise<Result> {
  const hasFailed = (): boolean => met.some(({ operation }) => operation === check.operation)
  try {
    await check.run(bench, stock)
  } catch (error) {
    if (!(error instanceof Unable || error instanceof NoAnswer)) throw error
    if (!hasFailed()) return skip(error.message)
  }
  return { outcome: hasFailed() ? 'failed' : 'passed' }
}
