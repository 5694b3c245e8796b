import { createContext } from 'preact'
import { useContext, useEffect, useRef, useState } from 'preact/hooks'
import { type Admin, type Api, ApiFailure } from './api.js'
import type { Events, Topic } from './events.js'
import { type Router, splitRoute } from './router.js'

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
  readonly pausedJournal: Admin['Journal'] | undefined
  setPausedJournal(journal: Admin['Journal'] | undefined): void
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

export function useRoute() {
  return splitRoute(useDashboard().router.path)
}

interface ResourceOptions {
  readonly topics?: readonly Topic[]
  /** For changes without an event. */
  readonly everyMs?: number
}

/** At most one read in this time, however many events arrive. */
const PAUSE_MS = 120

/** Loads a value, and loads it again when the key changes and after events of the topics. */
export function useResource<T>(key: string, load: () => Promise<T>, { topics = [], everyMs }: ResourceOptions = {}) {
  const { events } = useDashboard()
  const [{ value, failure }, setState] = useState<{ value?: T; failure?: ApiFailure }>({})
  const reload = useRef(async () => {})

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
          const value = await load()
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
    const unsubscribe = events.on((topic) => (topic === undefined || topics.includes(topic)) && runSoon())
    const timer = everyMs === undefined ? undefined : setInterval(() => document.hidden || runSoon(), everyMs)
    // A key may change with every letter typed into a filter, so only the first load starts at once.
    if (value === undefined) void run()
    else runSoon()
    return () => {
      isEnded = true
      unsubscribe()
      clearTimeout(pause)
      clearInterval(timer)
    }
  }, [key])

  // While disconnected, the last known value stays.
  const isStale = failure?.status === 0 && value !== undefined
  return { value, failure: isStale ? undefined : failure, reload: () => reload.current() }
}

export function useAdmin<T>(path: string, options?: ResourceOptions) {
  const { api } = useDashboard()
  return useResource(path, () => api.admin<T>('GET', path), options)
}

export function useOperations(): string[] {
  const { value } = useAdmin<Admin['Coverage']>('/coverage')
  return value?.operations.map(({ operation }) => operation) ?? []
}

interface ActOptions {
  readonly question?: Question | undefined
  readonly notice?: string
}

export type Action = ReturnType<typeof useAction>
export type Run = Action['run']

/** Something the user does. */
export function useAction() {
  const dashboard = useDashboard()
  const [state, setState] = useState<{ busy: boolean; failure?: ApiFailure }>({ busy: false })

  /** Asks the question, acts, and shows the notice. Resolves with whether it succeeded. */
  async function run(act: () => Promise<unknown>, { question, notice }: ActOptions = {}): Promise<boolean> {
    if (question && !(await dashboard.confirm(question))) return false
    setState({ busy: true })
    try {
      await act()
      setState({ busy: false })
      if (notice) dashboard.notify(notice)
      return true
    } catch (error) {
      setState({ busy: false, failure: toFailure(error) })
      return false
    }
  }
  return { ...state, run }
}

function toFailure(error: unknown): ApiFailure {
  return error instanceof ApiFailure ? error : new ApiFailure('UNEXPECTED', String(error))
}
