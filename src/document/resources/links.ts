import { oncePerIn, type Remembered } from '../../lib/functions.js'
import { groupBy, isObject } from '../../lib/values.js'
import {
  hasFlag,
  isObjectSchema,
  isScalar,
  itemsOf,
  propertiesIn,
  requiredIn,
  schemaAt,
  typesOf,
} from '../schema/facts.js'
import type { Schema } from '../schema/schema.js'
import { ATTACHING, DETACHING } from '../words/links.js'
import { PERSON } from '../words/people.js'
import { findList, findRecord, keyOf, parameterOf, readPath } from './envelopes.js'
import { endsLikeId, stemOf } from './find-ids.js'
import { normalize, nounOf, wordsOf } from './names.js'
import { findPeople } from './people.js'
import type { DocumentPath, Method, PathOperation } from './read-operations.js'
import type { Link, Resource } from './resource.js'

/** An operation that attaches existing records to another one, or detaches them. */
export interface LinkOperation {
  readonly kind: 'attach' | 'detach'
  readonly link: Link
  /** The resource whose record the path names: the one that holds the others, or one that is held. */
  readonly at: string
  /** The parameters of the path that name it, outermost first. */
  readonly parameters: readonly string[]
  /** The resource of what is attached to it. */
  readonly other: string
  /** Where a request names that: in a parameter of the path, or below these properties of the body. */
  readonly given: { readonly parameter: string } | { readonly property: readonly string[] }
  /** What the response is, or what its list consists of. Missing if it is something else. */
  readonly shows?: string
}

/** What is known of the resources of a document when its links are read. */
interface Known {
  readonly byItemPath: ReadonlyMap<string, Resource>
  readonly byNoun: ReadonlyMap<string, readonly Resource[]>
  readonly byName: ReadonlyMap<string, Resource>
  readonly people: Resource | undefined
  /** The lists below an item, by its key. */
  readonly listsBelow: ReadonlyMap<string, readonly Resource[]>
}

const MAX_NAMESAKES = 20

const knownOf: Remembered<readonly Resource[], Known> = new WeakMap()
const readKnown = (resources: readonly Resource[]) => oncePerIn(knownOf, resources, indexAll)

function indexAll(resources: readonly Resource[]): Known {
  const withItems = resources.filter(({ itemPath, isSingle }) => itemPath !== undefined && !isSingle)
  const targets = withItems
    .filter(({ id, operations }) => id.property && (operations.read ?? operations.list ?? operations.create))
    .sort((a, b) => readPath(a.path).segments.length - readPath(b.path).segments.length)
  const groups = groupBy(targets, ({ noun }) => normalize(noun))
  // Of more with the same name, which is meant cannot be told.
  const byNoun = new Map(Array.from(groups, ([noun, group]) => [noun, group.slice(0, MAX_NAMESAKES)]))
  return {
    byItemPath: new Map(withItems.map((each) => [readPath(each.itemPath as string).key, each])),
    byNoun,
    byName: new Map(targets.map((each) => [each.name, each])),
    people: findPeople(targets)[0],
    listsBelow: groupBy(
      resources.filter(({ operations }) => operations.list),
      ({ path }) => keyOf(readPath(path).segments.slice(0, -1)),
    ),
  }
}

/**
 * The resources, where those whose items live elsewhere are lists of these, and what attaches and detaches them is none of
 * their operations.
 */
