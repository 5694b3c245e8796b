import type { Id } from '../../lib/int64.js'
import type { Schema } from '../contract/schema.js'
import { propertiesIn, typesOf } from '../resources/schema-facts.js'
import type { ServiceResource } from '../resources/service-resource.js'
import { findParent } from './record-counts.js'

/** The ids of the records of a resource, before there are any, so that every record can refer to every other. */
export interface RecordPlan {
  readonly resource: ServiceResource
  readonly ids: readonly Id[]
  /** The ids of the parents of a record, as its path has them: outermost first. */
  parentsOf(index: number): readonly unknown[]
}

/** Parents whose records are unknown: a value for a path parameter. */
export type MakeParameter = (resource: ServiceResource, parameter: string) => unknown

/** What the document says about the ids in paths. */
export interface PathIds {
  examples(resource: ServiceResource, idSchema: Schema): readonly Id[]
  /** The only ones that a path takes, if it lists them. */
  listed(resource: ServiceResource): readonly unknown[] | undefined
}

/** Plans so many records of each resource. */
export function planRecords(
  resources: ReadonlyMap<string, ServiceResource>,
  counts: ReadonlyMap<string, number>,
  makeParameter: MakeParameter,
  pathIds: PathIds,
  givenIds: (resource: ServiceResource) => readonly Id[],
): ReadonlyMap<string, RecordPlan> {
  const plans = new Map<string, RecordPlan>()

  function plan(resource: ServiceResource): RecordPlan {
    const known = plans.get(resource.name)
    if (known) return known
    const position = findParent(resource, resources)
    const parent =
      position < 0 ? undefined : plan(resources.get(resource.parents[position]?.resource ?? '') as ServiceResource)
    const made = resource.parents.map(({ parameter }, level) =>
      // A parent of the parent is known as well.
      level === position ? undefined : makeParameter(resource, parameter),
    )
    const given = givenIds(resource)
    const created: RecordPlan = {
      resource,
      ids: given.length > 0 ? given : takeIds(resource, counts.get(resource.name) ?? 0, pathIds),
      parentsOf(index) {
        if (parent === undefined) return made
        // One after the other, so that each parent has about as many.
        const at = index % parent.ids.length
        const outer = parent.parentsOf(at)
        const id = parent.resource.ids.toJson(parent.ids[at] as Id)
        return made.map((value, level) =>
          level === position ? id : level < position ? (outer[level] ?? value) : value,
        )
      },
    }
    plans.set(resource.name, created)
    return created
  }

  for (const resource of resources.values()) plan(resource)
  return plans
}

function takeIds(resource: ServiceResource, count: number, pathIds: PathIds): Id[] {
  const { ids, idPath, record } = resource
  const schema = idPath.reduce<Schema>((outer, name) => propertiesIn(outer).get(name) ?? {}, record.schema)
  const listed = (schema.enum ?? pathIds.listed(resource) ?? []).flatMap((value) => ids.read(value) ?? [])
  if (listed.length > 0) return [...new Set(listed)].slice(0, count)
  const sequence = ids.createSequence({ size: 0, has: () => false, largest: () => undefined })
  const examples = [...new Set(pathIds.examples(resource, schema))].slice(0, count)
  for (const id of examples) sequence.choose(id)
  return [...examples, ...Array.from({ length: count - examples.length }, () => sequence.take())]
}

/** An id as a property of this schema has it: as a number or as text. */
export function toReference(id: unknown, schema: Schema): unknown {
  const types = typesOf(schema)
  return types.has('string') && !types.has('integer') && !types.has('number') ? String(id) : id
}
