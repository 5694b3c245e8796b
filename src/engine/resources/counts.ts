import { MockError } from '../../http/errors.js'
import { parentFields } from './parents.js'
import { resourceNamed, type ServiceResource } from './service-resource.js'

/** A property of a record that says how many records of another resource belong to it. */
export interface Count {
  /** The name of the property in the store. */
  readonly property: string
  readonly of: ServiceResource
  /** Where one of these has the id of the record. */
  readonly by: string
}

/** Throws INVALID_OPTION if nothing says which records belong to one. */
export function countsOf(
  { name, storedIn, fields, additions }: ServiceResource,
  all: readonly ServiceResource[],
): readonly Count[] {
  // Other paths to the same records say the same.
  if (storedIn !== name) return []
  return Object.entries(additions.counts ?? {}).flatMap(([property, counted]) => {
    const of = resourceNamed(all, counted)
    const field = fields.find((each) => each.property === property)
    if (of === undefined || field === undefined) return []
    const by = fieldWithId(of, name)
    if (by !== undefined) return [{ property: field.stored, of, by }]
    const message = `The service: ${name} cannot count ${counted}: no property or path of ${counted} has the id of one of ${name}. Name it in references.`
    throw new MockError('INVALID_OPTION', message)
  })
}

/** Where records have the id of one of another resource: in a property, or as that of a parent. */
function fieldWithId(resource: ServiceResource, to: string): string | undefined {
  const [property] = Object.entries(resource.references).find(([, name]) => name === to) ?? []
  const parent = resource.parents.findIndex((each) => each.resource === to)
  return resource.fields.find((each) => each.property === property)?.stored ?? parentFields(resource)[parent]?.stored
}
