import { groupBy } from '../../lib/values.js'
import { isObjectSchema, isScalar, partsOf, propertiesIn, typesOf } from '../schema/facts.js'
import type { Schema } from '../schema/schema.js'
import { PEOPLE, PERSON } from '../words/people.js'
import { keyOf, parameterOf, readPath } from './envelopes.js'
import { describeId, endsLikeId, findParentProperty, spellingsOf, stemOf } from './find-ids.js'
import { normalize } from './names.js'
import type { IdDescription, Parent, Resource } from './resource.js'

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
  const around = filled.map((resource) => ({ key: resource.key, outer: keysAroundList(resource) }))
  const inside = groupBy(
    around.flatMap(({ key, outer }) => outer.map((each) => ({ key, outer: each }))),
    ({ outer }) => outer,
  )
  const known = new Set(around.filter(({ outer }) => outer.length === 0).map(({ key }) => key))
  // Those that are added meanwhile are visited as well.
  for (const key of known) for (const inner of inside.get(key) ?? []) known.add(inner.key)
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

/** The collections that a path is nested in, of those that are known, by their keys. */
export function findParents(resource: Related, known: ReadonlyMap<string, readonly Related[]>): readonly Parent[] {
  const { segments } = readPath(resource.path)
  const properties = propertiesIn(resource.recordSchema)
  const names = [...properties]
    .filter(([name, schema]) => isScalar(schema) && name !== resource.id.property?.[0])
    .map(([name]) => name)
  return segments.flatMap((segment, index) => {
    const parameter = parameterOf(segment)
    if (parameter === undefined) return []
    const key = keyOf(segments.slice(0, index))
    const schema = properties.get(findParentProperty(parameter, names) ?? '')
    const parent = known.get(key)?.find(
      (other) =>
        // `/packages/{type}/{name}` may be no path to one of `/packages`.
        other.itemPath !== undefined || !schema || isSameKind(describeId([schema]), other.id.kind, true),
    )
    const fitting = parent ? names.filter((name) => canRefer(properties.get(name) ?? {}, parent)) : names
    const property = findParentProperty(parameter, fitting, parent)
    return [{ parameter, ...(parent && { resource: parent.name }), ...(property !== undefined && { property }) }]
  })
}

/** Whether a property can have an id of a resource, or what a path finds its records by. */
function canRefer(schema: Schema, { id }: Related): boolean {
  return id.lookup !== undefined || isSameKind(describeId([schema]), id.kind, true)
}

/** A parent with the object that a record has of it, if its id is in no property of its own: `customer.id`. */
export function withHolder(given: Parent, { recordSchema }: Related, parent: Related | undefined): Parent {
  const [id, ...inner] = parent?.id.property ?? []
  if (parent === undefined || given.property !== undefined || id === undefined || inner.length > 0) return given
  const found = [...propertiesIn(recordSchema)].find(
    ([name, schema]) =>
      spellingsOf(parent.noun).includes(normalize(name)) &&
      !typesOf(schema).has('array') &&
      isObjectSchema(schema) &&
      propertiesIn(schema).has(id),
  )
  return found ? { ...given, holder: [found[0], id] } : given
}

/** Resources that can be referred to; those with the shortest path first. */
export interface Targets {
  /** By their normalized nouns. Of those with the same kind of id, two are enough: one may be that which refers. */
  readonly byNoun: ReadonlyMap<string, readonly Related[]>
  readonly bySchema: ReadonlyMap<Schema, readonly Related[]>
  /** The first that is in no other, by its normalized noun and by its schema. */
  readonly topByNoun: ReadonlyMap<string, Related>
  readonly topBySchema: ReadonlyMap<Schema, Related>
}

export function groupTargets(all: readonly Related[]): Targets {
  const sorted = [...all].sort((a, b) => a.segments.length - b.segments.length)
  const targets = sorted.filter(({ isSingle, id }) => !isSingle && id.parameter !== undefined)
  const byNoun = groupBy(targets, ({ noun }) => normalize(noun))
  const grouped = [...byNoun.values()].flat()
  const top = grouped.filter(({ segments }) => segments.every((segment) => !segment.includes('{')))
  const bySchema = (some: readonly Related[]) => groupBy(some, ({ recordSchema }) => recordSchema)
  return {
    byNoun: mapGroups(byNoun, firstTwoOfKind),
    bySchema: bySchema(grouped),
    topByNoun: mapGroups(
      groupBy(top, ({ noun }) => normalize(noun)),
      ([first]) => first as Related,
    ),
    topBySchema: mapGroups(bySchema(top), ([first]) => first as Related),
  }
}

function firstTwoOfKind(group: readonly Related[]): readonly Related[] {
  const counts = new Map<string, number>()
  return group.filter(({ id: { kind, property } }) => {
    const key = JSON.stringify([kind, property])
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    return count <= 2
  })
}

function mapGroups<Key, Result>(
  groups: ReadonlyMap<Key, readonly Related[]>,
  map: (group: readonly Related[]) => Result,
): ReadonlyMap<Key, Result> {
  return new Map(Array.from(groups, ([key, group]) => [key, map(group)]))
}

/**
 * The properties that hold ids of other resources: `authorId` and `author_id` of `authors`, or `author` of the same type. Without
 * authors, these are people.
 */
export function findReferences(resource: Related, targets: Targets): Readonly<Record<string, string>> {
  const references: Record<string, string> = {}
  for (const [name, schema] of propertiesIn(resource.recordSchema)) {
    const stem = stemOf(name)
    const isOwnId = name === resource.id.property?.[0] && stem === normalize(resource.noun)
    if (isOwnId || !isScalar(schema)) continue
    const candidates = targets.byNoun.get(stem) ?? findPeopleNamed(stem, resource, targets)
    const kind = candidates.length > 0 ? describeId([schema]) : undefined
    const target =
      findChoice(schema, targets) ??
      candidates.find(
        (other) => other !== resource && isSameKind(kind as IdDescription, other.id.kind, endsLikeId(name)),
      )
    if (target) references[name] = target.name
  }
  return references
}

/** The resource whose records an id can be replaced by: `anyOf` a string and the schema of a customer. */
function findChoice(schema: Schema, { bySchema }: Targets): Related | undefined {
  if (!typesOf(schema).has('object')) return undefined
  return [...partsOf(schema)].flatMap((part) => bySchema.get(part)?.[0] ?? [])[0]
}

/** The collection of people, for a property that is named like what they are to a record. */
export function findPeopleNamed(noun: string, resource: Related, { byNoun }: Targets): readonly Related[] {
  const people = PERSON.test(noun) ? PEOPLE.flatMap((each) => byNoun.get(each)?.[0] ?? [])[0] : undefined
  return people && people !== resource ? [people] : []
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
