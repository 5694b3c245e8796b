import type { RecordedExchange, RecordedRequest } from '../../engine/log/reproduction.js'
import type { Difference, Note } from '../server/differences.js'

export type ReplayDifference = Omit<Difference, 'operation'>

/** What became of one recorded request. */
export interface ReplayedRequest {
  /** Its place among the requests of the file, from 1. */
  readonly number: number
  /** In one line. */
  readonly request: string
  readonly outcome: 'same' | 'different' | 'skipped'
  /** Why it was skipped. */
  readonly reason?: string
  readonly differences: readonly ReplayDifference[]
  /** The recorded response is that of the real service. */
  readonly isOfUpstream?: true
}

/** How the responses compare with the recorded ones. */
export interface ReplayReport {
  /** The service that the requests were sent to. Missing if they were repeated in memory. */
  readonly against?: string
  readonly same: number
  readonly different: number
  readonly skipped: number
  /** How many of the first steps are missing in the file. */
  readonly missing: number
  /** How many of the responses that the real service had sent through the mock were the same. Missing if there are none. */
  readonly faithfulness?: { readonly same: number; readonly of: number }
  readonly requests: readonly ReplayedRequest[]
}

/** What every replayed request has. */
export type Described = Pick<ReplayedRequest, 'number' | 'request'>

/** Counts the outcomes of the replayed requests. */
export function createReplayReport(
  requests: readonly ReplayedRequest[],
  run: Pick<ReplayReport, 'against' | 'missing'>,
): ReplayReport {
  const count = (wanted: ReplayedRequest['outcome']) => requests.filter(({ outcome }) => outcome === wanted).length
  const real = requests.filter(({ isOfUpstream, outcome }) => isOfUpstream && outcome !== 'skipped')
  const faithfulness = { same: real.filter(({ outcome }) => outcome === 'same').length, of: real.length }
  return {
    ...run,
    ...(real.length > 0 && { faithfulness }),
    same: count('same'),
    different: count('different'),
    skipped: count('skipped'),
    requests,
  }
}

export function skipped(described: Described, reason: string): ReplayedRequest {
  return { ...described, outcome: 'skipped', reason, differences: [] }
}

/** `compare` notes the differences. */
export function compared(described: Described, compare: (note: Note) => void): ReplayedRequest {
  const differences: ReplayDifference[] = []
  compare((aspect, expected, received) => differences.push({ aspect, sent: described.request, expected, received }))
  return { ...described, outcome: differences.length === 0 ? 'same' : 'different', differences }
}

/** A request in one line. */
export function describeRecordedRequest({ request }: RecordedExchange): string {
  const { method, body, isBase64 } = request
  return [method, targetOf(request), isBase64 ? '(bytes)' : body].filter((part) => part !== undefined).join(' ')
}

/** The path and the query, as they were sent. */
export function targetOf({ path, query }: RecordedRequest): string {
  return query === undefined ? path : `${path}?${query}`
}
