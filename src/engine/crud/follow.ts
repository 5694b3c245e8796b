import type { Count } from '../../document/resources/resource.js'
import { isValid } from '../../document/sample/fit-value.js'
import { isScalar, itemsOf, propertiesIn, requiredIn, typesOf } from '../../document/schema/facts.js'
import type { Schema } from '../../document/schema/schema.js'
import type { Id } from '../../lib/int64.js'
import { isEqualJson, isPlainObject, type Json, ownMember } from '../../lib/values.js'
import type { AnyCollections, StoredRecord } from '../resources/additions.js'
import { parentFields } from '../resources/parents.js'
import { readIdOf, toJsonRecord } from '../resources/record-forms.js'
import { toGroupText } from '../resources/selection.js'
import { type Field, resourceNamed, type ServiceResource } from '../resources/service-resource.js'
import { collectionOf } from './find.js'
import type { Follow } from './handler.js'
import { createHolding } from './links.js'

/** A value of a record that follows from other records. */
interface Derived {
  readonly stored: string
  read(store: AnyCollections, record: StoredRecord): unknown
}

/**
 * Records with what follows from others: copies of records are those of today, and counts count what there is. Undefined where
 * nothing does.
 */
export function createFollow(resource: ServiceResource, all: readonly ServiceResource[]): Follow | undefined {
  const own = resourceNamed(all, resource.storedIn) ?? resource
  const derived = own.fields.flatMap((field) => createCount(own, field, all) ?? createCopy(own, field, all) ?? [])
  if (derived.length === 0) return undefined
  return (store, record) => {
    let followed = record
    for (const { stored, read } of derived) {
      const value = read(store, record)
      if (value !== record[stored]) followed = { ...followed, [stored]: value }
    }
    return followed
  }
}

function createCopy(resource: ServiceResource, { property, stored, schema }: Field, all: readonly ServiceResource[]) {
  const target = resourceNamed(all, resource.embedded[property] ?? resource.links?.[property])
  const object = typesOf(schema).has('array') ? itemsOf(schema) : schema
  if (target === undefined || object === undefined || isScalar(object)) return undefined
  const copy = createCopier(target, object)
  return {
    stored,
    read(store: AnyCollections, record: StoredRecord) {
      const value = record[stored]
      if (!Array.isArray(value)) return copy(store, value)
      const copies = value.map((each) => copy(store, each))
      return copies.every((each, index) => each === value[index]) ? value : copies
    },
  } satisfies Derived
}

/** Brings a copy of a record, or of a part of it, up to date. */
function createCopier(target: ServiceResource, schema: Schema) {
  const properties = propertiesIn(schema)
  const required = requiredIn(schema)
  const fields = target.fields.filter(({ property }) => properties.has(property) && property !== target.idPath[0])
  /** What was made of a copy, and of which record. */
  const known = new WeakMap<object, { readonly from: StoredRecord; readonly made: Json }>()

  function update(value: Json, from: StoredRecord): Json {
    const json = toJsonRecord(target, from)
    const made = { ...value }
    for (const { property } of fields) {
      const current = ownMember(json, property)
      if (isEqualJson(current, made[property])) continue
      if (current === undefined && !required.has(property)) delete made[property]
      else if (current !== undefined && isValid(properties.get(property) as Schema, current)) made[property] = current
    }
    return made
  }

  return (store: AnyCollections, value: unknown): unknown => {
    if (!isPlainObject(value)) return value
    const id = readIdOf(target, value)
    const from = id === undefined ? undefined : collectionOf(store, target).get(id)
    if (from === undefined) return value
    const latest = known.get(value)
    if (latest?.from === from) return latest.made
    const updated = update(value, from)
    const made = isEqualJson(updated, value) ? value : updated
    known.set(value, { from, made })
    return made
  }
}

function createCount(
  { counts = {} }: ServiceResource,
  { property, stored }: Field,
  all: readonly ServiceResource[],
): Derived | undefined {
  const count = ownMember(counts, property)
  const counted = resourceNamed(all, count?.of)
  const belongs = count && counted && createBelongs(count, counted, all)
  if (count === undefined || counted === undefined || belongs === undefined) return undefined
  const conditions = Object.entries(count.where ?? {}).flatMap(([name, value]) => {
    const field = counted.fields.find((each) => each.property === name)
    return field ? [(record: StoredRecord) => record[field.stored] === value] : []
  })
  return {
    stored,
    read(store, record) {
      const isMeant = belongs(record)
      let number = 0
      for (const each of collectionOf(store, counted).select({}))
        if (isMeant(each) && conditions.every((test) => test(each))) number++
      return number
    },
  }
}

type Belongs = (record: StoredRecord) => (other: StoredRecord) => boolean

/** Whether other records belong to one. */
function createBelongs({ by }: Count, counted: ServiceResource, all: readonly ServiceResource[]): Belongs | undefined {
  if ('link' in by) {
    const holding = createHolding(by.link, all)
    if (holding === undefined) return undefined
    if (holding.holder.name === counted.name)
      return ({ id }) =>
        (other) =>
          holding.idsIn(other).includes(id)
    return (record) => {
      const ids = new Set<Id>(holding.idsIn(record))
      return ({ id }) => ids.has(id)
    }
  }
  const place =
    'parent' in by
      ? parentFields(counted).find(({ parameter }) => parameter === by.parent)
      : counted.fields.find(({ property }) => property === by.property)
  const target = 'property' in by ? resourceNamed(all, counted.embedded[by.property]) : undefined
  if (place === undefined) return undefined
  return ({ id }) =>
    (other) => {
      const value = other[place.stored]
      return isPlainObject(value) ? target !== undefined && readIdOf(target, value) === id : toGroupText(value) === id
    }
}