export function separateLinks(paths: readonly DocumentPath[], resources: readonly Resource[]): readonly Resource[] {
  const operations = findLinkOperations(paths, resources)
  const freed = new Set(operations.map(({ operationId }) => operationId))
  const links = new Map(operations.map(({ link }) => [`${link.holder} ${link.name}`, link]))
  const separated = resources.flatMap((resource) => {
    const own = separate(resource, freed)
    if (own === undefined) return []
    const list = readLinkedList(own, resources, [...links.values()])
    if (list.link) links.set(`${list.link.holder} ${list.link.name}`, list.link)
    return [list]
  })
  const examples = groupBy(findExamples(paths, operations), ({ resource }) => resource)
  const names = new Set(separated.map(({ name }) => name))
  const held = groupBy([...links.values()], ({ holder }) => holder)
  return separated.map((resource) => {
    const own = held.get(resource.name)
    const isKept = resource.storedIn === undefined || names.has(resource.storedIn)
    const { storedIn: _, ...alone } = resource
    const ids = examples.get(resource.name)?.map(({ example }) => example)
    return {
      ...(isKept ? resource : alone),
      ...(ids && { id: { ...resource.id, examples: ids } }),
      ...(own && { links: Object.fromEntries(own.map(({ name, held: to }) => [name, to])) }),
    }
  })
}

/** The ids in the document's examples of requests that attach or detach: a client that sends one finds its record. */
function findExamples(paths: readonly DocumentPath[], operations: readonly NamedOperation[]) {
  const requests = new Map(
    paths.flatMap((path) => Object.values(path.operations).map(({ name, request }) => [name, request] as const)),
  )
  return operations.flatMap(({ operationId, other, given }) => {
    const request = requests.get(operationId)
    if (request === undefined || !('property' in given)) return []
    const named = schemaAt(request.schema.schema, given.property)
    const found = [named, itemsOf(named)].flatMap(
      (schema) => (schema as { readonly example?: unknown } | undefined)?.example,
    )
    return found.flatMap((example) => (isObject(example) || example == null ? [] : [{ resource: other, example }]))
  })
}

/** A resource without operations that attach and detach; undefined if nothing is left. */
function separate(resource: Resource, freed: ReadonlySet<string>): Resource | undefined {
  const all = Object.entries(resource.operations)
  const kept = all.filter(([, { operationId }]) => !freed.has(operationId))
  if (kept.length === all.length) return resource
  if (kept.length === 0) return undefined
  const isOnlyList = kept.every(([role]) => role === 'list')
  const { itemPath: _, ...others } = resource
  return { ...(isOnlyList ? others : resource), operations: Object.fromEntries(kept), writable: [] }
}

/** A list below a record, of records that live elsewhere and are held by that record, or hold it. */
function readLinkedList(resource: Resource, resources: readonly Resource[], links: readonly Link[]): Resource {
  const { segments } = readPath(resource.path)
  const word = segments.at(-1) ?? ''
  const known = readKnown(resources)
  const at = known.byItemPath.get(keyOf(segments.slice(0, -1)))
  const canBe = Object.keys(resource.operations).every((role) => role === 'list' || role === 'read')
  if (!at || !canBe || resource.isSingle || resource.operations.list === undefined) return resource
  const named = links.find(({ holder, name }) => holder === at.name && isCalled(name, word))
  const other =
    resources.find(({ name, record }) => name === named?.held && isLikeRecordOf(resource, record.schema)) ??
    findOther(word, undefined, at, [resource.record.schema], known, resource)
  if (other === undefined) return resource
  const link = links.find((each) => isBetween(each, at, other, word)) ?? findHolder(at, other, word)
  if (link === undefined) return resource
  const parameters = segments.flatMap((segment) => parameterOf(segment) ?? [])
  const { hasUnknownIds: _, ...others } = resource
  return {
    ...others,
    id: { ...other.id, parameter: resource.id.parameter },
    parents: [],
    storedIn: other.storedIn ?? other.name,
    link,
    below: { resource: at.name, parameters },
  }
}

function isBetween({ holder, held, name }: Link, at: Resource, other: Resource, word: string): boolean {
  if (holder === at.name && held === other.name) return isCalled(name, word) || isCalled(other.noun, word)
  return holder === other.name && held === at.name && isCalled(other.noun, word)
}

const isCalled = (name: string, word: string) => normalize(nounOf(name)) === normalize(nounOf(word))

