import { WITHOUT_BODY } from '../../http/statuses.js'
import { keyOf, parameterOf } from '../resources/envelopes.js'
import { toResourceOperation } from '../resources/roles.js'
import type { Known, Mark, Unclaimed } from './meaning.js'
import { recordsAlong } from './path-records.js'

/** `PUT` and `DELETE /gists/{id}/star`, of which a `GET` that has no body says which came last. */
export function recogniseMark(operation: Unclaimed, known: Known): Mark | undefined {
  const { method, path } = operation
  const { get, put, post, delete: remove } = path.operations
  const says = get?.successes.every(({ status, body }) => WITHOUT_BODY.includes(status) && body === undefined)
  if (!says || !get?.statuses.includes('404') || !(put ?? post) || !remove || method === 'patch') return undefined
  const below = recordsAlong(path.segments, known).at(-1)
  return {
    kind: 'mark',
    operationId: operation.name,
    operation: toResourceOperation(operation, 'remove', { collection: '', noun: '' }, {}),
    does: method === 'get' ? 'read' : method === 'delete' ? 'clear' : 'set',
    name: keyOf(path.segments),
    parameters: path.segments.flatMap((segment) => parameterOf(segment) ?? []),
    ...(below && { below }),
  }
}
