import { createContext } from 'preact'
import { useCallback, useContext, useEffect, useRef, useState } from 'preact/hooks'
import { type Api, explain, Refusal } from './api.js'
import type { Live, Topic } from './live.js'
import { useObservable } from './observable.js'
import { type Router, splitRoute } from './router.js'

/** What every panel works with. */
export interface Desk {
  readonly api: Api
  readonly live: Live
  readonly router: Router
  /** Tells the user in passing. */
  notify(message: string): void
  /** Leads the whole dashboard to another base address. */
  switchTo(base: string): void
}

export const DeskContext = createContext<Desk | undefined>(undefined)

export function useDesk(): Desk {
  const desk = useContext(DeskContext)
  if (desk === undefined) throw new Error('a panel is drawn inside the dashboard only')
  return desk
}

export function useRoute(): { segments: string[]; query: URLSearchParams } {
  return splitRoute(useObservable(useDesk().router.path))
}

/** Something that is read from the mock, and read again when it may have changed. */
export interface Resource<T> {
  readonly value: T | undefined
  /** Why it could not be read. */
  readonly problem: Refusal | undefined
  reload(): void
}

export interface ResourceOptions {
  readonly topics?: readonly Topic[]
  /** For what no event tells of. */
  readonly everyMs?: number
}

/** No more often than this, however much happens. */
const PAUSE_MS = 120

/** Reads it at once, whenever the key changes, and after everything that the topics name. */
export function useResource<T>(key: string, load: () => Promise<T>, options: ResourceOptions = {}): Resource<T> {
  const { live } = useDesk()
  const [state, setState] = useState<{ key: string; value?: T; problem?: Refusal }>({ key })
  const latest = useRef(load)
  latest.current = load
  const reloadRef = useRef(() => {})
  const started = useRef(false)
  const { topics = [], everyMs } = options

  useEffect(() => {
    let ended = false
    let running = false
    let dirty = false
    let pause: ReturnType<typeof setTimeout> | undefined

    async function run(): Promise<void> {
      running = true
      dirty = false
      try {
        const value = await latest.current()
        if (!ended) setState({ key, value })
      } catch (error) {
        if (!ended) setState((before) => ({ ...before, key, problem: toRefusal(error) }))
      }
      running = false
      if (dirty && !ended) later()
    }
    function later(): void {
      pause ??= setTimeout(() => {
        pause = undefined
        if (running) dirty = true
        else void run()
      }, PAUSE_MS)
    }
    reloadRef.current = () => {
      if (running) dirty = true
      else void run()
    }
    const unsubscribe = live.on(topics, later)
    const timer = everyMs === undefined ? undefined : setInterval(() => document.hidden || later(), everyMs)
    // A key that changes again at once, as a filter does while it is typed, is not worth a request.
    if (started.current) later()
    else void run()
    started.current = true
    return () => {
      ended = true
      unsubscribe()
      clearTimeout(pause)
      clearInterval(timer)
    }
  }, [key, live])

  const reload = useCallback(() => reloadRef.current(), [])
  // While the mock does not answer, what was read before is still the best there is.
  const hidden = state.problem?.status === 0 && state.value !== undefined
  return { value: state.value, problem: hidden ? undefined : state.problem, reload }
}

/** Something that the user does: whether it is under way, and why it failed. */
export interface Action {
  readonly busy: boolean
  readonly problem: Refusal | undefined
  /** Resolves with whether it succeeded. */
  run(act: () => Promise<unknown>): Promise<boolean>
  clear(): void
}

export function useAction(): Action {
  const [state, setState] = useState<{ busy: boolean; problem?: Refusal }>({ busy: false })
  return {
    busy: state.busy,
    problem: state.problem,
    async run(act) {
      setState({ busy: true })
      try {
        await act()
        setState({ busy: false })
        return true
      } catch (error) {
        setState({ busy: false, problem: toRefusal(error) })
        return false
      }
    },
    clear: () => setState({ busy: false }),
  }
}

function toRefusal(error: unknown): Refusal {
  return error instanceof Refusal ? error : new Refusal('UNEXPECTED', explain(error), 0)
}
