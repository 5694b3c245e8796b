import { MockError } from '../contract/errors.js'
import type { Faults } from './faults.js'
import type { OverrideList } from './override.js'

/** Finds fault rules and overrides that were added and never applied, if a test wants to fail for them. */
export function createUnusedRules(isOn: boolean, faults: Faults, overrides: OverrideList) {
  let reported = new Set<string>()

  return {
    /** One error for each that was not returned before. */
    takeErrors(): MockError[] {
      if (!isOn) return []
      const unused = [
        ...faults.list().map(({ id, operation, applied }) => ({ kind: 'Fault rule', id, operation, applied })),
        ...overrides.list().map(({ id, operation, applied }) => ({ kind: 'Override', id, operation, applied })),
      ].filter(({ kind, id, applied }) => applied === 0 && !reported.has(`${kind} ${id}`))
      for (const { kind, id } of unused) reported.add(`${kind} ${id}`)
      return unused.map(({ kind, id, operation }) => {
        const target = operation === undefined ? '' : ` for ${operation}`
        return new MockError(
          'UNUSED_RULE',
          `${kind} ${id}${target} was never applied. The option failOnUnused forbids it.`,
        )
      })
    },
    clear(): void {
      reported = new Set()
    },
  }
}
