import type { AnyOperations } from '../../document/schema/types.js'
import { throwErrors } from '../../engine/control/unreported-errors.js'
import type { JournalPart } from '../../engine/log/journal.js'
import type { JournalEntry } from '../../engine/log/journal-entry.js'
import { checkWait, DEFAULT_TIMEOUT_MS, describeTimeout, MAX_LISTED, type WaitOptions } from '../../engine/log/wait.js'
import type { AnyService } from '../../engine/mock/define-service.js'
import type { Fault } from '../../engine/rules/fault-rule.js'
import type { AddedOverride, OverrideOptions, UncheckedResponse } from '../../engine/rules/override.js'
import { misuse, rejectUnknown } from '../../engine/rules/override-response.js'
import { type RequestMatch, toJsonMatch } from '../../engine/rules/request-match.js'
import type { ServiceTypes } from '../../engine/service.js'
import { MockError, type MockErrorCode } from '../../http/errors.js'
import { makeAsyncDisposable } from '../../lib/functions.js'
import { stringifyJson } from '../../lib/json.js'
import { isKind } from '../../lib/values.js'
import type { DataCollection } from '../../petstore/data.js'
import type { FixtureId } from '../../petstore/fixtures/format.js'
import type { PetstoreTypes } from '../../petstore/types.js'
import { type AdminSender, createAdminSender, unlessMissing } from './admin-sender.js'
import type { Async, AsyncRemovable, ClientJournal, ConnectOptions, MockClient } from './types.js'

const PAGE_SIZE = 100

type DataClient = Async<DataCollection<unknown, unknown>>

/** A collection for every name: only the mock knows its resources, and rejects the other names. */
function createDataClients(sender: AdminSender): Readonly<Record<string, DataClient>> {
  const clients = new Map<string, DataClient>()
  return new Proxy(
    {},
    {
      get(_, name) {
        // A promise that resolves with it would wait for `then`.
        if (typeof name === 'symbol' || name === 'then' || name in Object.prototype) return undefined
        const client = clients.get(name) ?? createDataClient(sender, name)
        clients.set(name, client)
        return client
      },
    },
  )
}

/** The records of one resource, over the admin API. */
function createDataClient({ send }: AdminSender, name: string): DataClient {
  const path = { collection: name }

  function pathOf(id: FixtureId) {
    const isValid = typeof id === 'string' ? id !== '' : typeof id === 'number' || typeof id === 'bigint'
    if (isValid) return { ...path, recordId: id }
    throw new MockError(
      'INVALID_DATA',
      `An id must be an integer or a text, but is ${id === '' ? 'empty' : String(id)}.`,
    )
  }

  const remove = async (id: FixtureId): Promise<void> => send('deleteRecord', { path: pathOf(id) })

  return {
    create: (fields) => send('createRecords', { path, body: fields === undefined ? {} : fields }),
    async createMany(count, fields) {
      if (!Number.isSafeInteger(count) || count < 0) {
        const message = `data.${name}.createMany expects an integer of 0 or more, but received ${String(count)}.`
        throw new MockError('INVALID_DATA', message)
      }
      const fieldsOf = typeof fields === 'function' ? (fields as (index: number) => unknown) : () => fields
      const all = Array.from({ length: count }, (_, index) => fieldsOf(index)).map((each = {}) => each)
      const created: unknown[] = []
      try {
        while (created.length < count) {
          const body = all.slice(created.length, created.length + PAGE_SIZE)
          const batch: unknown[] = await send('createRecords', { path, body })
          created.push(...batch)
        }
      } catch (error) {
        // Creates all of them or none, as far as the mock can be reached.
        for (const { id } of created as { id: FixtureId }[]) await remove(id).catch(() => {})
        throw error
      }
      return created
    },
    find: async (id) => unlessMissing('RECORD_NOT_FOUND', send('getRecord', { path: pathOf(id) })),
    async all() {
      const records: unknown[] = []
      for (;;) {
        const query = { offset: records.length, limit: PAGE_SIZE }
        const page = await send('listRecords', { path, query })
        records.push(...page)
        if (page.length < PAGE_SIZE) return records
      }
    },
    update: async (id, body) => send('updateRecord', { path: pathOf(id), body }),
    delete: remove,
  }
}

/**
 * Controls a running mock. Every call rejects with a MockError if the mock rejects it, or if there is none at the address. The
 * type argument says which service is there: `connect<ServiceOf<operations, { books: Book }>>(url)`, or `connect<AnyService>`.
 */
export function connect<T extends ServiceTypes = PetstoreTypes>(
  url: string | URL,
  options: ConnectOptions = {},
): MockClient<T> {
  // Nothing but the types differs from one service to another.
  return connectToMock(url, options) as object as MockClient<T>
}

