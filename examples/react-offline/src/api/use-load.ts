import { useCallback, useEffect, useRef, useState } from 'react'
import { ApiError } from './client'

export interface Loaded<T> {
  /** Stays while it is reloaded, and if that fails. */
  data?: T
  error?: ApiError
  loading: boolean
  reload(): void
  /** Shows a known change before the service has confirmed it. */
  show(data: T): void
}

const refreshes = new EventTarget()

/** Reloads everything on the page. */
export function refreshAll() {
  refreshes.dispatchEvent(new Event('refresh'))
}

/** Define `load` outside the component, so that it stays the same function; the key holds everything it needs. */
export function useLoad<T>(load: (key: string, signal: AbortSignal) => Promise<T>, key: string): Loaded<T> {
  const [state, setState] = useState<{ data?: T; error?: ApiError; loading: boolean }>({ loading: true })
  const running = useRef<AbortController>(undefined)

  const reload = useCallback(async () => {
    running.current?.abort()
    const controller = new AbortController()
    running.current = controller
    setState((last) => ({ ...last, loading: true }))
    // In development React mounts twice; this way the first mount sends no request.
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
