import { nameBeside } from '../../document/resources/names.js'
import type { Link, Resource } from '../../document/resources/resource.js'
import { propertiesIn } from '../../document/schema/facts.js'
import type { ResourceAdditions } from './additions.js'
import { findUnsentFields } from './parents.js'
import type { ServiceResource } from './service-resource.js'
import { toServiceResource } from './to-service-resource.js'
import { createFind, type Words } from './words.js'

/** The resources that a service describes, as it lists them, and then the others that were read from its document. */
export function describeService(read: readonly Resource[], additions: Words = {}): readonly ServiceResource[] {
  const find = createFind(read)
  const described = Object.entries(additions).flatMap(([name, addition]) =>
    addition === false ? [] : [{ resource: find(name, addition)[0], name, addition }],
  )
  const names = new Map(described.map(({ resource, name }) => [resource.name, name]))
  const others = read.filter(({ name }) => !names.has(name))
  for (const { name, path } of others) {
    if (Object.hasOwn(additions, name))
      names.set(name, nameBeside(path, [...read.map((each) => each.name), ...names.values()]))
  }
  const all = [
    ...described.map(({ resource, addition }) => toServiceResource(rename(resource, names), addition)),
    ...others.map((resource) => {
      const renamed = rename(resource, names)
      return toServiceResource(renamed, sharedAdditions(renamed, additions))
    }),
  ]
  const here = new Map<string, typeof all>()
  for (const resource of all) here.set(resource.storedIn, [...(here.get(resource.storedIn) ?? []), resource])
  return all.map((resource) => ({ ...resource, unsent: findUnsentFields(resource, here.get(resource.storedIn) ?? []) }))
}

/** Other paths to the same records have the same rules. */
function sharedAdditions({ path, storedIn, record }: Resource, additions: Words): ResourceAdditions {
  const { view: _, references = {}, ...others } = (additions[storedIn ?? ''] || {}) as ResourceAdditions
  const known = Object.entries(references).filter(([property]) => propertiesIn(record.schema).has(property))
  return { ...others, references: Object.fromEntries(known), path }
}

/** The resource with the names that the service has for it and for those it is related to. */
function rename(resource: Resource, names: ReadonlyMap<string, string>): Resource {
  const toName = (name: string) => names.get(name) ?? name
  const renameLink = (link: Link): Link => ({ ...link, holder: toName(link.holder), held: toName(link.held) })
  const renameAll = (some: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(some).map(([property, name]) => [property, toName(name)]))
  return {
    ...resource,
    name: toName(resource.name),
    parents: resource.parents.map((parent) => ({ ...parent, resource: parent.resource && toName(parent.resource) })),
    references: renameAll(resource.references),
    embedded: renameAll(resource.embedded),
    storedIn: resource.storedIn && toName(resource.storedIn),
    ...(resource.links && { links: renameAll(resource.links) }),
    ...(resource.link && { link: renameLink(resource.link) }),
    ...(resource.counts && {
      counts: Object.fromEntries(
        Object.entries(resource.counts).map(([property, { of, by, ...count }]) => [
          property,
          { ...count, of: toName(of), by: 'link' in by ? { link: renameLink(by.link) } : by },
        ]),
      ),
    }),
    ...(resource.below && { below: { ...resource.below, resource: toName(resource.below.resource) } }),
  }
}
