import type { AnyOperations } from '../../document/schema/types.js'
import type { ClockState } from '../../engine/control/clock.js'
import type { SandboxSummary } from '../../engine/control/sandboxes.js'
import { throwErrors } from '../../engine/control/unreported-errors.js'
import type { AnyFixture } from '../../engine/data/format.js'
import type { Coverage } from '../../engine/log/coverage.js'
import type { Har } from '../../engine/log/har.js'
import type { JournalEntry } from '../../engine/log/journal-entry.js'
import type { Reproduction } from '../../engine/log/reproduction.js'
import { checkWait, DEFAULT_TIMEOUT_MS, describeTimeout, MAX_LISTED, type WaitOptions } from '../../engine/log/wait.js'
import type { AnyService } from '../../engine/mock/define-service.js'
import type { Fault } from '../../engine/rules/fault-rule.js'
import type { AddedOverride, OverrideOptions, UncheckedResponse } from '../../engine/rules/override.js'
import { misuse, rejectUnknown } from '../../engine/rules/override-response.js'
import type { ServiceTypes } from '../../engine/service.js'
import { MockError, type MockErrorCode } from '../../http/errors.js'
import { makeAsyncDisposable } from '../../lib/functions.js'
import { encodePart } from '../../lib/text.js'
import { isKind } from '../../lib/values.js'
import type { DataCollection } from '../../petstore/data.js'
import type { FixtureId } from '../../petstore/fixtures/format.js'
import type { PetstoreTypes } from '../../petstore/types.js'
import { type AdminSender, createAdminSender, toQuery, withJsonMatch } from './admin-sender.js'
import type { Async, AsyncRemovable, ClientJournal, ClientUpstream, ConnectOptions, MockClient } from './types.js'

const PAGE_SIZE = 100

