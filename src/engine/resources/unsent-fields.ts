import { parentFields } from './parents.js'
import type { ServiceResource } from './service-resource.js'

/** What a fixture has beside the properties of a record: ids that clients see in paths only. */
export function unsentFields(resource: Pick<ServiceResource, 'parents' | 'fields' | 'idPath'>): UnsentField[] {
  // The id of the record is called `id`, even if that of a parent is as well.
  const properties = ['id', ...resource.fields.map(({ property }) => property)]
  const parents = parentFields(resource).flatMap(({ parameter, stored, field }, level) =>
    field ? [] : [{ member: properties.includes(parameter) ? stored : parameter, stored, level }],
  )
  return resource.fields.some(({ property }) => property === resource.idPath[0])
    ? parents
    : [{ member: 'id', stored: 'id' }, ...parents]
}

interface UnsentField {
  /** Its name in a fixture. */
  readonly member: string
  readonly stored: string
  /** Which of the parents has this id. Missing for the id of the record. */
  readonly level?: number
}
