import type { ServiceResource } from './service-resource.js'

/** What was understood of a resource, in the words that a service file has for it. */
export interface ResourceWords {
  /** Its path, or all paths to its records. */
  readonly at: string | readonly string[]
  readonly id?: string
  /** The property of a record that repeats the id of a parent, by the parameter of the path. */
  readonly parent?: Readonly<Record<string, string>>
  readonly references?: Readonly<Record<string, string>>
  /** What its records hold any number of, by the property with these or by what they are called beside the record. */
  readonly links?: Readonly<Record<string, string>>
}

/** `furtherPaths` lead to the same records. */
export function toWords(resource: ServiceResource, furtherPaths: readonly ServiceResource[]): ResourceWords {
  const { id, references, links } = resource
  const here = [resource, ...furtherPaths]
  const [first = '', ...others] = new Set(here.flatMap(placesOf))
  const parent = here.flatMap(({ parents }) =>
    parents.flatMap(({ parameter, property }) => (property === undefined ? [] : [[parameter, property] as const])),
  )
  return {
    at: others.length === 0 ? first : [first, ...others],
    ...(id.property && { id: id.property.join('.') }),
    ...(parent.length > 0 && { parent: Object.fromEntries(parent) }),
    ...(Object.keys(references).length > 0 && { references }),
    ...(links && { links }),
  }
}

/** The path of its items, unless its list is elsewhere. */
function placesOf({ path, itemPath }: ServiceResource): string[] {
  const isBelow = itemPath?.startsWith(path.replace(/(\/|\.json)$/, ''))
  return itemPath === undefined ? [path] : isBelow ? [itemPath] : [path, itemPath]
}
