import { expect as base, type ExpectMatcherState } from '@playwright/test'
import type { AnyOperations } from '../../document/schema/types.js'
import type { JournalFilter } from '../../engine/log/journal.js'
import type { JournalEntry } from '../../engine/log/journal-entry.js'
import { hideSecrets } from '../../engine/log/journal-entry.js'
import type { RequestMatch, ValueMatch } from '../../engine/rules/request-match.js'
import { MockError } from '../../http/errors.js'
import { monotonicTime, wait } from '../../lib/clock.js'
import { quote } from '../../lib/text.js'
import { isKind } from '../../lib/values.js'
import type { operations } from '../../petstore/public-types.js'
import type { ClientJournal } from '../../tools/client/index.js'
import { type MatcherState, PLAIN_STATE } from '../assertions/matcher-state.js'
import { petstoreMatchers } from '../assertions/matchers.js'
import type { ExpectedRequestFor } from '../assertions/received.js'
import { resolveExpected } from '../assertions/received.js'

/**
 * The journal of another process has no secrets, so that process must compare them: returns the filter for it, and the
 * expected request with secrets hidden as in the journal.
 */
function hideExpectedSecrets(operation: string, given: object = {}): { expected: object; filter: JournalFilter } {
  const expected = resolveExpected(given)
  const headers: Record<string, ValueMatch> = { ...expected.headers }
  const hidden = hideSecrets(headers)
  const secrets = Object.entries(headers).filter(([name, value]) => hidden[name] !== value)
  for (const [name, value] of secrets) {
    if (typeof value === 'string' || isKind(value, 'RegExp')) continue
    throw new MockError(
      'INVALID_OPTION',
      `The mock hides the header ${quote(name)} in its journal. Expect a text or a regular expression for it.`,
    )
  }
  if (secrets.length === 0) return { expected, filter: { operation } }
  const match: RequestMatch = { headers: Object.fromEntries(secrets) }
  return { expected: { ...expected, headers: hidden }, filter: { operation, match } }
}

type Result = ReturnType<typeof petstoreMatchers.toHaveReceived>

const POLL_MS = 50

/** What a matcher such as `expect.any(Number)` is in Playwright. */
type Matcher = ReturnType<typeof base.any>

/**
 * The matchers of `expect(petstore)`, typed by the operations of the OpenAPI document. They wait until they hold, for as long as
 * `expect: { timeout }` says.
 */
export interface PetstoreMatchers<Ops extends object = operations> {
  /** The mock received at least one request of this operation that matches. */
  toHaveReceived<O extends keyof Ops & string>(
    operation: O,
    expected?: ExpectedRequestFor<Ops[O], Matcher>,
  ): Promise<void>
  /** The mock received exactly this many requests of the operation that match. */
  toHaveReceivedTimes<O extends keyof Ops & string>(
    operation: O,
    times: number,
    expected?: ExpectedRequestFor<Ops[O], Matcher>,
  ): Promise<void>
  /** Every request that the mock received conforms to the OpenAPI document. */
  toHaveNoContractViolations(): Promise<void>
}

/** A client, of whose journal only the types of the operations matter. */
interface WithClientJournal<Ops extends object = object> {
  readonly journal: Pick<ClientJournal<Ops>, 'operations' | 'clear'>
}

type OperationsIn<Client> = Client extends WithClientJournal<infer Ops> ? Ops : never

type ExpectMock = <Client extends WithClientJournal>(
  mock: Client,
  message?: string,
) => PetstoreMatchers<OperationsIn<Client>> & { not: PetstoreMatchers<OperationsIn<Client>> }

/** What the matchers use of a client of any service. */
interface AnyClient {
  readonly journal: Pick<ClientJournal<AnyOperations>, 'entries'>
}

/** Playwright's `expect`, with matchers for the requests that a mock has received. */
export const expect = base.extend({
  toHaveReceived(this: ExpectMatcherState, petstore: AnyClient, operation: string, given?: object) {
    const { expected, filter } = hideExpectedSecrets(operation, given)
    return poll(this, petstore, { name: 'toHaveReceived', filter }, (state, received) =>
      petstoreMatchers.toHaveReceived.call(state, received, operation, expected),
    )
  },
  toHaveReceivedTimes(this: ExpectMatcherState, petstore: AnyClient, operation: string, times: number, given?: object) {
    const { expected, filter } = hideExpectedSecrets(operation, given)
    return poll(this, petstore, { name: 'toHaveReceivedTimes', filter }, (state, received) =>
      petstoreMatchers.toHaveReceivedTimes.call(state, received, operation, times, expected),
    )
  },
  toHaveNoContractViolations(this: ExpectMatcherState, petstore: AnyClient) {
    return poll(this, petstore, { name: 'toHaveNoContractViolations', filter: {} }, (state, received) =>
      petstoreMatchers.toHaveNoContractViolations.call(state, received),
    )
  },
}) as unknown as ExpectMock & typeof base

/** Polls until the expectation holds, or until the timeout. */
async function poll(
  { isNot, timeout }: Pick<ExpectMatcherState, 'isNot' | 'timeout'>,
  { journal }: AnyClient,
  { name, filter }: { readonly name: string; readonly filter: JournalFilter },
  matcher: (state: MatcherState, received: object) => Result,
): Promise<Result & { name: string }> {
  const run = (matching: JournalEntry[], all?: JournalEntry[]) =>
    matcher({ ...PLAIN_STATE, isNot }, { journal: toJournal(matching, all) })
  const end = monotonicTime.now() + timeout
  for (;;) {
    const isLast = monotonicTime.now() >= end
    const matching = await journal.entries(filter)
    // The whole journal may be large. It is needed for the result only.
    if (isLast || run(matching).pass !== isNot) {
      const result = run(matching, await journal.entries())
      if (isLast || result.pass !== isNot) return { ...result, name }
    }
    await wait(POLL_MS)
  }
}

/** A copy of a journal in the form that matchers read. */
function toJournal(matching: readonly JournalEntry[], all: readonly JournalEntry[] = []) {
  return {
    entries: (filter: object = {}) => ('operation' in filter ? matching : all),
    // Ids count from 1.
    total: all.at(-1)?.id ?? 0,
    evicted: (all[0]?.id ?? 1) - 1,
  }
}
