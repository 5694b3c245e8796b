import { createContext } from 'preact'
import { useContext, useEffect, useRef, useState } from 'preact/hooks'
import { type Api, ApiFailure } from './api.js'
import type { Live, Topic } from './live.js'
import { useObservable } from './observable.js'
import { type Route, type Router, splitRoute } from './router.js'
import { batched, oneAtATime } from './scheduling.js'

export interface Question {
  readonly title: string
  /** What will be lost. */
  readonly text: string
  /** The label of the button that confirms. */
  readonly action: string
}

export interface Dashboard {
  readonly api: Api
  readonly live: Live
  readonly router: Router
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
  reload(): void
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
  const { live } = useDashboard()
  const [{ value, failure }, setState] = useState<{ value?: T; failure?: ApiFailure }>({})
  const latestLoad = useRef(load)
  latestLoad.current = load
  const reload = useRef(() => {})
  const started = useRef(false)
  const { topics = [], everyMs } = options

  useEffect(() => {
    let ended = false
    const run = oneAtATime(async () => {
      try {
        const value = await latestLoad.current()
        if (!ended) setState({ value })
      } catch (error) {
        if (!ended) setState((before) => ({ ...before, failure: toFailure(error) }))
      }
    })
    const runSoon = batched(run, PAUSE_MS)
    reload.current = () => void run()
    const unsubscribe = live.on(topics, runSoon)
    const timer = everyMs === undefined ? undefined : setInterval(() => document.hidden || runSoon(), everyMs)
    // A key may change with every letter typed into a filter, so only the first load starts at once.
    if (started.current) runSoon()
    else void run()
    started.current = true
    return () => {
      ended = true
      unsubscribe()
      runSoon.cancel()
      clearInterval(timer)
    }
  }, [key, live])

  // While disconnected, the last known value stays.
  const isStale = failure?.status === 0 && value !== undefined
  return { value, failure: isStale ? undefined : failure, reload: () => reload.current() }
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
