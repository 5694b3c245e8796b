import { groupBy } from '../../lib/values.js'
import { areSimilar } from '../schema/facts.js'
import { findList, type Hint, keyOf, parameterOf } from './envelopes.js'
import { nounOf } from './names.js'
import { isMePath } from './people.js'
import type { DocumentPath } from './read-operations.js'
import { type Roles, recordIn, rolesOfCollection, rolesOfList, rolesOfMe, rolesOfSingle } from './roles.js'

/** A path that holds records, and what its operations do. */
export interface Collection {
  /** Of the operations that list and create. */
  readonly path: string
  /** The path of its items without the last segment. */
  readonly segments: readonly string[]
  readonly key: string
  readonly itemPath?: string | undefined
  readonly isSingle: boolean
  readonly hint: Hint
  readonly roles: Roles
}

type Paths = ReadonlyMap<string, DocumentPath>

/** The collections, lists without items and single records of a document, as it has them. */
export function findCollections(paths: readonly DocumentPath[]): readonly Collection[] {
  const byKey: Paths = new Map([...paths].reverse().map((path) => [path.key, path]))
  const withLists = pairItems(paths, byKey)
  const paired = new Set([...withLists.values()].map(({ key }) => key))
  const seen = new Set<string>()
  const found = paths.flatMap((path) => {
    const segments = isItem(path, byKey) ? path.segments.slice(0, -1) : path.segments
    const key = keyOf(segments)
    if (seen.has(key) || paired.has(key)) return []
    seen.add(key)
    const item = byKey.get(`${key}/{}`)
    if (!item || !isItem(item, byKey)) return readPathWithoutItems(path) ?? []
    return readCollection(segments, item, withLists.get(item) ?? findOwn(key, byKey)) ?? []
  })
  return [...found, ...findCreates(paths, byKey, found)]
}

/** Other paths that create records of a collection, by its name and its schema: `POST /v2/media` for `/v1/media/{id}`. */
function findCreates(paths: readonly DocumentPath[], byKey: Paths, found: readonly Collection[]): Collection[] {
  const claimed = new Set(found.flatMap(({ roles }) => Object.values(roles)))
  const byName = groupBy(
    found.filter(({ itemPath }) => itemPath !== undefined),
    ({ hint }) => hint.collection,
  )
  return paths.flatMap((path): Collection[] => {
    const { segments, key, operations } = path
    const { post } = operations
    const namesakes = byName.get(segments.at(-1) ?? '') ?? []
    if (!post || claimed.has(post) || namesakes.length === 0 || isItem(path, byKey)) return []
    const hint = hintFor(segments)
    const created = recordIn([['create', post]], hint)
    const isSame = namesakes.some(({ roles: { read, list }, hint }) => {
      const shown = [recordIn([['read', read]], hint), recordIn([['list', list]], hint)]
      return created !== undefined && shown.includes(created)
    })
    return isSame ? [{ path: path.path, segments, key, isSingle: false, hint, roles: { create: post } }] : []
  })
}

/**
 * The path that lists or creates the items of a path that is nested less: `/projects/{projectId}/tasks` for `/tasks/{taskId}`.
 * One that creates comes first.
 */
function pairItems(paths: readonly DocumentPath[], byKey: Paths): ReadonlyMap<DocumentPath, DocumentPath> {
  const withoutItems = paths
    .filter((path) => !byKey.has(`${path.key}/{}`))
    .sort((a, b) => Number(b.operations.post !== undefined) - Number(a.operations.post !== undefined))
  /** By their last segment, and each that they have: the paths of a large document are not compared with each other. */
  const bySegments = groupBy(
    withoutItems.flatMap((path) =>
      [...new Set(path.segments)].map((segment) => ({ path, key: `${path.segments.at(-1)}/${segment}` })),
    ),
    ({ key }) => key,
  )
  const pairs = new Map<DocumentPath, DocumentPath>()
  for (const item of paths) {
    if (!isItem(item, byKey)) continue
    const segments = item.segments.slice(0, -1)
    // What schemas say takes longer to read: it comes last.
    const [candidates = []] = segments
      .map((segment) => bySegments.get(`${segments.at(-1)}/${segment}`) ?? [])
      .sort((a, b) => a.length - b.length)
    const nested = candidates.map(({ path }) => path).filter((path) => isNestedMore(path.segments, segments))
    const name = lastLiteral(segments)
    const namesakes = bySegments.get(`${name}/${name}`)?.map(({ path }) => path) ?? []
    if (nested.length + namesakes.length === 0) continue
    const { list, create } = rolesOf(segments, item, findOwn(keyOf(segments), byKey))
    if (list || create) continue
    const isList = (path: DocumentPath) => readPathWithoutItems(path)?.isSingle === false
    const pair =
      nested.find((path) => isList(path) && haveSameRecords(path, item)) ??
      namesakes.find((path) => isList(path) && haveSameRecords(path, item, true))
    if (pair) pairs.set(item, pair)
  }
  return pairs
}

