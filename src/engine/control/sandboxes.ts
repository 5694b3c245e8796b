import type { TimeSource } from '../../lib/clock.js'
import { findNameProblem } from '../address.js'
import { MockError, quote } from '../contract/errors.js'

/** A sandbox that exists, with the machine's dates. */
export interface SandboxSummary {
  readonly name: string
  readonly createdAt: string
  readonly lastUsedAt: string
  /** How many requests it was asked since it was made. */
  readonly requests: number
}

/** Private copies of everything inside one mock. */
export interface Sandboxes<Sandbox> {
  /** Makes it at its first use. */
  get(name: string): Sandbox
  /** The longest unused first. */
  list(): SandboxSummary[]
  /** The next use of the name makes a fresh one. */
  delete(name: string): void
}

export interface SandboxPorts<Sandbox> {
  /** What it is given says that the sandbox is in use, by whatever way. */
  create(use: () => void): Sandbox
  /** Told that nobody will come to it any more. */
  dismiss(sandbox: Sandbox): void
  /** How many there may be; beyond it the longest unused goes. */
  readonly max: number
  /** How long one may be unused. */
  readonly idleMs: number
  /** Monotonic: whoever sets a clock, or fakes the date, does not mean to end a sandbox. */
  readonly time: TimeSource
  /** The machine's, for showing. */
  readonly date: TimeSource
}

/** `sandboxes` as its user sees them, and how a request comes to one. */
export interface SandboxHouse<Sandbox> {
  readonly sandboxes: Sandboxes<Sandbox>
  /** The sandbox that a request is for. */
  enter(name: string): Sandbox
}

interface Occupied<Sandbox> {
  readonly sandbox: Sandbox
  readonly createdAt: number
  lastUsedAt: number
  /** When it was last used, by the monotonic clock. */
  idleSince: number
  requests: number
}

export function createSandboxes<Sandbox>(ports: SandboxPorts<Sandbox>): SandboxHouse<Sandbox> {
  const { create, dismiss, max, idleMs, time, date } = ports
  /** In the order of their last use, which is the order they go in. */
  const occupied = new Map<string, Occupied<Sandbox>>()

  function remove(name: string): boolean {
    const gone = occupied.get(name)
    if (gone === undefined) return false
    occupied.delete(name)
    dismiss(gone.sandbox)
    return true
  }

  function removeIdle(): void {
    const oldestAllowed = time.now() - idleMs
    for (const [name, { idleSince }] of occupied) {
      if (idleSince >= oldestAllowed) return
      remove(name)
    }
  }

  function touch(name: string, known: Occupied<Sandbox>): void {
    known.lastUsedAt = date.now()
    known.idleSince = time.now()
    occupied.delete(name)
    occupied.set(name, known)
  }

  function make(name: string): Occupied<Sandbox> {
    const now = date.now()
    const made: Occupied<Sandbox> = {
      sandbox: create(() => {
        // One that is gone stays gone, even if somebody has kept it.
        if (occupied.get(name) === made) touch(name, made)
      }),
      createdAt: now,
      lastUsedAt: now,
      idleSince: time.now(),
      requests: 0,
    }
    return made
  }

  function use(name: string): Occupied<Sandbox> {
    removeIdle()
    const known = occupied.get(name) ?? make(name)
    touch(name, known)
    const [oldest] = occupied.keys()
    if (occupied.size > max && oldest !== undefined) remove(oldest)
    return known
  }

  return {
    enter(name) {
      const found = use(name)
      found.requests += 1
      return found.sandbox
    },
    sandboxes: {
      get(name) {
        const problem = findNameProblem(name, 'the name of a sandbox')
        if (problem !== undefined) throw new MockError('INVALID_OPTION', problem)
        return use(name).sandbox
      },
      list() {
        removeIdle()
        return [...occupied].map(([name, { createdAt, lastUsedAt, requests }]) => ({
          name,
          createdAt: new Date(createdAt).toISOString(),
          lastUsedAt: new Date(lastUsedAt).toISOString(),
          requests,
        }))
      },
      delete(name) {
        removeIdle()
        if (!remove(name)) {
          throw new MockError('SANDBOX_NOT_FOUND', `there is no sandbox ${quote(String(name))}`)
        }
      },
    },
  }
}
