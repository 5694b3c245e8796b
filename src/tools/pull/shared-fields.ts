import type { ServiceResource } from '../../engine/resources/service-resource.js'

/** What the entries of a view have in common with the records that they show. */
export interface Shared {
  /** The name of the view. */
  readonly view: string
  /** The name of the resource that it shows. */
  readonly source: string
  readonly fields: readonly { readonly inEntry: string; readonly inRecord: string }[]
}

export function findShared(resources: readonly ServiceResource[]): readonly Shared[] {
  return resources.flatMap(({ name, storedIn, fields, additions }) => {
    const source = additions.view && resources.find((each) => each.name === storedIn)
    if (source === undefined) return []
    const shared = fields.flatMap(({ property, stored, isId }) => {
      const field = isId ? undefined : source.fields.find((each) => each.stored === stored)
      return field ? [{ inEntry: property, inRecord: field.property }] : []
    })
    return [{ view: name, source: source.name, fields: shared }]
  })
}
