import { keyOf, parameterOf } from '../resources/envelopes.js'
import type { Action, Known, Unclaimed } from './meaning.js'

/** `POST`, `PUT` or `DELETE` on a path that names a record, and then what is done with it: `/tasks/{id}/complete`. */
export function recogniseAction({ name, method, path }: Unclaimed, { byItemPath }: Known): Action | undefined {
  const resource = byItemPath.get(keyOf(path.segments.slice(0, -1)))
  if (method === 'get' || method === 'patch' || resource === undefined) return undefined
  const parameters = path.segments.flatMap((segment) => parameterOf(segment) ?? [])
  return { kind: 'action', operationId: name, resource: resource.name, parameters }
}
