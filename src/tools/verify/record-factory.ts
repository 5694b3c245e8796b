import type { Role } from '../../document/resources/resource.js'
import { onlyTypeOf, propertiesIn, requiredIn } from '../../document/schema/facts.js'
import type { Schema } from '../../document/schema/schema.js'
import { withArticle } from '../../engine/crud/messages.js'
import { readIdOf } from '../../engine/resources/record-forms.js'
import type { ServiceResource } from '../../engine/resources/service-resource.js'
import { isPlainObject } from '../../lib/values.js'
import { CannotCheck, NoResponse, orGivenUp } from '../server/cannot-check.js'
import type { JsonId } from '../server/document-requests.js'
import type { Caller } from './caller.js'
import { type Mark, markOf, requestSchema } from './marks.js'
import type { OperationInfo } from './operations.js'
import { comparable, type Fields } from './own-records.js'
import { isPlain, itemsIn } from './resources.js'
import type { Known } from './write-guard.js'

export interface RecordFactory {
  readonly marker: string
  newName(): string
  newDate(): string
  newNumber(): number
  readonly newMark: Readonly<Record<'number' | 'text' | 'date', () => unknown>>
  create(name: string, given?: Fields, expected?: Fields): Promise<Fields & { id: JsonId }>
  whyNot(resource: ServiceResource): string | undefined
  any(name: string): Promise<JsonId>
  newBody(resource: ServiceResource, role: Role, given?: Fields): Promise<Fields>
  newCall(
    operation: OperationInfo,
  ): Promise<{ id: string; body: Readonly<Record<string, unknown>> } | { id: string; body?: never }>
}

