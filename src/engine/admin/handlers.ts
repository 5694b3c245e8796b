import { every } from '../../lib/clock.js'
import { version } from '../../lib/generated/version.js'
import { stringifyJson } from '../../lib/json.js'
import type { Steps } from '../../lib/steps.js'
import { apiError, describeUnknown } from '../contract/errors.js'
import type { BodyOf, PathOf, QueryOf } from '../contract/types.js'
import type { MockEvent } from '../control/events.js'
import { toHar } from '../control/har.js'
import type { JournalFilter } from '../control/journal.js'
import type { AdminDocuments, HandlerResponse, ServiceDefinition, ServiceTypes } from '../service.js'
import type { operations } from './generated/admin-types.js'
import type { AdminTarget } from './target.js'

/** A valid request to the admin API, and the instance it controls. */
interface AdminContext<O extends keyof operations> {
  readonly path: PathOf<operations[O]>
  readonly query: QueryOf<operations[O]>
  readonly body: BodyOf<operations[O]>
  readonly target: AdminTarget
}

type AdminHandlers = {
  readonly [O in keyof operations]: (context: AdminContext<O>) => HandlerResponse | Promise<HandlerResponse>
}

const NO_CONTENT = { status: 204 } as const

/** Shows clients and proxies that the connection is alive. */
const KEEP_ALIVE_MS = 15_000

/** The operations of the admin API. Each calls the same function as a test does in process. */
export function createAdminHandlers<T extends ServiceTypes>(
  { contract, specHash }: ServiceDefinition<T>,
  { listScenarios, loadServed }: AdminDocuments,
): AdminHandlers {
  /** A filter that can match nothing must not go unnoticed. */
  function readFilter(query: object): JournalFilter {
    const { operation } = query as JournalFilter
    const known = contract.operations().map((each) => each.operation)
    if (operation !== undefined && !known.includes(operation)) {
      throw apiError('INVALID_REQUEST', describeUnknown('operation', operation, known))
    }
    return query as JournalFilter
  }

  return {
    getHealth: ({ target: { instance, uptimeMs } }) => ({
      status: 200,
      body: { status: 'ok', version, ...instance.startingData, specHash, uptimeMs: uptimeMs() },
    }),
    async resetMock({ target, body }) {
      await target.reset(isEmpty(body) ? undefined : body)
      return NO_CONTENT
    },
    listScenarios: () => ({ status: 200, body: listScenarios() }),

    getState: ({ target }) => ({ status: 200, body: target.exportState(), inSlices: true }),
    async replaceState({ target, body }) {
      await target.importState(body as Steps<unknown>)
      return NO_CONTENT
    },

    listSnapshots: ({ target: { instance } }) => ({ status: 200, body: instance.snapshots.list() }),
    takeSnapshot: ({ target: { instance }, body }) => ({ status: 201, body: instance.snapshots.take(body.name) }),
    restoreSnapshot({ target: { instance }, path }) {
      instance.snapshots.restore(path.name)
      return NO_CONTENT
    },
    deleteSnapshot({ target: { instance }, path }) {
      instance.snapshots.delete(path.name)
      return NO_CONTENT
    },

    getJournal({ target: { instance, journalEntries }, query }) {
      const { total, evicted } = instance.journal
      return { status: 200, body: { entries: journalEntries(readFilter(query)), total, evicted }, inSlices: true }
    },
    clearJournal({ target: { instance } }) {
      instance.journal.clear()
      return NO_CONTENT
    },
    getJournalEntry({ target: { instance }, path: { id } }) {
      const entry = instance.journal.find(id)
      if (entry) return { status: 200, body: entry }
      throw apiError('ENTRY_NOT_FOUND', `Journal entry ${id} does not exist or was evicted.`)
    },
    getJournalHar: ({ target: { journalEntries }, query }) => ({
      status: 200,
      body: toHar(journalEntries(readFilter(query)) as never),
      inSlices: true,
    }),
    streamEvents: ({ target: { instance } }) => ({
      status: 200,
      headers: { 'Cache-Control': 'no-store' },
      stream(write, end) {
        write('retry: 1000\n\n')
        const unsubscribe = instance.events.subscribe((event) => write(formatEvent(event)), end)
        const stopKeepAlive = every(KEEP_ALIVE_MS, () => write(': still here\n\n'))
        return () => {
          unsubscribe()
          stopKeepAlive()
        }
      },
    }),

    listFaults: ({ target: { instance } }) => ({ status: 200, body: instance.faults.list() }),
    addFault: ({ target: { instance }, body }) => ({ status: 201, body: instance.faults.add(body as never) }),
    clearFaults({ target: { instance } }) {
      instance.faults.clear()
      return NO_CONTENT
    },
    removeFault({ target: { instance }, path }) {
      instance.faults.remove(path.id)
      return NO_CONTENT
    },

    getClock: ({ target: { instance } }) => ({ status: 200, body: instance.clock.state() }),
    setClock({ target: { instance }, body: { now, frozen } }) {
      const { clock } = instance
      // Freeze first, so that the clock stands exactly at `now`.
      if (frozen) clock.freeze()
      if (now !== undefined) clock.set(now)
      if (frozen === false) clock.unfreeze()
      return { status: 200, body: clock.state() }
    },
    advanceClock({ target: { instance }, body: { by } }) {
      instance.clock.advance(by)
      return { status: 200, body: instance.clock.state() }
    },

    getCoverage: ({ target: { instance } }) => ({ status: 200, body: instance.coverage() }),

    listSandboxes: ({ target: { sandboxes } }) => ({ status: 200, body: sandboxes.list() }),
    deleteSandbox({ target: { sandboxes }, path }) {
      sandboxes.delete(path.name)
      return NO_CONTENT
    },

    getOpenapiYaml: async () => ({ status: 200, body: (await loadServed()).service.yaml }),
    getOpenapiJson: async () => ({ status: 200, body: (await loadServed()).service.document }),
    getAdminYaml: async () => ({ status: 200, body: (await loadServed()).admin.yaml }),
    getAdminJson: async () => ({ status: 200, body: (await loadServed()).admin.document }),
  }
}

/** Formatted once for all subscribers. */
const formatted = new WeakMap<MockEvent, string>()

function formatEvent(event: MockEvent): string {
  const text = formatted.get(event) ?? `event: ${event.type}\ndata: ${stringifyJson(event)}\n\n`
  formatted.set(event, text)
  return text
}

function isEmpty(body: object | undefined): boolean {
  return body === undefined || Object.keys(body).length === 0
}
