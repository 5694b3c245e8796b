import { namesNull, requiredIn, schemaAt } from '../../document/schema/facts.js'
import { describeProblem, type SchemaViolation } from '../../document/validate/violations.js'
import { ApiError, MockError } from '../../http/errors.js'
import type { Id } from '../../lib/int64.js'
import { parseJson } from '../../lib/json.js'
import { unescapeToken } from '../../lib/json-pointer.js'
import { type Json, ownMember } from '../../lib/values.js'
import { createEmbed, createRemoveBelow } from '../crud/below.js'
import { disclose } from '../crud/envelope.js'
import { collectionOf, findById, lookUp } from '../crud/find.js'
import type { Arrange, ArrangeParts, Arranger } from '../crud/handler.js'
import { addDefaults, checkReferences, checkUnused } from '../crud/insert.js'
import { notFound, withArticle } from '../crud/messages.js'
import { createRename } from '../crud/rename.js'
import { createRules } from '../crud/rules.js'
import type { StoredRecord } from '../resources/additions.js'
import { parentFields, parentIds } from '../resources/parents.js'
import { readIdOf, toJsonRecord, toReference, toStoredFields } from '../resources/record-forms.js'
import { resourceNamed, type ServiceResource } from '../resources/service-resource.js'
import { readFields, requireId, toJson, writeFields } from './fields.js'
import type { FixtureId } from './format.js'

/** How many records a reference is chosen from. */
const MAX_CHOICES = 100

/**
 * Creates, changes and deletes records as a test arranges them. A test is no client: it can set every property of a record,
 * and needs no operation, header or permission. Only the schema of the record and the references of the service are checked.
 */
export function createArrange(parts: ArrangeParts): Arrange {
  const { all, random } = parts
  const arrangers = new Map<string, Arranger>()
  /** Resources whose record is just being created: what it refers to cannot need one first. */
  const creating = new Set<string>()

  function arrange(resource: ServiceResource): Arranger {
    const known = arrangers.get(resource.name)
    if (known) return known
    const arranger = createArranger(resource, parts, anyRecord)
    const named: Arranger = {
      create(given) {
        const isOuter = !creating.has(resource.name)
        creating.add(resource.name)
        try {
          return rejectAsMisuse(`${resource.name}.create`, () => arranger.create(given))
        } finally {
          if (isOuter) creating.delete(resource.name)
        }
      },
      update: (id, given) => rejectAsMisuse(`${resource.name}.update`, () => arranger.update(id, given)),
      remove: (id) => rejectAsMisuse(`${resource.name}.delete`, () => arranger.remove(id)),
    }
    arrangers.set(resource.name, named)
    return named
  }

  function anyRecord({ storedIn }: ServiceResource): StoredRecord | undefined {
    const known = collectionOf(parts.store(), { storedIn }).select({}).slice(0, MAX_CHOICES)
    const resource = resourceNamed(all, storedIn)
    if (known.length > 0) return known[Math.floor(random() * known.length)]
    return resource === undefined || creating.has(storedIn) ? undefined : arrange(resource).create({})
  }

  return arrange
}

