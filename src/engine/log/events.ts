import type { AnyOperations } from '../../document/schema/types.js'
import { callUserFunction } from '../control/unreported-errors.js'
import type { FaultEvent } from '../rules/fault-rule.js'
import type { OverrideEvent } from '../rules/override.js'
import type { JournalEntry } from './journal-entry.js'

/** A journal entry without the two messages. */
export type RequestSummary<OperationId extends string = string> = Omit<
  JournalEntry<AnyOperations>,
  'request' | 'response' | 'operation'
> & { readonly operation?: OperationId }

export type MockEvent<OperationId extends string = string> =
  | { readonly type: 'request'; readonly entry: RequestSummary<OperationId> }
  /** The data changed: by a request, or by a call in process. */
  | { readonly type: 'state'; readonly cause: 'request' | 'data' | 'import' | 'restore' }
  | FaultEvent<OperationId>
  | OverrideEvent<OperationId>
  /** Other operations are passed through to the upstream: these. */
  | { readonly type: 'upstream'; readonly passed: readonly OperationId[] }
  | { readonly type: 'journal'; readonly change: 'cleared' }
  | { readonly type: 'reset'; readonly seed: number; readonly scenario: string }
  /** Of the root: a sandbox was removed, because there were more than `maxSandboxes`, or because it was idle. */
  | { readonly type: 'sandbox'; readonly change: 'evicted'; readonly name: string; readonly reason: 'limit' | 'idle' }

export interface Events<OperationId extends string = string> {
  /**
   * Calls the listener with every event, until the returned function is called. `onEnd` is called when the sandbox is
   * removed, after which there are no more events. Errors that either throws are reported by `check`.
   */
  subscribe(listener: (event: MockEvent<OperationId>) => void, onEnd?: () => void): () => void
}

export interface EventHub {
  subscribe(listener: (event: MockEvent) => void, onEnd?: () => void): () => void
  readonly hasListeners: boolean
  emit(event: MockEvent): void
  /** Calls `onEnd` of all listeners and removes them. */
  end(): void
}

/**
 * A listener that throws is reported, and does not affect the request or other listeners. `onEvent` is called with every
 * event before the listeners.
 */
export function createEvents(
  reportError: (error: Error) => void,
  onEvent: (event: MockEvent) => void = () => {},
): EventHub {
  const subscriptions = new Set<{ listener: (event: MockEvent) => void; onEnd: (() => void) | undefined }>()
  const call = (listener: () => void) => callUserFunction('An event listener', listener, reportError)
  return {
    subscribe(listener: (event: MockEvent) => void, onEnd?: () => void): () => void {
      // An object of its own: a listener that subscribes twice is called twice.
      const subscription = { listener, onEnd }
      subscriptions.add(subscription)
      return () => void subscriptions.delete(subscription)
    },
    get hasListeners(): boolean {
      return subscriptions.size > 0
    },
    emit(event: MockEvent): void {
      onEvent(event)
      // A listener may add and remove others: added ones are called from the next event on, removed ones no more.
      for (const each of [...subscriptions]) if (subscriptions.has(each)) call(() => each.listener(event))
    },
    end(): void {
      for (const { onEnd } of [...subscriptions]) if (onEnd) call(onEnd)
      subscriptions.clear()
    },
  }
}
