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

/** Selects the records of the parents in a path. */
export function parentConditions(resource: ServiceResource, path: PathValues): Condition[] {
  return parentFields(resource).map(({ parameter, stored }) => {
    const wanted = String(path[parameter])
    return { key: `${stored}=${wanted}`, test: (record) => toGroupText(record[stored]) === wanted }
  })
}

/** The ids of the parents in a path, as a record has them. */
export function parentIds(resource: ServiceResource, path: PathValues): StoredFields {
  const ids = parentFields(resource).map(({ parameter, stored, field }) => {
    const id = path[parameter]
    return [stored, field === undefined ? String(id) : toStoredValue(id, field)]
  })
  return Object.fromEntries(ids)
}

/** A path of the document with its parameters filled in. */
export function fillPath(path: string, values: PathValues): string {
  return path.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])))
}
