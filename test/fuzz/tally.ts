import type { FuzzRequest } from './request.js'

/** Statistics of a run, for its report. */
export interface Tally {
  requests: number
  readonly statuses: Map<number, number>
  /** The request that blocked the process for the longest time. */
  slowest: { readonly ms: number; readonly description: string }
}

export function createTally(): Tally {
  return { requests: 0, statuses: new Map(), slowest: { ms: 0, description: 'nothing' } }
}

export function count(tally: Tally, status: number): void {
  tally.requests += 1
  tally.statuses.set(status, (tally.statuses.get(status) ?? 0) + 1)
}

/**
 * Runs a synchronous function and records it if it is the slowest. Uses the elapsed time, but no more than the
 * processor time, because other processes may delay it.
 */
export function timed<T>(tally: Tally, description: () => string, act: () => T): T {
  const [from, cpuBefore] = [process.hrtime.bigint(), process.cpuUsage()]
  try {
    return act()
  } finally {
    const { user, system } = process.cpuUsage(cpuBefore)
    const ms = Math.min(Number(process.hrtime.bigint() - from) / 1e6, (user + system) / 1e3)
    if (ms > tally.slowest.ms) tally.slowest = { ms, description: description() }
  }
}

/** A request on one line. */
export function describe({ method, target, headers, body }: FuzzRequest): string {
  const sent = body === undefined ? '' : `, ${body.length} bytes: ${JSON.stringify(short(body))}`
  return `${method} ${short(target)} ${short(JSON.stringify(Object.fromEntries(headers)))}${sent}`
}

function short(text: string): string {
  return text.length > 120 ? `${text.slice(0, 120)}…` : text
}