type NamedOperation = LinkOperation & { readonly operationId: string }

/** What attaches and detaches records. */
export function findLinkOperations(
  paths: readonly DocumentPath[],
  resources: readonly Resource[],
): readonly NamedOperation[] {
  const known = readKnown(resources)
  const claimed = new Map(
    resources.flatMap((resource) =>
      Object.entries(resource.operations).map(([role, { operationId }]) => [operationId, { resource, role }] as const),
    ),
  )
  const found = paths.flatMap((path) =>
    (['put', 'post', 'delete'] as const).flatMap((method) => {
      const operation = path.operations[method]
      const link = operation && readLinkOperation(path, method, operation, known)
      return link ? [{ ...link, operationId: operation.name, path }] : []
    }),
  )
  const attached = new Set(
    found.filter(({ kind }) => kind === 'attach').map(({ link }) => `${link.holder} ${link.name}`),
  )
  return found.flatMap(({ path: _, ...each }) => {
    const { resource, role } = claimed.get(each.operationId) ?? {}
    // What is deleted is not detached, unless it can be attached.
    if (each.kind === 'detach' && !attached.has(`${each.link.holder} ${each.link.name}`)) return []
    if (resource && role && isOwn(resource, role, found)) return []
    return [each]
  })
}

/** Whether a resource has records of its own, which these operations create, change or delete. */
function isOwn({ operations }: Resource, role: string, found: readonly { readonly operationId: string }[]): boolean {
  const isFound = (name: 'create' | 'replace') =>
    found.some(({ operationId }) => operationId === operations[name]?.operationId)
  if (operations.merge) return true
  if (operations.create && !isFound('create')) return true
  return role !== 'replace' && operations.replace !== undefined && !isFound('replace')
}

function readLinkOperation(
  path: DocumentPath,
  method: Method,
  operation: PathOperation,
  known: Known,
): LinkOperation | undefined {
  const { segments } = path
  const parameter = parameterOf(segments.at(-1))
  return parameter === undefined
    ? readByBody(path, method, operation, known)
    : readByPath(path, method, operation, known, parameter)
}

/** `PUT /tasks/{id}/tags/{tagId}` */
function readByPath(
  { segments, operations }: DocumentPath,
  method: Method,
  operation: PathOperation,
  known: Known,
  parameter: string,
): LinkOperation | undefined {
  const word = segments.at(-2) ?? ''
  const at = known.byItemPath.get(keyOf(segments.slice(0, -2)))
  if (!at || parameterOf(word) !== undefined || operations.patch) return undefined
  const kind = method === 'delete' ? 'detach' : 'attach'
  if (kind === 'attach' && holdsRecord(operation)) return undefined
  const own = known.byItemPath.get(keyOf(segments))
  const schemas = schemasOf(operation, word, parameter)
  const shown = own?.operations.list || own?.operations.read ? [own.record.schema] : []
  const other = findOther(word, parameter, at, shown, known, own)
  if (other === undefined || (kind === 'attach' && !fits(schemas, at, other))) return undefined
  const link = findHolder(at, other, word) ?? besideOf(at, other, word)
  return { ...base(kind, link, at, other, segments.slice(0, -2), schemas), given: { parameter } }
}

