import { throwErrors } from '../control/unreported-errors.js'
import { createUnusedRules } from '../control/unused-rules.js'
import type { ServiceTypes } from '../service.js'
import type { InstanceControls } from './controls.js'
import type { InstanceDependencies } from './dependencies.js'

export type TestErrors = ReturnType<typeof createTestErrors>

/** The errors that `check` throws at the end of a test. */
export function createTestErrors<T extends ServiceTypes>(
  { unreportedErrors, startingData, registry }: InstanceDependencies<T>,
  { events, recorder }: InstanceControls,
) {
  const unusedRules = startingData.options.failOnUnused ? createUnusedRules(events) : undefined

  /** Adds the errors that are known only at the end of a test: forbidden operations, and unused rules. */
  function collect(): void {
    const errors = [...recorder.takeErrors(), ...(unusedRules?.takeErrors() ?? [])]
    for (const error of errors) unreportedErrors.addLate(error)
  }

  function take(): unknown[] {
    registry?.collectErrors()
    collect()
    return unreportedErrors.takeAll()
  }

  return { collect, take, check: () => throwErrors(take()) }
}