function connectToMock(url: string | URL, options: ConnectOptions): MockClient<AnyService> {
  const sender = createAdminSender(url, options)
  const { send } = sender

  const removable = <Added extends Rule>(kind: 'Fault' | 'Override', added: Added): Added & AsyncRemovable => {
    async function remove(): Promise<void> {
      // After a reset another one may have its id.
      const all: readonly Rule[] = await send(`list${kind}s`)
      const isThere = all.some(({ id, addedAt }) => id === added.id && addedAt === added.addedAt)
      if (isThere) await unlessMissing(MISSING[kind], send(`remove${kind}`, { path: { id: added.id } }))
    }
    return makeAsyncDisposable(Object.defineProperty(added, 'remove', { value: remove }), remove) as Added &
      AsyncRemovable
  }
  async function readEntries(filter: object = {}): Promise<JournalEntry[]> {
    const { entries }: JournalPart = await send('getJournal', { query: toQuery(filter) })
    return entries
  }
  const setClock = (body: object) => send('setClock', { body }).then(ignore)

  return {
    baseUrl: sender.baseUrl,
    fetch: sender.fetchApi,
    data: createDataClients(sender) as object as MockClient<AnyService>['data'],
    faults: {
      add: async (rule = {}) => removable<Fault>('Fault', await send('addFault', { body: withJsonMatch(rule) })),
      list: () => send('listFaults'),
      update: (id, change) => send('updateFault', { path: { id }, body: withJsonMatch(change) }),
      remove: (id) => send('removeFault', { path: { id } }),
      clear: () => send('clearFaults'),
    },
    override: (async (operation: string, response: object, overrideOptions: OverrideOptions = {}) => {
      if (typeof response !== 'object' || response === null) {
        throw misuse(operation, 'must be a response. A client cannot send a function.')
      }
      const isSequence = Array.isArray(response)
      if (!isSequence) rejectUnknown(operation, 'field', response, ['status', 'body', 'headers'])
      const { status, headers, body: content } = response as UncheckedResponse
      const given = isSequence ? { sequence: response } : { status, headers, body: content }
      const body = { operation, ...given, ...withJsonMatch(overrideOptions) }
      return removable<AddedOverride>('Override', await send('addOverride', { body }))
    }) as MockClient<AnyService>['override'],
    overrides: {
      list: () => send('listOverrides'),
      remove: (id) => send('removeOverride', { path: { id } }),
      clear: () => send('clearOverrides'),
    },
    upstream: {
      state: () => send('getUpstream'),
      pass: (...pass) => send('setUpstream', { body: { pass } }).then(ignore),
      mock: (...mock) => send('setUpstream', { body: { mock } }).then(ignore),
    },
    clock: {
      state: () => send('getClock'),
      // Without a time, null: the mock would accept no change at all.
      set: (time) => setClock({ now: (isKind(time, 'Date') ? time.toJSON() : time) ?? null }),
      freeze: () => setClock({ frozen: true }),
      unfreeze: () => setClock({ frozen: false }),
      setSunset: (mode) => setClock({ sunset: mode ?? null }),
      advance: (by) => send('advanceClock', { body: { by } }).then(ignore),
    },
    journal: {
      entries: readEntries as ClientJournal<AnyOperations>['entries'],
      async waitFor(operation: string, waitOptions: WaitOptions = {}) {
        checkWait(waitOptions)
        const { times = 1, timeoutMs = DEFAULT_TIMEOUT_MS, ...filter } = waitOptions
        let entries: JournalEntry[] = []
        // The mock waits for a minute at most.
        for (let left = timeoutMs; left >= 0 && entries.length < times; left -= MAX_WAIT_MS) {
          const waitMs = Math.min(left, MAX_WAIT_MS)
          entries = await readEntries({ operation, ...filter, times, waitMs })
        }
        if (entries.length >= times) return entries as never
        const last = await readEntries({ limit: MAX_LISTED })
        throw new MockError('TIMEOUT', describeTimeout(operation, waitOptions, entries.length, last))
      },
      find: (id) => unlessMissing('ENTRY_NOT_FOUND', send('getJournalEntry', { path: { id } })),
      toHar: (filter = {}) => send('getJournalHar', { query: toQuery(filter) }),
      clear: () => send('clearJournal'),
    },
    snapshots: {
      list: () => send('listSnapshots'),
      take: (name) => send('takeSnapshot', { body: { name } }),
      restore: (name) => send('restoreSnapshot', { path: { name } }),
      delete: (name) => send('deleteSnapshot', { path: { name } }),
    },
    sandboxes: {
      list: () => send('listSandboxes'),
      delete: (name) => send('deleteSandbox', { path: { name } }),
      open: (name) => connect(url, { ...options, sandbox: name }),
    },
    coverage: () => send('getCoverage'),
    reproduction: () => send('getReproduction'),
    exportState: () => send('getState'),
    importState: (body) => send('replaceState', { body }),
    reset: (body) => send('resetMock', { body }),
    async check() {
      const { errors }: { errors: readonly UnreportedError[] } = await send('checkMock')
      throwErrors(errors.map(toError))
    },
  }
}

function ignore(): void {}

const MAX_WAIT_MS = 60_000

interface UnreportedError {
  readonly code?: MockErrorCode
  readonly message: string
}

function toError({ code, message }: UnreportedError): Error {
  return code === undefined ? new Error(message) : new MockError(code, message)
}

type Rule = Pick<Fault, 'id' | 'addedAt'>

const MISSING = { Fault: 'FAULT_NOT_FOUND', Override: 'OVERRIDE_NOT_FOUND' } as const

/** A match in a query is JSON. */
function toQuery({ match, ...filter }: { readonly match?: RequestMatch }): object {
  return match === undefined ? filter : { ...filter, match: stringifyJson(toJsonMatch(match)) }
}

/** JSON has no regular expressions. */
function withJsonMatch<T extends { match?: RequestMatch | null }>(rule: T): T {
  return rule?.match ? { ...rule, match: toJsonMatch(rule.match) } : rule
}
