import { propertiesOf, type Schema, typeOf } from '../../engine/contract/schema.js'
import { createSampler } from '../../engine/data/sample.js'
import { schemaAt } from '../../engine/resources/envelopes.js'
import { readIdOf } from '../../engine/resources/record-forms.js'
import type { Role } from '../../engine/resources/resource.js'
import { requiredIn } from '../../engine/resources/schema-facts.js'
import type { ServiceResource } from '../../engine/resources/service-resource.js'
import { createRandom, hashText } from '../../lib/random.js'
import { CannotCheck, NoResponse, orGivenUp } from '../cannot-check.js'
import type { Caller } from './caller.js'
import { type Mark, markOf } from './marks.js'
import type { Fields, OwnRecords } from './own-records.js'
import { itemsIn, type JsonId, queryFor } from './resources.js'

export type RecordFactory = ReturnType<typeof createRecordFactory>

/** Creates the records that checks need, through the service itself. */
export function createRecordFactory(caller: Caller, own: OwnRecords, allowWrites: boolean) {
  const { call, resources, unknownReference } = caller
  const { marker, borrowed, newDate, newNumber } = own
  const sampler = createSampler(createRandom(hashText(marker), 'verify'))
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
    const required = requiredIn(schema)
    const mark = markOf(resource)
    const fields: Record<string, unknown> = {}
    for (const [property, each] of Object.entries(propertiesOf(schema))) {
      const target = resource.references[property]
      if (property in given) fields[property] = given[property]
      else if (property === mark?.property) fields[property] = NEW_MARKS[mark.type]()
      else if (!required.has(property)) continue
      else if (target !== undefined) fields[property] = await referTo(resources.get(target))
      else fields[property] = sampleOf(each)
    }
    return { ...fields, ...given }
  }

  function sampleOf(schema: Schema): unknown {
    const { minimum = 1, maximum = 1 } = schema
    if (typeOf(schema) === 'integer' && schema.enum === undefined) return Math.min(Math.max(1, minimum), maximum)
    return sampler.sample(schema as never, { as: 'request' })
  }

  /** Creates a record with these fields and what it needs in addition. `expected` are fields that the service adds. */
  async function create(name: string, given: Fields = {}, expected: Fields = {}): Promise<Fields & { id: JsonId }> {
    const resource = resources.get(name)
    const { noun, operations, parents } = resource
    if (operations.create === undefined || parents.length > 0) throw new CannotCheck(`no ${noun} can be created`)
    if (markOf(resource) === undefined) throw new CannotCheck(`no property can mark a ${noun} as created by verify`)
    const body = await newFields(resource, 'create', given, ({ name }) => any(name))
    const { id } = await call(operations.create.operationId, { body }, { fields: { ...expected, ...body } })
    if (id === undefined) throw new CannotCheck(`no ${noun} could be created that reads back as it was sent`)
    return { ...body, id }
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
    const { operations, ids, noun } = resource
    const [item] = operations.list ? await listFirst(resource, operations.list.operationId) : []
    const id = item && readIdOf(resource, item)
    if (id === undefined) throw new CannotCheck(`needs a record, and there is no ${noun}`)
    return ids.toJson(id)
  }

  async function listFirst(resource: ServiceResource, list: string): Promise<Fields[]> {
    return itemsIn(resource, (await call(list, { query: queryFor(resource, 1) ?? '' })).value)
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
      if (property === undefined || !user.operations.list || resources.isAffecting(user, property)) continue
      const [item] = await listFirst(user, user.operations.list.operationId)
      const id = resource.ids.read(item?.[property])
      if (id !== undefined) return resource.ids.toJson(id)
    }
    throw listed
  }

  /** A valid body that refers to no record of others, if that can be avoided. */
  const newBody = (resource: ServiceResource, role: Role, given: Fields = {}): Promise<Fields> =>
    // If verify could not read a record, it does not know either which ids none has.
    newFields(resource, role, given, (target) => borrowed.get(target.name) ?? unknownReference(target))

  return { marker, newName, newDate, newNumber, newMark: NEW_MARKS, create, any, newBody }
}

/** What a request holds inside its envelope. */
export function requestSchema({ operations }: ServiceResource, role: Role): Schema {
  const request = operations[role]?.request
  return (request && schemaAt(request.schema.schema, request.envelope)) ?? {}
}
