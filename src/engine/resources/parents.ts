import { nounOf } from '../../document/resources/names.js'
import { oncePer } from '../../lib/functions.js'
import { encodePart, encodePath } from '../../lib/text.js'
import type { StoredRecord } from './additions.js'
import { ENDED_TOKENS, FILE, OLD_NAME, STARTED, type StoredFields, toReference, toStoredValue } from './record-forms.js'
import { type Condition, toGroupText } from './selection.js'
import type { ServiceResource, UnsentField } from './service-resource.js'

type PathValues = Readonly<Record<string, unknown>>

/** Where a record keeps the id of each parent: in the property that repeats it, or in a field that is never sent. */
export const parentFields = oncePer(({ path, parents, fields }: Pick<ServiceResource, 'path' | 'parents' | 'fields'>) =>
  parents.map(({ parameter, property, holder }) => {
    const field = fields.find((each) => each.property === property)
    const held = fields.find((each) => each.property === holder?.[0])
    const stored = field?.stored ?? hiddenName(path, parameter)
    return { parameter, stored, field, holder: held && holder && ([held.stored, holder[1]] as const) }
  }),
)

/** The id of a parent that a record has: what a client can see of it counts. */
export function parentIdIn(
  record: StoredRecord,
  { stored, holder }: Pick<ReturnType<typeof parentFields>[number], 'stored' | 'holder'>,
): string | undefined {
  return toGroupText((holder && Object(record[holder[0]])[holder[1]]) ?? record[stored])
}

/** The parents in a path, by the properties that have them as objects. */
export function parentsAsObjects({ parents }: ServiceResource, path: PathValues): StoredFields {
  if (parents.length === 0) return NO_IDS
  const held = parents.flatMap(({ parameter, holder }) => (holder ? [[holder[0], path[parameter]] as const] : []))
  return held.length === 0 ? NO_IDS : Object.fromEntries(held)
}

/**
 * The parameter with a slash: `/projectId`. Several paths may lead to the same records and call different parents `id`, as
 * `/users/{id}/tasks` and `/projects/{id}/tasks` do: a parameter that does not start with the noun of its parent has it before it.
 */
function hiddenName(path: string, parameter: string): string {
  const noun = nounOf(path.split(`{${parameter}}`)[0]?.split('/').at(-2) ?? '')
  return lettersOf(parameter).startsWith(lettersOf(noun)) ? `/${parameter}` : `/${noun}/${parameter}`
}

const lettersOf = (name: string) => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')

/** Where a record keeps what it holds: in the property with this name, or in a field that is never sent. */
export function linkFields({ links = {}, fields }: Pick<ServiceResource, 'links' | 'fields'>) {
  return Object.entries(links).map(([name, held]) => {
    const field = fields.find((each) => each.property === name)
    return { name, held, stored: field?.stored ?? `/${name}`, field }
  })
}

/** The resource as operations on its items know it: their path may have fewer parents. */
export function atItemPath(resource: ServiceResource): ServiceResource {
  const { itemParameters, parents } = resource
  if (itemParameters === undefined) return resource
  return { ...resource, parents: parents.filter(({ parameter }) => itemParameters.includes(parameter)) }
}

/**
 * Selects the records of the parents in a path. Where nothing in the document creates or lists a parent, nobody knows its ids:
 * each has the starting records, until they are changed.
 */
export function parentConditions(
  resource: ServiceResource,
  path: PathValues,
  isUnchanged: (record: StoredRecord) => boolean,
): Condition[] {
  const { parents } = resource
  return parentFields(resource).map((place, index) => {
    const wanted = String(path[place.parameter])
    const isUnknown = parents[index]?.resource === undefined
    const test = (record: StoredRecord) => parentIdIn(record, place) === wanted || (isUnknown && isUnchanged(record))
    return { key: `${place.stored}=${wanted}`, test }
  })
}

/** The ids of the parents in a path, as a record has them. */
export function parentIds(resource: ServiceResource, path: PathValues): StoredFields {
  if (resource.parents.length === 0) return NO_IDS
  const ids = parentFields(resource).map(({ parameter, stored, field }) => {
    const id = path[parameter]
    return [stored, field === undefined ? String(id) : toStoredValue(toReference(id, field.schema), field)]
  })
  return Object.fromEntries(ids)
}

const NO_IDS: StoredFields = Object.freeze({})

/** Returns a function that fills in the parameters of a path of the document. */
export function compilePath(path: string): (values: PathValues) => string {
  // Names are at odd places, and what is between them at even ones.
  const parts = path.split(/\{([^{}]+)\}/).map((part, at) => (at % 2 === 0 ? encodePath(part) : part))
  const [start = ''] = parts
  return (values) => {
    let filled = start
    for (let at = 1; at < parts.length; at += 2) {
      filled += encodePart(String(values[parts[at] as string])) + parts[at + 1]
    }
    return filled
  }
}

type Described = Omit<ServiceResource, 'unsent'>

/** `here` are all paths to its records, which have parents, too, and all views of them. */
export function findUnsentFields(resource: Described, here: readonly Described[]): readonly UnsentField[] {
  const { fields, idPath } = resource
  const views = here.flatMap(({ additions }) => Object.values(additions.view?.fields ?? {}))
  const keeping = here.filter(({ additions }) => additions.view === undefined)
  const kept = keeping.flatMap((each) => each.kept).filter((stored) => !views.includes(stored))
  const properties = fields.map(({ property }) => property)
  // What only the path to the user of the request shows.
  const ownFields = here.flatMap((each) =>
    each.isMe ? each.fields.filter((field) => !properties.includes(field.property)).map(({ stored }) => stored) : [],
  )
  // The id of the record is called `id`, even if that of a parent is as well.
  const taken = new Map(['id', ...properties, ...kept].map((name) => [name, name]))
  const parentsOf = (each: Described) =>
    parentFields(each).flatMap(({ parameter, stored, field }, level): UnsentField[] => {
      if (field) return []
      const names = [parameter, `/${parameter}`]
      const member = names.find((name) => (taken.get(name) ?? stored) === stored) ?? stored
      taken.set(member, stored)
      return [{ member, stored, kind: 'parent', ...(each === resource && { level }) }]
    })
  const found: UnsentField[] = [
    ...(properties.includes(idPath[0]) ? [] : [{ member: 'id', stored: 'id', kind: 'id' as const }]),
    ...parentsOf(resource),
    ...keeping.filter((each) => each !== resource).flatMap(parentsOf),
    ...[...kept, ...ownFields].map((stored) => ({ member: stored, stored, kind: 'kept' as const })),
    ...keeping
      .flatMap((each) => linkFields(each))
      .flatMap(({ name, stored, field }) =>
        field ? [] : [{ member: taken.has(name) ? stored : name, stored, kind: 'kept' as const }],
      ),
    ...[OLD_NAME, ENDED_TOKENS, FILE, STARTED]
      .filter((stored) => resource.hidden.includes(stored))
      .map((stored) => ({ member: stored, stored, kind: 'kept' as const })),
  ]
  return found.filter(({ stored }, index) => found.findIndex((each) => each.stored === stored) === index)
}
