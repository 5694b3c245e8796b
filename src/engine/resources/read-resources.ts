import type { Schema } from '../contract/schema.js'
import { type Collection, findCollections } from './collections.js'
import { describeId } from './describe-id.js'
import { createDocumentReader, type DocumentReader } from './document-reader.js'
import { findEmbedded, findOtherNames } from './embedded.js'
import { schemaAt } from './envelopes.js'
import { endsLikeId, findId } from './find-id.js'
import { readListParameters } from './list-parameters.js'
import { findSpelling, nameCollections } from './names.js'
import { parameterOf, readPath } from './path-template.js'
import { readPaths } from './read-operations.js'
import { findKnown, findParents, findReferences, groupByNoun } from './relations.js'
import type { Resource, ResourceId, ResourceOperation, Role } from './resource.js'
import { recordIn, toResourceOperation } from './roles.js'
import { hasFlag, propertiesIn, requiredIn } from './schema-facts.js'
import { findStore } from './shared-records.js'

/** The operations whose requests hold properties of a record. */
const WRITING = ['create', 'replace', 'merge'] as const

type Operations = Resource['operations']

/** A resource, and what its relations to others are read from. */
type Draft = Omit<Resource, 'parents' | 'references' | 'embedded' | 'sentAs'> &
  Pick<Collection, 'key' | 'segments'> & { readonly recordSchema: Schema }

/** The resources of an OpenAPI 3.0 or 3.1 document, in the order of its paths. */
export function readResources(document: object): Resource[] {
  const reader = createDocumentReader(document)
  const collections = findCollections(readPaths(reader))
  const names = nameCollections(collections.map(({ segments }) => segments))
  const drafts = collections.map((collection, index) => readDraft(reader, collection, names[index] ?? ''))
  const known = findKnown(drafts)
  const byNoun = groupByNoun(drafts)
  return drafts.map((draft) => {
    const { key: _key, segments: _segments, recordSchema: _schema, ...resource } = draft
    const parents = findParents(draft, known)
    const storedIn = findStore(draft, parents, byNoun)
    const embedded = findEmbedded(draft, byNoun)
    const sentAs = findSentAs(draft, embedded)
    return {
      ...resource,
      ...(!draft.isSingle && !known.includes(draft) && { hasUnknownIds: true }),
      writable: [...new Set([...draft.writable, ...Object.values(sentAs)])],
      parents,
      embedded,
      sentAs,
      references: findReferences(draft, byNoun),
      ...(storedIn !== undefined && { storedIn }),
    }
  })
}

function readDraft(reader: DocumentReader, collection: Collection, name: string): Draft {
  const { path, key, segments, itemPath, isSingle, hint, roles } = collection
  const isNestedLess = segments.length < readPath(path).segments.length
  const { list, create, read, replace, merge } = roles
  const returned = recordIn(Object.entries({ read, create, replace, merge, list }) as [Role, typeof read][], hint)
  const record = returned ?? create?.request?.schema.schema ?? {}
  const operations: Operations = Object.fromEntries(
    Object.entries(roles).map(([role, operation]) => [
      role,
      toResourceOperation(operation, role as Role, hint, record),
    ]),
  )
  const id = readId(collection, operations, record)
  return {
    name,
    noun: hint.noun,
    path,
    ...(itemPath !== undefined && { itemPath }),
    ...(isNestedLess && { itemParameters: segments.flatMap((segment) => parameterOf(segment) ?? []) }),
    isSingle,
    id,
    record: reader.place(record),
    writable: findWritable(operations, record, id),
    operations,
    ...(list && { list: readListParameters(list.parameters, record) }),
    key,
    segments,
    recordSchema: record,
  }
}

function readId({ hint, isSingle, roles }: Collection, operations: Operations, record: Schema): ResourceId {
  const { parameter, noun } = hint
  const parameters = Object.values(roles).flatMap((operation) => operation.parameters)
  const schema = parameters.find(({ name, in: place }) => place === 'path' && name === parameter)?.schema.schema
  const property = isSingle ? undefined : findId(parameter ?? 'id', noun, record, schema)
  const choice = readChoice(property, operations.create)
  // A single record may have an id, too.
  const kind = describeId(
    [isSingle ? propertiesIn(record).get('id') : property && schemaAt(record, property), schema],
    choice.isAccepted || !(operations.create || (operations.list && !operations.replace)),
  )
  return {
    ...(parameter !== undefined && { parameter }),
    ...(property && { property }),
    kind,
    ...choice,
    canChange: choice.isChosen && kind.type === 'text' && property !== undefined && isChanged(property, operations),
  }
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
function readChoice(
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
  const sent = WRITING.flatMap((role) => {
    const request = operations[role] && sentSchema(operations[role])
    return request
      ? [...propertiesIn(request)].filter(([, schema]) => !hasFlag(schema, 'readOnly')).map(([name]) => name)
      : []
  })
  const isPatched = sent.length === 0 && operations.merge?.request !== undefined
  const patched = isPatched ? [...known].filter(([, schema]) => !hasFlag(schema, 'readOnly')).map(([name]) => name) : []
  return [...new Set([...sent, ...patched])].filter((name) => name !== made && (known.size === 0 || known.has(name)))
}

/** Properties of requests that the record has under another name. */
function findSentAs({ operations, recordSchema }: Draft, embedded: Resource['embedded']): Resource['sentAs'] {
  const requests = WRITING.flatMap((role) => (operations[role] && sentSchema(operations[role])) ?? [])
  return Object.assign({}, ...requests.map((request) => findOtherNames(request, recordSchema, embedded)))
}

/** What a request holds inside its envelope. */
function sentSchema({ request }: ResourceOperation): Schema | undefined {
  return request && schemaAt(request.schema.schema, request.envelope)
}
