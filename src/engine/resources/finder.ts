import type { StoredRecord } from './additions.js'
import { lookUp } from './find.js'
import type { HandlerParts, ResourceContext } from './handler.js'
import { createInsert } from './insert.js'
import { createParentCheck } from './parent-check.js'

/**
 * Finds the record that a path names. A single record that can be neither created nor deleted always exists: it is made when
 * it is first needed.
 */
export function createFinder(parts: HandlerParts): (context: ResourceContext) => StoredRecord | undefined {
  const { resource, tools } = parts
  const { create, remove } = resource.operations
  if (!resource.isSingle || create || remove) return (context) => lookUp(resource, context)
  const insert = createInsert(parts)
  const checkParents = createParentCheck(parts)
  return (context) => {
    const found = lookUp(resource, context)
    if (found || tools.maker === undefined) return found
    checkParents(context)
    return insert(context, {})
  }
}
