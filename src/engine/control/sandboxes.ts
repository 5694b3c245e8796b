import { findNameProblem } from '../../http/address.js'
import { apiError, MockError } from '../../http/errors.js'
import type { TimeSource } from '../../lib/clock.js'
import { quote } from '../../lib/text.js'

/** A sandbox that exists. The dates are the machine's. */
export interface SandboxSummary {
  readonly name: string
  readonly createdAt: string
  readonly lastUsedAt: string
  /** How many requests it has handled. */
  readonly requests: number
}

/** Named isolated instances inside one mock. */
export interface Sandboxes<Sandbox> {
  /** Undefined when it does not exist. */
  get(name: string): Sandbox | undefined
  /** Unlike `get`, this is no use of the sandbox. */
  has(name: string): boolean
  /** Creates the sandbox if it does not exist. */
  open(name: string): Sandbox
  /** The least recently used first. */
  list(): SandboxSummary[]
  /** The next use of the name creates a new sandbox. */
  delete(name: string): void
}

interface SandboxDependencies<Sandbox> {
  /** The sandbox calls `markUsed` whenever it is used. */
  create(name: string, markUsed: () => void): Sandbox
  dispose(sandbox: Sandbox): void
  /** Called when a sandbox was removed without a request to delete it. */
  onEvicted(name: string, reason: 'limit' | 'idle'): void
  /** How many there may be. Beyond it the least recently used is removed. */
  readonly max: number
  readonly idleMs: number
  /** Monotonic: setting a clock or faking the date must not remove sandboxes. */
  readonly time: TimeSource
  /** The machine's date, for display. */
  readonly date: TimeSource
  every(milliseconds: number, act: () => void): () => void
}

interface Entry<Sandbox> {
  readonly sandbox: Sandbox
  readonly createdAt: number
  lastUsedAt: number
  /** When it was last used, by the monotonic clock. */
  idleSince: number
  requests: number
}

/** A sandbox that a request has used. */
interface Use<Sandbox> {
  readonly sandbox: Sandbox
  /** Whether the request has created it. */
  readonly isNew: boolean
  /** The name of the sandbox that was removed to make room for it. */
  readonly evicted: string | undefined
}

/** Idle sandboxes are removed at least this often. */
const MAX_SWEEP_MS = 60_000

export function createSandboxes<Sandbox>(dependencies: SandboxDependencies<Sandbox>) {
  const { create, dispose, onEvicted, max, idleMs, time, date, every } = dependencies
  /** The least recently used first. */
  const entries = new Map<string, Entry<Sandbox>>()
  /** Stops looking for idle sandboxes; undefined while there are no sandboxes. */
  let stopSweeping: (() => void) | undefined

  function remove(name: string): boolean {
    const entry = entries.get(name)
    if (entry === undefined) return false
    entries.delete(name)
    if (entries.size === 0) {
      stopSweeping?.()
      stopSweeping = undefined
    }
    dispose(entry.sandbox)
    return true
  }

  function removeIdle(): void {
    const oldestAllowed = time.now() - idleMs
    for (const [name, { idleSince }] of entries) {
      if (idleSince >= oldestAllowed) return
      evict(name, 'idle')
    }
  }

  function evict(name: string, reason: 'limit' | 'idle'): void {
    remove(name)
    onEvicted(name, reason)
  }

  function touch(name: string, entry: Entry<Sandbox>): void {
    entry.lastUsedAt = date.now()
    entry.idleSince = time.now()
    entries.delete(name)
    entries.set(name, entry)
  }

  function createEntry(name: string): Entry<Sandbox> {
    const now = date.now()
    const entry: Entry<Sandbox> = {
      sandbox: create(name, () => {
        // A removed sandbox that a test still holds does not come back.
        if (entries.get(name) === entry) touch(name, entry)
      }),
      createdAt: now,
      lastUsedAt: now,
      idleSince: time.now(),
      requests: 0,
    }
    return entry
  }

  function use(name: string, requests: 0 | 1): Use<Sandbox> {
    removeIdle()
    stopSweeping ??= every(Math.min(idleMs, MAX_SWEEP_MS), removeIdle)
    const known = entries.get(name)
    const entry = known ?? createEntry(name)
    entry.requests += requests
    touch(name, entry)
    const evicted = entries.size > max ? entries.keys().next().value : undefined
    if (evicted !== undefined) evict(evicted, 'limit')
    return { sandbox: entry.sandbox, isNew: known === undefined, evicted }
  }

  const sandboxes: Sandboxes<Sandbox> = {
    get(name) {
      checkName(name)
      removeIdle()
      return entries.has(name) ? use(name, 0).sandbox : undefined
    },
    has(name) {
      removeIdle()
      return entries.has(name)
    },
    open(name) {
      checkName(name)
      return use(name, 0).sandbox
    },
    list() {
      removeIdle()
      return [...entries].map(([name, { createdAt, lastUsedAt, requests }]) => ({
        name,
        createdAt: new Date(createdAt).toISOString(),
        lastUsedAt: new Date(lastUsedAt).toISOString(),
        requests,
      }))
    },
    delete(name) {
      removeIdle()
      if (!remove(name)) throw new MockError('SANDBOX_NOT_FOUND', unknownSandbox(name))
    },
  }

  return {
    ...sandboxes,
    /** Returns a sandbox without using it. Throws an ApiError if it does not exist. */
    peek(name: string): Use<Sandbox> {
      removeIdle()
      const entry = entries.get(name)
      if (entry === undefined) throw apiError('SANDBOX_NOT_FOUND', unknownSandbox(name))
      return { sandbox: entry.sandbox, isNew: false, evicted: undefined }
    },
    /** By name. */
    all: () => new Map(Array.from(entries, ([name, { sandbox }]) => [name, sandbox])),
    /** Like `open`, for a request. */
    enter: (name: string): Use<Sandbox> => use(name, 1),
  }
}

function unknownSandbox(name: string): string {
  return `Unknown sandbox ${quote(String(name))}.`
}

function checkName(name: string): void {
  const problem = findNameProblem(name, 'the name of a sandbox')
  if (problem !== undefined) throw new MockError('INVALID_OPTION', problem)
}