/** `POST /tasks/{id}/tags` and `POST /tasks/{id}/addTag`, with the id of a tag in the body. */
function readByBody(
  { segments }: DocumentPath,
  method: Method,
  operation: PathOperation,
  known: Known,
): LinkOperation | undefined {
  const last = segments.at(-1) ?? ''
  const [verb = '', ...rest] = wordsOf(last)
  const isVerb = ATTACHING.test(verb) || DETACHING.test(verb)
  const place = isVerb && rest.length === 0 ? segments.slice(0, -2) : segments.slice(0, -1)
  const word = isVerb ? (rest.length === 0 ? (segments.at(-2) ?? '') : rest.join('_')) : last
  const at = known.byItemPath.get(keyOf(place))
  if (!at || operation.request === undefined || parameterOf(word) !== undefined || (method === 'put' && !isVerb))
    return undefined
  const kind = method === 'delete' || DETACHING.test(verb) ? 'detach' : 'attach'
  const lists = (known.listsBelow.get(keyOf(place)) ?? []).filter(({ path }) =>
    isCalled(path.split('/').at(-1) ?? '', word),
  )
  const shown = lists.map(({ record }) => record.schema)
  const other = findOther(word, undefined, at, shown, known, lists[0])
  const property = other && findNaming(operation.request.schema.schema, other, word, isVerb)
  if (other === undefined || property === undefined) return undefined
  const schemas = schemasOf(operation, word)
  if (!isVerb && !fits(schemas, at, other)) return undefined
  const link = findHolder(at, other, word) ?? besideOf(at, other, word)
  return { ...base(kind, link, at, other, place, schemas), given: { property } }
}

