import { keyOf } from '../resources/envelopes.js'
import { readListParameters } from '../resources/list-parameters.js'
import { normalize, nounOf, wordsOf } from '../resources/names.js'
import { hintOf, isRecordOf } from '../resources/of-resource.js'
import type { PlacedParameter } from '../resources/read-operations.js'
import type { Resource } from '../resources/resource.js'
import { toResourceOperation } from '../resources/roles.js'
import { isObjectSchema, itemsOf, propertiesIn, typesOf } from '../schema/facts.js'
import type { Schema } from '../schema/schema.js'
import { ENVELOPES, LISTS } from '../words/envelopes.js'
import { SEARCH } from '../words/list-parameters.js'
import { FINDING } from '../words/search.js'
import { findReferences } from './creation.js'
import type { Found, Known, Search, Unclaimed } from './meaning.js'
import { findParentParameters, recordsAlong } from './path-records.js'

/** A path called so, or a text to search for; and the response has lists of records. */
export function recogniseSearch(operation: Unclaimed, known: Known): Search | undefined {
  const { method, path, request, name, successes } = operation
  const last = path.segments.at(-1) ?? ''
  const words = /[{}]/.test(last) ? [] : wordsOf(last.split(':').at(-1) ?? '')
  const isCalledSo = words.some((word) => FINDING.test(word))
  const parameters = [...operation.parameters, ...(method === 'post' ? toParameters(request?.schema.schema) : [])]
  const hasText =
    method === 'get' && parameters.some((each) => each.in === 'query' && SEARCH.test(normalize(each.name)))
  if (!['get', 'post'].includes(method) || !(isCalledSo || hasText)) return undefined
  const body = successes.find((each) => each.body)?.body?.schema.schema
  if (body === undefined) return undefined
  const along = recordsAlong(path.segments, known)
  const before = isCalledSo ? [...path.segments.slice(0, -1), ...last.split(':').slice(0, -1)] : path.segments
  const own = known.byPath.get(keyOf(before))
  const finds = listsIn(body).flatMap(({ envelope, items }): Found[] => {
    const resource = findResource(items, envelope.at(-1), own, known)
    if (resource === undefined) return []
    const parents = findParentParameters(resource, along, path.segments, known) ?? {}
    const references = findReferences(resource, along, known)
    const parameter = along.at(-1)?.parameters.at(-1)
    const isWithin = [parents, references].some((each) => Object.values(each).includes(parameter ?? ''))
    // A search below a record must not find what belongs to others.
    if (parameter !== undefined && !isWithin) return []
    const list = readListParameters(parameters, resource.record.schema)
    return [{ resource: resource.name, parents, references, envelope, list }]
  })
  const [first] = finds
  const main = first && known.resources.find((each) => each.name === first.resource)
  if (first === undefined || main === undefined) return undefined
  const described = toResourceOperation(operation, 'list', hintOf(main), main.record.schema)
  return { kind: 'search', path: path.path, operationId: name, operation: described, finds }
}

/** What a request can say in its body, also inside objects: as parameters. */
function toParameters(body: Schema | undefined): readonly PlacedParameter[] {
  const properties = [...propertiesIn(body ?? {})]
  const inner = properties.flatMap(([, schema]) => (isObjectSchema(schema) ? [...propertiesIn(schema)] : []))
  return [...properties, ...inner].map(([name, schema]) => ({ name, in: 'query', schema: { pointer: '#', schema } }))
}

interface List {
  readonly envelope: readonly string[]
  readonly items: Schema
}

function listsIn(body: Schema, depth = 1): readonly List[] {
  const own = typesOf(body).has('array') ? itemsOf(body) : undefined
  if (own) return [{ envelope: [], items: own }]
  return [...propertiesIn(body)].flatMap(([name, schema]) => {
    const items = typesOf(schema).has('array') ? itemsOf(schema) : undefined
    if (items && isObjectSchema(items)) return [{ envelope: [name], items }]
    const isEnvelope = depth > 0 && isObjectSchema(schema) && ENVELOPES.test(normalize(name))
    return isEnvelope ? listsIn(schema, depth - 1).map((list) => ({ ...list, envelope: [name, ...list.envelope] })) : []
  })
}

/** That of the path, if the records are alike; else the one with this schema, or of this name. */
function findResource(
  items: Schema,
  name: string | undefined,
  own: Resource | undefined,
  { resources }: Known,
): Resource | undefined {
  if (own && !own.isSingle && isRecordOf(own, items)) return own
  const stores = resources.filter(
    (each) => !each.isSingle && (each.storedIn === undefined || each.storedIn === each.name),
  )
  const noun = normalize(nounOf(name ?? ''))
  const isAnyName = name === undefined || LISTS.test(normalize(name))
  return (
    stores.find((each) => each.record.schema === items && (isAnyName || normalize(each.noun) === noun)) ??
    stores.find((each) => normalize(each.noun) === noun && isRecordOf(each, items))
  )
}
