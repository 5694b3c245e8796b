import { every } from '../../lib/clock.js'
import { version } from '../../lib/generated/version.js'
import { parseJson, stringifyJson } from '../../lib/json.js'
import { encodeJson } from '../../lib/json-in-steps.js'
import { quote } from '../../lib/quote.js'
import { runInTurn } from '../../lib/run-in-turn.js'
import type { Steps } from '../../lib/steps.js'
import { toBytes } from '../../lib/utf8.js'
import { apiError, describeUnknown, MockError } from '../contract/errors.js'
import type { HandleOptions } from '../contract/messages.js'
import type { BodyOf, PathOf, QueryOf } from '../contract/types.js'
import type { MockEvent } from '../control/events.js'
import { toHar } from '../control/har.js'
import type { JournalFilter } from '../control/journal.js'
import type { RequestMatch } from '../control/json-match.js'
import { withLinearMatch } from '../control/linear-match.js'
import { messageOf } from '../control/unreported-errors.js'
import { describeResources } from '../resources/describe-resources.js'
import type { HandlerResponse, PageQuery, ServiceDefinition, ServiceTypes } from '../service.js'
import { createServedDocuments } from './documents.js'
import type { operations } from './generated/admin-types.js'
import type { AdminTarget } from './target.js'

export { createAdminContract } from './documents.js'
export { readStateBody } from './state-body.js'
export { suggestPath } from './suggest-path.js'

/** A valid request to the admin API, and the instance it controls. */
interface AdminContext<O extends keyof operations> {
  readonly path: PathOf<operations[O]>
  readonly query: QueryOf<operations[O]>
  readonly body: BodyOf<operations[O]>
  readonly target: AdminTarget
  readonly handleOptions: HandleOptions | undefined
}

type AdminHandlers = {
  readonly [O in keyof operations]: (context: AdminContext<O>) => HandlerResponse | Promise<HandlerResponse>
}

const NO_CONTENT = { status: 204 } as const

/** Shows clients and proxies that the connection is alive. */
const KEEP_ALIVE_MS = 15_000

