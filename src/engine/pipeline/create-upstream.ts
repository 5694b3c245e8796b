import type { Contract, DeclaredOperation } from '../../document/contract/contract.js'
import { describeUnknown, MockError } from '../../http/errors.js'
import { createPassStep } from './pass-request.js'
import type { InstanceUpstream, Upstream, UpstreamChange, UpstreamDependencies, UpstreamSettings } from './upstream.js'

/**
 * The operations that each name stands for: an operationId, a pattern such as `get*`, or a method such as `GET`. Throws
 * UNKNOWN_OPERATION if a name stands for none.
 */
function findOperations(names: readonly string[], declared: readonly DeclaredOperation[]): string[] {
  return names.flatMap((name) => {
    const found = declared.filter(({ operation, method }) => matchesPattern(name, operation) || name === method)
    if (found.length > 0) return found.map(({ operation }) => operation)
    const known = declared.map(({ operation }) => operation)
    throw new MockError('UNKNOWN_OPERATION', describeUnknown('operation', String(name), known))
  })
}

/** Not a RegExp, because with several stars it could take long: a client may have sent the pattern. */
function matchesPattern(pattern: string, text: string): boolean {
  const [start = '', ...rest] = pattern.split('*')
  const end = rest.pop()
  if (end === undefined) return pattern === text
  if (!text.startsWith(start)) return false
  let position = start.length
  for (const part of rest) {
    const found = text.indexOf(part, position)
    if (found < 0) return false
    position = found + part.length
  }
  return text.length - end.length >= position && text.endsWith(end)
}

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
