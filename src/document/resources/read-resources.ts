import { groupBy } from '../../lib/values.js'
import {
  hasFlag,
  isObjectSchema,
  itemsOf,
  partsOf,
  propertiesIn,
  requiredIn,
  schemaAt,
  typesOf,
} from '../schema/facts.js'
import { type ResolvedDocument, resolveDocument } from '../schema/resolved-document.js'
import type { Schema } from '../schema/schema.js'
import { type Collection, findCollections } from './collections.js'
import { withCounts } from './counts.js'
import { keyOf, parameterOf, readPath } from './envelopes.js'
import { describeId, endsLikeId, findId, findLookup, findOtherId, stemOf } from './find-ids.js'
import { findJob } from './jobs.js'
import { separateLinks } from './links.js'
import { readListParameters } from './list-parameters.js'
import { findSpelling, nameCollections, normalize, nounOf } from './names.js'
import { findOwnCollection, hasIdentity, isMePath, isPerson } from './people.js'
import { type DocumentPath, readPaths } from './read-operations.js'
import type { Related, Targets } from './relations.js'
import { findKnown, findParents, findPeopleNamed, findReferences, groupTargets, withHolder } from './relations.js'
import type { Resource, ResourceId, ResourceOperation, Role } from './resource.js'
import { recordIn, toResourceOperation } from './roles.js'
import { findStores, hasSameId, type Stored } from './stores.js'

/**
 * The properties that hold records of other resources, or parts of them, as objects: `author` of `authors`, by the schema of
 * the object or by its name.
 */
function findEmbedded(resource: Related, targets: Targets): Readonly<Record<string, string>> {
  const { byNoun, bySchema } = targets
  const entries = [...propertiesIn(resource.recordSchema)].flatMap(([name, schema]) => {
    const object = objectIn(schema)
    if (object === undefined) return []
    const noun = normalize(typesOf(schema).has('array') ? nounOf(name) : name)
    const named = byNoun.get(noun) ?? findPeopleNamed(noun, resource, targets)
    const target = bySchema.get(object)?.[0] ?? named.find((other) => hasIdOf(object, other))
    return target ? [[name, target.name]] : []
  })
  return Object.fromEntries(entries)
}

/**
 * The properties of requests that a record has under another name: `FriendlyName` for `friendly_name`, and the ids of what it
 * has as objects, `author_id` for `author`, `tag_ids` for `tags`. By their names, with those of the record.
 */
function findOtherNames(
  request: Schema,
  record: Schema,
  embedded: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const known = propertiesIn(record)
  const names = [...known.keys()]
  const entries = [...propertiesIn(request).keys()].flatMap((name) => {
    if (known.has(name)) return []
    const stem = stemOf(name)
    const found =
      findSpelling(names, name) ??
      Object.keys(embedded).find(
        (property) => endsLikeId(name) && [normalize(property), normalize(nounOf(property))].includes(stem),
      )
    return found === undefined ? [] : [[name, found]]
  })
  return Object.fromEntries(entries)
}

function objectIn(schema: Schema): Schema | undefined {
  const items = typesOf(schema).has('array') ? itemsOf(schema) : undefined
  if (items) return isObjectSchema(items) ? items : undefined
  return isObjectSchema(schema) ? schema : undefined
}

function hasIdOf(object: Schema, { id }: Related): boolean {
  return id.property?.length === 1 && propertiesIn(object).has(id.property[0] as string)
}

/** The operations whose requests hold properties of a record. */
const WRITING = ['create', 'replace', 'merge'] as const

type Operations = Resource['operations']

/** A resource, and what its relations to others are read from. */
type Draft = Omit<Resource, 'parents' | 'references' | 'embedded' | 'sentAs' | 'writable'> &
  Pick<Collection, 'key' | 'segments'> &
  Pick<Stored, 'recordSchema' | 'recordSchemas'>