type DataClient<Entity = unknown, Fields = unknown> = Async<DataCollection<Entity, Fields>>

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
function createDataClient<Entity, Fields>({ send, find }: AdminSender, name: string): DataClient<Entity, Fields> {
  const path = `/data/${encodeURIComponent(name)}`
  function pathOf(id: FixtureId): string {
    const isValid = typeof id === 'string' ? id !== '' : typeof id === 'number' || typeof id === 'bigint'
    if (isValid) return `${path}/${encodePart(String(id))}`
    throw new MockError(
      'INVALID_DATA',
      `An id must be an integer or a text, but is ${id === '' ? 'empty' : String(id)}.`,
    )
  }

  return {
    create: (fields) => send('POST', path, fields === undefined ? {} : fields) as Promise<Awaited<Entity>>,
    async createMany(count, fields) {
      if (!Number.isSafeInteger(count) || count < 0) {
        const message = `data.${name}.createMany expects an integer of 0 or more, but received ${String(count)}.`
        throw new MockError('INVALID_DATA', message)
      }
      const fieldsOf = typeof fields === 'function' ? (fields as (index: number) => Fields | undefined) : () => fields
      const all = Array.from({ length: count }, (_, index) => fieldsOf(index)).map((each = {} as Fields) => each)
      const created: Entity[] = []
      try {
        while (created.length < count) {
          const batch = all.slice(created.length, created.length + PAGE_SIZE)
          created.push(...((await send('POST', path, batch)) as Entity[]))
        }
      } catch (error) {
        // Creates all of them or none, as far as the mock can be reached.
        for (const { id } of created as { id: FixtureId }[]) await send('DELETE', pathOf(id)).catch(() => {})
        throw error
      }
      return created
    },
    find: async (id) => (await find(pathOf(id), 'RECORD_NOT_FOUND')) as never,
    async all() {
      const records: Entity[] = []
      for (;;) {
        const page = (await send('GET', path + toQuery({ offset: records.length, limit: PAGE_SIZE }))) as Entity[]
        records.push(...page)
        if (page.length < PAGE_SIZE) return records
      }
    },
    update: async (id, fields) => (await send('PATCH', pathOf(id), fields)) as never,
    delete: async (id) => void (await send('DELETE', pathOf(id))),
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
  const { send, find } = sender

  const removable = <Added extends Rule>(added: Added, path: string): Added & AsyncRemovable => {
    async function remove(): Promise<void> {
      // After a reset another one may have its id.
      const all = (await send('GET', path)) as readonly Rule[]
      const isThere = all.some(({ id, addedAt }) => id === added.id && addedAt === added.addedAt)
      if (isThere) await sender.removeIfPresent(`${path}/${added.id}`)
    }
    return makeAsyncDisposable(Object.defineProperty(added, 'remove', { value: remove }), remove) as Added &
      AsyncRemovable
  }
  const readEntries = async (filter: object = {}) =>
    ((await send('GET', `/journal${toQuery(filter)}`)) as { entries: JournalEntry[] }).entries

  return {
    baseUrl: sender.baseUrl,
    fetch: sender.fetchApi,
    data: createDataClients(sender) as object as MockClient<AnyService>['data'],
    faults: {
      add: async (rule = {}) => removable((await send('POST', '/faults', withJsonMatch(rule))) as Fault, '/faults'),
      list: () => send('GET', '/faults') as Promise<Fault[]>,
      update: (id, change) => send('PATCH', `/faults/${id}`, withJsonMatch(change)) as Promise<Fault>,
      remove: (id) => send('DELETE', `/faults/${id}`).then(ignore),
      clear: () => send('DELETE', '/faults').then(ignore),
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
      return removable((await send('POST', '/overrides', body)) as AddedOverride, '/overrides')
    }) as MockClient<AnyService>['override'],
    overrides: {
      list: () => send('GET', '/overrides') as Promise<AddedOverride[]>,
      remove: (id) => send('DELETE', `/overrides/${id}`).then(ignore),
      clear: () => send('DELETE', '/overrides').then(ignore),
    },
    upstream: {
      state: () => send('GET', '/upstream') as ReturnType<ClientUpstream<string>['state']>,
      pass: (...pass) => send('PUT', '/upstream', { pass }).then(ignore),
      mock: (...mock) => send('PUT', '/upstream', { mock }).then(ignore),
    },
    clock: {
      state: () => send('GET', '/clock') as Promise<ClockState>,
      // Without a time, null: the mock would accept no change at all.
      set: (time) => send('PUT', '/clock', { now: (isKind(time, 'Date') ? time.toJSON() : time) ?? null }).then(ignore),
      freeze: () => send('PUT', '/clock', { frozen: true }).then(ignore),
      unfreeze: () => send('PUT', '/clock', { frozen: false }).then(ignore),
      setSunset: (mode) => send('PUT', '/clock', { sunset: mode ?? null }).then(ignore),
      advance: (by) => send('POST', '/clock/advance', { by }).then(ignore),
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
      find: (id) => find(`/journal/${id}`, 'ENTRY_NOT_FOUND') as Promise<JournalEntry | undefined>,
      toHar: (filter = {}) => send('GET', `/journal.har${toQuery(filter)}`) as Promise<Har>,
      clear: () => send('DELETE', '/journal').then(ignore),
    },
    snapshots: {
      list: () => send('GET', '/snapshots') as never,
      take: (name) => send('POST', '/snapshots', { name }) as never,
      restore: (name) => send('POST', `/snapshots/${encodeURIComponent(name)}/restore`).then(ignore),
      delete: (name) => send('DELETE', `/snapshots/${encodeURIComponent(name)}`).then(ignore),
    },
    sandboxes: {
      list: () => send('GET', '/sandboxes') as Promise<SandboxSummary[]>,
      delete: (name) => send('DELETE', `/sandboxes/${encodeURIComponent(name)}`).then(ignore),
      open: (name) => connect(url, { ...options, sandbox: name }),
    },
    coverage: () => send('GET', '/coverage') as Promise<Coverage>,
    reproduction: () => send('GET', '/reproduction') as Promise<Reproduction>,
    exportState: () => send('GET', '/state') as Promise<AnyFixture>,
    importState: (state) => send('PUT', '/state', state).then(ignore),
    reset: (resetOptions) => send('POST', '/reset', resetOptions).then(ignore),
    async check() {
      const { errors } = (await send('POST', '/check')) as { errors: readonly UnreportedError[] }
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
