import { oncePerIn, type Remembered } from '../../lib/functions.js'
import { areSimilar, propertiesIn, schemaAt } from '../schema/facts.js'
import type { Schema } from '../schema/schema.js'
import { VERSION } from '../words/ids.js'
import { parameterOf, readPath } from './envelopes.js'
import { normalize } from './names.js'
import type { Resource, ResourceId } from './resource.js'

/** What decides which resource keeps the records of another. */
export type Stored = Pick<
  Resource,
  'name' | 'noun' | 'path' | 'itemPath' | 'itemParameters' | 'id' | 'isSingle' | 'parents' | 'operations'
> & {
  readonly recordSchema: Schema
  /** All schemas that its responses have for a record. */
  readonly recordSchemas: ReadonlySet<Schema>
}

/**
 * The resources whose records others show as well, by the names of these: the same schema of a record is one collection on all
 * its paths.
 */
export function findStores(all: readonly Stored[]): ReadonlyMap<string, string> {
  const bySchema = new Map<Schema, readonly Stored[]>()
  /** Those below no parent, which can keep similar records of the same name. */
  const flatByNoun = new Map<string, readonly Stored[]>()
  const stores = new Map<string, string>()
  for (const resource of all.filter(({ isSingle }) => !isSingle).sort(compareRanks)) {
    const noun = normalize(resource.noun)
    const namesakes = flatByNoun.get(noun) ?? []
    const related = [...new Set([...resource.recordSchemas].flatMap((schema) => bySchema.get(schema) ?? []))]
    const store =
      related.find((other) => normalize(other.noun) === noun && keepsNamesakes(other, resource)) ??
      namesakes.find((other) => keepsSimilar(other, resource)) ??
      onlyOne(withItems(related.filter((other) => keepsOthers(other, resource))))
    if (store) {
      stores.set(resource.name, store.name)
      continue
    }
    if (parametersIn(resource).length === 0) flatByNoun.set(noun, [...namesakes, resource])
    for (const schema of resource.recordSchemas) bySchema.set(schema, [...(bySchema.get(schema) ?? []), resource])
  }
  return stores
}

/**
 * Those that can keep the records of others first: with paths for their items that are below no parent, complete ones before
 * others; then those below parents, then lists.
 */
function compareRanks(one: Stored, other: Stored): number {
  return rankOf(one) - rankOf(other) || one.path.length - other.path.length
}

function rankOf(resource: Stored): number {
  const depth = parametersIn(resource).length
  const isPart = Number(!isComplete(resource))
  if (!hasItems(resource)) return 300 + depth
  return depth === 0 ? isPart : 100 + 100 * isPart + depth
}

const isComplete = ({ itemPath, operations: { list, create } }: Stored) =>
  itemPath !== undefined && Boolean(list ?? create)

/** Whether a path shows or changes a record. One that only removes it may be that of a link. */
const hasItems = ({ itemPath, operations: { read, replace, merge } }: Stored) =>
  itemPath !== undefined && Boolean(read ?? replace ?? merge)

const isOnlyList = ({ operations }: Stored) => Object.keys(operations).every((role) => role === 'list')

const parameters: Remembered<Stored, readonly string[]> = new WeakMap()

const parametersIn = (resource: Stored) => oncePerIn(parameters, resource, readParameters)

/** Without those that only the list has: `/tasks/{taskId}` of `/projects/{projectId}/tasks` is in no other collection. */
function readParameters({ path, itemParameters }: Stored): readonly string[] {
  return itemParameters ?? readPath(path).segments.flatMap((segment) => parameterOf(segment) ?? [])
}

/** The same path apart from a version: `/v1/media` and `/v2/media`. */
function isOtherVersion(one: Stored, other: Stored): boolean {
  const withoutVersion = ({ path }: Stored) => readPath(path).segments.filter((segment) => !VERSION.test(segment))
  return withoutVersion(one).join('/') === withoutVersion(other).join('/')
}

/**
 * Two complete collections are two, even if they have the same records: articles and drafts of articles. Ids of one in no other
 * are unique in all that are nested.
 */
function keepsNamesakes(store: Stored, resource: Stored): boolean {
  if (isLink(store, resource)) return false
  if (!isComplete(resource)) return canSelect(store, resource)
  const isFlat = parametersIn(store).length === 0
  return isOtherVersion(store, resource) || (isFlat && parametersIn(resource).length > 0)
}

/** A path that only removes is that of a link to a record, if the record itself is removed elsewhere. */
const isLink = ({ operations }: Stored, resource: Stored) =>
  resource.itemPath !== undefined && !hasItems(resource) && operations.remove !== undefined

/** Whether a list shows what it should: one below a parent in which nothing is created would always be empty. */
function canSelect(store: Stored, resource: Stored): boolean {
  const isSelectable = store.itemPath !== undefined || resource.parents.every(({ property }) => property !== undefined)
  return isSelectable || !isOnlyList(resource)
}

/** The same for records below no parent that are not described by the same schema: lists often have less of each. */
function keepsSimilar(store: Stored, resource: Stored): boolean {
  if (readPath(resource.path).segments.length <= readPath(store.path).segments.length) return false
  const isNested = store.itemParameters !== undefined && (resource.operations.list ?? resource.operations.create)
  if (resource.itemPath !== undefined && (!hasItems(resource) || (store.operations.create && !isNested))) return false
  return (
    canSelect(store, resource) &&
    store.id.kind.type === resource.id.kind.type &&
    hasSameId(store.id, resource.id) &&
    areSimilar(store.recordSchema, resource.recordSchema)
  )
}

/** What is called otherwise: lists, what is created below a parent, and other ways to find a record. */
function keepsOthers(store: Stored, resource: Stored): boolean {
  const { path, itemPath, id, operations, parents, recordSchema } = resource
  if (isComplete(resource) || !hasId(recordSchema, store.id)) return false
  if (itemPath !== undefined)
    return id.property !== undefined && hasItems(resource) && hasItems(store) && path.startsWith(`${store.path}/`)
  if (parents.length === 0) return operations.create === undefined
  return store.itemPath !== undefined && path !== store.path
}

function hasId(schema: Schema, { property }: ResourceId): boolean {
  const [name, ...inner] = property ?? []
  return name !== undefined && propertiesIn(schemaAt(schema, inner.length > 0 ? [name] : [])).has(inner[0] ?? name)
}

export function hasSameId({ property }: ResourceId, other: ResourceId): boolean {
  return property?.join() === other.property?.join()
}

/** Those with paths for their items, if there are any. */
function withItems(found: readonly Stored[]): readonly Stored[] {
  const shown = found.filter(hasItems)
  return shown.length > 0 ? shown : found
}

const onlyOne = <T>(found: readonly T[]): T | undefined => (found.length === 1 ? found[0] : undefined)