/** The resources of an OpenAPI 3.0 or 3.1 document, in the order of its paths. */
export function readResources(document: object): Resource[] {
  const resolved = resolveDocument(document)
  const paths = readPaths(document)
  const collections = findCollections(paths)
  const names = nameCollections(collections.map(({ segments }) => segments))
  const parameters = schemasOfParameters(paths)
  const readOne = (collection: Collection, index: number, usual: readonly string[] = []) =>
    readDraft(resolved, collection, names[index] ?? '', { parameters, usual })
  const first = collections.map((collection, index) => readOne(collection, index))
  const usual = findUsualIds(first)
  const drafts = withMe(
    first.map((draft, index) =>
      usual.length === 0 || endsLikeId(draft.id.property?.at(-1) ?? '')
        ? draft
        : readOne(collections[index] as Collection, index, usual),
    ),
  )
  const targets = groupTargets(drafts)
  const known = new Set<object>(findKnown(drafts))
  const nested = relate(drafts, known)
  // What another path shows whole is known as well. One that shows other properties shows some of them: those of a user.
  const byName = new Map(drafts.map((draft) => [draft.name, draft]))
  const shown = new Set(
    nested.flatMap(({ draft, parents, storedIn }) => {
      const isKnown = known.has(draft) && parents.every(({ resource }) => resource !== undefined)
      const isWhole = storedIn !== undefined && byName.get(storedIn)?.recordSchema === draft.recordSchema
      return isKnown && isWhole ? [storedIn] : []
    }),
  )
  const allKnown = new Set(drafts.filter((draft) => known.has(draft) || shown.has(draft.name)))
  const related = allKnown.size === known.size ? nested : relate(drafts, allKnown)
  const uploads = new Set(
    paths.flatMap(({ segments, operations }) =>
      Object.values(operations).some(({ takesFile }) => takesFile)
        ? [keyOf(segments), keyOf(segments.slice(0, -1))]
        : [],
    ),
  )
  const isUploadedTo = ({ path, itemPath = path }: Draft) =>
    [path, itemPath].some((each) => uploads.has(readPath(each).key))
  const resources = related.map(({ draft, parents, storedIn }): Resource => {
    const { key: _key, segments: _segments, recordSchema: _schema, recordSchemas: _schemas, ...resource } = draft
    const store = byName.get(storedIn ?? '')
    // A user may see more of their own record than of others.
    const whole = store && !draft.isMe ? store : draft
    const embedded = findEmbedded(whole, targets)
    const sentAs = findSentAs(draft, embedded)
    const id = store ? readStoredId(draft, store.id) : draft.id
    const writable = findWritable(draft.operations, whole.recordSchema, id)
    const job = findJob(draft.recordSchema, writable)
    return {
      ...resource,
      id,
      record: whole.record,
      ...(!draft.isSingle && !allKnown.has(draft) && { hasUnknownIds: true }),
      writable: [...new Set([...writable, ...Object.values(sentAs)])],
      parents: parents.map((parent) => withHolder(parent, whole, byName.get(parent.resource ?? ''))),
      embedded,
      sentAs,
      references: findReferences(draft, targets),
      ...(storedIn !== undefined && { storedIn }),
      ...(isUploadedTo(draft) && { holdsFiles: true }),
      ...(job && { job }),
    }
  })
  return separateLinks(paths, resources).map((resource, _, all) => withCounts(resource, all))
}

/**
 * What leads to the one who sends the request leads to one of the users. Without a collection of them it is a single record; if
 * that is only shown, nothing is known about it.
 */
function withMe(drafts: readonly Draft[]): readonly Draft[] {
  return drafts.flatMap((draft) => {
    if (isPerson(draft)) return [{ ...draft, isPeople: true }]
    if (!draft.isSingle || !isMePath(draft.segments)) return [draft]
    const own = findOwnCollection(drafts, draft.recordSchema)
    if (own === undefined) {
      const isOnlyShown = Object.keys(draft.operations).every((role) => role === 'read')
      return isOnlyShown ? [] : [{ ...draft, ...(hasIdentity(draft.recordSchema) && { isMe: true, isPeople: true }) }]
    }
    const id = { ...draft.id, property: own.id.property, kind: own.id.kind }
    return [{ ...draft, id, isMe: true, storedIn: own.name }]
  })
}

function relate(drafts: readonly Draft[], known: ReadonlySet<object>) {
  const byKey = groupBy(
    drafts.filter((draft) => known.has(draft)),
    ({ key }) => key,
  )
  const nested = drafts.map((draft) => ({ draft, parents: findParents(draft, byKey) }))
  const stores = findStores(nested.map(({ draft, parents }) => ({ ...draft, parents })))
  const byName = new Map(drafts.map((draft) => [draft.name, draft]))
  return nested.map(({ draft, parents }) => {
    const storedIn = stores.get(draft.storedIn ?? draft.name) ?? draft.storedIn
    const store = byName.get(storedIn ?? '')
    // A list may show less of its records than they have.
    const whole = store && { ...draft, recordSchema: store.recordSchema, id: store.id }
    return { draft, parents: whole ? findParents(whole, byKey) : parents, storedIn }
  })
}

