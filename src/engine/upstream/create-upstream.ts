import type { Contract } from '../contract/contract.js'
import { createPassStep } from './pass-request.js'
import { findOperations } from './passed-operations.js'
import type { InstanceUpstream, Upstream, UpstreamChange, UpstreamDependencies, UpstreamSettings } from './upstream.js'

export type CreateUpstream = (dependencies: UpstreamDependencies) => InstanceUpstream

/**
 * Prepares passing requests through, for each instance of a mock. It is given to the mock from outside, so that a page without
 * an upstream does not load it. Throws if an operation is unknown.
 */
export function prepareUpstream(settings: UpstreamSettings, contract: Contract): CreateUpstream {
  const declared = contract.operations()
  // Without names, nothing is passed; with exceptions only, everything else is.
  const named = settings.pass.length === 0 && settings.mock.length > 0 ? ['*'] : settings.pass
  const excepted = findOperations(settings.mock, declared)
  const first: ReadonlySet<string> = new Set(
    findOperations(named, declared).filter((operation) => !excepted.includes(operation)),
  )

  return (dependencies) => {
    let passed = first
    function change({ pass = [], mock = [] }: UpstreamChange): void {
      const added = findOperations(pass, declared)
      const removed = findOperations(mock, declared)
      passed = new Set([...passed, ...added].filter((operation) => !removed.includes(operation)))
      dependencies.events.emit({ type: 'upstream', passed: control.passed })
    }
    const control: Upstream = {
      url: settings.url.href.replace(/\/+$/, ''),
      passesUnknown: settings.passUnknown,
      get passed() {
        return declared.map(({ operation }) => operation).filter((operation) => passed.has(operation))
      },
      pass: (...pass) => change({ pass }),
      mock: (...mock) => change({ mock }),
      change,
    }
    return {
      control,
      passes: (operation) => passed.has(operation),
      handle: createPassStep(settings, dependencies),
      reset() {
        passed = first
      },
    }
  }
}
