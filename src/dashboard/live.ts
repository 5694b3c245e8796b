import type { Api } from './api.js'
import { type Connection, followEvents } from './follow.js'
import { followJournal, type JournalFollower } from './journal.js'
import type { Observable } from './observable.js'

/** What can have changed. */
export type Topic = 'request' | 'state' | 'fault' | 'reset'

/** What happens in the mock, as it happens. */
export interface Live {
  readonly connection: Observable<Connection>
  readonly journal: JournalFollower
  /** Calls the listener after something of the topics happened, and whenever something may have been missed. */
  on(topics: readonly Topic[], listener: () => void): () => void
  /** For what happened that no event tells of. */
  tell(topic: Topic): void
  reopen(): void
  stop(): void
}

/** Requests come in bursts, and a burst is read at once. */
const BURST_MS = 40

export function followMock(api: Api): Live {
  const listeners = new Map<() => void, readonly Topic[]>()
  const journal = followJournal(api)
  let burst: ReturnType<typeof setTimeout> | undefined

  function readJournal(): void {
    burst ??= setTimeout(() => {
      burst = undefined
      // What cannot be read now is read when the connection is back.
      journal.catchUp().catch(() => {})
    }, BURST_MS)
  }

  function tell(topic: Topic): void {
    if (topic === 'request' || topic === 'reset') readJournal()
    for (const [listener, topics] of [...listeners]) if (topics.includes(topic)) listener()
  }

  const { connection, reopen, stop } = followEvents({
    open: (signal) => api.events(signal),
    onEvent: ({ type }) => tell(type as Topic),
    onLive() {
      readJournal()
      for (const listener of [...listeners.keys()]) listener()
    },
  })

  return {
    connection,
    journal,
    on(topics, listener) {
      // One that is given twice is told twice.
      const own = () => listener()
      listeners.set(own, topics)
      return () => void listeners.delete(own)
    },
    tell,
    reopen,
    stop() {
      clearTimeout(burst)
      stop()
    },
  }
}