/** The operations of the admin API. Each calls the same function as a test does in process. */
export function createAdminHandlers<T extends ServiceTypes>(definition: ServiceDefinition<T>): AdminHandlers {
  const { contract, specHash, listScenarios, resources } = definition
  const served = createServedDocuments(definition)

  /** A filter that can match nothing must not go unnoticed. */
  function readFilter(query: object): JournalFilter {
    const { match, ...filter } = query as JournalFilter & { match?: string }
    const { operation } = filter
    const known = contract.operations().map((each) => each.operation)
    if (operation !== undefined && !known.includes(operation)) {
      throw apiError('INVALID_REQUEST', describeUnknown('operation', operation, known))
    }
    return match === undefined ? filter : withLinearMatch({ ...filter, match: readMatch(match) })
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
    checkMock: ({ target }) => ({ status: 200, body: { errors: target.takeErrors().map(toUnreportedError) } }),
    listScenarios: () => ({ status: 200, body: listScenarios() }),

    getState({ target, handleOptions }) {
      const exportState = target.exportLater()
      return toExport(handleOptions, function* (write) {
        return yield* encodeJson(exportState(), write)
      })
    },
    async replaceState({ target, body }) {
      await target.importState(body as unknown as Steps<unknown>)
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

    async getJournal({ target: { journalEntries }, query, handleOptions }) {
      const { waitMs = 0, times = 1, ...filter } = query
      const part = await journalEntries(readFilter(filter), {
        times,
        timeoutMs: waitMs,
        signal: handleOptions?.signal,
        closing: handleOptions?.closing,
      })
      return toExport(handleOptions, function* (write) {
        return yield* encodeJson(yield* part, write)
      })
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
    async getJournalHar({ target: { journalEntries }, query, handleOptions }) {
      const part = await journalEntries(readFilter(query))
      return toExport(handleOptions, function* (write) {
        return toBytes(write(toHar((yield* part).entries)))
      })
    },
    getReproduction: ({ target: { instance }, handleOptions }) =>
      toExport(handleOptions, function* (write) {
        return yield* encodeJson(instance.reproduction(), write)
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
    addFault: ({ target: { instance }, body }) => ({
      status: 201,
      body: instance.faults.add(withLinearMatch(body) as never),
    }),
    clearFaults({ target: { instance } }) {
      instance.faults.clear()
      return NO_CONTENT
    },
    updateFault: ({ target: { instance }, path, body }) => ({
      status: 200,
      body: instance.faults.update(path.id, withLinearMatch(body) as never),
    }),
    removeFault({ target: { instance }, path }) {
      instance.faults.remove(path.id)
      return NO_CONTENT
    },

    listOverrides: ({ target: { instance } }) => ({ status: 200, body: instance.overrides.list() }),
    addOverride({ target: { instance }, body: { operation, times, match, unchecked, raw, sequence, ...response } }) {
      if (sequence === undefined && response.status === undefined) {
        throw apiError('INVALID_REQUEST', '/status is missing, or /sequence')
      }
      const [unused] = sequence === undefined ? [] : Object.keys(response)
      if (unused !== undefined) throw apiError('INVALID_REQUEST', `/${unused} has no effect beside /sequence`)
      const options = withLinearMatch({ times, match, unchecked, raw })
      const given = Object.entries(options).filter(([, value]) => value !== undefined)
      const override = instance.override(operation, (sequence ?? response) as never, Object.fromEntries(given))
      return { status: 201, body: override }
    },
    clearOverrides({ target: { instance } }) {
      instance.overrides.clear()
      return NO_CONTENT
    },
    removeOverride({ target: { instance }, path }) {
      instance.overrides.remove(path.id)
      return NO_CONTENT
    },

    listCollections: () => ({ status: 200, body: describeResources(resources, contract) }),
    listRecords({ target, path, query }) {
      requireCollection(target, path.collection, 'all')
      const { records, total } = target.data.page(path.collection, query as PageQuery)
      return { status: 200, headers: { 'X-Total-Count': String(total) }, body: records }
    },
    createRecords({ target, path, body }) {
      const collection = requireCollection(target, path.collection, 'create')
      if (!Array.isArray(body)) return { status: 201, body: collection.create(body) }
      return { status: 201, body: collection.createMany(body.length, (index) => body[index]) }
    },
    getRecord: ({ target, path }) => ({ status: 200, body: requireRecord(target, path, 'find')[1] }),
    updateRecord({ target, path, body }) {
      const [collection] = requireRecord(target, path, 'update')
      return { status: 200, body: collection.update(path.recordId, body) }
    },
    deleteRecord({ target, path }) {
      const [collection] = requireRecord(target, path, 'delete')
      collection.delete(path.recordId)
      return NO_CONTENT
    },

    getClock: ({ target: { instance } }) => ({ status: 200, body: instance.clock.state() }),
    setClock({ target: { instance }, body: { now, frozen, sunset } }) {
      const { clock } = instance
      // Freeze first, so that the clock stands exactly at `now`.
      if (frozen) clock.freeze()
      if (now !== undefined) clock.set(now)
      if (frozen === false) clock.unfreeze()
      if (sunset !== undefined) clock.setSunset(sunset)
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

    getOpenapiYaml: async () => ({ status: 200, body: (await served.service()).yaml }),
    getOpenapiJson: async () => ({ status: 200, body: (await served.service()).document }),
    getAdminYaml: async () => ({ status: 200, body: (await served.admin()).yaml }),
    getAdminJson: async () => ({ status: 200, body: (await served.admin()).document }),
  }
}

/** A large response. It is made when its turn has come, unless its client is gone by then. */
function toExport(
  handleOptions: HandleOptions | undefined,
  encode: (write: (part: object) => string) => Steps<Uint8Array>,
): HandlerResponse {
  return {
    status: 200,
    async encode(write) {
      await handleOptions?.takeTurn?.()
      return runInTurn<Uint8Array | undefined>(function* () {
        return handleOptions?.signal.aborted ? undefined : yield* encode(write)
      })
    },
  }
}

/** A collection of `data`. Not every collection has every function. */
interface DataCollection {
  all(): unknown[]
  find(id: string): unknown
  create(fields: unknown): unknown
  createMany(count: number, fields: (index: number) => unknown): unknown[]
  update(id: string, fields: unknown): unknown
  delete(id: string): void
}

function requireCollection({ data }: AdminTarget, name: string, action: keyof DataCollection): DataCollection {
  const collections = data.data as Readonly<Record<string, DataCollection>>
  if (!Object.hasOwn(collections, name)) {
    throw apiError('COLLECTION_NOT_FOUND', describeUnknown('collection', name, Object.keys(collections)))
  }
  const collection = collections[name] as DataCollection
  if (action in collection) return collection
  throw apiError('INVALID_DATA', `Records of ${name} cannot be ${action === 'create' ? 'created' : 'deleted'}.`)
}

function requireRecord(
  target: AdminTarget,
  { collection: name, recordId }: { readonly collection: string; readonly recordId: string },
  action: keyof DataCollection,
): [collection: DataCollection, record: unknown] {
  const collection = requireCollection(target, name, action)
  const record = collection.find(recordId)
  if (record !== undefined) return [collection, record]
  throw apiError('RECORD_NOT_FOUND', `${name} has no record ${quote(recordId)}.`)
}

function toUnreportedError(error: unknown) {
  return { ...(error instanceof MockError && { code: error.code }), message: messageOf(error) }
}

/** A match in a query is JSON. */
function readMatch(text: string): RequestMatch {
  try {
    return parseJson(text) as RequestMatch
  } catch {
    throw apiError('INVALID_REQUEST', `query parameter match must be JSON, but is ${quote(text)}`)
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
