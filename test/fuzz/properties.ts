import { expect } from 'vitest'
import type { Petstore, PetstoreInstance } from '../../src/index.js'
import { ERROR_CODES } from '../../src/petstore/errors.js'
import { type ApiResponse, expectError } from '../support/client.js'
import { findBrokenInvariants } from '../support/invariants.js'

/** How an answer came about, as far as what may be said in it depends on that. */
export interface Circumstances {
  readonly isHead: boolean
  /** The client asked for a failure, with `Prefer` or with a fault rule. */
  readonly isAskedFor: boolean
}

const FINE = [200, 201, 204, 302, 304, 308]

/** Of the failures of a server, these two say that a protocol is not spoken; any other must be asked for. */
const UNSPOKEN = [501, 505]

/** An answer that may be given at all. */
export function expectDecent(response: ApiResponse, { isHead, isAskedFor }: Circumstances): void {
  const { status, headers, text } = response
  if (isHead || status === 204) expect(text).toBe('')
  else if (!isAskedFor) expect(headers.get('content-length') ?? '0').toBe(String(Buffer.byteLength(text)))
  if (isAskedFor) return
  if (status < 400) {
    expect(FINE).toContain(status)
    return
  }
  if (status >= 500) expect(UNSPOKEN, text).toContain(status)
  if (isHead) return
  const { code = '', message = '' } = (response.body ?? {}) as { code?: string; message?: string }
  expect((ERROR_CODES as Record<string, number>)[code], text).toBe(status)
  // What is quoted was sent, and may look like the name of a file.
  const body = { ...(response.body as object), message: message.replaceAll(QUOTED, '"…"') }
  expectError({ ...response, body }, status, code)
}

const QUOTED = /"(?:[^"\\]|\\.)*"/g

/** Everything that a refusal must leave as it is, as text: of the pet store itself and of each of its sandboxes. */
export type Holdings = ReadonlyMap<string, string>

export function lookAt(petstore: Petstore): Holdings {
  const names = petstore.sandboxes.list().map(({ name }) => name)
  // In the order they were used, so that looking at them does not change which goes first.
  return new Map([
    ['', describe(petstore)],
    ...names.map((name) => [name, describe(petstore.sandboxes.get(name))] as const),
  ])
}

function describe({ exportState, faults, clock, snapshots }: PetstoreInstance): string {
  const rules = faults.list().map(({ id }) => id)
  return JSON.stringify({ state: exportState(), rules, clock: clock.state(), snapshots: snapshots.list() })
}

/** A sandbox that came or went is another matter: a name is enough to make one, and the longest unused goes. */
export function expectSame(after: Holdings, before: Holdings): void {
  for (const [name, held] of before) if (after.has(name)) expectSameText(after.get(name) ?? '', held)
}

/** Says where two texts part, which long ones would hide. */
export function expectSameText(text: string, other: string): void {
  if (text === other) return
  const at = [...text].findIndex((each, index) => each !== other[index])
  const [from, to] = at < 0 ? [text.length, other.length] : [Math.max(0, at - SHOWN), at + SHOWN]
  expect.fail(`they part at ${from}:\n${text.slice(from, to)}\n${other.slice(from, to)}`)
}

const SHOWN = 200

/** The invariants of the contract, in every world that is not as it was. */
export function expectSound(after: Holdings, before: Holdings): void {
  for (const [name, held] of after) {
    if (before.get(name) !== held) expect(findBrokenInvariants(JSON.parse(held).state)).toStrictEqual([])
  }
}

const SAFE = ['GET', 'HEAD', 'OPTIONS']

/** Whether a request that was answered so may not have changed anything. */
export function mustChangeNothing(method: string, status: number): boolean {
  return status === 0 || status >= 400 || SAFE.includes(method)
}

/** Nothing that was sent has got among what every object inherits. */
export function expectUnpolluted(): void {
  expect(Object.keys(Object.prototype)).toStrictEqual([])
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
}
