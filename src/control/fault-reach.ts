import type { Contract } from '../contract/contract.js'
import { quote } from '../contract/errors.js'
import { parsePath } from '../contract/target.js'
import type { FaultRule } from './fault-rule.js'

/**
 * Why no request can ever meet a rule, in one sentence: a test whose set-up names the wrong place would pass for nothing.
 * Of a path that goes on with `*` nothing can be said.
 */
export function findOutOfReach({ operation, method, path }: FaultRule, contract: Contract): string | undefined {
  const asked = method?.toUpperCase()
  const candidates = contract
    .operations()
    .filter((each) => operation === undefined || each.operation === operation)
    .filter((each) => asked === undefined || each.method === (asked === 'HEAD' ? 'GET' : asked))
  if (candidates.length === 0) return `/method is ${asked}, but ${operation} is asked for with another`
  if (path === undefined || path.endsWith('*')) return undefined
  const match = contract.match(parsePath(path))
  if (match === undefined) return `/path leads nowhere: the document has no ${quote(path)}`
  if (candidates.some((each) => contract.operation(match, each.method)?.id === each.operation)) return undefined
  return `/path leads to another operation than /${operation === undefined ? 'method' : 'operation'} names`
}