function base(
  kind: LinkOperation['kind'],
  link: Link,
  at: Resource,
  other: Resource,
  place: readonly string[],
  schemas: readonly Schema[],
): Omit<LinkOperation, 'given'> {
  const [shows] = [other, at]
    .map((each) => ({ name: each.name, score: Math.max(...schemas.map((schema) => likeness(each, schema)), 0) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
  return {
    kind,
    link,
    at: at.name,
    parameters: place.flatMap((segment) => parameterOf(segment) ?? []),
    other: other.name,
    ...(shows && { shows: shows.name }),
  }
}

/** Whether a request has more than the name of a record. */
function holdsRecord({ request }: PathOperation): boolean {
  return request !== undefined && propertiesIn(request.schema.schema).size > 0
}

/** The records in the responses of an operation. */
function schemasOf({ successes }: PathOperation, word: string, parameter?: string): readonly Schema[] {
  const hint = { collection: word, noun: nounOf(word), parameter }
  return successes.flatMap(({ body }) => {
    if (!body) return []
    const { schema } = body.schema
    const list = findList(schema, hint)
    const items = list && itemsOf(schemaAt(schema, list))
    if (items && typesOf(schemaAt(schema, list)).has('array') && list.length === 0) return [items]
    return [schemaAt(schema, findRecord(schema, hint)), ...(items ? [items] : [])]
  })
}

/** Whether a response is one of the two records, or says nothing. */
function fits(schemas: readonly Schema[], at: Resource, other: Resource): boolean {
  const records = schemas.filter((schema) => propertiesIn(schema).size > 1)
  return records.length === 0 || records.some((schema) => isLikeRecordOf(other, schema) || isLikeRecordOf(at, schema))
}

/** Whether a schema describes records of a resource, or a part of each: by most of its names, less strictly than `isRecordOf`. */
export const isLikeRecordOf = (resource: Resource, schema: Schema) => likeness(resource, schema) > 0

/** How many properties a schema shares with records of a resource; 0 if these are not most of them. */
function likeness({ record, id }: Resource, schema: Schema): number {
  if (schema === record.schema) return Number.POSITIVE_INFINITY
  const [known, names] = [propertiesIn(record.schema), [...propertiesIn(schema).keys()]]
  const [first] = id.property ?? []
  if (first === undefined || !names.includes(first) || !known.has(first)) return 0
  const shared = names.filter((name) => known.has(name)).length
  return shared * 3 >= Math.min(names.length, known.size) * 2 ? shared : 0
}

/** The resource whose records are attached: that of the parameter, of the word, or of the list with this name. */
function findOther(
  word: string,
  parameter: string | undefined,
  at: Resource,
  shown: readonly Schema[],
  { byNoun, byName, people }: Known,
  own: Resource | undefined,
): Resource | undefined {
  const nouns = [...(parameter === undefined ? [] : [stemOf(parameter)]), normalize(nounOf(word))]
  const named = nouns.flatMap((noun) => byNoun.get(noun) ?? [])
  const isPerson = nouns.some((noun) => PERSON.test(noun))
  const candidates = [...named, ...(isPerson && people ? [people] : [])]
  const embedded = [...propertiesIn(at.record.schema)].find(([name]) => isCalled(name, word))
  const held = embedded && byName.get(at.embedded[embedded[0]] ?? '')
  return [...(held ? [held] : []), ...candidates].find(
    (each) => each !== own && each.name !== own?.name && shown.every((schema) => isLikeRecordOf(each, schema)),
  )
}

/** The property that holds records, or their ids: in the record of the path, or in what is attached to it. */
function findHolder(at: Resource, other: Resource, word: string): Link | undefined {
  const own = findListOf(at, other, [normalize(nounOf(word)), normalize(other.noun)])
  if (own !== undefined) return { holder: at.name, name: own, held: other.name }
  const back = isCalled(other.noun, word) ? findListOf(other, at, [normalize(at.noun)]) : undefined
  return back === undefined ? undefined : { holder: other.name, name: back, held: at.name }
}

/** What no property holds is kept beside the record of the path. */
function besideOf(at: Resource, other: Resource, word: string): Link {
  const name = isCalled(other.noun, word) ? other.name : word
  return { holder: at.name, name, held: other.name }
}

function findListOf({ record }: Resource, other: Resource, nouns: readonly string[]): string | undefined {
  const lists = [...propertiesIn(record.schema)].filter(([, schema]) => isListOf(schema, other))
  for (const noun of nouns) {
    const found = lists.find(([name]) => [normalize(nounOf(name)), normalize(nounOf(stemOf(name)))].includes(noun))
    if (found) return found[0]
  }
  return undefined
}

function isListOf(schema: Schema, { id }: Resource): boolean {
  const items = typesOf(schema).has('array') ? itemsOf(schema) : undefined
  if (items === undefined) return false
  return isScalar(items) || (isObjectSchema(items) && propertiesIn(items).has(id.property?.[0] ?? ''))
}

/** The properties of a request that lead to the id of a record of another resource. */
function findNaming(body: Schema, other: Resource, word: string, isVerb: boolean): readonly string[] | undefined {
  const found = findNamed(body, other, word, isVerb)
  if (found) return found
  const properties = [...propertiesIn(body)]
  const [only] = properties
  if (properties.length !== 1 || !only || !isObjectSchema(only[1])) return undefined
  const inner = findNamed(only[1], other, word, isVerb)
  return inner && [only[0], ...inner]
}

function findNamed(body: Schema, other: Resource, word: string, isVerb: boolean): readonly string[] | undefined {
  const properties = [...propertiesIn(body)].filter(([, schema]) => !hasFlag(schema, 'readOnly'))
  const required = requiredIn(body)
  const found = properties.find(([name, schema]) => names(name, schema, other, word))
  if (found === undefined) return undefined
  // A request with more than the name of a record describes another record.
  const others = properties.filter(([name]) => name !== found[0] && required.has(name))
  const isOnly = properties.length === 1 || (required.has(found[0]) && others.every(([name]) => endsLikeId(name)))
  const isChosen = other.id.isAccepted && found[0] === other.id.property?.[0] && !endsLikeId(found[0])
  return isVerb || (isOnly && !isChosen) ? [found[0]] : undefined
}

function names(name: string, schema: Schema, other: Resource, word: string): boolean {
  const part = itemsOf(schema) ?? schema
  const isId = isScalar(part) || (isObjectSchema(part) && propertiesIn(part).has(other.id.property?.[0] ?? ''))
  const nouns = [normalize(other.noun), normalize(nounOf(word))]
  const stem = endsLikeId(name) && wordsOf(name).length === 1 ? '' : normalize(nounOf(stemOf(name)))
  return isId && (stem === '' || nouns.includes(stem) || name === other.id.property?.[0])
}
