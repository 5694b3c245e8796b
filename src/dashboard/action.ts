import { useState } from 'preact/hooks'
import { type ApiFailure, toFailure } from './api.js'
import { type Question, useDashboard } from './context.js'

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
