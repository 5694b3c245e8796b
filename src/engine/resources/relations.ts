import type { Schema } from '../contract/schema.js'
import { describeId } from './describe-id.js'
import { endsLikeId, stemOf } from './find-id.js'
import { normalize } from './names.js'
import { keyOf, parameterOf, readPath } from './path-template.js'
import type { IdDescription, Parent, Resource } from './resource.js'
import { isScalar, propertiesIn } from './schema-facts.js'

/** What the relations of a resource are read from. */
export type Related = Pick<
  Resource,
  'name' | 'noun' | 'path' | 'itemPath' | 'itemParameters' | 'id' | 'isSingle' | 'operations'
> & {
  readonly key: string
  readonly segments: readonly string[]
  readonly recordSchema: Schema
}

/**
 * The collections whose records a client can make, or whose ids it can learn. `/teams/{teamId}/tasks` shows the ids of
 * `/tasks/{taskId}` only to those who can know the id of a team.
 */
export function findKnown(all: readonly Related[]): readonly Related[] {
  const filled = all.filter(({ isSingle, operations }) => !isSingle && (operations.create ?? operations.list))
  const known = new Set<string>()
  for (let size = -1; size !== known.size; ) {
    size = known.size
    for (const resource of filled) {
      const outer = keysAroundList(resource)
      if (outer.length === 0 || outer.some((key) => known.has(key))) known.add(resource.key)
    }
  }
  return filled.filter(({ key }) => known.has(key))
}

/** The keys of the parents that only the path of the list has. */
function keysAroundList({ path, itemParameters }: Related): readonly string[] {
  const { segments } = readPath(path)
  return segments.flatMap((segment, index) => {
    const parameter = parameterOf(segment)
    const isOnlyHere = parameter !== undefined && itemParameters?.includes(parameter) === false
    return isOnlyHere ? [keyOf(segments.slice(0, index))] : []
  })
}

/** The collections that a path is nested in, of those that are known. */
export function findParents(resource: Related, known: readonly Related[]): readonly Parent[] {
  const { segments } = readPath(resource.path)
  return segments.flatMap((segment, index) => {
    const parameter = parameterOf(segment)
    if (parameter === undefined) return []
    const key = keyOf(segments.slice(0, index))
    const property = findParentProperty(parameter, resource)
    const schema = propertiesIn(resource.recordSchema).get(property ?? '')
    const parent = known.find(
      (other) =>
        other.key === key &&
        // `/packages/{type}/{name}` may be no path to one of `/packages`.
        (other.itemPath !== undefined || !schema || isSameKind(describeId([schema]), other.id.kind, true)),
    )
    return [{ parameter, ...(parent && { resource: parent.name }), ...(property !== undefined && { property }) }]
  })
}

function findParentProperty(parameter: string, { id, recordSchema }: Related): string | undefined {
  const names = [...propertiesIn(recordSchema)]
    .filter(([name, schema]) => isScalar(schema) && name !== id.property?.[0])
    .map(([name]) => name)
  const isId = normalize(parameter) === 'id'
  if (isId) return undefined
  return (
    names.find((name) => normalize(name) === normalize(parameter)) ??
    (endsLikeId(parameter) ? names.find((name) => normalize(name) === stemOf(parameter)) : undefined)
  )
}

/** Resources that can be referred to, by their normalized nouns; those with the shortest path first. */
export function groupByNoun(all: readonly Related[]): ReadonlyMap<string, readonly Related[]> {
  const groups = new Map<string, Related[]>()
  for (const resource of [...all].sort((a, b) => a.segments.length - b.segments.length)) {
    if (resource.isSingle || resource.id.parameter === undefined) continue
    const noun = normalize(resource.noun)
    groups.set(noun, [...(groups.get(noun) ?? []), resource])
  }
  return groups
}

/** The properties that hold ids of other resources: `authorId` and `author_id` of `authors`, or `author` of the same type. */
export function findReferences(
  resource: Related,
  byNoun: ReadonlyMap<string, readonly Related[]>,
): Readonly<Record<string, string>> {
  const references: Record<string, string> = {}
  for (const [name, schema] of propertiesIn(resource.recordSchema)) {
    const stem = stemOf(name)
    const isOwnId = name === resource.id.property?.[0] && stem === normalize(resource.noun)
    const candidates = isScalar(schema) && !isOwnId ? byNoun.get(stem) : undefined
    const target = candidates?.find(
      (other) => other !== resource && isSameKind(describeId([schema]), other.id.kind, endsLikeId(name)),
    )
    if (target) references[name] = target.name
  }
  return references
}

/** A text that is not named like an id must look like one: `author` may be a name. */
function isSameKind(kind: IdDescription, other: IdDescription, isNamedLikeId: boolean): boolean {
  const isNumeric = ({ type }: IdDescription) => type === 'int64' || type === 'integer'
  if (isNamedLikeId || isNumeric(kind)) return isNumeric(kind) === isNumeric(other)
  if (kind.type !== 'text' || other.type !== 'text') return kind.type === other.type
  return (
    (kind.prefix !== undefined && kind.prefix === other.prefix) ||
    (kind.pattern !== undefined && kind.pattern === other.pattern)
  )
}
