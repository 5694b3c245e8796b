import { useEffect, useState } from 'preact/hooks'

/** A value that tells those who watch it when it changes. */
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

/** The value as it is now; the component is drawn again when it changes. */
export function useObservable<T>(observable: Observable<T>): T {
  const [, redraw] = useState({})
  useEffect(() => {
    // It may have changed between the drawing and this moment.
    redraw({})
    return observable.subscribe(() => redraw({}))
  }, [observable])
  return observable.get()
}
