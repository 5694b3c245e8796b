import fc from 'fast-check'
import { expect } from 'vitest'
import { isMadeWhenNeeded } from '../../src/engine/crud/finder.js'
import { type AnyFixture, entriesIn } from '../../src/engine/data/format.js'
import { createMock } from '../../src/engine/mock/create-mock.js'
import type { Outcome } from '../../src/index.js'
import { createRequestMaker, DOCUMENT_STEPS, type DocumentStep, type Service } from './document-requests.js'
import { handleRequest, toSent, withFrozenClocks } from './in-memory.js'
import { expectSameText, expectUnpolluted, mustChangeNothing, UNSUPPORTED } from './properties.js'
import { type FuzzRequest, toPlain } from './request.js'
import { count, describe, type Tally, timed } from './tally.js'

export interface DocumentRound {
  readonly service: Service
  readonly seed: number
  readonly runs: number
  readonly path?: string | undefined
}

/** Sends sequences of requests to a mock of any service, as its document declares them or mutated, and checks every response. */
export async function runDocument({ service, seed, runs, path }: DocumentRound, tally: Tally): Promise<void> {
  const makeRequest = createRequestMaker(service)
  await fc.assert(
    fc.asyncProperty(DOCUMENT_STEPS, (steps) => runSteps(service, makeRequest, steps, tally)),
    { seed, numRuns: runs, ...(path !== undefined && { path }) },
  )
}

async function runSteps(
  service: Service,
  makeRequest: ReturnType<typeof createRequestMaker>,
  steps: readonly DocumentStep[],
  tally: Tally,
): Promise<void> {
  await withFrozenClocks(async () => {
    const open = async () => {
      // Little data, because all of it is compared after every request.
      const mock = createMock(service, { validateResponses: true, journalSize: 20, sizes: { all: 2 } })
      await mock.ready
      return mock
    }
    const [mock, twin] = [await open(), await open()]
    let before = mock.exportState()
    for (const step of steps) {
      const request = makeRequest(step, before)
      const outcome = await handleRequest(mock as never, toPlain(request), (act) =>
        timed(tally, () => describe(request), act),
      )
      count(tally, outcome.response.status)
      expectConforming(service, request, outcome)
      const after = mock.exportState()
      if (mustChangeNothing(request.method, outcome.response.status)) {
        const seen = outcome.response.status >= 400 ? after : withoutMade(service, after, before)
        expectSameText(toText(seen), toText(before))
      }
      const other = await handleRequest(twin as never, toPlain(request))
      expectSameText(JSON.stringify(toSent(other.response)), JSON.stringify(toSent(outcome.response)))
      before = after
    }
    // A sandbox keeps its mock in memory until it has been idle for long.
    for (const { sandboxes } of [mock, twin]) for (const { name } of sandboxes.list()) sandboxes.delete(name)
    expectUnpolluted()
  })
}

/** The state without the records that were made because a request read them. */
function withoutMade({ resources }: Service, after: AnyFixture, before: AnyFixture): AnyFixture {
  const names = resources.filter((each) => isMadeWhenNeeded(each)).map(({ storedIn }) => storedIn)
  const lists = names.map((name) => {
    const kept = new Set(entriesIn(before, name).map(toText))
    return [name, entriesIn(after, name).filter((entry) => kept.has(toText(entry)))]
  })
  const nextIds = names.map((name) => [name, before.nextIds?.[name]])
  return {
    ...after,
    ...Object.fromEntries(lists),
    nextIds: { ...after.nextIds, ...Object.fromEntries(nextIds) },
  }
}

const toText = (state: object) => JSON.stringify(state, (_, value) => (typeof value === 'bigint' ? `${value}n` : value))

/** No failure, no server error that was not asked for, and a body that the document declares for the status. */
function expectConforming({ contract }: Service, request: FuzzRequest, { response, trace }: Outcome): void {
  if (trace.failure !== undefined) throw trace.failure
  if (trace.misuse !== undefined) throw trace.misuse
  if (trace.fault !== undefined || isPreferred(request)) return
  const { status, headers, bytes, body } = response
  // Throws if the status allows no body.
  new Response((bytes as BodyInit | undefined) ?? body ?? null, { status, headers })
  if (status >= 500) expect(UNSUPPORTED, `${describe(request)}: ${body}`).toContain(status)
  const operation = trace.operation === undefined ? undefined : contract.operationById(trace.operation)
  if (operation === undefined || request.method === 'HEAD') return
  if (!/[/+]json/.test(new Headers(headers).get('content-type') ?? '')) return
  const violation = contract.findResponseViolation(operation, status, bytes ? new TextDecoder().decode(bytes) : body)
  // A mock has errors that no document declares, such as 413.
  if (violation?.endsWith('does not declare.') === false) expect.fail(`${describe(request)}: ${violation}`)
}

/** Whether it asks for a response of its own, which may be a server error. */
const isPreferred = ({ headers }: FuzzRequest) => headers.some(([name]) => name === 'prefer')
