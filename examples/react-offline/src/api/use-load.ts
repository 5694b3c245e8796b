import { useCallback, useEffect, useRef, useState } from 'react'
import { ApiError } from './client'

export interface Loaded<T> {
  /** Stays while it is loaded anew, and when that fails. */
  data?: T
  error?: ApiError
  loading: boolean
  reload(): void
  /** Shows what is already known to be true, before the service has confirmed it. */
  show(data: T): void
}

const refreshes = new EventTarget()

/** Loads everything on the page anew. */
export function refreshAll() {
  refreshes.dispatchEvent(new Event('refresh'))
}

/** Keep `load` outside of the component, so that it stays the same function; all it needs comes in with the key. */
export function useLoad<T>(load: (key: string, signal: AbortSignal) => Promise<T>, key: string): Loaded<T> {
  const [state, setState] = useState<{ data?: T; error?: ApiError; loading: boolean }>({ loading: true })
  const running = useRef<AbortController>(undefined)

  const reload = useCallback(async () => {
    running.current?.abort()
    const controller = new AbortController()
    running.current = controller
    setState((last) => ({ ...last, loading: true }))
    // In development React mounts twice; this way the first one asks nothing.
    await Promise.resolve()
    if (controller.signal.aborted) return
    try {
      const data = await load(key, controller.signal)
      if (!controller.signal.aborted) setState({ data, loading: false })
    } catch (error) {
      if (!controller.signal.aborted) setState((last) => ({ ...last, error: ApiError.from(error), loading: false }))
    }
  }, [load, key])

  useEffect(() => {
    reload()
    refreshes.addEventListener('refresh', reload)
    return () => {
      running.current?.abort()
      refreshes.removeEventListener('refresh', reload)
    }
  }, [reload])

  const show = useCallback((data: T) => setState((last) => ({ ...last, data })), [])
  return { ...state, reload, show }
}
