import { isLikeRecordOf } from '../resources/links.js'
import { toResourceOperation } from '../resources/roles.js'
import { schemaAt } from '../schema/facts.js'
import type { Attach, Detach, Known, Unclaimed } from './meaning.js'

/** An operation that attaches existing records to another one, or detaches them. */
export function recogniseLink(operation: Unclaimed, { links, byName }: Known): Attach | Detach | undefined {
  const link = links().get(operation.name)
  const shown = byName.get(link?.shows ?? link?.other ?? '')
  if (link === undefined || shown === undefined) return undefined
  const collection = operation.path.segments.findLast((segment) => !segment.startsWith('{')) ?? ''
  const hint = { collection, noun: shown.noun, parameter: shown.id.parameter }
  const single = toResourceOperation(operation, 'merge', hint, shown.record.schema)
  const { response } = single
  const isSingle = response === undefined || isLikeRecordOf(shown, schemaAt(response.schema.schema, response.envelope))
  const showsList = link.shows === link.other && !isSingle
  const described = showsList ? toResourceOperation(operation, 'list', hint, shown.record.schema) : single
  return { ...link, operationId: operation.name, operation: described, showsList }
}