/** Whether both end the same, and the first has all parameters of the second, and more. */
function isNestedMore(segments: readonly string[], others: readonly string[]): boolean {
  return (
    segments.at(-1) === others.at(-1) &&
    segments.length > others.length &&
    others.every((segment) => segments.includes(segment))
  )
}

/** Where their paths do not say the same, only by the very schema. */
function haveSameRecords({ operations: { get, post } }: DocumentPath, item: DocumentPath, isBySchema = false): boolean {
  const segments = item.segments.slice(0, -1)
  const hint = hintFor(segments, parameterOf(item.segments.at(-1)))
  const { read, replace, merge } = rolesOf(segments, item)
  const listed = recordIn(
    [
      ['create', post],
      ['list', get],
    ],
    hint,
  )
  const single = recordIn(
    [
      ['read', read],
      ['replace', replace],
      ['merge', merge],
    ],
    hint,
  )
  if (isBySchema) return listed !== undefined && listed === single
  return listed !== undefined && (single === undefined || areSimilar(listed, single))
}

function findOwn(key: string, byKey: Paths): DocumentPath | undefined {
  const own = byKey.get(key)
  return own && !isItem(own, byKey) ? own : undefined
}

function rolesOf(segments: readonly string[], item: DocumentPath, collection?: DocumentPath): Roles {
  const hint = hintFor(segments, parameterOf(item.segments.at(-1)))
  return rolesOfCollection(collection?.operations ?? {}, item.operations, hint)
}

function readCollection(
  segments: readonly string[],
  item: DocumentPath,
  collection: DocumentPath | undefined,
): Collection | undefined {
  const key = keyOf(segments)
  const hint = hintFor(segments, parameterOf(item.segments.at(-1)))
  const roles = rolesOf(segments, item, collection)
  const isUsable = roles.list ?? roles.read ?? (roles.create && (roles.replace ?? roles.merge ?? roles.remove))
  if (!isUsable) return undefined
  const path = collection?.path ?? `/${segments.join('/')}`
  return { path, segments, key, itemPath: item.path, isSingle: false, hint, roles }
}

function readPathWithoutItems({ path, segments, key, operations }: DocumentPath): Collection | undefined {
  if (/[{*:]/.test(segments.at(-1) ?? '')) return undefined
  const hint = hintFor(segments)
  const single = rolesOfSingle(operations, hint) ?? (isMePath(segments) ? rolesOfMe(operations, hint) : undefined)
  const roles = single ?? rolesOfList(operations, hint)
  return roles && { path, segments, key, isSingle: single !== undefined, hint, roles }
}

/** A path that ends with a parameter is that of an item, unless it has items itself: `/objects/{type}/{id}`. */
function isItem({ segments, key, operations: { get, post } }: DocumentPath, byKey: Paths): boolean {
  const parameter = parameterOf(segments.at(-1))
  if (parameter === undefined) return false
  // The items of `/`, if it is a collection.
  if (segments.length === 1) return byKey.get('')?.operations.post !== undefined
  if (!byKey.has(`${key}/{}`)) return true
  const body = get?.successes[0]?.body?.schema.schema
  if (body && findList(body, hintFor(segments))) return false
  return !post || (get !== undefined && byKey.has(keyOf(segments.slice(0, -1))))
}

const lastLiteral = (segments: readonly string[]) =>
  segments.findLast((segment) => parameterOf(segment) === undefined) ?? ''

function hintFor(segments: readonly string[], parameter?: string): Hint {
  const collection = lastLiteral(segments)
  return { collection, noun: nounOf(collection), parameter }
}
