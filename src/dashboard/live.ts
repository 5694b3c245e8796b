import type { Api } from './api.js'
import { type EventsFollower, followEvents } from './events.js'
import { followJournal, type JournalFollower } from './journal.js'
import { batched } from './scheduling.js'

/** The types of events that the mock sends. */
export type Topic = 'request' | 'state' | 'fault' | 'reset'

export interface Live extends EventsFollower {
  readonly journal: JournalFollower
  /** Calls the listener after every event of these types, and when some may have been missed. */
  on(topics: readonly Topic[], listener: () => void): () => void
}

const BURST_MS = 40

/** Follows what happens in the mock. */
export function followMock(api: Api): Live {
  const subscriptions = new Set<{ topics: readonly Topic[]; listener: () => void }>()
  const journal = followJournal(api)
  // A failed read is repeated when the connection is back.
  const readJournal = batched(() => journal.catchUp().catch(() => {}), BURST_MS)

  function on(topics: readonly Topic[], listener: () => void): () => void {
    const subscription = { topics, listener }
    subscriptions.add(subscription)
    return () => void subscriptions.delete(subscription)
  }
  on(['request', 'reset'], readJournal)

  const events = followEvents({
    open: (signal) => api.events(signal),
    onEvent(type) {
      for (const { topics, listener } of [...subscriptions]) if (topics.includes(type as Topic)) listener()
    },
    onLive() {
      for (const { listener } of [...subscriptions]) listener()
    },
  })

  return {
    ...events,
    journal,
    on,
    stop() {
      readJournal.cancel()
      events.stop()
    },
  }
}
