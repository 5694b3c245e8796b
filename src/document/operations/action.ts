import { keyOf, parameterOf } from '../resources/envelopes.js'
import { nounOf, wordsOf } from '../resources/names.js'
import { hintOf, isRecordOf } from '../resources/of-resource.js'
import { toResourceOperation } from '../resources/roles.js'
import { schemaAt } from '../schema/facts.js'
import type { Schema } from '../schema/schema.js'
import { ADDING, CHANGING, COPYING } from '../words/verbs.js'
import type { Action, Known, Unclaimed } from './meaning.js'
import { toPathRecord } from './path-records.js'
import { readStateChange, verbIn } from './verbs.js'

/** `POST`, `PUT` or `DELETE` on a path that names a record, and then what is done with it: `/tasks/{id}/complete`. */
export function recogniseAction(operation: Unclaimed, { byItemPath }: Known): Action | undefined {
  const { method, path } = operation
  if (method === 'get' || method === 'patch') return undefined
  const { item, verb } = splitAction(path.segments)
  const resource = byItemPath.get(keyOf(item))
  // What can be read there is a thing of its own.
  const read = path.operations.get
  if (resource === undefined || verb === undefined || (read && !read.returnsFile)) return undefined
  const { schema } = resource.record
  const described = toResourceOperation(operation, 'merge', hintOf(resource), schema)
  const { request, response } = described
  const shown = response && schemaAt(response.schema.schema, response.envelope)
  const change = (of: Schema) => readStateChange(verb, resource.noun, of, method === 'delete')
  const set = change(schema)
  const shownChange = shown && change(shown)
  // What is below a record may look like it, and so does a copy.
  const isAdding = ADDING.test(wordsOf(verb)[0] ?? '')
  const isBelow = method === 'post' && ((isPlural(verb) && !isAdding) || COPYING.test(wordsOf(verb)[0] ?? ''))
  const showsRecord = shown !== undefined && !isBelow && isRecordOf(resource, shown, Object.keys(shownChange ?? {}))
  const word = verbIn(verb, resource.noun) ?? ''
  const isChange = CHANGING.test(word) || Object.keys(set).length > 0
  return {
    kind: 'action',
    ...toPathRecord(resource, item),
    set: { ...shownChange, ...set },
    // A reply to a ticket is no new text of the ticket.
    stores: request !== undefined && !isAdding && (showsRecord || isChange),
    showsRecord,
    operationId: described.operationId,
    operation: described,
  }
}

/** Whether it is a collection, not a verb. */
export function isPlural(segment: string): boolean {
  return nounOf(segment) !== wordsOf(segment).join(' ')
}

/** The path of a record, and what is done with it: also in one part, `/tasks/{id}:complete`. */
function splitAction(segments: readonly string[]): {
  readonly item: readonly string[]
  readonly verb?: string | undefined
} {
  const last = segments.at(-1) ?? ''
  const [, parameter, custom] = /^(\{[^{}]+\}):([\w-]+)$/.exec(last) ?? []
  if (parameter !== undefined) return { item: [...segments.slice(0, -1), parameter], verb: custom }
  return { item: segments.slice(0, -1), verb: parameterOf(last) === undefined ? last : undefined }
}
