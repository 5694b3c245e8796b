import type { Run } from '../action.js'
import { useDashboard } from '../context.js'

/** Returns a function that resets the mock after a question. It resolves with whether the mock was reset. */
export function useReset() {
  const { api } = useDashboard()
  return (run: Run, title: string, options?: object): Promise<boolean> =>
    run(() => api.admin('POST', '/reset', options), {
      question: {
        title,
        text: 'This resets the data, journal, fault rules, overrides and clock. Snapshots and coverage are kept.',
        action: 'Reset',
      },
      notice: 'The mock was reset.',
    })
}
