import { isNumeric, partsOf, propertiesIn, typesOf } from '../schema/facts.js'
import type { Schema } from '../schema/schema.js'
import { BETWEEN, COUNTING } from '../words/counts.js'
import { normalize, nounOf, wordsOf } from './names.js'
import type { Count, Resource } from './resource.js'

/** A resource with what its properties count: `commentCount` of its comments, `openTaskCount` of the open ones of its tasks. */
export function withCounts(resource: Resource, all: readonly Resource[]): Resource {
  if (resource.isSingle || resource.storedIn !== undefined) return resource
  const counts = [...propertiesIn(resource.record.schema)].flatMap(([name, schema]) => {
    const count = isNumeric(schema) && !resource.writable.includes(name) ? readCount(name, resource, all) : undefined
    return count ? [[name, count] as const] : []
  })
  return counts.length === 0 ? resource : { ...resource, counts: Object.fromEntries(counts) }
}

function readCount(name: string, resource: Resource, all: readonly Resource[]): Count | undefined {
  const words = wordsOf(name).filter((word) => !BETWEEN.test(word))
  const rest = words.filter((word) => !COUNTING.test(word))
  if (rest.length === words.length) return undefined
  // All words name it, or those after an adjective.
  for (const [at] of rest.entries()) {
    const noun = normalize(nounOf(rest.slice(at).join('_')))
    const [adjective = '', ...others] = rest.slice(0, at)
    const isNamed = (each: Resource) => normalize(each.noun) === noun
    // `groupCount` of user groups.
    const endsSo = (each: Resource) => wordsOf(each.noun).at(-1) === noun
    const found = [isNamed, endsSo].flatMap((test) =>
      all.flatMap((each) => belonging(each, test(each), noun, resource)),
    )[0]
    if (found === undefined || others.length > 0) continue
    const { counted, by } = found
    const where = adjective === '' ? {} : stateOf(adjective, counted.record.schema)
    if (where === undefined) continue
    return { of: counted.name, by, ...(adjective !== '' && { where }) }
  }
  return undefined
}

interface Belonging {
  readonly counted: Resource
  readonly by: Count['by']
}

/** How the records of another resource belong to one, if they are called so. */
export function belonging(
  other: Resource,
  isCalled: boolean,
  noun: string,
  { name, links = {} }: Resource,
): Belonging[] {
  const held = Object.entries(links).find(
    ([property, to]) => to === other.name && (isCalled || normalize(nounOf(property)) === noun),
  )
  if (held) return [{ counted: other, by: { link: { holder: name, name: held[0], held: other.name } } }]
  if (!isCalled || other.isSingle || other.link) return []
  const holding = Object.entries(other.links ?? {}).find(([, to]) => to === name)
  if (holding) return [{ counted: other, by: { link: { holder: other.name, name: holding[0], held: name } } }]
  const parent = other.parents.findLast((each) => each.resource === name)
  if (parent) return [{ counted: other, by: { parent: parent.parameter } }]
  const [property] = Object.entries({ ...other.embedded, ...other.references }).find(([, to]) => to === name) ?? []
  return property === undefined ? [] : [{ counted: other, by: { property } }]
}

/** The value of a state, or the truth, that an adjective names. */
function stateOf(adjective: string, record: Schema): Readonly<Record<string, unknown>> | undefined {
  for (const [name, schema] of propertiesIn(record)) {
    if (typesOf(schema).has('boolean') && normalize(name.replace(/^is_?/i, '')) === adjective) return { [name]: true }
    const value = [...partsOf(schema)]
      .flatMap((part) => part.enum ?? [])
      .find((each) => normalize(String(each)) === adjective)
    if (value !== undefined) return { [name]: value }
  }
  return undefined
}
