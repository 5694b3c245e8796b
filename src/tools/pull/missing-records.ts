import { requiredIn, typesOf } from '../../document/schema/facts.js'
import { capitalize } from '../../engine/crud/messages.js'
import { findFixtureProblems } from '../../engine/data/check.js'
import type { FixtureEntry, FixtureFormat } from '../../engine/data/format.js'
import { readIdOf } from '../../engine/resources/record-forms.js'
import type { ServiceResource } from '../../engine/resources/service-resource.js'
import type { Id } from '../../lib/int64.js'
import { runNow } from '../../lib/steps.js'
import type { RecordFilter } from './record-filter.js'
import { type PulledFixture, parentMembers, type Route, routeTo } from './routes.js'
import { countOf, joinWords } from './words.js'

/**
 * Adds the records of a resource that others must refer to, or are below, and that are not known: with their ids, and texts
 * that say so. Returns a note about them, if any.
 */
export function addMissingRecords(
  target: ServiceResource,
  fixture: PulledFixture,
  routes: readonly Route[],
  { accept }: RecordFilter,
): string[] {
  const texts = requiredTexts(target)
  const title = capitalize(target.noun)
  const records = [...findMissing(target, fixture, routes)].map(([id, parents]) => {
    const values = texts.map((property) => [property, `${title} ${id}`])
    return accept(target, { ...withId(target, id), ...Object.fromEntries(values), ...parents })
  })
  const added = records.filter((record) => record !== undefined)
  fixture[target.name]?.push(...added)
  if (added.length === 0) return []
  const count = countOf(target, added.length)
  if (texts.length === 0) return [`Of ${count}, nothing but the id is known.`]
  const names = joinWords(texts.map((property) => `${property}s`))
  return [`The ${names} of ${count} are not known. They are "${title}" and the id.`]
}

/** By id, with the ids of its own parents. A reference that must exist in some cases only is left to the rules of the service. */
function findMissing(target: ServiceResource, fixture: PulledFixture, routes: readonly Route[]): Map<Id, FixtureEntry> {
  const referred = new Map<Id, FixtureEntry>()
  const own = parentMembers({ resource: target, via: target })
  for (const { resource, via } of routes.filter((route) => route.resource === route.via)) {
    const { name, checkedReferences } = resource
    const properties = checkedReferences.flatMap(({ to, when, property }) =>
      to === target.name && !when ? [property] : [],
    )
    const members = parentMembers({ resource, via })
    const level = via.parents.findIndex((parent) => routeTo(parent.resource, routes)?.resource === target)
    for (const record of fixture[name] ?? []) {
      const found = [...properties, ...(level < 0 ? [] : [members[level] ?? ''])]
      const parents = own.flatMap((member, outer) =>
        member && outer < level ? [[member, record[members[outer] ?? '']]] : [],
      )
      for (const id of found.map((property) => readReference(target, record[property]))) {
        if (id !== undefined) referred.set(id, Object.fromEntries(parents))
      }
    }
  }
  if (referred.size === 0) return referred
  for (const record of fixture[target.name] ?? []) referred.delete(readIdOf(target, record) as Id)
  return referred
}

/** The text of a path is that of a number, too. */
function readReference({ ids }: ServiceResource, value: unknown): Id | undefined {
  return value === undefined || value === null ? undefined : (ids.read(value) ?? ids.read(String(value)))
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

/**
 * Leaves out records that contradict others, until the fixture loads. A service need not follow the rules of our mock: if
 * a record contradicts its entry in a view or one that refers to it, the record is kept.
 */
export function dropContradictions(
  fixture: PulledFixture,
  format: FixtureFormat,
  { leaveOut }: RecordFilter,
): PulledFixture {
  for (;;) {
    const problems = runNow(findFixtureProblems(fixture, format, 'on', () => 0))
    if (problems.length === 0) return fixture
    const bad = new Map<string, Set<number>>(Object.keys(fixture).map((name) => [name, new Set()]))
    for (const { entry, message } of problems) {
      const resource = format.resources.find(({ name }) => name === entry?.list)
      const indexes = bad.get(entry?.list ?? '')
      if (entry === undefined || resource === undefined || indexes === undefined) throw new Error(message)
      const { list, index, text } = entry
      if (!indexes.has(index)) leaveOut(resource, fixture[list]?.[index], text)
      indexes.add(index)
    }
    const rest = Object.entries(fixture).map(([name, records]) => [
      name,
      records.filter((_, index) => !bad.get(name)?.has(index)),
    ])
    fixture = Object.fromEntries(rest)
  }
}