/** The id of a record that another resource keeps: its path may find it by another property. */
function readStoredId({ id, operations }: Draft, own: ResourceId): ResourceId {
  const { parameter, property, lookup } = id
  const isOther = parameter !== undefined && property !== undefined && !hasSameId(id, own)
  const { lookup: _, parameter: __, also: ___, ...kept } = own
  return {
    ...kept,
    ...readChoice(own.property, operations.create),
    ...(parameter !== undefined && { parameter }),
    ...(lookup ? { lookup } : isOther && { lookup: [{ parameter, property }] }),
  }
}

/** What the ids of a document are called, most frequent first. */
function findUsualIds(drafts: readonly Draft[]): readonly string[] {
  const names = drafts.flatMap(({ id: { parameter, property } }) => {
    const [name, inner] = property ?? []
    return parameter !== undefined && name !== undefined && inner === undefined && endsLikeId(name) ? [name] : []
  })
  const counted = [...groupBy(names, (name) => name)].map(([name, { length }]) => ({ name, length }))
  return counted
    .filter(({ length }) => length > 1)
    .sort((a, b) => b.length - a.length)
    .map(({ name }) => name)
}

/** What is known of all ids of a document. */
interface KnownIds {
  /** The schemas of the path parameters that take the ids of a collection, by its key. */
  readonly parameters: ReadonlyMap<string, readonly Schema[]>
  readonly usual: readonly string[]
}

/** Each that looks different once. */
function schemasOfParameters(paths: readonly DocumentPath[]): KnownIds['parameters'] {
  const found = new Map<string, Map<string, Schema>>()
  for (const { segments, operations } of paths) {
    const declared = Object.values(operations).flatMap((operation) => operation.parameters)
    const schemas = new Map<string, Schema[]>()
    for (const { name, in: place, schema } of declared)
      if (place === 'path') schemas.set(name, [...(schemas.get(name) ?? []), schema.schema])
    for (const [index, segment] of segments.entries()) {
      const key = keyOf(segments.slice(0, index))
      for (const schema of schemas.get(parameterOf(segment) ?? '') ?? []) {
        const known = found.get(key) ?? new Map<string, Schema>()
        found.set(key, known.set(lookOf(schema), schema))
      }
    }
  }
  return new Map(Array.from(found, ([key, schemas]) => [key, [...schemas.values()]]))
}

/** What ids depend on. */
function lookOf(schema: Schema): string {
  const { type, format, pattern, minLength, maxLength, minimum, maximum } = schema
  return JSON.stringify([type, format, pattern, minLength, maxLength, minimum, maximum, partsOf(schema).size])
}

function readDraft(resolved: ResolvedDocument, collection: Collection, name: string, ids: KnownIds): Draft {
  const { path, key, segments, itemPath, isSingle, hint, roles } = collection
  const isNestedLess = segments.length < readPath(path).segments.length
  const { list, create, read, replace, merge } = roles
  const returned = recordIn(Object.entries({ read, create, replace, merge, list }) as [Role, typeof read][], hint)
  const record = returned ?? create?.request?.schema.schema ?? {}
  const recordSchemas = new Set(
    Object.entries(roles).flatMap(([role, operation]) => recordIn([[role as Role, operation]], hint) ?? []),
  )
  const operations: Operations = Object.fromEntries(
    Object.entries(roles).map(([role, operation]) => [
      role,
      toResourceOperation(operation, role as Role, hint, record),
    ]),
  )
  const id = readId(collection, operations, record, ids)
  return {
    name,
    noun: hint.noun,
    path,
    ...(itemPath !== undefined && { itemPath }),
    ...(isNestedLess && { itemParameters: segments.flatMap((segment) => parameterOf(segment) ?? []) }),
    ...(id.lookup && { itemParameters: [] }),
    isSingle,
    id,
    record: resolved.place(record),
    operations,
    ...(list && { list: readListParameters(list.parameters, record, list.description) }),
    key,
    segments,
    recordSchema: record,
    recordSchemas,
  }
}

function readId(
  collection: Collection,
  operations: Operations,
  record: Schema,
  { parameters, usual }: KnownIds,
): ResourceId {
  const { hint, isSingle, key } = collection
  const { parameter, noun } = hint
  const schemas = (parameter !== undefined && parameters.get(key)) || []
  const sent = WRITING.flatMap((role) => sentNames(operations[role]))
  const named = isSingle ? undefined : findId(parameter ?? 'id', noun, record, { schema: schemas[0], sent, usual })
  const lookup = readLookup(collection, operations, record)
  const property = lookup ? ['id'] : named
  const also = property && !lookup ? findOtherId(parameter ?? '', property, record) : undefined
  const choice = readChoice(property, operations.create)
  // A single record may have an id, too.
  const kind = describeId(
    [isSingle ? propertiesIn(record).get('id') : property && schemaAt(record, property), ...schemas],
    choice.isAccepted || !(operations.create || (operations.list && !operations.replace)),
  )
  return {
    ...(parameter !== undefined && { parameter }),
    ...(property && { property }),
    kind,
    ...choice,
    ...(lookup && { lookup }),
    ...(also !== undefined && { also }),
    canChange: choice.isChosen && kind.type === 'text' && property !== undefined && isChanged(property, operations),
  }
}

