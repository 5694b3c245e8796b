import type { Fault } from './fault-rule.js'
import type { JournalEntry } from './journal.js'
import { callUserFunction } from './unreported-errors.js'

/** A request and its answer without the messages themselves, which the journal has. */
export type RequestSummary = Omit<JournalEntry, 'request' | 'response'>

/** Something that happened, as whoever watches is told. */
export type PetstoreEvent =
  | { readonly type: 'request'; readonly entry: RequestSummary }
  /** The data changed: by a request, or by what a test did without one. */
  | { readonly type: 'state'; readonly cause: 'request' | 'data' | 'import' | 'restore' }
  /** Of one rule, or of all that were cleared. */
  | { readonly type: 'fault'; readonly change: 'added' | 'applied' | 'removed'; readonly fault: Fault }
  | { readonly type: 'fault'; readonly change: 'cleared' }
  /** Everything started over, in this world. */
  | { readonly type: 'reset'; readonly seed: number; readonly scenario: string }

export interface Events {
  /**
   * Calls the listener with everything that happens from now on, until what it returns is called. `onEnd` is called when
   * nothing more will happen, because the sandbox is gone. What either throws is reported by `check`.
   */
  subscribe(listener: (event: PetstoreEvent) => void, onEnd?: () => void): () => void
}

/** `events` as its user sees it, and how they are told. */
export interface EventHub extends Events {
  /** Whether there is anybody to tell. */
  readonly isHeard: boolean
  emit(event: PetstoreEvent): void
  /** Nothing more will happen. */
  end(): void
}

interface Subscription {
  readonly listener: (event: PetstoreEvent) => void
  readonly onEnd: (() => void) | undefined
}

/** A listener that throws is reported: neither the request nor the other listeners are to suffer for it. */
export function createEvents(reportError: (error: Error) => void): EventHub {
  const subscriptions = new Set<Subscription>()
  const tell = (call: () => void) => callUserFunction('an event listener', call, reportError)
  return {
    subscribe(listener, onEnd) {
      // One that is subscribed twice is told twice.
      const subscription = { listener, onEnd }
      subscriptions.add(subscription)
      return () => void subscriptions.delete(subscription)
    },
    get isHeard() {
      return subscriptions.size > 0
    },
    emit(event) {
      // Those who are there now: one that a listener adds hears of what comes next, one that it ends of nothing more.
      for (const each of [...subscriptions]) if (subscriptions.has(each)) tell(() => each.listener(event))
    },
    end() {
      for (const { onEnd } of [...subscriptions]) if (onEnd) tell(onEnd)
      subscriptions.clear()
    },
  }
}
