import type { EventHub } from '../control/events.js'
import { throwErrors, type UnreportedErrors } from '../control/unreported-errors.js'
import { createUnusedRules } from '../control/unused-rules.js'

interface ErrorSources {
  /** What has been reported when it occurred. */
  readonly unreportedErrors: UnreportedErrors
  /** Uses of operations, and requests, that an option forbids. */
  takeForbidden(): unknown[]
  readonly events: EventHub
  readonly failOnUnused: boolean
  /** Given to the root: its `check` throws the errors of all sandboxes. */
  collectFromSandboxes?: (() => void) | undefined
}

export type TestErrors = ReturnType<typeof createTestErrors>

/** The errors that `check` throws at the end of a test. */
export function createTestErrors(sources: ErrorSources) {
  const { unreportedErrors, takeForbidden, events, failOnUnused, collectFromSandboxes } = sources
  const unusedRules = failOnUnused ? createUnusedRules(events) : undefined

  /** Adds the errors that are known only now, because the test ends. */
  function collect(): void {
    const errors = [...takeForbidden(), ...(unusedRules?.takeErrors() ?? [])]
    for (const error of errors) unreportedErrors.addLate(error)
  }

  function take(): unknown[] {
    collectFromSandboxes?.()
    collect()
    return unreportedErrors.takeAll()
  }

  return { collect, take, check: () => throwErrors(take()) }
}
