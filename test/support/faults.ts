import { expect } from 'vitest'
import type { Petstore } from '../../src/index.js'
import type { RunningMock } from './adapters.js'

/** Longer than any test waits. */
export const VERY_LONG_MS = 600_000

/** A request in flight, which can be aborted. */
export interface Pending {
  /** Whether it has succeeded or failed. */
  isSettled(): boolean
  /** Aborts it; resolves with the error it fails with. */
  abort(): Promise<unknown>
  readonly response: Promise<Response>
}

/** Sends a request, and resolves once a fault rule has been applied to it. */
export async function startCall(mock: RunningMock, path: string, init: RequestInit = {}): Promise<Pending> {
  const before = countApplied(mock.petstore)
  const aborter = new AbortController()
  const response = mock.fetch(path, { ...init, signal: aborter.signal })
  let settled = false
  const outcome = response.then(
    () => undefined,
    (error: unknown) => error,
  )
  void outcome.then(() => {
    settled = true
  })
  await expect.poll(() => countApplied(mock.petstore)).toBe(before + 1)
  return {
    response,
    isSettled: () => settled,
    abort() {
      aborter.abort()
      return outcome
    },
  }
}

/** The chunks of a body, and the error that it ends with, if any. */
export async function readChunks(response: Response): Promise<{ chunks: string[]; text: string; error?: unknown }> {
  const chunks: string[] = []
  const decoder = new TextDecoder()
  const reader = response.body?.getReader()
  try {
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true }
      if (done) return { chunks, text: chunks.join('') }
      chunks.push(decoder.decode(value, { stream: true }))
    }
  } catch (error) {
    return { chunks, text: chunks.join(''), error }
  }
}

function countApplied({ faults }: Petstore): number {
  return faults.list().reduce((sum, { applied }) => sum + applied, 0)
}
