import { createContext } from 'preact'
import { useContext, useEffect, useRef, useState } from 'preact/hooks'
import { type Api, ApiFailure } from './api.js'
import type { Events, Topic } from './events.js'
import { type Observable, useObservable } from './observable.js'
import { type Route, type Router, splitRoute } from './router.js'
import type { Journal } from './types.js'

export interface Question {
  readonly title: string
  /** What will be lost. */
  readonly text: string
  /** The label of the button that confirms. */
  readonly action: string
}

export interface Dashboard {
  readonly api: Api
  readonly events: Events
  readonly router: Router
  /** The journal when the list of requests was paused. */
  readonly pausedJournal: Observable<Journal | undefined>
  /** Shows a message for a few seconds. */
  notify(message: string): void
  /** Resolves with whether the user confirmed. */
  confirm(question: Question): Promise<boolean>
  /** Opens the dashboard of another instance. */
  switchTo(base: string): void
}

export const DashboardContext = createContext<Dashboard | undefined>(undefined)

export function useDashboard(): Dashboard {
  return useContext(DashboardContext) as Dashboard
}

export function useRoute(): Route {
  return splitRoute(useObservable(useDashboard().router.path))
}

export interface Resource<T> {
  readonly value: T | undefined
  readonly failure: ApiFailure | undefined
  reload(): Promise<void>
}

export interface ResourceOptions {
  readonly topics?: readonly Topic[]
  /** For changes without an event. */
  readonly everyMs?: number
}

/** At most one read in this time, however many events arrive. */
const PAUSE_MS = 120

/** Loads a value, and loads it again when the key changes and after events of the topics. */
export function useResource<T>(key: string, load: () => Promise<T>, options: ResourceOptions = {}): Resource<T> {
  const { events } = useDashboard()
  const [{ value, failure }, setState] = useState<{ value?: T; failure?: ApiFailure }>({})
  const latestLoad = useRef(load)
  latestLoad.current = load
  const reload = useRef(async () => {})
  const started = useRef(false)
  const { topics = [], everyMs } = options

  useEffect(() => {
    let isEnded = false
    let isRunning = false
    let isOutdated = false
    let pause: ReturnType<typeof setTimeout> | undefined

    async function run(): Promise<void> {
      isOutdated = true
      if (isRunning) return
      isRunning = true
      while (isOutdated) {
        isOutdated = false
        try {
          const value = await latestLoad.current()
          if (!isEnded) setState({ value })
        } catch (error) {
          if (!isEnded) setState((before) => ({ ...before, failure: toFailure(error) }))
        }
      }
      isRunning = false
    }
    function runSoon(): void {
      pause ??= setTimeout(() => {
        pause = undefined
        void run()
      }, PAUSE_MS)
    }
    reload.current = run
    const unsubscribe = events.on(topics, runSoon)
    const timer = everyMs === undefined ? undefined : setInterval(() => document.hidden || runSoon(), everyMs)
    // A key may change with every letter typed into a filter, so only the first load starts at once.
    if (started.current) runSoon()
    else void run()
    started.current = true
    return () => {
      isEnded = true
      unsubscribe()
      clearTimeout(pause)
      clearInterval(timer)
    }
  }, [key, events])

  // While disconnected, the last known value stays.
  const isStale = failure?.status === 0 && value !== undefined
  return { value, failure: isStale ? undefined : failure, reload: () => reload.current() }
}

/** Loads from the admin API. */
export function useAdmin<T>(path: string, options?: ResourceOptions): Resource<T> {
  const { api } = useDashboard()
  return useResource(path, () => api.admin<T>('GET', path), options)
}

/** Something the user does. */
export interface Action {
  readonly busy: boolean
  readonly failure: ApiFailure | undefined
  /** Resolves with whether it succeeded. */
  run(act: () => Promise<unknown>): Promise<boolean>
}

export function useAction(): Action {
  const [state, setState] = useState<{ busy: boolean; failure?: ApiFailure }>({ busy: false })
  return {
    busy: state.busy,
    failure: state.failure,
    async run(act) {
      setState({ busy: true })
      try {
        await act()
        setState({ busy: false })
        return true
      } catch (error) {
        setState({ busy: false, failure: toFailure(error) })
        return false
      }
    },
  }
}

function toFailure(error: unknown): ApiFailure {
  return error instanceof ApiFailure ? error : new ApiFailure('UNEXPECTED', String(error))
}
