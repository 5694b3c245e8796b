import { WITHOUT_BODY } from '../../http/statuses.js'
import { isObjectSchema, itemsOf, schemaAt, typesOf } from '../schema/facts.js'
import type { Schema } from '../schema/schema.js'
import { findList, findRecord, findRecordInRequest, type Hint } from './envelopes.js'
import { findId, findNamedId } from './find-ids.js'
import type { Content, DocumentPath, PathOperation, Success } from './read-operations.js'
import type { Body, ResourceOperation, Role, SuccessShape } from './resource.js'

export type Roles = Readonly<Partial<Record<Role, PathOperation>>>

type Operations = DocumentPath['operations']

/** The statuses of a success, most fitting first; then whatever the document has. */
const STATUSES: Readonly<Record<Role, readonly number[]>> = {
  list: [200],
  create: [201, 200],
  read: [200],
  replace: [200, 204],
  merge: [200, 204],
  remove: [204, 200],
}

/** The roles of operations on a collection and on its items. */
export function rolesOfCollection(collection: Operations, item: Operations, hint: Hint): Roles {
  const read = item.get && returnsRecord(item.get, hint) ? item.get : undefined
  const create = collection.post && isCreate(collection.post) ? collection.post : undefined
  const record = recordIn(
    [
      ['read', read],
      ['create', create],
    ],
    hint,
  )
  const list = collection.get && listIn(collection.get, hint, record) ? collection.get : undefined
  const merge = item.patch ?? (!item.put && (read || item.delete) ? item.post : undefined)
  return pickDefined({ list, create, read, replace: item.put, merge, remove: item.delete })
}

/** The roles of operations on a path without items. */
export function rolesOfSingle({ get, post, put, patch, delete: remove }: Operations, hint: Hint): Roles | undefined {
  if (!get || !(put ?? patch ?? remove) || !returnsObject(get)) return undefined
  if (!(put ?? patch) && listIn(get, hint)) return undefined
  // What can be deleted can be missing, and then it is created.
  const replace = put ?? (patch || !remove ? undefined : post)
  return pickDefined({ read: get, replace, merge: patch ?? (replace ? undefined : post), remove })
}

/** The role of an operation that only shows the one who sends the request. */
export function rolesOfMe({ get }: Operations, hint: Hint): Roles | undefined {
  return get && returnsObject(get) && !listIn(get, hint) ? { read: get } : undefined
}

/** The roles on a list whose records have no path of their own. A list that is only read, of records without an id, is a report. */
export function rolesOfList({ get, post }: Operations, hint: Hint): Roles | undefined {
  const record = get && recordIn([['list', get]], hint)
  if (!record) return undefined
  const create = post?.request && isCreate(post) ? post : undefined
  return create || findId('id', hint.noun, record) ? pickDefined({ list: get, create }) : undefined
}

/** The schema of a record, by the first of these operations that returns one. */
export function recordIn(
  operations: readonly (readonly [Role, PathOperation | undefined])[],
  hint: Hint,
): Schema | undefined {
  for (const [role, operation] of operations) {
    const body = operation && successOf(operation, role)?.body?.schema.schema
    if (!body) continue
    if (role !== 'list') {
      const record = schemaAt(body, findRecord(body, hint))
      if (isObjectSchema(record)) return record
      continue
    }
    const list = findList(body, hint)
    const items = list && itemsOf(schemaAt(body, list))
    if (items) return items
  }
  return undefined
}

export function toResourceOperation(
  operation: PathOperation,
  role: Role,
  hint: Hint,
  record: Schema,
): ResourceOperation {
  const { request, statuses, successes } = operation
  const made = successes.find(({ status }) => status === 201)
  // The only success of a merge may have the status of a creation, and create nothing.
  const created = role === 'replace' || (role === 'merge' && successes.length > 1) ? made : undefined
  const toShape = (success: Success | undefined) => toSuccessShape(success, role, hint, record)
  return {
    operationId: operation.name,
    ...toShape(successOf(operation, role)),
    statuses,
    requestHeaders: operation.parameters.filter((each) => each.in === 'header').map(({ name }) => name.toLowerCase()),
    ...(created && { created: toShape(created) }),
    ...(request && { request: toBody(request, findRecordInRequest(request.schema.schema, hint, record)) }),
  }
}

function toSuccessShape(success: Success | undefined, role: Role, hint: Hint, record: Schema): SuccessShape {
  const { status = 200, headers = [] } = success ?? {}
  // Some documents declare one where HTTP allows none.
  const body = WITHOUT_BODY.includes(status) ? undefined : success?.body
  return {
    status,
    headers,
    ...(body && { response: toBody(body, envelopeIn(body.schema.schema, role, hint, record)) }),
  }
}

function envelopeIn(body: Schema, role: Role, hint: Hint, record: Schema): readonly string[] {
  return role === 'list' ? (findList(body, hint, record) ?? []) : findRecord(body, hint)
}

function toBody({ mediaType, schema }: Content, envelope: readonly string[]): Body {
  return { mediaType, envelope, schema }
}

function successOf({ successes }: PathOperation, role: Role): Success | undefined {
  const fitting = STATUSES[role].flatMap((status) => successes.find((success) => success.status === status) ?? [])
  return fitting[0] ?? successes[0]
}

function listIn(operation: PathOperation, hint: Hint, record?: Schema): readonly string[] | undefined {
  const body = successOf(operation, 'list')?.body
  return body && findList(body.schema.schema, hint, record)
}

/** A list on the path of an item is no record. */
function returnsRecord(operation: PathOperation, hint: Hint): boolean {
  const body = successOf(operation, 'read')?.body?.schema.schema
  if (!body || typesOf(body).has('array')) return false
  const record = schemaAt(body, findRecord(body, hint))
  const hasId = hint.parameter !== undefined && findNamedId(hint.parameter, hint.noun, record) !== undefined
  return hasId || !findList(body, hint)
}

function returnsObject(operation: PathOperation): boolean {
  const body = successOf(operation, 'read')?.body?.schema.schema
  return body !== undefined && isObjectSchema(body)
}

/** Whether it takes and returns one record, not several. */
function isCreate(operation: PathOperation): boolean {
  const bodies = [operation.request?.schema.schema, successOf(operation, 'create')?.body?.schema.schema]
  return bodies.every((body) => !body || !typesOf(body).has('array') || isObjectSchema(body))
}

function pickDefined(roles: { readonly [R in Role]?: PathOperation | undefined }): Roles {
  return Object.fromEntries(Object.entries(roles).filter(([, operation]) => operation))
}
