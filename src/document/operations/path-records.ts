import { keyOf, parameterOf } from '../resources/envelopes.js'
import type { Resource } from '../resources/resource.js'
import type { Known, PathRecord } from './meaning.js'

export function toPathRecord({ name }: Resource, segments: readonly string[]): PathRecord {
  return { resource: name, parameters: segments.flatMap((segment) => parameterOf(segment) ?? []) }
}

/** The records that the start of a path names, outermost first. */
export function recordsAlong(segments: readonly string[], { byItemPath }: Known): readonly PathRecord[] {
  return segments.flatMap((_, index) => {
    const start = segments.slice(0, index + 1)
    const resource = parameterOf(segments[index]) === undefined ? undefined : byItemPath.get(keyOf(start))
    return resource ? [toPathRecord(resource, start)] : []
  })
}

/** The parameters of a path for those of the parents of a resource; undefined if one of them is not in the path. */
export function findParentParameters(
  resource: Resource,
  along: readonly PathRecord[],
  segments: readonly string[],
  { resources }: Pick<Known, 'resources'>,
): Readonly<Record<string, string>> | undefined {
  const storeOf = (name: string | undefined) => resources.find((each) => each.name === name)?.storedIn ?? name
  const own = segments.flatMap((segment) => parameterOf(segment) ?? [])
  const needed = resource.parents.filter(
    ({ parameter }) => resource.itemParameters === undefined || resource.itemParameters.includes(parameter),
  )
  const found = resource.parents.flatMap(({ parameter, resource: parent }) => {
    const named = along.find((each) => parent !== undefined && storeOf(each.resource) === storeOf(parent))
    const name = named?.parameters.at(-1) ?? own.find((each) => each === parameter)
    return name === undefined ? [] : [[parameter, name] as const]
  })
  const parents = Object.fromEntries(found)
  return needed.every(({ parameter }) => Object.hasOwn(parents, parameter)) ? parents : undefined
}
