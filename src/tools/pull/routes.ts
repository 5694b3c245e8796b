import type { ResourceOperation, Role } from '../../document/resources/resource.js'
import { itemsOf, propertiesIn, schemaAt, typesOf } from '../../document/schema/facts.js'
import type { Schema } from '../../document/schema/schema.js'
import type { FixtureEntry, FixtureFormat } from '../../engine/data/format.js'
import { atItemPath, parentFields } from '../../engine/resources/parents.js'
import { readIdOf } from '../../engine/resources/record-forms.js'
import type { ServiceResource } from '../../engine/resources/service-resource.js'
import { parseAnyId, toJsonInt64 } from '../../lib/int64.js'

/** The records of a fixture, by the name of their resource. */
export type PulledFixture = Record<string, FixtureEntry[]>

/** What has to be known of a service to pull its data. */
export interface PulledService {
  readonly title: string
  readonly fixtureFormat: FixtureFormat
  /** Other paths to the records of its resources. */
  readonly furtherPaths: readonly ServiceResource[]
}

/** Paths to the records of a resource: its own, or further ones. */
export interface Route {
  readonly resource: ServiceResource
  /** The resource as these paths lead to it. */
  readonly via: ServiceResource
}

/** The values of the parameters of a path. */
export type PathValues = Readonly<Record<string, string>>

/** In the order of a fixture; the own paths of each resource come first. */
export function routesOf({ fixtureFormat: { resources }, furtherPaths }: PulledService): readonly Route[] {
  return resources.flatMap((resource) => {
    const further = resource.additions.view ? [] : furtherPaths.filter(({ storedIn }) => storedIn === resource.name)
    return [resource, ...further].map((via) => ({ resource, via }))
  })
}

/** The path of an operation with this role. */
export function pathOf({ path, itemPath = path }: ServiceResource, role: Role): string {
  return role === 'list' || role === 'create' ? path : itemPath
}

/** Whether its records contain their ids. */
export function sendsIds({ unsent }: ServiceResource): boolean {
  return unsent.every(({ kind }) => kind !== 'id')
}

/** The properties of records that a response can have. Undefined if its schema does not say it. */
export function propertiesShown({ response }: ResourceOperation, role: Role): ReadonlySet<string> | undefined {
  if (response === undefined) return undefined
  const body = schemaAt(response.schema.schema, response.envelope)
  const properties = propertiesIn((role === 'list' ? itemsOf(body) : body) ?? {})
  return properties.size === 0 ? undefined : new Set(properties.keys())
}

/** What a fixture has of the path to a record: the ids of its parents, if the record does not repeat them. */
export function parentsInPath({ resource, via }: Route, values: PathValues, record: FixtureEntry): FixtureEntry {
  const names = parentMembers({ resource, via })
  return Object.fromEntries(
    via.parents.flatMap(({ parameter }, level) => {
      const [name, value] = [names[level], values[parameter]]
      if (name === undefined || value === undefined) return []
      const field = resource.fields.find(({ property }) => property === name)
      if (field === undefined) return [[name, value]]
      return (record[name] ?? undefined) === undefined ? [[name, toJson(value, field.schema)]] : []
    }),
  )
}

/** As a property of a record has the text of a path. */
function toJson(text: string, schema: Schema): unknown {
  const number = typesOf(schema).has('integer') ? parseAnyId(text) : undefined
  return number === undefined ? text : toJsonInt64(number)
}

/** The members of a fixture's record that have the ids of the parents in a path to it, outermost first. */
export function parentMembers({ resource, via }: Route): readonly (string | undefined)[] {
  return parentFields(via).map(({ stored }) => {
    const field = resource.fields.find((each) => each.stored === stored)
    return field?.property ?? resource.unsent.find((each) => each.stored === stored)?.member
  })
}

/** Returns a function that gives ids to records that do not contain them, and whose paths have not shown them. */
export function createNumbering(resource: ServiceResource, known: readonly FixtureEntry[] = []) {
  if (sendsIds(resource)) return (record: FixtureEntry) => record
  const taken = new Set(known.map((record) => readIdOf(resource, record)))
  const sequence = resource.ids.createSequence({ size: 0, has: (id) => taken.has(id), largest: () => undefined })
  return (record: FixtureEntry): FixtureEntry =>
    'id' in record ? record : { ...record, id: resource.ids.toJson(sequence.take()) }
}

/** The resource that the records of a route are directly below. */
export function parentOf({ via }: Route, routes: readonly Route[]): ServiceResource | undefined {
  return routeTo(via.parents.at(-1)?.resource, routes)?.resource
}

export function routeTo(name: string | undefined, routes: readonly Route[]): Route | undefined {
  return routes.find(({ via }) => via.name === name)
}

/** The parents below which records of a route are listed, as far as a fixture has them. Undefined if it never can. */
export function placesOf(
  { via }: Route,
  fixture: PulledFixture,
  routes: readonly Route[],
): readonly PathValues[] | undefined {
  const parameters = via.parents.map(({ parameter }) => parameter)
  if (parameters.length === 0) return [{}]
  const route = routeTo(via.parents.at(-1)?.resource, routes)
  if (route === undefined) return undefined
  const outer = parentMembers({ ...route, via: atItemPath(route.via) })
  if (outer.length !== parameters.length - 1) return undefined
  return (fixture[route.resource.name] ?? []).flatMap((record) => {
    const ids = [...outer.map((name) => record[name ?? '']), readIdOf(route.resource, record)]
    if (ids.includes(undefined)) return []
    return [Object.fromEntries(parameters.map((parameter, level) => [parameter, String(ids[level])]))]
  })
}