/** Creates the records that checks need, through the service itself. */
export function createRecordFactory(
  caller: Caller,
  { operations, requests, own }: Known,
  allowWrites: boolean,
): RecordFactory {
  const { call, resources, unknownReference, newUnknownId } = caller
  const { marker, newDate, newNumber } = own
  /** By resource: the id of a record of the service that ours refer to, if none can be created. */
  const borrowed = new Map<string, JsonId>()
  let names = 0
  /** A name that no other record has. */
  const newName = (): string => `Verify ${marker} ${++names}`

  const NEW_MARKS: Readonly<Record<Mark['type'], () => unknown>> = { text: newName, date: newDate, number: newNumber }

  /** The required properties of a request, with the mark of verify. */
  async function newFields(
    resource: ServiceResource,
    role: Role,
    given: Fields,
    referTo: (target: ServiceResource) => JsonId | Promise<JsonId>,
  ): Promise<Fields> {
    const schema = requestSchema(resource, role)
    const [mark, properties, required] = [markOf(resource), propertiesIn(schema), requiredIn(schema)]
    const sampled = requests.sampler.sample(schema, { as: 'request', budget: 0 })
    const fields: Record<string, unknown> = { ...(isPlainObject(sampled) && sampled) }
    for (const [property, each] of properties) {
      const target = resource.references[property]
      if (property in given) continue
      if (property === mark?.property) fields[property] = NEW_MARKS[mark.type]()
      else if (!required.has(property)) {
        // An example may name a record of the service.
        if (target !== undefined || property in resource.embedded) delete fields[property]
      } else if (target !== undefined) fields[property] = await referTo(resources.get(target))
      else if (property === resource.idPath[0]) fields[property] = newIdFor(resource, fields[property])
      else if (onlyTypeOf(each) === 'integer' && each.enum === undefined) fields[property] = smallest(each)
    }
    return { ...fields, ...given }
  }

  /** An id that the client chooses, alone or in the object that holds it. */
  function newIdFor(resource: ServiceResource, sampled: unknown): unknown {
    const [, inner] = resource.idPath
    return inner === undefined ? newUnknownId(resource) : { ...Object(sampled), [inner]: newUnknownId(resource) }
  }

  const smallest = ({ minimum = 1, maximum = 1 }: Schema): number => Math.min(Math.max(1, minimum), maximum)

  /** Creates a record with these fields and what it needs in addition. `expected` are fields that the service adds. */
  async function create(name: string, given: Fields = {}, expected: Fields = {}): Promise<Fields & { id: JsonId }> {
    const resource = resources.get(name)
    const { noun } = resource
    const reason = whyNot(resource)
    if (reason !== undefined) throw new CannotCheck(reason)
    const body = await newFields(resource, 'create', given, ({ name }) => any(name))
    const fields = { ...expected, ...comparable(resource, body), ...missingOf(given) }
    const { id } = await call(resource.operations.create?.operationId as string, { body }, { fields })
    if (id === undefined) throw new CannotCheck(`no ${noun} could be created that reads back as it was sent`)
    return { ...body, id }
  }

  const missingOf = (given: Fields): Fields =>
    Object.fromEntries(Object.entries(given).filter(([, value]) => value === undefined))

  /** Why verify creates no records of a resource. */
  function whyNot(resource: ServiceResource): string | undefined {
    const { noun, operations } = resource
    if (operations.create === undefined) return `no ${noun} can be created`
    if (operations.read === undefined) return `the document has no operation that reads ${withArticle(noun)}`
    if (!isPlain(resource)) return `verify creates no ${noun}, because its path has the id of another record`
    return markOf(resource) === undefined ? `no property can mark ${withArticle(noun)} as created by verify` : undefined
  }

  const shared = new Map<string, JsonId>()

  /**
   * The id of a record for checks that do not change it: our own if verify may write and the service can create one,
   * otherwise whatever the service has.
   */
  async function any(name: string): Promise<JsonId> {
    // It is read each time, since another client may have deleted the one before.
    if (!allowWrites) return first(resources.get(name))
    const id =
      shared.get(name) ??
      (await create(name)
        .then((record) => record.id)
        .catch((error) => borrow(name, error)))
    shared.set(name, id)
    return id
  }

  async function first(resource: ServiceResource): Promise<JsonId> {
    const [item] = await listFirst(resource)
    const id = item && readIdOf(resource, item)
    if (id === undefined) throw new CannotCheck(`needs a record, and there is no ${resource.noun}`)
    return resource.ids.toJson(id)
  }

  async function listFirst(resource: ServiceResource): Promise<Fields[]> {
    const list = operations.get(resource.operations.list?.operationId ?? '')
    if (list === undefined || list.path.includes('{')) return []
    return itemsIn(resource, (await call(list.id, { query: requests.queryFor(list, 1) ?? '' })).value)
  }

  /** The id of a record that the service has. Throws the error that says why there is none of ours if it has none. */
  async function borrow(name: string, error: unknown): Promise<JsonId> {
    if (!(error instanceof CannotCheck) || error instanceof NoResponse) throw error
    const found = await orGivenUp(findForeign(resources.get(name)))
    if (found instanceof CannotCheck) throw error
    borrowed.set(name, found)
    return found
  }

  /** A service may not list a resource but have records that refer to it. */
  async function findForeign(resource: ServiceResource): Promise<JsonId> {
    const listed = await orGivenUp(first(resource))
    if (!(listed instanceof CannotCheck)) return listed
    for (const user of resources.stored) {
      const [property] = Object.entries(user.references).find(([, to]) => to === resource.name) ?? []
      if (property === undefined) continue
      const [item] = await listFirst(user)
      const id = resource.ids.read(item?.[property])
      if (id !== undefined) return resource.ids.toJson(id)
    }
    throw listed
  }

  /** A valid body that refers to no record of others, if that can be avoided. */
  const newBody = (resource: ServiceResource, role: Role, given: Fields = {}): Promise<Fields> =>
    // If verify could not read a record, it does not know either which ids none has.
    newFields(resource, role, given, (target) => borrowed.get(target.name) ?? unknownReference(target))

  /** A valid request about an id that no record has; should it create a record, that can be recognised as ours. */
  async function newCall(operation: OperationInfo) {
    const { owner, resource, role, contract } = operation
    const id = owner ? requests.firstAllowed(operation, caller.unknownIds(owner)) : marker
    return resource && role && contract.takesBody ? { id, body: await newBody(resource, role) } : { id }
  }

  return { marker, newName, newDate, newNumber, newMark: NEW_MARKS, create, whyNot, any, newBody, newCall }
}
