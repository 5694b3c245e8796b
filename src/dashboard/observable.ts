import { useEffect, useState } from 'preact/hooks'

/** A value with change notifications. */
export interface Observable<T> {
  get(): T
  set(value: T): void
  subscribe(listener: () => void): () => void
}

export function createObservable<T>(initial: T): Observable<T> {
  let value = initial
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return
      value = next
      for (const listener of [...listeners]) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** The current value. The component renders again when it changes. */
export function useObservable<T>(observable: Observable<T>): T {
  const [, render] = useState({})
  useEffect(() => {
    // The value may have changed between rendering and this effect.
    render({})
    return observable.subscribe(() => render({}))
  }, [observable])
  return observable.get()
}
