import type { Creation } from '../../document/operations/meaning.js'
import { findSpelling } from '../../document/resources/names.js'
import { isValid } from '../../document/sample/fit-value.js'
import { propertiesIn, schemaAt } from '../../document/schema/facts.js'
import type { Change, GenericHandler, MeaningParts } from '../crud/handler.js'
import { createCreateHandler } from '../crud/record-handlers.js'
import { atItemPath } from '../resources/parents.js'
import { pickWritable, toJsonRecord, toReference, toStoredFields } from '../resources/record-forms.js'
import { resourceNamed, type ServiceResource } from '../resources/service-resource.js'
import { createPlaceFinder, toParentPath } from './place.js'
import { createRepeat, sentIn } from './repeat.js'

/** Makes a record of the resource that the response is one of. */
export function createCreationHandler(parts: MeaningParts<Creation>): GenericHandler {
  const { meaning, all, tools } = parts
  const { operation, parents, references, isCopy } = meaning
  const resource = withRequest(resourceNamed(all, meaning.resource) as ServiceResource, meaning)
  const create = createCreateHandler({ resource, operation, all, tools })
  const find = meaning.below && createPlaceFinder(meaning.below, parts)
  const embed = tools.documents?.createEmbed(resource, all)
  const repeat = createRepeat(operation)
  const isOwn = (name: string) => resource.fields.some(({ property }) => property === name)

  return (context, change) => {
    const below = find?.(context)
    const ids = Object.entries(references).flatMap(([property, parameter]) => {
      const schema = resource.fields.find((field) => field.property === property)?.schema ?? {}
      const id = toReference(context.path[parameter], schema)
      const value = embed?.(context.store, { [property]: id })[property] ?? id
      return isValid(schema, value) ? [[property, value] as const] : []
    })
    const referring = toStoredFields(resource, Object.fromEntries(ids))
    const copied = isCopy && below ? pickWritable(resource, toJsonRecord(resource, below.record)) : {}
    const given = {
      ...context,
      path: toParentPath(context.path, parents),
      body: withCopied(context.body, copied, operation),
    }
    const refer: Change = (next) => {
      const referred = { ...next, ...referring }
      return change?.(referred) ?? referred
    }
    const sent = Object.entries(sentIn(context)).filter(([name]) => !isOwn(name))
    return repeat(create(given, refer), Object.fromEntries(sent))
  }
}

/** The resource, whose records have what this request says. */
function withRequest(given: ServiceResource, { operation }: Creation): ServiceResource {
  const resource = atItemPath(given)
  const { request } = operation
  const names = propertiesIn(schemaAt(request?.schema.schema ?? {}, request?.envelope ?? []))
  const properties = given.fields.filter(({ isId }) => !isId).map(({ property }) => property)
  const sent = [...names.keys()].flatMap((name) => findSpelling(properties, name) ?? [])
  return {
    ...resource,
    writable: [...new Set([...given.writable, ...sent])],
    operations: { ...given.operations, create: operation },
  }
}

/** A request with the values of the record that it copies, where it has none of its own. */
function withCopied(body: unknown, copied: object, { request }: Creation['operation']): unknown {
  if (Object.keys(copied).length === 0) return body
  const [outer] = request?.envelope ?? []
  if (outer === undefined) return { ...copied, ...Object(body) }
  return { ...Object(body), [outer]: { ...copied, ...Object(Object(body)[outer]) } }
}
