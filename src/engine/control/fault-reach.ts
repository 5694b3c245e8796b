import { quote } from '../../lib/quote.js'
import type { Contract } from '../contract/contract.js'
import { operationIdOf } from '../contract/route.js'
import type { FaultRule } from './fault-rule.js'

/** Why no request can match a rule, in one sentence. Otherwise a test with a wrong path would pass without the fault. */
export function findUnreachable({ operation, method, path }: FaultRule, contract: Contract): string | undefined {
  const wanted = method?.toUpperCase()
  const candidates = contract
    .operations()
    .filter((each) => operation === undefined || each.operation === operation)
    .filter((each) => wanted === undefined || each.method === (wanted === 'HEAD' ? 'GET' : wanted))
  if (candidates.length === 0) return `/method is ${wanted}, which ${operation ?? 'no operation'} does not use`
  if (path === undefined) return undefined
  const reached = findReached(path, contract)
  if (reached.length === 0) return `/path matches no operation: ${quote(path)}`
  if (candidates.some((each) => reached.includes(each.operation))) return undefined
  return `/path and /${operation === undefined ? 'method' : 'operation'} cannot match the same request`
}

/** The operations at a path, or at any path that starts with it. */
function findReached(path: string, contract: Contract): string[] {
  if (path.endsWith('*')) {
    const operations = contract.operations().filter((each) => canStart(each.path, path.slice(0, -1)))
    return operations.map(({ operation }) => operation)
  }
  // The path of a rule is decoded.
  const route = contract.findRoute(path.slice(1).split('/'))
  return Array.from(route?.operations.values() ?? [], operationIdOf)
}

/** Whether a path of the document can start with a text. Its parameters match any segment that is not empty. */
function canStart(template: string, start: string): boolean {
  const places = template.split('/')
  const segments = start.split('/')
  const last = segments.length - 1
  return segments.every((segment, index) => {
    const place = places[index]
    if (place === undefined) return false
    if (place.startsWith('{')) return index === last || segment !== ''
    return index === last ? place.startsWith(segment) : place === segment
  })
}
