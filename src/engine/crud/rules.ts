import { partsOf } from '../../document/schema/facts.js'
import { hashText } from '../../lib/random.js'
import { type StoredRecord, USER } from '../resources/additions.js'
import { toReference } from '../resources/record-forms.js'
import { toGroupText } from '../resources/selection.js'
import { resourceNamed, type ServiceResource } from '../resources/service-resource.js'
import { collectionOf } from './find.js'
import type { Rules } from './handler.js'
import { invalidTransition, valueTaken } from './messages.js'

/** Undefined if the service says nothing of this kind. */
export function createRules(resource: ServiceResource, all: readonly ServiceResource[]): Rules | undefined {
  const { unique = [], states, references = {} } = resource.additions
  const { checkedReferences, writable } = resource
  const chosen = checkedReferences.filter(({ property, when }) => !when && !writable.includes(property))
  const owned = Object.entries(references).flatMap(([property, to]) => (to === USER ? [property] : []))
  if (unique.length + chosen.length + owned.length === 0 && states === undefined) return undefined
  const state = states && stateField(resource)?.property
  return {
    givenBy: ({ store, user }) =>
      Object.fromEntries([
        ...chosen.flatMap(({ property, to }) => choose(store, property, to)),
        ...owned.map((property) => [property, user && toReference(user.id, schemaOf(property))] as const),
      ]),
    check({ store, options }, next, current) {
      if (options.rules === 'off') return
      for (const property of unique) checkUnique(property, store, next, current)
      if (state !== undefined && states && current) checkState(state, states, next, current)
    },
  }

  /** One of the records that there are; which one depends on the id that comes next. */
  function choose(store: Parameters<Rules['givenBy']>[0]['store'], property: string, to: string) {
    const target = resourceNamed(all, to) as ServiceResource
    const records = collectionOf(store, target).select({})
    if (records.size === 0) return []
    const index = hashText(`${property}/${collectionOf(store, resource).nextId}`) % records.size
    const [record] = records.slice(index, 1)
    return [[property, toReference(target.ids.toJson((record as StoredRecord).id), schemaOf(property))] as const]
  }

  function schemaOf(property: string) {
    return resource.fields.find((field) => field.property === property)?.schema ?? {}
  }

  function checkUnique(
    property: string,
    store: Parameters<Rules['givenBy']>[0]['store'],
    next: StoredRecord,
    current: StoredRecord | undefined,
  ): void {
    const { stored = property } = resource.fields.find((field) => field.property === property) ?? {}
    const value = toGroupText(next[stored])
    if (value === undefined || value === toGroupText(current?.[stored])) return
    const [taken] = collectionOf(store, resource)
      .select({ group: { by: property, value } })
      .slice(0, 1)
    if (taken && taken.id !== next.id) throw valueTaken(resource, property, next[stored], resource.ids.toJson(taken.id))
  }
}

function checkState(
  property: string,
  states: Readonly<Record<string, readonly string[]>>,
  next: StoredRecord,
  current: StoredRecord,
): void {
  const [from, to] = [current[property], next[property]]
  if (from === to || from === undefined) return
  const allowed = (Object.hasOwn(states, String(from)) && states[String(from)]) || []
  if (!allowed.includes(String(to))) throw invalidTransition(property, from, to, allowed)
}

/** The property with the states: the one whose values these are, or else the one that is called so. */
export function stateField({ fields, additions: { states = {} } }: ServiceResource) {
  const names = [...new Set([...Object.keys(states), ...Object.values(states).flat()])]
  const hits = (values: readonly unknown[] = []) => names.filter((name) => values.includes(name)).length
  const [best] = fields
    .map((field) => ({ field, values: valuesOf(field.schema) }))
    .map(({ field, values }) => ({ field, values, count: hits(values) }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count)
  const named = fields.find(({ property }) => /^(status|state)$/i.test(property))
  const property = best?.field.property ?? named?.property
  const unknown = best && names.find((name) => !best.values?.includes(name))
  return property === undefined ? undefined : { property, values: best?.values, unknown }
}

const valuesOf = (schema: Parameters<typeof partsOf>[0]) => [...partsOf(schema)].find((part) => part.enum)?.enum
