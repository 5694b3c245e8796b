import { capitalize } from '../../engine/resources/messages.js'
import { readIdOf } from '../../engine/resources/record-forms.js'
import { requiredIn, typesOf } from '../../engine/resources/schema-facts.js'
import type { ServiceResource } from '../../engine/resources/service-resource.js'
import type { Id } from '../../lib/int64.js'
import type { PulledFixture } from './listed-resources.js'
import type { RecordFilter } from './record-filter.js'
import { countOf, joinWords } from './words.js'

/**
 * Adds the records of a resource that others must refer to and that are not known: with their ids, and texts that say so.
 * Returns a note about them, if any.
 */
export function addMissingRecords(
  target: ServiceResource,
  fixture: PulledFixture,
  resources: readonly ServiceResource[],
  { accept }: RecordFilter,
): string[] {
  const texts = requiredTexts(target)
  const title = capitalize(target.noun)
  const records = findMissing(target, fixture, resources).map((id) => {
    const values = texts.map((property) => [property, `${title} ${id}`])
    return accept(target, { ...withId(target, id), ...Object.fromEntries(values) })
  })
  const added = records.filter((record) => record !== undefined)
  fixture[target.name]?.push(...added)
  if (added.length === 0) return []
  const count = countOf(target, added.length)
  if (texts.length === 0) return [`Of ${count}, nothing but the id is known.`]
  const names = joinWords(texts.map((property) => `${property}s`))
  return [`The ${names} of ${count} are not known. They are "${title}" and the id.`]
}

/** A reference that must exist in some cases only is left to the rules of the service. */
function findMissing(target: ServiceResource, fixture: PulledFixture, resources: readonly ServiceResource[]): Id[] {
  const referred = new Set<Id>()
  for (const { name, checkedReferences } of resources) {
    for (const { property } of checkedReferences.filter(({ to, when }) => to === target.name && !when)) {
      for (const record of fixture[name] ?? []) {
        const id = target.ids.read(record[property])
        if (id !== undefined) referred.add(id)
      }
    }
  }
  if (referred.size === 0) return []
  for (const record of fixture[target.name] ?? []) referred.delete(readIdOf(target, record) as Id)
  return [...referred]
}

/** The properties that a record must have, and whose values are texts. */
function requiredTexts({ fields, record, references }: ServiceResource): string[] {
  const required = requiredIn(record.schema)
  return fields
    .filter(({ property, schema, isId }) => !isId && required.has(property) && typesOf(schema).has('string'))
    .map(({ property }) => property)
    .filter((property) => !Object.hasOwn(references, property))
}

function withId({ ids, idPath }: ServiceResource, id: Id): object {
  return idPath.reduceRight<unknown>((value, name) => ({ [name]: value }), ids.toJson(id)) as object
}
