import { findList, type Hint } from './envelopes.js'
import { nounOf } from './names.js'
import { keyOf, parameterOf } from './path-template.js'
import type { DocumentPath } from './read-operations.js'
import { type Roles, rolesOfCollection, rolesOfList, rolesOfSingle } from './roles.js'

/** A path that holds records, and what its operations do. */
export interface Collection {
  readonly path: string
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
  const seen = new Set<string>()
  return paths.flatMap((path) => {
    const segments = isItem(path, byKey) ? path.segments.slice(0, -1) : path.segments
    const key = keyOf(segments)
    if (seen.has(key)) return []
    seen.add(key)
    const item = byKey.get(`${key}/{}`)
    const found = item && isItem(item, byKey) ? readCollection(segments, item, byKey) : readPathWithoutItems(path)
    return found ?? []
  })
}

function readCollection(segments: readonly string[], item: DocumentPath, byKey: Paths): Collection | undefined {
  const key = keyOf(segments)
  const own = byKey.get(key)
  const collection = own && !isItem(own, byKey) ? own : undefined
  const hint = hintFor(segments, parameterOf(item.segments.at(-1)))
  const roles = rolesOfCollection(collection?.operations ?? {}, item.operations, hint)
  const isUsable = roles.list ?? roles.read ?? (roles.create && (roles.replace ?? roles.merge ?? roles.remove))
  if (!isUsable) return undefined
  const path = collection?.path ?? `/${segments.join('/')}`
  return { path, segments, key, itemPath: item.path, isSingle: false, hint, roles }
}

function readPathWithoutItems({ path, segments, key, operations }: DocumentPath): Collection | undefined {
  if (/[{*:]/.test(segments.at(-1) ?? '')) return undefined
  const hint = hintFor(segments)
  const single = rolesOfSingle(operations, hint)
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

function hintFor(segments: readonly string[], parameter?: string): Hint {
  const collection = segments.findLast((segment) => parameterOf(segment) === undefined) ?? ''
  return { collection, noun: nounOf(collection), parameter }
}
