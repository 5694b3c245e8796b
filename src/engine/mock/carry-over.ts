import { keepFitting } from '../data/keep-fitting.js'
import type { Upstream } from '../pipeline/upstream.js'
import type { ServiceDefinition } from '../service.js'
import { findChanges } from '../store/store.js'
import type { AnyService } from './define-service.js'
import type { createMock } from './mock.js'

/** A mock, and the service it is of. */
export type VersionedMock = Pick<ReturnType<typeof createMock<AnyService>>, 'mock' | 'instances'> & {
  readonly service: ServiceDefinition<AnyService>
}

/** What became of the data of a mock when its service was replaced. */
export interface CarriedOver {
  /** How many records the new mock has kept, those of sandboxes included. */
  readonly kept: number
  /** What did not fit, each with the reason. */
  readonly dropped: readonly string[]
}

/**
 * Gives a mock what was changed in a mock of another version of the service: data, clock, faults, overrides, and what is passed
 * through to an upstream, as far as they fit, of the root and of each sandbox. Unchanged data is that of the new version.
 */
export function carryOver(from: VersionedMock, to: VersionedMock): CarriedOver {
  const dropped: string[] = []
  let kept = 0
  const operations = new Set(to.service.operations.map(({ operation }) => operation))
  const inBoth = from.service.operations.map(({ operation }) => operation).filter((each) => operations.has(each))
  for (const [sandbox, { instance, saved }] of from.instances()) {
    const target = sandbox === undefined ? to.mock : to.mock.sandboxes.open(sandbox)
    const report = (lost: string) => void dropped.push(sandbox === undefined ? lost : `sandbox ${sandbox}, ${lost}`)
    const { store } = saved
    if (findChanges(saved.startingBase(), store.get()) !== undefined) {
      const { rules } = to.mock.options
      const fitting = keepFitting(instance.exportState(), to.service.fixtureFormat, rules)
      target.importState(fitting.fixture)
      fitting.dropped.forEach(report)
      kept += fitting.records
    }
    const { clock, faults = [], overrides = [] } = saved.controls.save() ?? {}
    const restored = to.instances().get(sandbox)?.saved.controls
    const tryRestore = (what: string, part: object) => {
      try {
        restored?.restore({ faults: [], overrides: [], ...part })
      } catch (error) {
        report(`${what}: ${(error as Error).message}`)
      }
    }
    if (clock) tryRestore('clock', { clock })
    for (const fault of faults) tryRestore('a fault', { faults: [fault] })
    for (const override of overrides) tryRestore('an override', { overrides: [override] })
    carrySwitches(instance.upstream, target.upstream, inBoth)
  }
  return { kept, dropped }
}

/** Operations that are new begin as at a start. */
function carrySwitches(from: Upstream | undefined, to: Upstream | undefined, known: readonly string[]): void {
  if (from === undefined || to === undefined) return
  const isPassed = (operation: string) => from.passed.includes(operation)
  to.change({ pass: known.filter(isPassed), mock: known.filter((operation) => !isPassed(operation)) })
}
