import { useEffect, useRef, useState } from 'preact/hooks'
import type { AdminOperation, AdminResult } from '../engine/admin/request.js'
import { machineDate, monotonicTime } from '../lib/clock.js'
import { type Admin, type ApiFailure, splitBase, toBase, toFailure } from './api.js'
import { useDashboard } from './context.js'
import type { Topic } from './events.js'
import { createMerger, type RequestList, type SandboxJournal } from './requests/request-list.js'

interface ResourceOptions {
  readonly topics?: readonly Topic[]
  /** For changes without an event. */
  readonly everyMs?: number
}

/** Between two reads, however many events arrive: as long as the last read took, within these limits. */
const MIN_PAUSE_MS = 120
const MAX_PAUSE_MS = 1000

/** Loads a value, and loads it again when the key changes and after events of the topics. */
export function useResource<T>(key: string, load: () => Promise<T>, { topics = [], everyMs }: ResourceOptions = {}) {
  const { events } = useDashboard()
  const [{ value, failure }, setState] = useState<{ value?: T; failure?: ApiFailure }>({})
  const reload = useRef(async () => {})

  useEffect(() => {
    let isEnded = false
    let running: Promise<void> | undefined
    let isOutdated = false
    let isDue = false
    let readMs = 0
    let pause: ReturnType<typeof setTimeout> | undefined

    async function read(): Promise<void> {
      const startedAt = monotonicTime.now()
      while (isOutdated) {
        isOutdated = false
        try {
          const value = await load()
          if (!isEnded) setState({ value })
        } catch (error) {
          if (!isEnded) setState((before) => ({ ...before, failure: toFailure(error) }))
        }
      }
      running = undefined
      readMs = monotonicTime.now() - startedAt
      if (isDue && !isEnded) runSoon()
    }
    /** Resolves when the value is not older than the call. */
    function run(): Promise<void> {
      isOutdated = true
      running ??= read()
      return running
    }
    function runSoon(): void {
      isDue = running !== undefined
      if (isDue) return
      pause ??= setTimeout(
        () => {
          pause = undefined
          void run()
        },
        Math.min(Math.max(MIN_PAUSE_MS, readMs), MAX_PAUSE_MS),
      )
    }
    reload.current = run
    const unsubscribe = events.on((topic) => (topic === undefined || topics.includes(topic)) && runSoon())
    const timer = everyMs === undefined ? undefined : setInterval(() => document.hidden || runSoon(), everyMs)
    // A key may change with every letter typed into a filter, so only the first load starts at once.
    if (value === undefined) void run()
    else runSoon()
    return () => {
      isEnded = true
      unsubscribe()
      clearTimeout(pause)
      clearInterval(timer)
    }
  }, [key])

  // While disconnected, the last known value stays.
  const isStale = failure?.status === 0 && value !== undefined
  return { value, failure: isStale ? undefined : failure, reload: () => reload.current() }
}

export function useAdmin<O extends AdminOperation>(operation: O, { query = {}, ...options }: AdminOptions = {}) {
  const { api } = useDashboard()
  const load = () => api.admin<AdminOperation, AdminResult<O>>(operation, { query })
  return useResource(operation, load, options)
}

interface AdminOptions extends ResourceOptions {
  readonly query?: object
}

/** There is no event for a new sandbox. */
const SANDBOXES_POLL_MS = 3000

/** The sandboxes of the mock, the least recently used first. */
export function useSandboxes() {
  const { api } = useDashboard()
  const load = () => api.adminAt(splitBase(api.base).root)('listSandboxes')
  return useResource('sandboxes', load, { everyMs: SANDBOXES_POLL_MS })
}

/** Nothing is sent when a rule expires. */
const FAULTS_POLL_MS = 2000

/** The fault rules in the order they are tried in. */
export function useFaults() {
  const faults = useAdmin('listFaults', { topics: ['fault', 'reset', 'request'] })
  const canExpire = faults.value?.some(({ expiresAfterMs }) => expiresAfterMs !== undefined)
  useEffect(() => {
    if (!canExpire) return
    const timer = setInterval(() => document.hidden || faults.reload(), FAULTS_POLL_MS)
    return () => clearInterval(timer)
  }, [canExpire])
  return faults
}

/** There is no event for a change of the clock. */
const CLOCK_POLL_MS = 5000

/** A mock may run on another machine, whose clock differs a little. */
const TOLERANCE_MS = 60_000

/** The mock's clock, and whether it was the real one when it was read. */
export function useClock() {
  const { api } = useDashboard()
  const load = async () => {
    const clock = await api.admin('getClock')
    const isReal = !clock.frozen && Math.abs(Date.parse(clock.now) - machineDate.now()) < TOLERANCE_MS
    return { ...clock, isReal }
  }
  return useResource('clock', load, { topics: ['reset'], everyMs: CLOCK_POLL_MS })
}

/** The collections of the OpenAPI document. */
export function useCollections() {
  return useAdmin('listCollections')
}

/** The operations of the OpenAPI document. */
export function useOperations(): readonly Admin['OperationCoverage'][] {
  return useAdmin('getCoverage').value?.operations ?? []
}

/** The list has the newest requests only. The HAR download has all that the mock has recorded. */
const JOURNAL = { limit: 300 }
const JOURNAL_OF_EACH = { limit: 50 }

/** Events are those of one instance, so the others are read from time to time. */
const JOURNALS_POLL_MS = 2000

/** The requests of one instance, as they arrive. */
export function useJournal() {
  return useAdmin('getJournal', { query: JOURNAL, topics: ['request', 'reset'] })
}

/** The requests of the root and of every sandbox. */
export function useAllJournals() {
  const { api } = useDashboard()
  const { root } = splitBase(api.base)
  const merge = useRef(createMerger())

  async function load(): Promise<RequestList> {
    const sandboxes = await api.adminAt(root)('listSandboxes')
    const main = { name: '', createdAt: '', lastUsedAt: new Date(machineDate.now()).toISOString() }
    const journals = await Promise.all([main, ...sandboxes].map(read))
    return {
      isAll: true,
      entries: merge.current(journals),
      total: journals.reduce((sum, { total }) => sum + total, 0),
    }
  }
  async function read(sandbox: Omit<Admin['Sandbox'], 'requests'>): Promise<SandboxJournal & { total: number }> {
    const base = toBase(root, sandbox.name)
    // A sandbox may have been deleted since the list was read.
    const journal = await api
      .adminAt(base)('getJournal', { query: JOURNAL_OF_EACH })
      .catch(() => undefined)
    return { ...sandbox, entries: journal?.entries ?? [], total: journal?.total ?? 0 }
  }
  return useResource('all journals', load, { topics: ['request', 'reset'], everyMs: JOURNALS_POLL_MS })
}