/** The same resource with another property as its id. */
export function withId(resource: Resource, property: readonly string[]): Resource {
  const { operations, record, sentAs } = resource
  const choice = readChoice(property, operations.create)
  const kind = describeId([schemaAt(record.schema, property)], choice.isAccepted)
  const canChange = choice.isChosen && kind.type === 'text' && isChanged(property, operations)
  const id = { ...resource.id, property, kind, ...choice, canChange }
  const writable = [...findWritable(operations, record.schema, id), ...Object.values(sentAs)]
  return { ...resource, id, writable: [...new Set(writable)] }
}

/** Two parameters at the end of a path that find a record by its names, if it has an id beside them. */
function readLookup(
  { itemPath, path, segments, hint, isSingle }: Collection,
  { list, create }: Operations,
  record: Schema,
): ResourceId['lookup'] {
  const outer = parameterOf(segments.at(-1))
  // The outer one is a collection of its own, if something lists what is in it.
  const hasOwnPath = (list ?? create) !== undefined && readPath(path).segments.at(-1) === segments.at(-1)
  if (isSingle || itemPath === undefined || outer === undefined || hasOwnPath) return undefined
  const parameters = [outer, hint.parameter ?? '']
  return propertiesIn(record).has('id') ? findLookup(parameters, hint.noun, record) : undefined
}

/** Whether a request that changes a record may contain another id: the new name of a user. What is called an id stays. */
function isChanged(property: readonly string[], { replace, merge }: Operations): boolean {
  if (property.length !== 1 || endsLikeId(property[0] ?? '')) return false
  const requests = [replace, merge].flatMap((operation) => (operation && sentSchema(operation)) ?? [])
  return requests.some((request) => {
    const sent = propertiesIn(request).get(property[0] ?? '')
    return sent !== undefined && !hasFlag(sent, 'readOnly')
  })
}

/** An id is chosen if the request requires it, or has one that is more than an id: the name of a user. */
export function readChoice(
  property: readonly string[] | undefined,
  create: ResourceOperation | undefined,
): Pick<ResourceId, 'isChosen' | 'isAccepted'> {
  const request = create && sentSchema(create)
  if (!property || !request || hasFlag(schemaAt(request, property), 'readOnly'))
    return { isChosen: false, isAccepted: false }
  const names = property.map((name, index) => {
    const schema = schemaAt(request, property.slice(0, index))
    return { name: findSpelling([...propertiesIn(schema).keys()], name) ?? name, schema }
  })
  const isRequired = names.every(({ name, schema }) => requiredIn(schema).has(name))
  const isAccepted = names.every(({ name, schema }) => propertiesIn(schema).has(name))
  return { isChosen: isRequired || (isAccepted && !endsLikeId(property.at(-1) ?? '')), isAccepted }
}

function findWritable(operations: Operations, record: Schema, { property, isChosen }: ResourceId): readonly string[] {
  const known = propertiesIn(record)
  const made = isChosen || property?.length !== 1 ? undefined : property[0]
  const sent = WRITING.flatMap((role) => sentNames(operations[role]))
  const isPatched = sent.length === 0 && operations.merge?.request !== undefined
  const patched = isPatched ? [...known].filter(([, schema]) => !hasFlag(schema, 'readOnly')).map(([name]) => name) : []
  return [...new Set([...sent, ...patched])].filter((name) => name !== made && (known.size === 0 || known.has(name)))
}

/** Properties of requests that the record has under another name. */
function findSentAs({ operations, recordSchema }: Draft, embedded: Resource['embedded']): Resource['sentAs'] {
  const requests = WRITING.flatMap((role) => (operations[role] && sentSchema(operations[role])) ?? [])
  return Object.assign({}, ...requests.map((request) => findOtherNames(request, recordSchema, embedded)))
}

/** The properties that a request can set. */
function sentNames(operation: ResourceOperation | undefined): readonly string[] {
  const request = operation && sentSchema(operation)
  const properties = request ? [...propertiesIn(request)] : []
  return properties.filter(([, schema]) => !hasFlag(schema, 'readOnly')).map(([name]) => name)
}

/** What a request holds inside its envelope. */
function sentSchema({ request }: ResourceOperation): Schema | undefined {
  return request && schemaAt(request.schema.schema, request.envelope)
}
