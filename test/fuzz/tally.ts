import type { Asked } from './asked.js'

/** What a run has met, for whoever reads its report. */
export interface Tally {
  requests: number
  readonly statuses: Map<number, number>
  /** The request that held everything else up for the longest. */
  slowest: { readonly ms: number; readonly what: string }
}

export function createTally(): Tally {
  return { requests: 0, statuses: new Map(), slowest: { ms: 0, what: 'nothing' } }
}

export function count(tally: Tally, status: number): void {
  tally.requests += 1
  tally.statuses.set(status, (tally.statuses.get(status) ?? 0) + 1)
}

/**
 * Runs what cannot be interrupted and remembers it if nothing took longer: by the clock on the wall, but not by more than
 * the processor was at work, because a busy machine lets everybody wait.
 */
export function timed<T>(tally: Tally, what: () => string, act: () => T): T {
  const [from, worked] = [process.hrtime.bigint(), process.cpuUsage()]
  try {
    return act()
  } finally {
    const { user, system } = process.cpuUsage(worked)
    const ms = Math.min(Number(process.hrtime.bigint() - from) / 1e6, (user + system) / 1e3)
    if (ms > tally.slowest.ms) tally.slowest = { ms, what: what() }
  }
}

/** A request in a line. */
export function describe({ method, target, headers, body }: Asked): string {
  const sent = body === undefined ? '' : `, ${body.length} bytes: ${JSON.stringify(short(body))}`
  return `${method} ${short(target)} ${short(JSON.stringify(Object.fromEntries(headers)))}${sent}`
}

function short(text: string): string {
  return text.length > 120 ? `${text.slice(0, 120)}…` : text
}
