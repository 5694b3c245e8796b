import { normalize, nounOf, wordsOf } from '../resources/names.js'
import { hintOf, isRecordOf } from '../resources/of-resource.js'
import type { Resource } from '../resources/resource.js'
import { toResourceOperation } from '../resources/roles.js'
import { isObjectSchema, propertiesIn } from '../schema/facts.js'
import type { Schema } from '../schema/schema.js'
import { ENVELOPES } from '../words/envelopes.js'
import { ADDING, COPYING } from '../words/verbs.js'
import { isPlural } from './action.js'
import type { Creation, Known, PathRecord, Unclaimed } from './meaning.js'
import { findParentParameters, recordsAlong } from './path-records.js'
import { verbIn } from './verbs.js'

/** `POST` that returns a record which other paths read, or its address: it makes one. */
export function recogniseCreation(operation: Unclaimed, known: Known): Creation | undefined {
  const { method, path, successes, name } = operation
  const last = path.segments.at(-1) ?? ''
  if (method !== 'post' || /[{}*]/.test(last)) return undefined
  const along = recordsAlong(path.segments, known)
  const below = along.at(-1)
  const isMade = successes.every(({ status }) => status === 201 || status === 202)
  const isCopy = COPYING.test(verbIn(last, '') ?? '')
  const isCollection = isPlural(last) && !ADDING.test(wordsOf(last)[0] ?? '')
  if (!isMade && !isCopy && !isCollection) return undefined
  const noun = normalize(nounOf(last))
  const body = successes.find((each) => each.body)?.body?.schema.schema
  const hasLocation = isMade && successes.some(({ headers }) => headers.some((header) => /^location$/i.test(header)))
  const candidates = known.resources.flatMap((resource) => {
    const { operations, isSingle, itemPath, noun: own } = resource
    if (isSingle || (itemPath === undefined && !operations.list) || (!operations.read && !operations.list)) return []
    const isNamed = normalize(own) === noun
    const isSame = below !== undefined && storeOf(below.resource, known) === storeOf(resource.name, known)
    // An action on the record itself may have the status of a creation.
    const isNew = isSame ? isCopy || (isMade && isCollection) : isMade || isNamed
    if (!isNew) return []
    const envelope = body
      ? findIn(body, resource, isNamed || isSame)
      : hasLocation && isNamed && itemPath
        ? []
        : undefined
    const parents = envelope && findParentParameters(resource, along, path.segments, known)
    return envelope && parents ? [{ resource, envelope, parents, rank: rankOf(resource, isNamed, envelope) }] : []
  })
  const [found] = candidates.sort((a, b) => b.rank - a.rank)
  if (found === undefined) return undefined
  const { resource, envelope, parents } = found
  const isSame = below !== undefined && storeOf(below.resource, known) === storeOf(resource.name, known)
  const described = toResourceOperation(operation, 'create', hintOf(resource), resource.record.schema)
  const { response } = described
  return {
    kind: 'creation',
    operationId: name,
    resource: resource.name,
    parents,
    references: isSame ? {} : findReferences(resource, along, known, operation.request),
    ...(below && { below }),
    ...(isSame && isCopy && { isCopy }),
    operation: response ? { ...described, response: { ...response, envelope } } : described,
  }
}

/** One that stores its records itself, and that the path is called after. */
function rankOf({ storedIn, name, itemPath }: Resource, isNamed: boolean, envelope: readonly string[]): number {
  const isOwn = storedIn === undefined || storedIn === name
  return (isNamed ? 8 : 0) + (isOwn ? 4 : 0) + (itemPath === undefined ? 0 : 2) - envelope.length
}

/** Where a body has a record: it may stand beside other fields. */
function findIn(body: Schema, resource: Resource, isNamed: boolean): readonly string[] | undefined {
  const isRecord = (schema: Schema) =>
    schema === resource.record.schema || (isNamed && isObjectSchema(schema) && isRecordOf(resource, schema))
  if (isRecord(body)) return []
  for (const [name, schema] of propertiesIn(body)) {
    const isCalledSo = normalize(name) === normalize(resource.noun) || ENVELOPES.test(normalize(name))
    if (isCalledSo && isRecord(schema)) return [name]
  }
  return undefined
}

const storeOf = (name: string, { resources }: Known) => {
  const resource = resources.find((each) => each.name === name)
  return resource?.storedIn ?? name
}

/** The properties that refer to the records which a path names, if there is one for each. Not those that are sent. */
export function findReferences(
  { references, parents }: Resource,
  along: readonly PathRecord[],
  known: Known,
  request?: Unclaimed['request'],
): Readonly<Record<string, string>> {
  const sent = propertiesIn(request?.schema.schema ?? {})
  const entries = along.flatMap(({ resource, parameters }) => {
    const store = storeOf(resource, known)
    const properties = Object.keys(references).filter(
      (property) => storeOf(references[property] as string, known) === store && !sent.has(property),
    )
    const noun = known.resources.find(({ name }) => name === resource)?.noun ?? ''
    const named = properties.filter((property) => wordsOf(property).join('').startsWith(normalize(noun)))
    const chosen = named.length > 0 ? named : properties
    const isParent = parents.some((parent) => parent.property !== undefined && chosen.includes(parent.property))
    const parameter = parameters.at(-1)
    return chosen.length === 1 && !isParent && parameter !== undefined ? [[chosen[0] as string, parameter]] : []
  })
  return Object.fromEntries(entries)
}