function createArranger(
  resource: ServiceResource,
  { all, contract, maker, options, random, store, now }: ArrangeParts,
  anyRecord: (resource: ServiceResource) => StoredRecord | undefined,
): Arranger {
  const { name, noun, fields, idPath, unsent, sentAs, additions, record: place } = resource
  const embed = createEmbed(resource, all)
  const rename = createRename(resource, all)
  const removeBelow = createRemoveBelow(resource, all, { maker })
  const rules = createRules(resource, all)
  const beside = unsent.filter(({ kind }) => kind !== 'id')
  const parents = parentFields(resource).map(({ parameter, stored, field }, level) => ({
    parameter,
    stored,
    field,
    member: field?.property ?? unsent.find((each) => each.level === level)?.member ?? parameter,
    resource: resourceNamed(all, resource.parents[level]?.resource),
  }))
  const ownId = fields.find(({ isId }) => isId)?.property
  // A test can call it so, whatever the document does.
  const idNames = [ownId ?? 'id', ...(fields.some(({ property }) => property === 'id') ? [] : ['id'])]
  const known = [
    ...idNames,
    ...fields.map(({ property }) => property),
    ...Object.keys(sentAs),
    ...beside.map(({ member }) => member),
  ]
  /** What may be given in another form than a record has it: as an id instead of an object. */
  const loose = new Set([...Object.keys(resource.embedded), ...Object.values(sentAs)])

  interface Given {
    /** The id that it shall have. */
    readonly id: Id | undefined
    /** As JSON has them, by the names that records have. */
    readonly json: Json
    /** What is stored beside them. */
    readonly stored: Json
    /** The properties that the test decides about. */
    readonly names: ReadonlySet<string>
  }

  function read(call: string, values: Json): Given {
    const given = Object.entries(readFields(call, values, [...new Set(known)]))
    const stored = given.flatMap(([member, value]) => {
      const field = beside.find((each) => each.member === member)
      return field ? [[field.stored, field.kind === 'parent' ? toPathText(call, member, value) : value] as const] : []
    })
    const [chosen] = given.filter(([member]) => idNames.includes(member))
    const others = given.filter(
      ([member]) => !idNames.includes(member) && beside.every((each) => each.member !== member),
    )
    const renamed = others.map(([member, value]) => [ownMember(sentAs, member) ?? member, value] as const)
    const json = parseJson(toJson(writeFields(resource, Object.fromEntries(renamed)))) as Json
    const nested = idPath.length > 1 ? readIdOf(resource, json) : undefined
    return {
      id: chosen === undefined ? nested : requireId(resource, chosen[1] as FixtureId),
      json,
      stored: Object.fromEntries(stored),
      names: new Set([...Object.keys(json), ...(chosen ? idPath.slice(0, 1) : [])]),
    }
  }

  const givenParent = ({ field, stored: at, member }: (typeof parents)[number], { json, stored }: Given): unknown =>
    field ? ownMember(json, member) : stored[at]

  /** Throws if a parent that is given does not exist. */
  function checkParents(call: string, given: Given): void {
    for (const parent of parents) {
      const id = givenParent(parent, given)
      if (id === undefined || id === null || !parent.resource || findParent(parent.resource, id)) continue
      const { noun: outer } = parent.resource
      throw invalid(
        call,
        `/${parent.member} must be the id of ${withArticle(outer)}, but no ${outer} has the id ${id}.`,
      )
    }
  }

  /** The ids of all parents, by the parameters of the path. One that is not given is that of the parent inside it. */
  function chooseParents(given: Given): Json {
    const ids: Record<string, unknown> = {}
    let inner: readonly unknown[] = []
    for (const [level, parent] of [...parents.entries()].reverse()) {
      const { parameter, field, resource: outer } = parent
      const any = () => outer?.ids.toJson((anyRecord(outer) as StoredRecord).id) ?? 1
      const id = givenParent(parent, given) ?? inner[level] ?? (givenParent(parent, given) === null ? null : any())
      ids[parameter] = field && id !== null ? toReference(id, field.schema) : id
      const record = outer && id !== null ? findParent(outer, id) : undefined
      if (outer && record) inner = parentFields(outer).map(({ stored }) => record[stored])
    }
    return ids
  }

  function findParent(outer: ServiceResource, id: unknown): StoredRecord | undefined {
    const read = outer.ids.read(id) ?? outer.ids.read(String(id))
    return read === undefined ? undefined : findById(outer, store(), read)
  }

  /** What a client would send, for what a test leaves out. */
  function sample(given: Json): Json {
    const own = additions.sample?.(random, given) as Json | undefined
    const { request } = resource.operations.create ?? {}
    if (request === undefined) return own ?? {}
    const salt = `${name}/${collectionOf(store(), resource).nextId}`
    const sent = disclose(request.envelope, maker.makeBody(request.schema.schema, salt)) as Json
    // Where the service says itself how records look, only what it has forgotten.
    const required = requiredIn(schemaAt(request.schema.schema, request.envelope))
    const made = Object.entries(sent).filter(([member]) => own === undefined || required.has(member))
    const renamed = made.map(([member, value]) => [ownMember(sentAs, member) ?? member, value] as const)
    const writable = renamed.filter(([property]) => resource.writable.includes(property))
    return { ...Object.fromEntries(writable), ...own }
  }

  /** Ids for the references that a new record must have. */
  function missingReferences(given: Json): Json {
    const missing = resource.checkedReferences.filter(({ property, when }) => !when && !(property in given))
    const ids = missing.flatMap(({ property, to }) => {
      const target = resourceNamed(all, to) as ServiceResource
      const record = anyRecord(target)
      const { schema = {} } = fields.find((field) => field.property === property) ?? {}
      return record ? [[property, toReference(target.ids.toJson(record.id), schema)] as const] : []
    })
    return Object.fromEntries(ids)
  }

  /** Throws for what a test has given. What the mock has made is not its mistake, nor is what was there `before`. */
  function checkSchema(call: string, record: StoredRecord, { names }: Given, before: () => Json): void {
    const violations = contract.violationsOf(place.pointer, toJsonRecord(resource, record))
    const isGiven = ({ pointer }: SchemaViolation) => names.has(unescapeToken(pointer.split('/')[1] ?? ''))
    const ofWhole = violations.find(({ pointer }) => pointer === '')
    const isNew = () => contract.violationsOf(place.pointer, before()).every(({ pointer }) => pointer !== '')
    const found = violations.find(isGiven) ?? (ofWhole && isNew() ? ofWhole : undefined)
    if (found) throw invalid(call, describeProblem(found))
  }

  function find(id: Id): StoredRecord {
    const found = findById(resource, store(), id)
    if (found === undefined) throw notFound(resource, id)
    return found
  }

  function requireName(current: StoredRecord, { id }: Given, call: string): Id {
    if (id === undefined || id === current.id) return current.id
    if (rename === undefined) throw invalid(call, `/${idPath.join('/')} is the id of the ${noun}, which cannot change.`)
    return rename.nameIn({ [idPath[0]]: resource.ids.toJson(id) }, store(), current)
  }

  return {
    create(values) {
      const call = `${name}.create`
      const given = read(call, values)
      checkParents(call, given)
      const collection = collectionOf(store(), resource)
      const { id } = given
      if (id !== undefined && findById(resource, store(), id)) throw invalid(call, `The id ${id} is already in use.`)
      const sampled = sample(given.json)
      const path = chooseParents(given)
      if (resource.isSingle && lookUp(resource, { store: store(), path }))
        throw invalid(call, `There is ${withArticle(noun)} already. Use update.`)
      const json = embed(store(), { ...sampled, ...given.json, ...missingReferences(given.json) })
      const made = maker.completeRecord(resource, json, collection.nextId, now())
      const exact = Object.entries(json).filter(([property]) => given.names.has(property) && !loose.has(property))
      const ids = parentIds(resource, path)
      const stored = { ...toStoredFields(resource, { ...made, ...Object.fromEntries(exact) }), ...given.stored, ...ids }
      const next = addDefaults(resource, stored, { ...toStoredFields(resource, json), ...given.stored }) as StoredRecord
      checkReferences(resource, all, { store: store(), options }, next)
      rules?.check({ store: store(), options }, next)
      const insert = () => collection.insert(next)
      const record = id === undefined ? insert() : collection.withId(id, insert)
      checkSchema(call, record, given, () =>
        toJsonRecord(resource, { ...toStoredFields(resource, made), id: record.id }),
      )
      return record
    },
    update(id, values) {
      const call = `${name}.update`
      const given = read(call, values)
      const current = find(id)
      checkParents(call, given)
      const to = requireName(current, given, call)
      const before = toJsonRecord(resource, current)
      const json = embed(store(), given.json)
      const fitted = Object.keys(json).some((property) => loose.has(property))
        ? maker.fitRecord(resource, { ...before, ...json })
        : json
      const changes = Object.keys(json).map((property) => [property, (loose.has(property) ? fitted : json)[property]])
      // A null that the record cannot have removes a property.
      const removed = fields.filter(({ property, schema }) => json[property] === null && !namesNull(schema))
      const next = {
        ...current,
        ...toStoredFields(resource, maker.changeFields(resource, now())),
        ...toStoredFields(resource, Object.fromEntries(changes)),
        ...Object.fromEntries(removed.map(({ stored }) => [stored, undefined])),
        ...given.stored,
        id: to,
      }
      checkReferences(resource, all, { store: store(), options }, next, current)
      // A test can put a record into any state.
      rules?.check({ store: store(), options }, next)
      const record =
        rename && to !== current.id
          ? rename.store(store(), current, next)
          : collectionOf(store(), resource).replace(next)
      checkSchema(call, record, given, () => before)
      return record
    },
    remove(id) {
      const current = find(id)
      checkUnused(resource, all, { store: store(), options }, current.id)
      collectionOf(store(), resource).remove(current.id)
      removeBelow(store(), current.id)
    },
  }
}

function toPathText(call: string, member: string, value: unknown): string {
  if (['string', 'number', 'bigint'].includes(typeof value)) return String(value)
  throw invalid(call, `/${member} must be an id, as a number or a text.`)
}

/** What a client would get as a response. */
function rejectAsMisuse<Result>(call: string, act: () => Result): Result {
  try {
    return act()
  } catch (error) {
    throw error instanceof ApiError ? invalid(call, error.message) : error
  }
}

function invalid(call: string, problem: string): MockError {
  return new MockError('INVALID_DATA', `data.${call}: ${problem}`)
}
