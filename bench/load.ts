import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Step } from './cases.js'

export const CONNECTIONS = 16

/** What the client is to do: for so long, or so often. */
export interface LoadOrder {
  readonly port: number
  readonly steps: readonly Step[]
  readonly connections: number
  readonly forMs?: number
  readonly requests?: number
}

export interface LoadResult {
  readonly requests: number
  readonly ms: number
  /** What the client itself used. */
  readonly cpuMs: number
}

export interface Load {
  /** Fails when any answer has another status than its step says. */
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
