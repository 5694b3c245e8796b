import { createContext } from 'preact'
import { useContext, useState } from 'preact/hooks'
import { type Api, type ApiFailure, toFailure } from './api.js'
import type { Events } from './events.js'
import type { RequestList } from './requests/request-list.js'
import { type Router, splitRoute } from './router.js'

export interface Question {
  readonly title: string
  /** What will be lost. */
  readonly text: string
  /** The label of the button that confirms. */
  readonly action: string
}

/** What the buttons of a panel over an application's page do. */
export interface PanelControls {
  close(): void
  /** Moves it between the bottom and the side of the window. */
  move(): void
}

export interface Dashboard {
  readonly api: Api
  readonly events: Events
  readonly router: Router
  /** The requests when their list was paused. It is resumed when the other list is shown: of one instance, or of all. */
  readonly pausedJournal: RequestList | undefined
  setPausedJournal(journal: RequestList | undefined): void
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

interface ActOptions {
  readonly question?: Question | undefined
  readonly notice?: string
}

export interface Action {
  run(act: () => Promise<unknown>, options?: ActOptions): Promise<boolean>
  readonly busy: boolean
  readonly failure?: ApiFailure
}
export type Run = Action['run']

/** Something the user does. */
export function useAction(): Action {
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
