import { encodePart } from '../../lib/encode-part.js'
import type { StoredRecord } from './additions.js'
import { type StoredFields, toStoredValue } from './record-forms.js'
import { type Condition, toGroupText } from './selection.js'
import type { ServiceResource } from './service-resource.js'

type PathValues = Readonly<Record<string, unknown>>

/** Where a record keeps the id of each parent: in the property that repeats it, or in a field that is never sent. */
export function parentFields({ parents, fields }: Pick<ServiceResource, 'parents' | 'fields'>) {
  return parents.map(({ parameter, property }) => {
    const field = fields.find((each) => each.property === property)
    return { parameter, stored: field?.stored ?? `/${parameter}`, field }
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
  return parentFields(resource).map(({ parameter, stored }, index) => {
    const wanted = String(path[parameter])
    const isUnknown = parents[index]?.resource === undefined
    const test = (record: StoredRecord) => toGroupText(record[stored]) === wanted || (isUnknown && isUnchanged(record))
    return { key: `${stored}=${wanted}`, test }
  })
}

/** The ids of the parents in a path, as a record has them. */
export function parentIds(resource: ServiceResource, path: PathValues): StoredFields {
  if (resource.parents.length === 0) return NO_IDS
  const ids = parentFields(resource).map(({ parameter, stored, field }) => {
    const id = path[parameter]
    return [stored, field === undefined ? String(id) : toStoredValue(id, field)]
  })
  return Object.fromEntries(ids)
}

const NO_IDS: StoredFields = Object.freeze({})

/** Returns a function that fills in the parameters of a path of the document. */
export function compilePath(path: string): (values: PathValues) => string {
  // Names are at odd places, and what is between them at even ones.
  const parts = path.split(/\{([^{}]+)\}/)
  const [start = ''] = parts
  return (values) => {
    let filled = start
    for (let at = 1; at < parts.length; at += 2) {
      filled += encodePart(String(values[parts[at] as string])) + parts[at + 1]
    }
    return filled
  }
}
