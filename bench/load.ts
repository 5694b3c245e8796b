import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Step } from './cases.js'

export const CONNECTIONS = 16

/** The work for the client: for a time, or a number of requests. */
export interface LoadOrder {
  readonly port: number
  readonly steps: readonly Step[]
  readonly connections: number
  readonly forMs?: number
  readonly requests?: number
  /** HTTPS/1.1 or, with `streams`, HTTP/2 with that many requests in flight on each connection, for the first step only. */
  readonly tls?: { readonly ca: string; readonly streams?: number }
}

/** What is left of an order, shared by all connections. */
export interface Budget {
  readonly deadline: number
  left: number
  done: number
  /** How long each request took, in milliseconds; not over TLS with HTTP/2. */
  readonly durations: number[]
}

export interface LoadResult {
  readonly requests: number
  readonly ms: number
  /** The processor time of the client itself. */
  readonly cpuMs: number
  /** What the requests took on average, and what the slowest hundredth took at least. Not with HTTP/2. */
  readonly meanMs: number
  readonly p99Ms: number
}

export interface Load {
  /** Rejects if a response does not have the status of its step. */
  run(order: LoadOrder): Promise<LoadResult>
  stop(): void
}

export function startLoad(): Load {
  const child = fork(fileURLToPath(new URL('load-process.ts', import.meta.url)))
  return {
    async run(order) {
      child.send(order)
      const [result] = (await once(child, 'message')) as [LoadResult | { problem: string }]
      if ('problem' in result) throw new Error(result.problem)
      return result
    },
    stop: () => void child.kill(),
  }
}
