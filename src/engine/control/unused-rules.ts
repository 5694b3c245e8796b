import { MockError } from '../contract/errors.js'
import type { EventHub } from './events.js'

/** Finds fault rules and overrides that were added and never applied, those that were removed included. */
export function createUnusedRules(events: EventHub) {
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
