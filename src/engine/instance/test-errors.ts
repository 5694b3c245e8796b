import { MockError } from '../../http/errors.js'
import { throwErrors } from '../control/unreported-errors.js'
import type { EventHub } from '../log/events.js'
import type { ServiceTypes } from '../service.js'
import type { InstanceControls } from './controls.js'
import type { InstanceDependencies } from './dependencies.js'

/** Finds fault rules and overrides that were added and never applied, those that were removed included. */
function createUnusedRules(events: EventHub) {
  const unused = new Map<string, string | undefined>()
  events.subscribe((event) => {
    if (event.type !== 'fault' && event.type !== 'override') return
    if (event.change !== 'added' && event.change !== 'applied') return
    const [kind, { id, operation }] =
      event.type === 'fault' ? (['Fault rule', event.fault] as const) : (['Override', event.override] as const)
    if (event.change === 'added') unused.set(`${kind} ${id}`, operation)
    else unused.delete(`${kind} ${id}`)
  })

  return {
    /** One error for each that was not returned before. */
    takeErrors(): MockError[] {
      const errors = Array.from(unused, ([name, operation]) => {
        const target = operation === undefined ? '' : ` for ${operation}`
        return new MockError('UNUSED_RULE', `${name}${target} was never applied. The option failOnUnused forbids it.`)
      })
      unused.clear()
      return errors
    },
  }
}

export interface TestErrors {
  collect(): void
  take(): unknown[]
  check(): void
}

/** The errors that `check` throws at the end of a test. */
export function createTestErrors<T extends ServiceTypes>(
  { unreportedErrors, startingData, registry }: InstanceDependencies<T>,
  { events, recorder }: InstanceControls,
): TestErrors {
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
