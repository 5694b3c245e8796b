import { findDeclaredStatus } from '../contract/declared-status.js'
import { findRecord } from './find.js'
import type { HandlerParts, ResourceContext } from './handler.js'
import { atItemPath } from './parents.js'

/** Throws a 404 error if a parent in the path does not exist, and the document declares one. */
export function createParentCheck({ resource, operation, all }: HandlerParts): (context: ResourceContext) => void {
  const { parents } = resource
  const parameters = parents.map(({ parameter }) => parameter)
  const checked = parents.flatMap((parent) => {
    const found = all.find(({ name }) => name === parent.resource)
    return found ? [atItemPath(found)] : []
  })
  if (checked.length === 0 || !declaresUnknown(operation)) return () => {}
  return ({ store, path }) => {
    for (const parent of checked) {
      // In its own path, the parameters may have other names.
      const names = [...parent.parents.map(({ parameter }) => parameter), parent.id.parameter ?? '']
      const own = names.map((name, index) => [name, path[parameters[index] ?? '']])
      findRecord(parent, { store, path: Object.fromEntries(own) })
    }
  }
}

function declaresUnknown({ statuses }: HandlerParts['operation']): boolean {
  const responses = Object.fromEntries(statuses.map((status) => [status, true]))
  return [404, 410].some((status) => findDeclaredStatus(responses, status) !== undefined)
}
