import { belonging } from '../../document/resources/counts.js'
import { normalize } from '../../document/resources/names.js'
import { withId } from '../../document/resources/read-resources.js'
import type { Count, Resource } from '../../document/resources/resource.js'
import { propertiesIn } from '../../document/schema/facts.js'
import { MockError } from '../../http/errors.js'
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
    const { links } = said
    if (links !== undefined) {
      const held = Object.entries(links).map(([property, of]) => [property, nameOf(of)])
      corrected = corrected.map((each) =>
        each.name === store.name ? { ...each, links: Object.fromEntries(held) } : each,
      )
    }
    if (said.id === undefined && said.parent === undefined) continue
    const isHere = (each: Resource) => each.name === store.name || each.storedIn === store.name
    corrected = corrected.map((each) => (isHere(each) ? correct(each, said, name) : each))
  }
  return entries.reduce((all, { name, said, found }) => {
    const { counts } = said || {}
    if (counts === undefined) return all
    const counted = Object.entries(counts).map(([property, of]) => [property, readCount(name, of, found[0].name, all)])
    return all.map((each) => (each.name === found[0].name ? { ...each, counts: Object.fromEntries(counted) } : each))
  }, corrected)

  /** What was read has other names than the service may have. */
  function nameOf(name: string): string {
    return entries.find((each) => each.name === name)?.found[0].name ?? name
  }

  /** How records that the service calls `of` belong to those that it calls `name`. */
  function readCount(name: string, of: string, holder: string, all: readonly Resource[]): Count {
    const entry = entries.find((each) => each.name === of)
    const wanted = nameOf(of)
    requireKnown(
      `resource that ${name} count:`,
      wanted,
      all.map((each) => each.name),
    )
    const counted = all.find((each) => each.name === wanted) as Resource
    const { references = {} } = entry?.said || {}
    const [property] = Object.entries(references).find(([, to]) => to === name || Object(to).to === name) ?? []
    if (property !== undefined) return { of: wanted, by: { property } }
    const [found] = belonging(
      counted,
      true,
      normalize(counted.noun),
      all.find((each) => each.name === holder) as Resource,
    )
    if (found) return { of: wanted, by: found.by }
    const message = `The service: ${name} cannot count ${of}: no property or path of ${of} has the id of one of ${name}. Name it in references.`
    throw new MockError('INVALID_OPTION', message)
  }
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
