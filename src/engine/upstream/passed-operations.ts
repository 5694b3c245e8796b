import type { DeclaredOperation } from '../contract/contract.js'
import { describeUnknown, MockError } from '../contract/errors.js'

/**
 * The operations that each name stands for: an operationId, a pattern such as `get*`, or a method such as `GET`. Throws
 * UNKNOWN_OPERATION if a name stands for none.
 */
export function findOperations(names: readonly string[], declared: readonly DeclaredOperation[]): string[] {
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
