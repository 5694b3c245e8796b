import type { Contract } from '../contract/contract.js'
import { quote } from '../contract/errors.js'
import type { FaultRule } from './fault-rule.js'

/** Why no request can ever meet a rule, in one sentence: a test whose set-up names the wrong place would pass for nothing. */
export function findOutOfReach({ operation, method, path }: FaultRule, contract: Contract): string | undefined {
  const asked = method?.toUpperCase()
  const candidates = contract
    .operations()
    .filter((each) => operation === undefined || each.operation === operation)
    .filter((each) => asked === undefined || each.method === (asked === 'HEAD' ? 'GET' : asked))
  if (candidates.length === 0) return `/method is ${asked}, but ${operation} is asked for with another`
  if (path === undefined) return undefined
  const reached = findReached(path, contract)
  if (reached.length === 0) return `/path leads nowhere: the document has no ${quote(path)}`
  if (candidates.some((each) => reached.includes(each.operation))) return undefined
  return `/path leads to another operation than /${operation === undefined ? 'method' : 'operation'} names`
}

/** The operations at a path, or at any that begins like it. */
function findReached(path: string, contract: Contract): string[] {
  const operations = contract.operations()
  if (path.endsWith('*')) {
    return operations.filter((each) => canBegin(each.path, path.slice(0, -1))).map(({ operation }) => operation)
  }
  // A rule names a path as it is once it is decoded.
  const match = contract.match(path.slice(1).split('/'))
  if (match === undefined) return []
  return operations.flatMap(({ method, operation }) =>
    contract.operation(match, method)?.id === operation ? [operation] : [],
  )
}

/** Whether a path of the document can begin with a text: its parameters stand for any segment that is not empty. */
function canBegin(template: string, beginning: string): boolean {
  const places = template.split('/')
  const segments = beginning.split('/')
  const last = segments.length - 1
  return segments.every((segment, index) => {
    const place = places[index]
    if (place === undefined) return false
    if (place.startsWith('{')) return index === last || segment !== ''
    return index === last ? place.startsWith(segment) : place === segment
  })
}
