import { expect, vi } from 'vitest'
import type { Petstore } from '../../src/index.js'
import type { RunningMock } from './adapters.js'

/** Longer than any test waits: what is held back for so long never comes by itself. */
export const VERY_LONG_MS = 600_000

/** Whatever is done, the data and the next ids stay the same. Asks no operation, so no rule counts it. */
export async function expectSameState<Result>({ petstore }: RunningMock, act: () => Promise<Result>): Promise<Result> {
  const before = petstore.exportState()
  const result = await act()
  expect(petstore.exportState()).toStrictEqual(before)
  return result
}

/** A call that takes its time, and can be given up. */
export interface Pending {
  /** Whether it has come to an end, one way or the other. */
  isSettled(): boolean
  /** Gives it up; resolves with what it fails with. */
  abort(): Promise<unknown>
  readonly response: Promise<Response>
}

/** Calls, and comes back once a rule has happened to the call. */
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
  await vi.waitFor(() => expect(countApplied(mock.petstore)).toBe(before + 1))
  return {
    response,
    isSettled: () => settled,
    abort() {
      aborter.abort()
      return outcome
    },
  }
}

/** The parts of a body as they come, and the error that it ends with, if any. */
export async function readChunks(response: Response): Promise<{ parts: string[]; text: string; error?: unknown }> {
  const parts: string[] = []
  const decoder = new TextDecoder()
  const reader = response.body?.getReader()
  try {
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true }
      if (done) return { parts, text: parts.join('') }
      parts.push(decoder.decode(value, { stream: true }))
    }
  } catch (error) {
    return { parts, text: parts.join(''), error }
  }
}

function countApplied({ faults }: Petstore): number {
  return faults.list().reduce((sum, { applied }) => sum + applied, 0)
}
