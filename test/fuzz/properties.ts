import { expect } from 'vitest'
import type { Petstore, PetstoreInstance } from '../../src/index.js'
import { ERROR_CODES } from '../../src/petstore/errors.js'
import { type ApiResponse, expectError } from '../support/client.js'
import { findBrokenInvariants } from '../support/invariants.js'

/** Properties of the request that determine which responses are valid. */
export interface Context {
  readonly isHead: boolean
  /** The client requested an error, with `Prefer` or with a fault rule. */
  readonly isSimulated: boolean
}

const SUCCESSES = [200, 201, 204, 302, 304, 308]

/** The server errors for unsupported protocols; all others must be simulated. */
export const UNSUPPORTED = [501, 505]

/** Expects a response that is valid for any request. */
export function expectValidResponse(response: ApiResponse, { isHead, isSimulated }: Context): void {
  const { status, headers, text } = response
  if (isHead || status === 204) expect(text).toBe('')
  else if (!isSimulated) expect(headers.get('content-length') ?? '0').toBe(String(Buffer.byteLength(text)))
  if (isSimulated) return
  if (status < 400) {
    expect(SUCCESSES).toContain(status)
    return
  }
  if (status >= 500) expect(UNSUPPORTED, text).toContain(status)
  if (isHead) return
  const { code = '', message = '' } = (response.body ?? {}) as { code?: string; message?: string }
  expect((ERROR_CODES as Record<string, number>)[code], text).toBe(status)
  // Quoted text is from the request, and may look like a file name.
  const body = { ...(response.body as object), message: message.replaceAll(QUOTED, '"…"') }
  expectError({ ...response, body }, status, code)
}

const QUOTED = /"(?:[^"\\]|\\.)*"/g

/** Everything that a rejected request must not change, as text: of the mock and of each of its sandboxes. */
export type States = ReadonlyMap<string, string>

export function readState(petstore: Petstore): States {
  const names = petstore.sandboxes.list().map(({ name }) => name)
  // In the order of their last use, so that reading them does not change which is evicted first.
  return new Map([
    ['', describe(petstore)],
    ...names.map((name) => [name, describe(petstore.sandboxes.open(name))] as const),
  ])
}

function describe({ exportState, faults, clock, snapshots }: PetstoreInstance): string {
  const rules = faults.list().map(({ id }) => id)
  return JSON.stringify({ state: exportState(), rules, clock: clock.state(), snapshots: snapshots.list() })
}

/** Ignores created and evicted sandboxes: a name is enough to create one, which may evict the least recently used. */
export function expectSame(after: States, before: States): void {
  for (const [name, state] of before) if (after.has(name)) expectSameText(after.get(name) ?? '', state)
}

/** Reports the first difference of two long texts. */
export function expectSameText(text: string, other: string): void {
  if (text === other) return
  const at = [...text].findIndex((each, index) => each !== other[index])
  const [from, to] = at < 0 ? [text.length, other.length] : [Math.max(0, at - SHOWN), at + SHOWN]
  expect.fail(`The texts differ at ${from}:\n${text.slice(from, to)}\n${other.slice(from, to)}`)
}

const SHOWN = 200

/** Expects the invariants of the contract in every state that changed. */
export function expectInvariants(after: States, before: States): void {
  for (const [name, state] of after) {
    if (before.get(name) !== state) expect(findBrokenInvariants(JSON.parse(state).state)).toStrictEqual([])
  }
}

const SAFE = ['GET', 'HEAD', 'OPTIONS']

/** Whether a request with this status must not have changed anything. */
export function mustChangeNothing(method: string, status: number): boolean {
  return status === 0 || status >= 400 || SAFE.includes(method)
}

/** Expects that no request has changed the object prototype. */
export function expectUnpolluted(): void {
  expect(Object.keys(Object.prototype)).toStrictEqual([])
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
}
