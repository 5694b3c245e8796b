import { withId } from '../../document/resources/read-resources.js'
import type { Resource } from '../../document/resources/resource.js'
import { propertiesIn } from '../../document/schema/facts.js'
import type { ResourceAdditions } from './additions.js'
import { createFind, requireKnown, type Words } from './words.js'

/** What was read, as the service says it: which paths are collections, and which of them are one; ids, and those of parents. */
export function correctResources(read: readonly Resource[], words: Words): readonly Resource[] {
  const find = createFind(read)
  const entries = Object.entries(words).map(([name, said]) => ({ name, said, found: find(name, said) }))
  const dropped = new Set(entries.flatMap(({ said, found }) => (said === false ? found.map(({ name }) => name) : [])))
  let corrected: readonly Resource[] = read
    .filter(({ name }) => !dropped.has(name))
    .map((each) => withoutRelations(each, dropped))
  for (const { name, said, found } of entries) {
    const [store] = found
    if (said === false || store === undefined) continue
    if (said.at !== undefined) corrected = join(corrected, store, found)
    if (said.id === undefined && said.parent === undefined) continue
    const isHere = (each: Resource) => each.name === store.name || each.storedIn === store.name
    corrected = corrected.map((each) => (isHere(each) ? correct(each, said, name) : each))
  }
  return corrected
}

/** Without those that are no collections. */
function withoutRelations(resource: Resource, dropped: ReadonlySet<string>): Resource {
  if (dropped.size === 0) return resource
  const others = (some: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(some).filter(([, name]) => !dropped.has(name)))
  const { storedIn, ...own } = resource
  return {
    ...own,
    ...(storedIn !== undefined && !dropped.has(storedIn) && { storedIn }),
    parents: resource.parents.map((parent) =>
      parent.resource !== undefined && dropped.has(parent.resource) ? { ...parent, resource: undefined } : parent,
    ),
    references: others(resource.references),
    embedded: others(resource.embedded),
  }
}

/** The paths that are named lead to the records of the first, and no others do. */
function join(read: readonly Resource[], store: Resource, named: readonly Resource[]): readonly Resource[] {
  const names = new Set(named.map(({ name }) => name))
  const isFilled = named.some(({ operations }) => operations.list ?? operations.create)
  return read.map((each) => {
    if (each.name === store.name) {
      const { storedIn: _, hasUnknownIds, ...own } = each
      return { ...own, ...(hasUnknownIds && !isFilled && { hasUnknownIds }) }
    }
    if (names.has(each.name)) return { ...each, id: { ...each.id, kind: store.id.kind }, storedIn: store.name }
    const { storedIn, ...own } = each
    return storedIn === store.name ? own : each
  })
}

function correct(resource: Resource, { id, parent = {} }: ResourceAdditions<never>, name: string): Resource {
  const properties = [...propertiesIn(resource.record.schema).keys()]
  const [main] = [id].flat()
  if (main !== undefined) requireKnown(`property of ${name} for its id`, main.split('.')[0] as string, properties)
  for (const property of Object.values(parent))
    if (property !== false) requireKnown(`property of ${name} for the id of a parent`, property, properties)
  const parents = resource.parents.map((each) => {
    const said = Object.hasOwn(parent, each.parameter) ? parent[each.parameter] : undefined
    if (said === undefined) return each
    const { property: _, ...others } = each
    return said === false ? others : { ...others, property: said }
  })
  const corrected = { ...resource, parents }
  return main === undefined ? corrected : withId(corrected, properties.includes(main) ? [main] : main.split('.'))
}
