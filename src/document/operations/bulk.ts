import { findList, keyOf, parameterOf } from '../resources/envelopes.js'
import { endsLikeId } from '../resources/find-ids.js'
import { normalize, nounOf, wordsOf } from '../resources/names.js'
import { hintOf, isRecordOf } from '../resources/of-resource.js'
import type { Resource } from '../resources/resource.js'
import { toResourceOperation } from '../resources/roles.js'
import { isObjectSchema, isScalar, itemsOf, propertiesIn, typesOf } from '../schema/facts.js'
import type { Schema } from '../schema/schema.js'
import { BULK, DOING } from '../words/bulk.js'
import type { Bulk, Known, Unclaimed } from './meaning.js'
import { findParentParameters, recordsAlong } from './path-records.js'
import { readStateChange } from './verbs.js'

type Does = Bulk['does']

/** Ids or records of a collection, sent to its path, or to one that says that there are several. */
export function recogniseBulk(operation: Unclaimed, known: Known): Bulk | undefined {
  const { path, method, parameters } = operation
  const { segments, words } = splitBulk(path.segments)
  const resource = known.byPath.get(keyOf(segments))
  // Those that another path stores are only listed here.
  if (resource === undefined || resource.isSingle || (resource.storedIn ?? resource.name) !== resource.name)
    return undefined
  const parents = findParentParameters(resource, recordsAlong(segments, known), segments, known)
  const verbs = words.filter((word) => !BULK.test(word) && !nounWords(resource).includes(word))
  const said = verbs.flatMap((verb) => DOING.find(([word]) => word.test(verb))?.[1] ?? [])
  const set = verbs.length === 1 && said.length === 0 ? readStateChange(verbs[0] ?? '', '', resource.record.schema) : {}
  const isSetting = Object.keys(set).length > 0
  // What else is done is not known.
  if (parents === undefined || (verbs.length > 0 && said.length === 0 && !isSetting)) return undefined
  const does = isSetting ? 'change' : (said[0] ?? BY_METHOD[method])
  const body = operation.request?.schema.schema
  const isOne = body !== undefined && does === 'change' && isRecordOf(resource, body)
  const inBody = isOne ? { path: [], areIds: false } : body && findItems(body, resource)
  const parameter = parameters.find(
    ({ name, in: place, schema }) => place === 'query' && namesIds(name, resource) && isListOfIds(schema.schema),
  )?.name
  if (does === undefined || (inBody === undefined && parameter === undefined)) return undefined
  const areIds = inBody?.areIds ?? true
  if (areIds ? does === 'create' || (does === 'change' && !isSetting) : does === 'read') return undefined
  const described = toResourceOperation(operation, isOne ? 'merge' : 'list', hintOf(resource), resource.record.schema)
  const { response } = described
  const envelope = response && findList(response.schema.schema, hintOf(resource), resource.record.schema)
  return {
    kind: 'bulk',
    operationId: operation.name,
    operation: described,
    resource: resource.name,
    parents,
    does,
    set,
    items: inBody ? { path: inBody.path } : { parameter: parameter as string },
    isOne,
    replacesAll: method === 'put' && words.length === 0 && !isOne && !areIds,
    showsList: !isOne && envelope !== undefined,
  }
}

const BY_METHOD: Readonly<Partial<Record<Unclaimed['method'], Does>>> = {
  post: 'create',
  put: 'change',
  patch: 'change',
  delete: 'remove',
}

/** The path of the collection, and the words after it: `batch`, or `bulkDelete` in `/tasks:bulkDelete`. */
function splitBulk(segments: readonly string[]): {
  readonly segments: readonly string[]
  readonly words: readonly string[]
} {
  const last = segments.at(-1) ?? ''
  const [collection = '', custom] = last.split(':')
  if (custom !== undefined) return { segments: [...segments.slice(0, -1), collection], words: wordsOf(custom) }
  const before = wordsOf(segments.at(-2) ?? '')
  const isBulk = (words: readonly string[]) => words.some((word) => BULK.test(word))
  if (isBulk(before) && segments.length > 2)
    return { segments: segments.slice(0, -2), words: [...before, ...wordsOf(last)] }
  return isBulk(wordsOf(last)) && parameterOf(last) === undefined
    ? { segments: segments.slice(0, -1), words: wordsOf(last) }
    : { segments, words: [] }
}

const nounWords = ({ noun, path }: Resource) => [
  ...wordsOf(noun),
  ...path.split('/').flatMap((segment) => wordsOf(segment)),
  'with',
  'by',
  'ids',
  'id',
]

interface Items {
  readonly path: readonly string[]
  readonly areIds: boolean
}

/** The list in a request: of ids, or of records. */
function findItems(body: Schema, resource: Resource): Items | undefined {
  const own = itemsOf(body)
  if (own && typesOf(body).has('array')) return toItems([], own, resource, true)
  const lists = [...propertiesIn(body)].flatMap(([name, schema]) => {
    const items = typesOf(schema).has('array') ? itemsOf(schema) : undefined
    return (items && toItems([name], items, resource, namesIds(name, resource))) ?? []
  })
  return lists.length === 1 ? lists[0] : lists.find(({ areIds }) => !areIds)
}

function toItems(path: readonly string[], items: Schema, resource: Resource, isNamed: boolean): Items | undefined {
  if (isObjectSchema(items)) {
    const known = propertiesIn(resource.record.schema)
    const names = [...propertiesIn(items).keys()]
    return names.filter((name) => known.has(name)).length * 2 >= names.length ? { path, areIds: false } : undefined
  }
  return isNamed && isScalar(items) ? { path, areIds: true } : undefined
}

function namesIds(name: string, { noun, id }: Resource): boolean {
  const words = wordsOf(name)
  const stem = normalize(words.slice(0, -1).join(' '))
  const singular = normalize(nounOf(name))
  if (singular === normalize(noun) || singular === normalize(id.parameter ?? '')) return true
  return endsLikeId(name) && (stem === '' || normalize(noun).endsWith(stem))
}

function isListOfIds(schema: Schema): boolean {
  const items = typesOf(schema).has('array') ? itemsOf(schema) : schema
  return items !== undefined && isScalar(items)
}
