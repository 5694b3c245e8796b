import { expect as base, type ExpectMatcherState } from '@playwright/test'
import { createState } from '../assertions/matcher-state.js'
import { petstoreMatchers } from '../assertions/matchers.js'
import type { ExpectedRequest } from '../assertions/received.js'
import type { PetstoreClient } from '../client/index.js'
import { monotonicTime, wait } from '../lib/clock.js'
import type { OperationId } from '../petstore/types.js'

type MatcherName = keyof typeof petstoreMatchers
type Result = ReturnType<typeof petstoreMatchers.toHaveReceived>

const POLL_MS = 50

/** What a matcher such as `expect.any(Number)` is in Playwright. */
type Matcher = ReturnType<typeof base.any>

/** The matchers of `expect(petstore)`. They wait until they hold, for as long as `expect: { timeout }` says. */
export interface PetstoreMatchers {
  /** The mock received at least one request of this operation that matches. */
  toHaveReceived<O extends OperationId>(operation: O, expected?: ExpectedRequest<O, Matcher>): Promise<void>
  /** The mock received exactly this many requests of the operation that match. */
  toHaveReceivedTimes<O extends OperationId>(
    operation: O,
    times: number,
    expected?: ExpectedRequest<O, Matcher>,
  ): Promise<void>
  /** Every request that the mock received conforms to the OpenAPI document. */
  toHaveNoContractViolations(): Promise<void>
}

type ExpectPetstore = (petstore: PetstoreClient, message?: string) => PetstoreMatchers & { not: PetstoreMatchers }

/** Playwright's `expect`, with matchers for the requests that a mock has received. */
export const expect = base.extend({
  toHaveReceived(this: ExpectMatcherState, petstore: PetstoreClient, operation: OperationId, expected?: object) {
    return poll(this, petstore, 'toHaveReceived', [operation, expected])
  },
  toHaveReceivedTimes(
    this: ExpectMatcherState,
    petstore: PetstoreClient,
    operation: OperationId,
    times: number,
    expected?: object,
  ) {
    return poll(this, petstore, 'toHaveReceivedTimes', [operation, times, expected])
  },
  toHaveNoContractViolations(this: ExpectMatcherState, petstore: PetstoreClient) {
    return poll(this, petstore, 'toHaveNoContractViolations', [])
  },
}) as unknown as ExpectPetstore & typeof base

/** Asks again until the expectation holds or its time is over. */
async function poll(
  { isNot, timeout }: Pick<ExpectMatcherState, 'isNot' | 'timeout'>,
  petstore: PetstoreClient,
  name: MatcherName,
  [operation, ...args]: readonly [OperationId?, ...unknown[]],
): Promise<Result & { name: string }> {
  const matcher = petstoreMatchers[name] as (this: object, received: object, ...args: readonly unknown[]) => Result
  const end = monotonicTime.now() + timeout
  for (;;) {
    const journal = await copyJournal(petstore, operation)
    const result = matcher.call({ ...createState(), isNot }, { journal }, operation, ...args)
    if (result.pass !== isNot || monotonicTime.now() >= end) return { ...result, name }
    await wait(POLL_MS)
  }
}

/** The journal as it is now, in the form that matchers read. */
async function copyJournal({ journal }: PetstoreClient, operation: OperationId | undefined) {
  const all = await journal.entries()
  // Rejects an unknown operation.
  const some = operation === undefined ? [] : await journal.entries({ operation })
  return {
    entries: (filter: object = {}) => ('operation' in filter ? some : all),
    // Ids count from 1.
    total: all.at(-1)?.id ?? 0,
    evicted: (all[0]?.id ?? 1) - 1,
  }
}
